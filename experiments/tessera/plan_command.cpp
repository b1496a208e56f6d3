#include "experiments/tessera/plan_command.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "engine/error.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/machine_file.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/plan_report.h"
#include "experiments/tessera/planning.h"
#include "experiments/tessera/workloads.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/recording/temporary_folder.h"

namespace experiments {

namespace {

RunRequest workload_request(const PlanRequest& request) {
    RunRequest run;
    run.workloads = {request.input};
    run.progress = io::Progress::Style::none;
    if (request.frame >= 0)
        run.frames.first = run.frames.last = static_cast<std::uint32_t>(request.frame);
    else if (!io::FrameTraceFile::recognises(request.input))
        run.frames.last = 0;  // of a recording no more than the first is traced
    return run;
}

void plan(const PlanRequest& given, const engine::Ranks& ranks) {
    PlanRequest request = given;
    if (request.workers == 0) request.workers = default_threads();
    if (request.workers % request.ranks != 0)
        throw engine::ConfigError("--ranks: expected a number that divides the " + std::to_string(request.workers) +
                                  " workers, found " + std::to_string(request.ranks));
    models::MachineParameters parameters;
    read_machine(request.machine, request.overrides, parameters);
    warn_of_parameters_without_effect(parameters);
    const io::TemporaryFolder folder;  // for the trace of a recording
    const std::vector<OpenWorkload> workloads =
        open_workloads(workload_request(request), {.path = folder.path(), .temporary = true}, ranks);
    const OpenWorkload& workload = workloads.front();
    models::FrameTrace trace;
    models::Frame frame;
    on_all_ranks(ranks, [&] {
        trace.programs = workload.trace->programs();
        frame = workload.trace->load(workload.frames.front());
    });
    const PlanReport report = make_report(request, {parameters, trace, frame}, ranks);
    std::fputs((request.json ? plan_json(request, report) : plan_text(request, report)).c_str(), stdout);
}

}  // namespace

void add_plan_command(Commands& commands, const engine::Ranks& ranks) {
    auto request = std::make_shared<PlanRequest>();
    request->workers = 0;
    Command command =
        commands.add("plan", "partition a machine, say what bounds its speed-up, predict it for 1 to 256 workers");
    command.add_option("MACHINE", request->machine, "a machine's TOML file, or the name of a preset (bifrost32)")
        .required();
    command.add_option("--input", request->input, "frame trace (*.h5) or recording (*.vtr.zst) to profile it with")
        .type_name("WORKLOAD")
        .required();
    command.add_option("--frame", request->frame, "the frame that is profiled, counted from 0 [the first]")
        .type_name("N")
        .check(whole_number(0, 1 << 30));
    command.add_option("--windows", request->windows, "profile so many windows of simulated time [100000]")
        .type_name("N")
        .check(whole_number(1, 100'000'000));
    command
        .add_option("--repeat", request->repetitions,
                    "profile them so many times, of which the least times count [3, and up to 25 within 5 s]")
        .type_name("N")
        .check(whole_number(1, 1000));
    command.add_option("--workers", request->workers, "workers of the partition that is shown [available cores]")
        .type_name("N")
        .check(whole_number(1, 65536));
    command.add_option("--ranks", request->ranks, "ranks that they are divided into [1]")
        .type_name("N")
        .check(whole_number(1, 65536));
    command
        .add_option("--set", request->overrides,
                    "change a parameter of the machine, as in texture_cache.capacity=\"32 KiB\"; see tessera params")
        .type_name("PATH=VALUE")
        .one_value();
    command.add_flag("--verify", request->verify, "run the same windows with 1 and 2 threads, pinned, and compare");
    command.add_flag("--json", request->json, "print one JSON object");
    command.footer(
        "Runs the first windows of the frame on one thread, notes what every process does in every window and\n"
        "how long it takes, measures what synchronising costs here, and plays the kernel's protocol on that.\n"
        "Shows the window and the channels that set it, the share of the work of every kind of process and of the\n"
        "largest ones, the partition, and the critical path: the longest chain of work that needs the one before.\n"
        "Wants two cores without other work. partitions/prediction.h says what it knows and what not.\n\n"
        "Example:  tessera plan bifrost32 --input game.h5 --workers 8 --verify");
    command.callback([request, &ranks] { plan(*request, ranks); });
}

}  // namespace experiments
