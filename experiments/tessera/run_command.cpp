#include "experiments/tessera/run_command.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "engine/error.h"
#include "engine/simulation.h"
#include "engine/threads/stop_request.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/bottleneck.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/machine_file.h"
#include "experiments/tessera/machine_run.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/program_table.h"
#include "experiments/tessera/provenance.h"
#include "experiments/tessera/resume.h"
#include "experiments/tessera/run_keeper.h"
#include "experiments/tessera/summary.h"
#include "experiments/tessera/version.h"
#include "io/config_file.h"
#include "io/file.h"
#include "io/log.h"
#include "io/output.h"
#include "io/results_file.h"
#include "io/results_performance.h"
#include "io/run_folder.h"
#include "models/machine.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

struct RunArguments {
    RunRequest request;
    std::string progress = "auto";
    int threads = 0;
    bool messages_only = false;
};

// What rank 0 writes to, and reads.
struct RunOutputs {
    std::optional<io::RunFolder> folder;
    std::optional<io::OutputFile> timeline;

    void claim(const RunRequest& request) {
        io::OutputPolicy policy{request.force, request.workloads};
        policy.inputs.push_back(request.machine);
        if (!request.profile_from.empty()) policy.inputs.push_back(request.profile_from);
        if (!request.profile.empty() && io::RunFolder::is_reserved(request.output, request.profile))
            throw engine::ConfigError("--profile: " + request.profile.string() +
                                      " is where the results will be; write to another file");
        // First the folder, which the timeline may be in.
        if (request.resumes())
            folder.emplace(request.output);
        else
            folder.emplace(request.output, policy);
        if (!request.profile.empty()) timeline.emplace(request.profile, io::timeline_output, policy);
    }
};

// Its processes and their channels.
engine::Graph graph_of(const models::MachineParameters& parameters) {
    engine::Simulation simulation;
    const models::Machine machine(simulation, parameters);
    return simulation.graph();
}

// Whether the run is possible, as far as that can be known without its workloads.
void check_plan(const RunRequest& request, engine::Graph graph, int ranks) {
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
    if (const std::string programs = program_table(results); !programs.empty()) std::printf("\n%s", programs.c_str());
    std::printf("\ndigest  %s\n", io::results_digest(results).c_str());
    if (request.tie_seed != 0) std::printf("tie seed %llu\n", static_cast<unsigned long long>(request.tie_seed));
    if (!request.log.empty())
        std::printf("logged  %zu messages of ticks %s%s\n", results.determinism.log.messages.size(),
                    request.log.text().c_str(), results.determinism.log.complete ? "" : ", the first ones only");
    std::printf("results %s\n", (request.output / "results.h5").c_str());
}

// Instructions were to be recorded, and none came into a pipeline in those cycles.
void warn_of_empty_trace(const io::Results& results) {
    const io::RecordsResults* const instructions = results.find_records("instructions");
    if (instructions != nullptr && instructions->frames.empty())
        io::log_warning(
            "observe.pipeline_cores had no effect: no instruction came into a pipeline of these cores from "
            "cycle observe.pipeline_from to observe.pipeline_to");
}

// What only a new run needs is not told by the command line itself.
void check_arguments(RunRequest& request) {
    if (!request.resumes()) {
        if (request.machine.empty()) throw UsageError("MACHINE is required");
        if (request.workloads.empty())
            throw UsageError(request.machine.ends_with(".h5") || request.machine.ends_with(".vtr.zst")
                                 ? "MACHINE is required before WORKLOAD: expected one, as bifrost32, found " +
                                       request.machine
                                 : "WORKLOAD is required");
        if (request.output.empty()) throw UsageError("--output is required");
        return;
    }
    if (request.force) throw engine::ConfigError("--resume goes on with a run, --force replaces it: give one of them");
    std::error_code error;
    if (!request.output.empty() && !std::filesystem::equivalent(request.output, request.resume, error))
        throw engine::ConfigError("--output: a run that --resume goes on with stays in its folder");
    request.output = request.resume;
}

// Where the run begins: at its beginning.
RunCheckpoint begin(const RunRequest& request, const engine::Ranks& ranks,
                    const std::vector<io::ConfigText>& configuration, const models::MachineParameters& parameters) {
    RunCheckpoint start;
    if (ranks.rank() == 0) warn_of_parameters_without_effect(parameters);
    const std::string resolved =
        io::resolved_toml(parameters, version_text() + ": the machine as it was simulated, every parameter");
    start.identity = {version_text(), resolved, {}, request.frames, request.tie_seed, request.log};
    start.progress.results.provenance = run_provenance(request, ranks.size(), configuration, resolved);
    return start;
}

