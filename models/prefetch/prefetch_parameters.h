// Parameters of prefetchers, which those of all caches have in common; which cache has which is the cache's to say.
#pragma once

#include <vector>

#include "models/base/clocks.h"
#include "models/base/without_effect.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

struct PrefetchParameters : ParameterGroup {
    PrefetchParameters(ParameterGroup* parent, std::string_view name);
    Parameter<int> queue;
    Parameter<int> next_line_degree;
    Parameter<int> stride_entries, stride_degree;
    Parameter<int> history_index, history_entries, history_degree;
    Parameter<int> thread_aware_warp_entries, thread_aware_global_entries, thread_aware_neighbour_entries;
    Parameter<int> thread_aware_promotion, thread_aware_distance, thread_aware_degree;
    Parameter<Cycles> thread_aware_period;
    Parameter<int> thread_aware_throttle;
    Parameter<int> thread_aware_early_low, thread_aware_early_high, thread_aware_merge;
    Parameter<int> thread_aware_recovery;
    void check() const override;

    PrefetchShape shape(engine::Time period) const;
    // `used`: the members of Prefetcher that caches have.
    void add_without_effect(WithoutEffect& found, const std::vector<std::size_t>& used) const;
};

}  // namespace models
