#include "experiments/tessera/run_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "engine/error.h"
#include "engine/simulation.h"
#include "engine/stop_request.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/bottleneck.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/machine_file.h"
#include "experiments/tessera/machine_run.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/provenance.h"
#include "experiments/tessera/summary.h"
#include "experiments/tessera/version.h"
#include "io/config_file.h"
#include "io/output.h"
#include "io/results_performance.h"
#include "io/run_folder.h"
#include "models/machine.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

struct Arguments {
    RunRequest request;
    std::string progress = "auto";
    int threads = 0;
};

// What rank 0 writes to, and reads.
struct Outputs {
    std::optional<io::RunFolder> folder;
    std::optional<io::OutputFile> timeline;

    void claim(const RunRequest& request) {
        io::OutputPolicy policy{request.force, request.workloads};
        policy.inputs.push_back(request.machine);
        if (!request.profile_from.empty()) policy.inputs.push_back(request.profile_from);
        if (!request.profile.empty()) {
            if (io::RunFolder::is_reserved(request.output, request.profile))
                throw engine::ConfigError("--profile: " + request.profile.string() +
                                          " is where the results will be; write to another file");
            timeline.emplace(request.profile, io::timeline_output, policy);
        }
        folder.emplace(request.output, policy);
    }
    void release() {
        folder.reset();
        timeline.reset();
    }
};

// Whether the run is possible, as far as that can be known without its workloads.
void check_plan(const RunRequest& request, const models::MachineParameters& parameters, int ranks) {
    engine::Simulation simulation;
    const models::Machine machine(simulation, parameters);
    engine::Graph graph = simulation.graph();
    if (!request.profile_from.empty()) engine::weigh(graph, io::read_profile(request.profile_from, graph));
    (void)partitions::make_plan(request.partition, graph, ranks, request.threads);
}

// The partitions that look at what processes cost; the others would ignore a profile.
void check_profile(const RunRequest& request) {
    if (request.profile_from.empty()) return;
    if (!partitions::uses_costs(request.partition))
        throw engine::ConfigError("--profile-from: the partition '" + request.partition +
                                  "' does not look at costs; --partition balanced does");
}

void print_summary(const RunRequest& request, const io::Results& results) {
    std::fputs((summary_table(results) + "\n" + bottleneck_table(results)).c_str(), stdout);
    std::printf("\ndigest  %s\n", io::results_digest(results).c_str());
    if (request.tie_seed != 0) std::printf("tie seed %llu\n", static_cast<unsigned long long>(request.tie_seed));
    if (!request.log.empty())
        std::printf("logged  %zu messages of ticks %s%s\n", results.determinism.log.messages.size(),
                    request.log.text().c_str(), results.determinism.log.complete ? "" : ", the first ones only");
    std::printf("results %s\n", (request.output / "results.h5").c_str());
}

void run(const Arguments& arguments, const engine::Ranks& ranks) {
    RunRequest request = arguments.request;
    request.progress = parse_progress(arguments.progress);
    ranks.limit_waiting(request.watchdog);
    request.threads = choose_threads(arguments.threads, ranks);
    if (std::filesystem::is_directory(request.profile_from)) request.profile_from /= "results.h5";
    check_profile(request);

    ranks.name_stage("the machine");
    models::MachineParameters parameters;
    std::vector<io::ConfigText> configuration;
    on_all_ranks(ranks, [&] { configuration = read_machine(request.machine, request.overrides, parameters); });
    const std::string resolved =
        io::resolved_toml(parameters, version_text() + ": the machine as it was simulated, every parameter");
    on_all_ranks(ranks, [&] { check_plan(request, parameters, ranks.size()); });
    Outputs outputs;
    on_first_rank(ranks, [&] { outputs.claim(request); });

    const std::vector<OpenWorkload> workloads = open_workloads(
        request, {.path = request.output / "traces", .before_writing = [&] { outputs.folder->make_room(); }}, ranks);
    io::Results results;
    results.provenance = run_provenance(request, ranks.size(), configuration, resolved);
    int signal = 0;
    {
        const engine::StopRequest stop;
        const MachineRun::Output output{outputs.folder ? &*outputs.folder : nullptr,
                                        outputs.timeline ? &*outputs.timeline : nullptr, resolved};
        signal = MachineRun(request, ranks, parameters, output, results).run(workloads);
    }
    if (signal != 0) {
        outputs.release();
        engine::StopRequest::die_of(signal);
    }
    if (ranks.rank() == 0) print_summary(request, results);
}

std::string partition_list() {
    std::string list;
    for (const std::string& name : partitions::names()) list += (list.empty() ? "" : ", ") + name;
    return list;
}

std::string is_partition(const std::string& name) {
    const std::vector<std::string> names = partitions::names();
    if (std::find(names.begin(), names.end(), name) != names.end()) return {};
    const std::string near = engine::nearest(name, names);
    return "expected one of " + partition_list() + ", found '" + name + "'" +
           (near.empty() ? "" : ", did you mean '" + near + "'?");
}

}  // namespace

