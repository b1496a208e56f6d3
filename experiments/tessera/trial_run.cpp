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
    on_all_ranks(ranks, [&] { machine.load_frame(frame.trace, frame.frame); });
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