// Of a run that is complete, on rank 0: refuses what is given and was not run.
void leave_complete(const RunRequest& request, int ranks) {
    models::MachineParameters parameters;
    check_against_results(request, parameters);
    if (!request.profile_from.empty()) check_plan(request, graph_of(parameters), ranks);
    io::RunFolder(request.output).complete();  // which a kill may have prevented
    std::printf("%s is complete already%s\n", request.output.c_str(),
                request.profile.empty() ? "" : ", so there is nothing to write to --profile");
}

// At its checkpoint.
RunCheckpoint go_on(RunRequest& request, const io::RunFolder* folder, const engine::Ranks& ranks,
                    models::MachineParameters& parameters) {
    RunCheckpoint start = read_checkpoint(folder, ranks);
    on_first_rank(ranks, [&] { check_recordings(start.identity, request); });
    on_all_ranks(ranks, [&] {
        complete_request(start.identity, request);
        resume_machine(start.identity, request, parameters);
    });
    return start;
}

void begin_segment(const RunRequest& request, const engine::Ranks& ranks, RunProgress& progress) {
    const engine::Time from = progress.segments.empty() ? 0 : progress.segments.back().to;
    progress.segments.push_back(
        {wall_time(), host_name(), request.partition, ranks.size(), request.threads, from, from});
}

// Whether a run is to stop while recordings are traced. --stop-after does not stop a start that goes on: as traces are
// made whole or not at all, it might never get further.
bool stops_tracing(const RunRequest& request) {
    const bool late = !request.resumes() && request.stop_after.seconds > 0 &&
                      engine::seconds_since(request.began) >= request.stop_after.seconds;
    return late || engine::StopRequest::signal() != 0;
}

// Collective. Nothing has been simulated: the checkpoint is of the run's beginning.
void stop_before_beginning(const engine::Ranks& ranks, io::RunFolder* folder,
                           const std::vector<OpenWorkload>& workloads, RunCheckpoint& start) {
    std::uint64_t signal = 0;
    const std::array<std::uint64_t, 1> mine = {static_cast<std::uint64_t>(engine::StopRequest::signal())};
    for (const std::vector<std::uint64_t>& of_rank : ranks.gather(mine)) signal = std::max(signal, of_rank.at(0));
    on_first_rank(ranks, [&] {
        const auto untraced = std::find_if(workloads.begin(), workloads.end(),
                                           [](const OpenWorkload& workload) { return workload.trace == nullptr; });
        const std::string why =
            signal != 0 ? std::string("SIG") + sigabbrev_np(static_cast<int>(signal)) : std::string("--stop-after");
        RunKeeper keeper(*folder, start.identity, start.progress, workloads.size() > 1);
        keeper.write_checkpoint({});
        std::fprintf(stderr, "%s is not traced to its end: that begins anew when the run goes on\n",
                     untraced->given.c_str());
        keeper.end_early("stopped by " + why);
    });
}

