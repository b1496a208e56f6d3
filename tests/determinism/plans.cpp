// One machine in several plans, in one process of each rank: prints the digest of the results of each, a line a plan,
// as `tessera digest` would. matrix.sh compares them with one another and with those of the program itself.
//     plans SEED THREADS PARTITIONS MACHINE TRACE [PATH=VALUE...]
// SEED: of schedule fuzzing. THREADS: of a rank, and PARTITIONS: lists with spaces in between. MACHINE: a preset.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/ranks.h"
#include "engine/simulation.h"
#include "io/config_file.h"
#include "io/digest.h"
#include "io/frame_trace_file.h"
#include "io/results.h"
#include "models/machine.h"
#include "partitions/partitions.h"

namespace {

std::vector<std::string> words_of(const char* text) {
    std::istringstream words(text);
    std::vector<std::string> list;
    for (std::string word; words >> word;) list.push_back(word);
    return list;
}

struct Work {
    const models::MachineParameters& parameters;
    models::FrameTrace trace;
    std::vector<models::Frame> frames;
    std::string digest;  // of the frames
};

Work read(const models::MachineParameters& parameters, const char* path) {
    const io::FrameTraceFile file(path);
    Work work{parameters, {file.programs(), {}}, {}, {}};
    io::Digest digest;
    for (std::size_t i = 0; i < file.frame_count(); ++i) {
        work.frames.push_back(file.load(i));
        digest.add(file.digest_of(i));
    }
    work.digest = digest.hex();
    return work;
}

// Collective; complete on rank 0.
std::string simulate(const Work& work, const engine::Ranks& ranks, const std::string& partition, int threads,
                     const engine::RunOptions& options) {
    engine::Simulation simulation;
    models::Machine machine(simulation, work.parameters);
    io::ResultsCollector collector(simulation.processes());
    io::Results results;
    results.kinds = collector.empty_kinds();
    results.ticks_per_second = work.parameters.clocks().ticks_per_second;
    results.workloads.push_back({"", "", work.digest});
    const engine::Plan plan = partitions::make_plan(partition, simulation.graph(), ranks.size(), threads);
    for (const models::Frame& frame : work.frames) {
        machine.load_frame(work.trace, frame);
        machine.start();
        const engine::Time start = simulation.now();
        const engine::Time end = simulation.run(plan, options).end;
        machine.end_frame();
        const std::vector<std::uint64_t> counters = simulation.collect_counters();
        models::Machine::Observations observed = machine.take_observations(simulation);
        if (ranks.rank() != 0) continue;
        collector.add_frame(counters, results.kinds);
        results.frames.push_back({0, frame.number, start, end, machine.cycles(end - start), frame.check});
        io::add_series(observed.series, 0, results);
        io::add_records(std::move(observed.records), results);
    }
    return io::results_digest(results);
}

void simulate_all(const engine::Ranks& ranks, char** arguments, int count) {
    models::MachineParameters parameters;
    const std::vector<std::filesystem::path> folders{TESSERA_MACHINES};
    io::read_config(io::find_machine(arguments[3], folders), {arguments + 5, arguments + count}, folders, parameters);
    const Work work = read(parameters, arguments[4]);
    engine::RunOptions options;
    options.fuzz_seed = std::strtoull(arguments[0], nullptr, 10);
    for (const std::string& partition : words_of(arguments[2]))
        for (const std::string& threads : words_of(arguments[1])) {
            const std::string digest = simulate(work, ranks, partition, std::stoi(threads), options);
            if (ranks.rank() == 0)
                std::printf("%s %s threads, %s\n", digest.c_str(), threads.c_str(), partition.c_str());
        }
}

}  // namespace

int main(int argc, char** argv) {
    const engine::Ranks ranks;
    if (argc < 6)
        return std::fprintf(stderr, "usage: plans SEED THREADS PARTITIONS MACHINE TRACE [PATH=VALUE...]\n"), 2;
    try {
        simulate_all(ranks, argv + 1, argc - 1);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        std::_Exit(1);  // without waiting for the other ranks
    }
    return 0;
}
