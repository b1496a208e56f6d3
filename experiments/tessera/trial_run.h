// The beginning of a frame on a machine of its own, which is thrown away: to measure what is to be run, or planned.
#pragma once

#include <functional>

#include "engine/ranks.h"
#include "engine/simulation.h"
#include "models/frame_trace/frame_trace.h"
#include "models/machine_parameters.h"

namespace experiments {

struct TrialFrame {
    const models::MachineParameters& parameters;
    const models::FrameTrace& trace;
    const models::Frame& frame;
};
struct Trial {
    engine::Graph graph;
    std::vector<engine::NamedChannel> channels;
    engine::Time gpu_cycle = 1;  // ticks
    engine::RunReport report;
};

// Collective. Runs so many windows of simulated time, with the plan that is made for the machine.
Trial trial_run(const TrialFrame& frame, const engine::Ranks& ranks,
                const std::function<engine::Plan(const engine::Graph&)>& plan, engine::Time windows,
                const engine::RunOptions& options);

}  // namespace experiments