// The program's exit code.
engine::ExitCode run(const RunArguments& arguments, const engine::Ranks& ranks) {
    RunRequest request = arguments.request;
    const engine::StopRequest stop;
    check_arguments(request);
    request.progress = parse_progress(arguments.progress);
    request.share_memory = !arguments.messages_only;
    ranks.limit_waiting(request.watchdog);
    request.threads = choose_threads(arguments.threads, ranks);
    if (std::filesystem::is_directory(request.profile_from)) request.profile_from /= "results.h5";
    check_profile(request);

    ranks.name_stage("the machine");
    RunOutputs outputs;
    models::MachineParameters parameters;
    std::vector<io::ConfigText> configuration;
    RunCheckpoint start;
    if (request.resumes()) {
        bool complete = false;
        on_first_rank(ranks, [&] {
            complete = has_complete_results(request.output);
            if (complete)
                leave_complete(request, ranks.size());
            else
                outputs.claim(request);
        });
        if (ranks.any(complete)) return engine::ExitCode::done;
        start = go_on(request, outputs.folder ? &*outputs.folder : nullptr, ranks, parameters);
    } else {
        on_all_ranks(ranks, [&] { configuration = read_machine(request.machine, request.overrides, parameters); });
    }
    on_all_ranks(ranks, [&] {
        const engine::Graph graph = graph_of(parameters);
        if (arguments.threads == 0) request.threads = worthwhile_threads(request.threads, graph.processes.size());
        check_plan(request, graph, ranks.size());
    });
    if (!request.resumes()) {
        start = begin(request, ranks, configuration, parameters);
        on_first_rank(ranks, [&] { outputs.claim(request); });
    }

    std::vector<OpenWorkload> workloads = open_workloads(request,
                                                         {.path = request.output / "traces",
                                                          .reuse = request.resumes(),
                                                          .before_writing = [&] { outputs.folder->make_room(); },
                                                          .stops = [&] { return stops_tracing(request); }},
                                                         ranks);
    if (request.resumes())
        on_all_ranks(ranks, [&] { resume_workloads(start.identity, request, workloads); });
    else
        start.identity.workloads = identify(workloads);
    begin_segment(request, ranks, start.progress);
    io::RunFolder* const folder = outputs.folder ? &*outputs.folder : nullptr;
    if (workloads.back().trace == nullptr) {
        stop_before_beginning(ranks, folder, workloads, start);
        return engine::ExitCode::stopped;
    }
    const MachineRun::Output output{folder, outputs.timeline ? &*outputs.timeline : nullptr, start.identity};
    const bool done = MachineRun(request, ranks, parameters, output, start.progress).run(workloads);
    if (done && ranks.rank() == 0) {
        print_summary(request, start.progress.results);
        warn_of_empty_trace(start.progress.results);
    }
    return done ? engine::ExitCode::done : engine::ExitCode::stopped;
}

