// How long a machine takes for frames, run in several ways: on one worker, on threads, on ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/ranks.h"
#include "engine/simulation.h"
#include "models/frame_trace/frame_trace.h"
#include "models/machine_parameters.h"

namespace models::benchmarks {

// Frames for one machine, one after the other. They are loaded before anything is measured.
struct Workload {
    std::string name;
    FrameTrace trace;
    std::vector<Frame> frames;
};

// One run of all frames of a workload.
struct Timing {
    double seconds = 0;                     // of wall time, in Simulation::run()
    std::uint64_t cycles = 0;               // of the GPU
    std::uint64_t thread_instructions = 0;  // of vertices and fragments; complete on rank 0, as is what follows
    std::uint64_t warp_instructions = 0;
    std::uint64_t digest = 0;  // of all counters: the same however it was run
    engine::RunReport report;  // of all frames, as far as this is a matter of sums
};

// Several runs in one way; the ways take turns, so that all meet the same disturbances.
struct Way {
    int threads;                  // of each rank; 0: one worker of all ranks does everything
    std::vector<Timing> timings;  // in the order in which they were measured

    const Timing& median() const;  // by seconds; of an even number the shorter one
};

// Collective. Every way is measured `repeat` times. Partitions are balanced by what processes cost in a run on one
// worker, which is not one of those that are measured. Throws engine::InternalError if two runs have different digests.
struct Measurement {
    engine::Graph graph;
    std::vector<Way> ways;  // the first: one worker
};
Measurement measure(const Workload& workload, const MachineParameters& parameters, const engine::Ranks& ranks,
                    const std::vector<int>& threads, int repeat);

// What the processes of each kind cost.
struct KindCost {
    std::string kind;
    std::size_t processes = 0;
    double seconds = 0, largest_seconds = 0;  // of all, and of the one that costs most
    std::uint64_t messages = 0;               // consumed
};
std::vector<KindCost> kind_costs(const engine::Graph& graph, const engine::Profile& profile);  // most expensive first

}  // namespace models::benchmarks
