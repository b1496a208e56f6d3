// Summary: what a run came to, on one rank and on all.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation.h"
#include "engine/worker.h"

namespace engine {

struct Summary {
    Time end = 0;
    std::uint64_t messages = 0, steps = 0, windows = 0, promises = 0, meetings = 0;
    int stopped_by = 0;
    Time stopped_after = never;         // a window
    std::vector<WorkerTime> workers;    // in the order of ranks and threads
    std::vector<Complaint> complaints;  // by window, then by number of the process

    // Of all ranks, on every rank; to be called by all.
    Summary over_ranks() const;
};

}  // namespace engine