void add_stop_options(Command& command, RunRequest& request) {
    const auto add = [&](const std::string& name, RunLength& length, const std::string& doc) {
        command
            .add_option_function(
                name, [name, &length](const std::string& text) { length = parse_run_length(name, text); }, doc)
            .type_name("TIME");
    };
    add("--stop-after", request.stop_after,
        "stop with a checkpoint, and exit code 75, after so much from this start: \"90 s\", \"10 min\", \"2 h\" of "
        "wall\n"
        "time, \"2000000 cycles\" of the simulated GPU, or \"3 frames\" [when all is done]");
    add("--checkpoint-every", request.checkpoint_every,
        "write DIR/checkpoint at the beginning and whenever so much more is done, in the same units [when the run "
        "stops]");
    command
        .add_option(
            "--resume", request.resume,
            "go on with the run in DIR from its checkpoint, without -o: machine, workloads and what else decides the\n"
            "results are taken from there, and may be given again only if they are the same; threads, ranks, "
            "partition\n"
            "and other options of speed are those given now")
        .type_name("DIR");
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

void add_run_command(Commands& commands, const engine::Ranks& ranks, int& code) {
    auto arguments = std::make_shared<RunArguments>();
    RunRequest& request = arguments->request;
    request.partition = partitions::default_partition;
    Command command = commands.add("run", "simulate a machine on frame traces or recordings");
    command.add_option("MACHINE", request.machine, "a machine's TOML file, or the name of a preset (bifrost32)");
    command.add_option(
        "WORKLOAD", request.workloads,
        "frame traces (*.h5) or recordings (*.vtr.zst, traced into DIR/traces first), one after another");
    command.add_option("-o,--output", request.output, "folder for results.h5, resolved.toml and images/")
        .type_name("DIR");
    add_frames_option(command, request.frames, " of each workload");
    add_stop_options(command, request);
    add_threads_option(command, arguments->threads,
                       "one for 3 processes of the machine, at most all cores this process may use; 1 under mpirun");
    command
        .add_option("--partition", request.partition,
                    "which process runs where at first; changes the speed only: " + partition_list() + " [" +
                        std::string(partitions::default_partition) + "]")
        .type_name("NAME")
        .check({"", is_partition});
    command.add_flag("--no-shared-memory", arguments->messages_only,
                     "let the ranks of a node send each other messages as those of several nodes do");
    command.add_flag("--pin", request.pin, "every thread stays on a core of its own");
    command
        .add_option("--fuzz-schedule", request.fuzz_seed,
                    "delay threads at random, by this seed: a test of the program, which must not change results")
        .type_name("SEED")
        .check(whole_number(0));
    command
        .add_option("--profile-from", request.profile_from,
                    "results of an earlier run of this machine: partitions that balance costs go by what was "
                    "measured\nthere [in the frames before; the first frame: by cost hints]")
        .type_name("RESULTS");
    command
        .add_option("--profile", request.profile,
                    "write what the workers did when, in wall time, for chrome://tracing or ui.perfetto.dev; a sample")
        .type_name("FILE.json");
    command
        .add_option("--set", request.overrides,
                    "change a parameter of the machine, as in texture_cache.capacity=\"32 KiB\"; see tessera params")
        .type_name("PATH=VALUE")
        .one_value();
    command
        .add_option("--tie-seed", request.tie_seed,
                    "another order of messages that arrive at a process at one time: what differs from the results of\n"
                    "other seeds hangs on such ties [0: as the machine declares]")
        .type_name("N")
        .check(whole_number(0));
    command
        .add_option_function(
            "--log-messages", [&request](const std::string& text) { request.log = parse_time_range(text); },
            "store the messages consumed in this range of ticks, at most the first " +
                std::to_string(most_logged_messages) + ", for tessera compare")
        .type_name("FROM:TO");
    command
        .add_option("--watchdog", request.watchdog,
                    "end the run when nothing has moved for so many seconds of wall time, or a rank has given no sign "
                    "of\nlife; 0: never [300]")
        .type_name("SECONDS")
        .check(whole_number(0, 1'000'000));
    add_progress_option(command, arguments->progress);
    command.add_flag("--force", request.force, "replace results that are there");
    command.footer(
        "After the frames comes what bounds them: for every kind of unit the share of its time that it is busy, "
        "starved\n"
        "(waits for work or data) or blocked (finds no room), and by whom; `busiest` is the largest such share\n"
        "of one unit of the kind, what it waits for its own results included.\n\n"
        "Results are the same for every number of threads and ranks and every partition; `tessera digest DIR`\n"
        "prints their fingerprint.\n\n"
        "DIR/results.h5 holds the frames done so far, and is never half written; until all are done it says that it "
        "is\n"
        "partial. Writing it takes at most a twentieth of the time, so a run that is killed without warning (SIGKILL,\n"
        "power) may lose the frames of its last moments: of twenty times as long as writing the file takes, or what "
        "it\n"
        "did since its last checkpoint, if that is less. Errors and other signals lose none.\n"
        "With --force, results of an earlier run stand in DIR/replaced until this run is complete; they come back if "
        "it\n"
        "fails before its first frame or checkpoint. Only Tessera's own files are replaced; what else is in their way "
        "is\n"
        "an error.\n\n"
        "SIGINT, SIGTERM, SIGHUP and SIGUSR1 stop a run with DIR/checkpoint, which may be in the middle of a frame; a\n"
        "second one, SIGINT or a second later, ends it at once. Resumed on any number of threads and ranks, it comes "
        "to\n"
        "the results of a run that was not stopped. A checkpoint that is damaged is told of, and the one before "
        "counts,\n"
        "DIR/checkpoint_previous. While a recording is traced, a run stops between its frames; the traces of others\n"
        "before it are kept, and its own begins again when the run goes on, whatever --stop-after says.\n"
        "Under mpirun: send it SIGUSR1, which it passes on to all ranks, and it ends with their 75. At SIGINT, SIGTERM "
        "and\n"
        "SIGHUP it leaves the ranks about a second for the checkpoint before it kills them, and its exit code is 1, "
        "with or\n"
        "without one; experiments/README.md has a batch script.\n"
        "To resume a run that is complete does nothing (exit code 0), unless what is given with it is not what was "
        "run\n"
        "(2).\n\n"
        "Examples:  tessera run bifrost32 game.h5 -o out --threads 2\n"
        "           mpirun -n 4 --bind-to none tessera run my.toml game.h5 -o out --set l2.slices=4\n"
        "           tessera run bifrost32 game.h5 -o out --checkpoint-every '10 min' --stop-after '2 h'\n"
        "           tessera run --resume out --threads 2 --checkpoint-every '10 min'\n\n"
        "Exit codes: 0 done; 75 stopped, can be resumed; 1 a conservation law does not hold, or no progress; 2 usage "
        "or\n"
        "configuration; 3 a workload or both checkpoints are damaged; 4 a file cannot be read or written.");
    command.callback([arguments, command, &ranks, &code] {
        arguments->request.given = {command.is_given("--frames"), command.is_given("--tie-seed"),
                                    command.is_given("--log-messages")};
        code = static_cast<int>(run(*arguments, ranks));
    });
}

}  // namespace experiments
