// What `tessera plan` finds out: how a machine would be partitioned and how fast that would be.
#pragma once

#include <string>
#include <vector>

#include "engine/sync_cost.h"
#include "experiments/tessera/trial_run.h"
#include "partitions/prediction.h"

namespace experiments {

struct PlanRequest {
    std::string machine;
    std::filesystem::path input;  // frame trace or recording
    std::vector<std::string> overrides;
    int frame = -1;  // its number; -1: the first
    int workers = 1, ranks = 1;
    engine::Time windows = 100'000;
    bool verify = false, json = false;
};

// What a plan does to the machine.
struct PlanOutcome {
    engine::Plan plan;
    std::vector<double> shares;               // of the work, by worker
    double balance = 1;                       // largest share over the mean
    engine::Time lookahead = engine::never;   // least of the links between workers
    double messages = 0, messages_share = 0;  // a window and of all that cross
    double seconds = 0, speedup = 1;          // predicted
};
// Wall seconds of real runs of the same windows: the least of several.
struct Measured {
    double one = 0, two = 0;
};

struct PlanReport {
    std::uint32_t frame = 0;
    engine::Graph graph;
    engine::Time window_length = 0;
    partitions::Work work;
    double measuring = 0;  // wall seconds that measuring it added, which are taken out
    engine::SyncCost sync;
    PlanOutcome chosen;
    std::vector<PlanOutcome> table;  // of 1, 2, 4, ... workers
    double critical_seconds = 0;
    PlanOutcome two;    // if it was to be verified
    Measured measured;  // likewise
};

PlanReport make_report(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks);

}  // namespace experiments
