#include "models/core/texture_unit.h"

namespace models {

TextureUnit::TextureUnit(const engine::CounterScope& scope, const TextureUnitParameters& parameters, Cache& cache,
                         engine::Time period, const std::string& cores)
    : accesses(scope, "accesses", "1", "texture instructions executed, per quad or vertex"),
      blocks_read(scope, "blocks", "1", "lines looked up for texture accesses"),
      samples(scope, "samples", "1", "bilinear samples of all lanes of texture accesses"),
      filter_cycles(scope, "filter_cycles", "cycle", "for which the filter is taken by texture accesses"),
      cache_(&cache),
      operations_(static_cast<std::size_t>(parameters.accesses())),
      queue_(operations_.size()),
      order_(operations_.size()),
      releases_(operations_.size()),
      blocks_per_cycle_(parameters.blocks_per_cycle()),
      filter_cost_(parameters),
      in_order_(parameters.results_in_order()),
      period_(period),
      address_time_(parameters.address_latency.count() * period),
      read_time_(cache.latency()),
      filter_latency_(parameters.filter_latency.count() * period),
      time(scope,
           {{{"idle", Activity::starved, cores},
             {"lookup", Activity::busy},
             {"waits_lines", Activity::starved, cache.answered_by()},
             {"waits_memory", Activity::blocked, cache.answered_by()},
             {"filter", Activity::busy}}},
           period) {
    for (std::size_t place = operations_.size(); place-- > 0;) free_.push_back(static_cast<std::uint16_t>(place));
}

}  // namespace models
