#include "models/memory/cache_parameters.h"

#include <bit>

#include "models/frame_trace/frame_trace.h"
#include "models/prefetch/prefetcher.h"
#include "models/structures/replacement/replacement.h"

namespace models {

CacheParameters::CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                 const Defaults& defaults)
    : ParameterGroup(parent, name, doc),
      capacity(this, "capacity", defaults.capacity, {{64}, {1 << 26}}, "data capacity", defaults.source),
      ways(this, "ways", defaults.ways, {1, 64}, "associativity", defaults.source),
      latency(this, "latency", defaults.latency, {{1}, {256}}, "cycles of a lookup, and of a hit", defaults.source),
      mshrs(this, "mshrs", defaults.mshrs, {1, 128}, "lines in flight", "design"),
      merges(this, "merges", 16, {1, 256}, "accesses that may wait for one line in flight", "design"),
      replacement(this, "replacement", options_of<Replacement>(), 0, "which line of a set goes when another comes",
                  "design: the papers name no policy"),
      prefetcher(this, "prefetcher", options_of<Prefetcher>(), 0, "what brings lines before they are asked for",
                 "the papers' baselines have none") {}

void CacheParameters::check() const {
    check_sets(name(), capacity.count(), 1, ways());
}

void check_sets(const std::string& name, std::int64_t capacity, std::int64_t pieces, std::int64_t ways) {
    const std::int64_t set = pieces * ways * std::int64_t{block_bytes};
    const bool fits =
        capacity >= set && capacity % set == 0 && std::has_single_bit(static_cast<std::uint64_t>(capacity / set));
    require(fits, name + ": expected capacity / (ways x 64 B" + (pieces > 1 ? " x slices" : "") +
                      ") to be a power of two (the number of sets), found " + std::to_string(capacity) + " B, " +
                      std::to_string(ways) + " ways" +
                      (pieces > 1 ? " and " + std::to_string(pieces) + " slices" : ""));
}

}  // namespace models
