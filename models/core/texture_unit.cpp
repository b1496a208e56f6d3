#include "models/core/texture_unit.h"

namespace models {

TextureUnit::TextureUnit(const engine::CounterScope& scope, const TextureUnitParameters& parameters, Cache& cache,
                         engine::Time period, const std::string& cores)
    : accesses(scope, "accesses", "1", "texture instructions executed, per quad or vertex"),
      blocks_read(scope, "blocks", "1", "lines looked up for texture accesses"),
      cache_(&cache),
      operations_(static_cast<std::size_t>(parameters.accesses())),
      queue_(static_cast<std::size_t>(parameters.accesses())),
      blocks_per_cycle_(parameters.blocks_per_cycle()),
      period_(period),
      filter_latency_(parameters.filter_latency.count() * period),
      time(scope,
           {{{"idle", Activity::starved, cores},
             {"lookup", Activity::busy},
             {"waits_lines", Activity::starved, cache.answered_by()},
             {"waits_memory", Activity::blocked, cache.answered_by()}}},
           period) {
    for (std::size_t place = operations_.size(); place-- > 0;) free_.push_back(static_cast<std::uint16_t>(place));
}

}  // namespace models
