// How fast the machine is simulated: thread-instructions and GPU cycles per second of a synthetic frame and of frame
// traces, on one worker, on threads, and under mpirun on ranks; what processes cost, and where time goes.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "io/config_file.h"
#include "io/frame_trace_file.h"
#include "io/json.h"
#include "tests/models/benchmarks/machine_timing.h"
#include "tests/models/synthetic_frame.h"

namespace {

using namespace models;              // NOLINT(google-build-using-namespace): a program of one file
using namespace models::benchmarks;  // NOLINT(google-build-using-namespace)

struct Options {
    std::vector<std::filesystem::path> traces;
    std::string machine = "bifrost32";
    std::vector<std::string> overrides;
    std::vector<int> threads;
    int repeat = 5, scale = 8;
    bool json = false;
};

// Opaque, blended and late-tested draws with two textures, several layers deep.
Workload synthetic_workload(int scale) {
    synthetic::Options options;
    options.width = static_cast<std::uint32_t>(32 * scale);
    options.height = static_cast<std::uint32_t>(24 * scale);
    options.draws = 12;
    options.alu_instructions = 12;
    synthetic::Generator generator(options);
    Workload workload{"synthetic", {}, {}};
    workload.frames.push_back(generator.frame());
    workload.trace = generator.trace();
    return workload;
}

Workload traced_workload(const std::filesystem::path& path) {
    const io::FrameTraceFile file(path);
    Workload workload{path.stem().string(), {}, {}};
    workload.trace.programs = file.programs();
    for (std::size_t position = 0; position < file.frame_count(); ++position)
        workload.frames.push_back(file.load(position));
    return workload;
}

double per_second(std::uint64_t count, double seconds) {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

// Of all workers' time.
struct Shares {
    double processes = 0, kernel = 0, waiting = 0;
};
Shares shares_of(const engine::RunReport& report) {
    Shares shares;
    for (const engine::WorkerReport& worker : report.workers) {
        shares.processes += worker.work;
        shares.kernel += worker.messages;
        shares.waiting += worker.wait;
    }
    const double all = shares.processes + shares.kernel + shares.waiting;
    if (all <= 0) return {};
    return {shares.processes / all, shares.kernel / all, shares.waiting / all};
}

std::string name_of(const Way& way, int ranks) {
    if (way.threads == 0) return ranks == 1 ? "1 thread" : "1 worker of all ranks";
    const std::string name = std::to_string(way.threads) + (way.threads == 1 ? " thread" : " threads");
    return ranks == 1 ? name : std::to_string(ranks) + " ranks, " + name;
}

void print_text(const Workload& workload, const Measurement& measurement, int ranks) {
    const Timing& one = measurement.ways.front().median();
    std::printf("%s: %zu frames, %.3f million GPU cycles, %.3f million thread-instructions, %.3f million messages\n\n",
                workload.name.c_str(), workload.frames.size(), static_cast<double>(one.cycles) * 1e-6,
                static_cast<double>(one.thread_instructions) * 1e-6, static_cast<double>(one.report.messages) * 1e-6);
    std::printf("%-22s  thread-instr./s  GPU cycles/s  ns/warp instr.  speed-up  processes  kernel  waiting\n", "");
    for (const Way& way : measurement.ways) {
        const Timing& timing = way.median();
        const Shares shares = shares_of(timing.report);
        std::printf("%-22s  %13.3f M  %10.3f M  %14.1f  %8.2f  %7.1f %%  %4.1f %%  %5.1f %%\n",
                    name_of(way, ranks).c_str(), per_second(timing.thread_instructions, timing.seconds) * 1e-6,
                    per_second(timing.cycles, timing.seconds) * 1e-6,
                    1e9 * timing.seconds / static_cast<double>(timing.warp_instructions), one.seconds / timing.seconds,
                    100 * shares.processes, 100 * shares.kernel, 100 * shares.waiting);
    }
    std::printf("\non one worker     processes  of time  largest  ns/GPU cycle of each  ns/message\n");
    for (const KindCost& cost : kind_costs(measurement.graph, one.report.profile))
        std::printf("%-16s  %9zu  %5.1f %%  %5.1f %%  %20.2f  %10.1f\n", cost.kind.c_str(), cost.processes,
                    100 * cost.seconds / one.seconds, 100 * cost.largest_seconds / one.seconds,
                    1e9 * cost.seconds / static_cast<double>(cost.processes) / static_cast<double>(one.cycles),
                    cost.messages > 0 ? 1e9 * cost.seconds / static_cast<double>(cost.messages) : 0);
    std::printf("digest %016llx\n\n", static_cast<unsigned long long>(one.digest));
}

// One line.
void print_json(const Workload& workload, const Measurement& measurement, int ranks) {
    const Timing& one = measurement.ways.front().median();
    std::printf(
        "{\"workload\": %s, \"frames\": %zu, \"ranks\": %d, \"cycles\": %llu, \"thread_instructions\": %llu, "
        "\"warp_instructions\": %llu, \"messages\": %llu, \"digest\": \"%016llx\", \"ways\": [",
        io::json_text(workload.name).c_str(), workload.frames.size(), ranks,
        static_cast<unsigned long long>(one.cycles), static_cast<unsigned long long>(one.thread_instructions),
        static_cast<unsigned long long>(one.warp_instructions), static_cast<unsigned long long>(one.report.messages),
        static_cast<unsigned long long>(one.digest));
    for (const Way& way : measurement.ways) {
        const Timing& timing = way.median();
        const Shares shares = shares_of(timing.report);
        std::printf(
            "%s{\"threads\": %d, \"seconds\": %.6g, \"thread_instructions_per_second\": %.6g, "
            "\"cycles_per_second\": %.6g, \"processes_share\": %.4g, \"kernel_share\": %.4g, "
            "\"waiting_share\": %.4g}",
            &way == &measurement.ways.front() ? "" : ", ", way.threads, timing.seconds,
            per_second(timing.thread_instructions, timing.seconds), per_second(timing.cycles, timing.seconds),
            shares.processes, shares.kernel, shares.waiting);
    }
    std::printf("], \"kinds\": [");
    const std::vector<KindCost> costs = kind_costs(measurement.graph, one.report.profile);
    for (const KindCost& cost : costs)
        std::printf(
            "%s{\"kind\": %s, \"processes\": %zu, \"seconds\": %.6g, \"largest_seconds\": %.6g, "
            "\"messages\": %llu}",
            &cost == &costs.front() ? "" : ", ", io::json_text(cost.kind).c_str(), cost.processes, cost.seconds,
            cost.largest_seconds, static_cast<unsigned long long>(cost.messages));
    std::printf("]}\n");
}

void add_options(CLI::App& app, Options& options) {
    app.add_option("TRACE", options.traces, "frame traces (*.h5), whole; without any: a synthetic frame");
    app.add_option("--machine", options.machine, "a TOML file, or the name of a preset")->capture_default_str();
    app.add_option("--set", options.overrides, "change a parameter of the machine: PATH=VALUE")
        ->allow_extra_args(false);
    app.add_option("--threads", options.threads,
                   "ways to run, beside one worker: threads of each rank, as in 2,4 [2; 1 under mpirun]")
        ->delimiter(',')
        ->check(CLI::Range(1, 256));
    app.add_option("--repeat", options.repeat, "runs in each way, of which the median is shown")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--scale", options.scale, "of the synthetic frame: 32 x 24 pixels times its square")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_flag("--json", options.json, "a line of JSON for each workload");
}

void measure_all(const Options& options, const engine::Ranks& ranks) {
    MachineParameters parameters;
    const std::vector<std::filesystem::path> folders{TESSERA_MACHINES};
    io::read_config(io::find_machine(options.machine, folders), options.overrides, folders, parameters);
    std::vector<int> ways = options.threads;
    if (ways.empty()) ways = {ranks.size() == 1 ? 2 : 1};
    if (ranks.size() == 1) std::erase(ways, 1);  // which is the one worker
    const auto show = [&](const Workload& workload) {
        const Measurement measurement = measure(workload, parameters, ranks, ways, options.repeat);
        if (ranks.rank() == 0) (options.json ? print_json : print_text)(workload, measurement, ranks.size());
    };
    if (options.traces.empty()) show(synthetic_workload(options.scale));
    for (const std::filesystem::path& path : options.traces) show(traced_workload(path));
}

}  // namespace

int main(int argc, char** argv) {
    const engine::Ranks ranks;
    CLI::App app("How fast the machine is simulated", "machine_benchmark");
    Options options;
    add_options(app, options);
    const auto tell = [&](const std::string& message, engine::ExitCode code) {
        if (ranks.rank() == 0) std::fprintf(stderr, "error: %s\n", message.c_str());
        return static_cast<int>(code);
    };
    try {
        app.parse(argc, argv);
        measure_all(options, ranks);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0)
            return tell(std::string(error.what()) + " (see machine_benchmark --help)", engine::ExitCode::usage);
        if (ranks.rank() == 0) app.exit(error);  // --help
    } catch (const engine::Error& error) {
        return tell(error.what(), error.code());
    }
    return 0;
}
