#include "experiments/tessera/trial_run.h"

#include <algorithm>

#include "experiments/tessera/agreement.h"
#include "models/machine.h"

namespace experiments {

Trial trial_run(const TrialFrame& frame, const engine::Ranks& ranks,
                const std::function<engine::Plan(const engine::Graph&)>& plan, engine::Time windows,
                const engine::RunOptions& options) {
    engine::Simulation simulation;
    models::Machine machine(simulation, frame.parameters);
    models::FrameTrace trace;
    models::Frame work;
    on_all_ranks(ranks, [&] {
        trace.programs = frame.trace.programs();
        work = frame.trace.load(frame.position);
        machine.load_frame(trace, work);
    });
    machine.start();
    Trial trial;
    trial.graph = simulation.graph();
    trial.channels = simulation.named_channels();
    trial.gpu_cycle = machine.clocks().gpu;
    engine::RunOptions first = options;
    const engine::Time length = simulation.window_length();
    first.until = std::min(windows, engine::end_of_time / length) * length;
    trial.report = simulation.run(plan(trial.graph), first);
    return trial;
}

}  // namespace experiments
