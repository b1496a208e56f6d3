// What prefetchers are made after: the sizes of their tables, how much they bring, and when one holds back. What each
// number means is said where it is a parameter, in prefetch_parameters.cpp.
#pragma once

#include <cstdint>

#include "engine/units.h"

namespace models {

// When thread-aware prefetching issues more or fewer of its requests.
struct PrefetchThrottleShape {
    engine::Time period = 100'000;                               // ticks
    std::uint32_t degree = 2;                                    // at first
    std::uint32_t early_low = 10, early_high = 20, merge = 150;  // thresholds, thousandths
    std::uint32_t recovery = 4;                                  // periods
};

struct PrefetchShape {
    std::uint32_t queue = 16;
    std::uint32_t next_line_degree = 1;
    std::uint32_t stride_entries = 48, stride_degree = 2;
    std::uint32_t history_index = 16, history_entries = 100, history_degree = 2;
    std::uint32_t warp_entries = 16, global_entries = 16, neighbour_entries = 16;  // thread_aware
    std::uint32_t thread_aware_promotion = 3;
    std::uint32_t thread_aware_distance = 1, thread_aware_degree = 1;
    PrefetchThrottleShape throttle;
};

}  // namespace models
