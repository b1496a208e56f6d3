// What `tessera plan` finds out: how a machine would be partitioned and how fast that would be.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/instruments/sync_cost.h"
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
    int repetitions = 0;  // of what is timed, of which the least counts; 0: as many as a few seconds allow
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

// Channels between ports of the same names, their indices apart, that have the same lookahead: latency plus least
// delay.
struct ChannelGroup {
    std::string from, to;  // "l2_slice.replies"
    engine::Time latency, least_delay;
    std::size_t channels;
    engine::Time lookahead() const { return latency + least_delay; }
};

// What the processes of one kind share of all work.
struct KindShare {
    std::string kind;
    std::size_t processes;
    double share;          // of all work
    std::string largest;   // of its processes, by name
    double largest_share;  // of all work
    double path_share;     // of the critical path
};

struct PlanReport {
    std::uint32_t frame = 0;
    engine::Graph graph;
    engine::Time window_length = 0;      // ticks
    bool whole_frame = true;             // it ends within the windows that are profiled
    engine::Time gpu_cycle = 1;          // ticks
    std::vector<ChannelGroup> channels;  // by lookahead; the first ones set the length of a window
    std::vector<KindShare> kinds;        // by share, largest first
    int repetitions = 0;                 // of the profile
    partitions::Work work;
    double measuring = 0;  // wall seconds by which windows that are not measured one by one took less (or more), as
                           // the work is taken to have taken; 0 also if there are too few
    engine::SyncCost sync;
    PlanOutcome chosen;
    std::vector<PlanOutcome> table;   // of 1, 2, 4, ... workers
    double conservative_seconds = 0;  // with a worker for every process and synchronisation for nothing
    partitions::CriticalPath path;
    PlanOutcome two;    // if it was to be verified
    Measured measured;  // likewise
};

std::vector<ChannelGroup> group_channels(const std::vector<engine::NamedChannel>& channels);
std::vector<KindShare> kind_shares(const engine::Graph& graph, const partitions::Work& work,
                                   const partitions::CriticalPath& path);

PlanReport make_report(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks);

}  // namespace experiments
