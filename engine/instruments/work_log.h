// WorkLog: what every process did in every window of a run of one worker, and how long that took: what the speed of
// other plans is predicted from (partitions/prediction.h). As measured; the cost of looking at the clock is in it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/units.h"

namespace engine {

struct WorkLog {
    struct Entry {
        std::uint32_t process;   // its number
        std::uint32_t time;      // in units, of wall time
        std::uint32_t messages;  // that arrived for it
    };
    struct Window {
        Time number;
        std::uint32_t first;    // of its entries
        std::uint32_t count;    // of them
        std::uint32_t collect;  // units: taking the messages of the window
        std::uint32_t rest;     // units: what else the worker did for the window
    };
    // A message: the entry in which it was sent, and the one in which it was consumed. Several of one kind in a row
    // count as one.
    struct Cause {
        std::uint32_t from, to;
        friend bool operator==(const Cause&, const Cause&) = default;
    };
    std::vector<Window> windows;  // in which something happened, in order
    std::vector<Entry> entries;
    bool with_causes = false;   // to be set before the run; finding causes takes time, which then counts as work
    std::vector<Cause> causes;  // in the order of `to`
    double unit = 0;            // seconds
    double overhead = 0;        // seconds that looking at the clock adds to every entry, and to every part of a window
};

}  // namespace engine