void add_run_command(CLI::App& app, const engine::Ranks& ranks) {
    auto arguments = std::make_shared<Arguments>();
    RunRequest& request = arguments->request;
    request.partition = partitions::default_partition;
    CLI::App* command = app.add_subcommand("run", "simulate a machine on frame traces or recordings");
    command->add_option("MACHINE", request.machine, "a machine's TOML file, or the name of a preset (bifrost32)")
        ->required();
    command
        ->add_option("WORKLOAD", request.workloads,
                     "frame traces (*.h5) or recordings (*.vtr.zst, traced into DIR/traces first), one after another")
        ->required();
    command->add_option("-o,--output", request.output, "folder for results.h5, resolved.toml and images/")
        ->type_name("DIR")
        ->required();
    add_frames_option(*command, request.frames, " of each workload");
    add_threads_option(*command, arguments->threads);
    command
        ->add_option("--partition", request.partition,
                     "which process runs where at first; changes the speed only: " + partition_list() + " [" +
                         std::string(partitions::default_partition) + "]")
        ->type_name("NAME")
        ->check(is_partition);
    command->add_flag("--no-shared-memory{false}", request.share_memory,
                      "let the ranks of a node send each other messages as those of several nodes do");
    command->add_flag("--all-workers", request.all_workers,
                      "all work, and on what the partition gave them, even where others would be faster");
    command->add_flag("--pin", request.pin, "every thread stays on a core of its own");
    command
        ->add_option("--chaos", request.chaos,
                     "delay threads at random, by this seed: a test of the program, which must not change results")
        ->type_name("SEED")
        ->check(whole_number(0));
    command
        ->add_option("--profile-from", request.profile_from,
                     "results of an earlier run of this machine: partitions that balance costs go by what was "
                     "measured\nthere [balanced: by the first windows; block: by cost hints]")
        ->type_name("RESULTS");
    command
        ->add_option("--profile", request.profile,
                     "write what the workers did when, in wall time, for chrome://tracing or ui.perfetto.dev; a sample")
        ->type_name("FILE.json");
    command
        ->add_option("--set", request.overrides,
                     "change a parameter of the machine, as in texture_cache.capacity=\"32 KiB\"; see tessera params")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--tie-seed", request.tie_seed,
            "another order of messages that arrive at a process at one time: what differs from the results of\n"
            "other seeds hangs on such ties [0: as the machine declares]")
        ->type_name("N")
        ->check(whole_number(0));
    command
        ->add_option_function<std::string>(
            "--log-messages", [&request](const std::string& text) { request.log = parse_time_range(text); },
            "store the messages consumed in this range of ticks, at most the first " +
                std::to_string(most_logged_messages) + ", for tessera compare")
        ->type_name("FROM:TO");
    command
        ->add_option("--watchdog", request.watchdog,
                     "end the run when nothing has moved for so many seconds of wall time, or a rank has given no sign "
                     "of\nlife; 0: never [300]")
        ->type_name("SECONDS")
        ->check(whole_number(0, 1'000'000));
    add_progress_option(*command, arguments->progress);
    command->add_flag("--force", request.force, "replace results that are there");
    command->footer(
        "After the frames comes what bounds them: for every kind of unit the share of its time that it is busy, "
        "starved\n"
        "(waits for work or data) or blocked (finds no room), and by whom; `busiest` is the busiest one of its "
        "kind.\n\n"
        "Results are the same for every number of threads and ranks and every partition; `tessera digest DIR`\n"
        "prints their fingerprint.\n\n"
        "DIR/results.h5 holds the frames done so far, and is never half written. Writing it takes at most a twentieth\n"
        "of the time, so a run that is killed without warning (SIGKILL, power) may lose the frames of its last\n"
        "moments: of twenty times as long as writing the file takes. Errors and other signals lose none.\n"
        "With --force, results of an earlier run stand in DIR/replaced until this run is complete; they come back if\n"
        "it fails before its first frame. Only Tessera's own files are replaced; what else is in their way is an "
        "error.\n\n"
        "Examples:  tessera run bifrost32 game.h5 -o out --threads 2\n"
        "           mpirun -n 4 --bind-to none tessera run my.toml game.h5 -o out --set l2.slices=4\n\n"
        "SIGINT, SIGTERM, SIGHUP and SIGUSR1 end a run when the frames done so far are in DIR/results.h5, a second one "
        "at "
        "once.\n"
        "Exit codes: 0 done; 1 a conservation law does not hold, or no progress; 2 usage or configuration;\n"
        "3 a workload is damaged; 4 a file cannot be read or written.");
    command->callback([arguments, &ranks] { run(*arguments, ranks); });
}

}  // namespace experiments
