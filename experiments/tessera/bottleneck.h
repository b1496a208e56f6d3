// What bounds a frame: where the time of every kind of unit goes, and who keeps whom waiting. From the cycles that
// units spend in their states (models/base/time_account.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/results.h"

namespace experiments {

// Shares of the time of all units of a kind, in some frames; busy, starved and blocked add up to 1.
struct UnitTime {
    struct Wait {
        std::string by;  // a kind of unit; its own where it waits for its own results
        double share;
    };
    std::string kind;
    std::size_t units = 0;
    double busy = 0, starved = 0, blocked = 0;
    std::vector<Wait> starved_by, blocked_by;  // largest first
    // Of one unit: busy, or waiting for its own results, which nobody else could give it sooner. The busiest is the one
    // with the largest share, the first of several.
    double busiest = 0;
    double busiest_busy = 0;  // of that, without the waiting
    std::uint32_t busiest_index = 0;

    double waits_for(const std::string& other) const;
};

// Of the kinds whose units have states, in the order of the results. Frames from `first` to before `end`.
std::vector<UnitTime> unit_times(const io::Results& results, std::size_t first, std::size_t end);

// The kind with the busiest unit: "dram_channel 97 %"; "-" if no unit has states or the frames took no time.
std::string busiest_unit(const std::vector<UnitTime>& times);

// The table of all frames, and below it which unit is busiest and who waits for it. It is the bottleneck if it is busy
// nearly all the time; where no unit is, latencies bound the frames, and that is said instead. Empty without states.
std::string bottleneck_table(const io::Results& results);

}  // namespace experiments
