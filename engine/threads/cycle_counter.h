// Stamps: wall time in the units of the cheapest clock that the processor has, for measuring what takes nanoseconds.
// Only differences mean something, and those only on one machine. CycleScale says what a unit lasts.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "engine/wall_clock.h"

namespace engine {

using CycleCount = std::uint64_t;

inline CycleCount read_cycle_counter() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return static_cast<CycleCount>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
#endif
}

// What one call of read_cycle_counter() adds to what is measured between two: the least of many.
inline CycleCount cycle_counter_cost() {
    CycleCount least = ~CycleCount{0};
    for (int i = 0; i < 1000; ++i) {
        const CycleCount before = read_cycle_counter();
        least = std::min(least, read_cycle_counter() - before);
    }
    return least;
}

// From stamps to seconds, by two looks at both clocks: when it is made and at end().
class CycleScale {
  public:
    void end() {
        const double seconds = seconds_since(start_);
        unit_ = seconds / static_cast<double>(std::max<CycleCount>(1, read_cycle_counter() - first_));
    }
    double seconds(CycleCount units) const { return static_cast<double>(units) * unit_; }
    // Of the steady clock, which all programs of a machine share.
    std::int64_t nanoseconds_at(CycleCount then) const {
        const auto origin = std::chrono::duration_cast<std::chrono::nanoseconds>(start_.time_since_epoch()).count();
        const double since = static_cast<double>(static_cast<std::int64_t>(then - first_)) * unit_;
        return origin + static_cast<std::int64_t>(since * 1e9);
    }

  private:
    Clock::time_point start_ = Clock::now();
    CycleCount first_ = read_cycle_counter();
    double unit_ = 1e-9;
};

}  // namespace engine
