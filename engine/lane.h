// What a worker and the processes that it advances side by side (engine/lanes.h) share.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "engine/units.h"

namespace engine {

class LogicalProcess;
class Worker;
struct LaneGroup;

// Of one process.
struct Lane {
    LogicalProcess* process;
    Time wake;            // its next step or alarm
    LaneGroup* group;     // that it is of
    std::uint64_t bit;    // of its place in that group
    std::uint32_t first;  // of the list of its messages in this piece of the window, in the calendar
    int number;           // of the process
};

// Neighbours whose processes are of one type.
struct LaneGroup {
    static constexpr std::ptrdiff_t most = 64;  // lanes
    std::span<Lane> lanes;
    std::uint64_t reached;  // bits of those that messages reach in this piece of the window
};

// A piece of a window, about a clock cycle.
struct Piece {
    Time end, window_end;
    Worker& worker;
    std::atomic<int>& current;  // the number of the process that is being advanced

    void make_ready(Lane& lane) const;           // lets its messages arrive
    void sample(LogicalProcess& process) const;  // takes samples of the hash of its messages
};

}  // namespace engine
