// PHOLD on the kernel, or on one std::priority_queue (--yardstick): events per second of wall time.
#include <string>

#include "tests/engine/benchmarks/benchmark_program.h"
#include "tests/engine/benchmarks/phold_model.h"
#include "tests/engine/benchmarks/phold_yardstick.h"

namespace {

using namespace engine::benchmarks;  // NOLINT(google-build-using-namespace): a program of one file

struct Choice {
    PholdShape shape;
    bool yardstick = false;
};

void add_options(BenchmarkProgram& program, Choice& choice) {
    CLI::App& app = program.app();
    PholdShape& shape = choice.shape;
    constexpr double tick = 1 / PholdShape::ticks_per_unit, longest = 1e6;
    app.add_option("--lps", shape.processes, "logical processes")->check(CLI::Range(1, 1 << 20))->capture_default_str();
    app.add_option("--population", shape.population, "events each process starts with")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    app.add_option("--remote", shape.remote, "probability that an event is for a process chosen among all")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--lookahead", shape.lookahead, "least delay of an event")
        ->check(CLI::Range(tick, longest))
        ->capture_default_str();
    app.add_option("--mean", shape.mean, "mean delay of an event, with the lookahead")
        ->check(CLI::Range(tick, longest))
        ->capture_default_str();
    app.add_option("--end", shape.end, "simulated time")->check(CLI::Range(tick, longest))->capture_default_str();
    program.add_plain_flag("yardstick", choice.yardstick, "a std::priority_queue instead of the kernel");
}

BenchmarkProgram::Fields measure(const BenchmarkProgram& program, Choice choice) {
    PholdShape& shape = choice.shape;
    shape.seed = program.seed();
    if (shape.mean < shape.lookahead)
        throw CLI::ValidationError("--mean", "expected at least the lookahead, found less");
    BenchmarkProgram::Fields fields = {{"lps", static_cast<std::uint64_t>(shape.processes)},
                                       {"population", static_cast<std::uint64_t>(shape.population)},
                                       {"remote", shape.remote},
                                       {"lookahead", shape.lookahead},
                                       {"mean", shape.mean},
                                       {"end", shape.end}};
    PholdOutcome outcome;
    if (choice.yardstick) {
        outcome = run_phold_yardstick(shape);
    } else {
        PholdModel model(shape);
        model.simulation.permute_ties(program.tie_seed());
        const engine::RunReport report = model.simulation.run(program.plan(model.simulation), program.run_options());
        outcome = model.outcome(report);
        program.describe_run(fields, report);
    }
    fields.emplace_back("events", outcome.events);
    fields.emplace_back("seconds", outcome.seconds);
    fields.emplace_back("events_per_second", static_cast<double>(outcome.events) / outcome.seconds);
    fields.emplace_back("peak_memory_bytes", peak_memory());
    fields.emplace_back("digest", hexadecimal(outcome.digest));
    return fields;
}

}  // namespace

int main(int argc, char** argv) {
    const engine::Ranks ranks;
    BenchmarkProgram program(ranks, "phold", "PHOLD, the classic benchmark of parallel discrete-event kernels");
    Choice choice;
    add_options(program, choice);
    return program.run(argc, argv, [&] { return measure(program, choice); });
}
