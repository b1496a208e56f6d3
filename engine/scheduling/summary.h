// Summary: what a run came to, on one rank and on all.
#pragma once

#include <vector>

#include "engine/instruments/report.h"
#include "engine/scheduling/worker.h"

namespace engine {

struct Summary {
    RunReport report;
    Time stopped_after = never;     // a window
    std::vector<Failure> failures;  // by window, then by number of the process

    // Of all ranks, on every rank; to be called by all.
    Summary over_ranks() const;
};

}  // namespace engine
