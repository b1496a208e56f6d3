// The machine-shaped load on the kernel, or on a plain loop (--floor): simulated cycles per second of wall time.
#include <map>

#include "tests/engine/benchmarks/benchmark_program.h"
#include "tests/engine/benchmarks/machine_shape_floor.h"
#include "tests/engine/benchmarks/machine_shape_model.h"

namespace {

using namespace engine::benchmarks;  // NOLINT(google-build-using-namespace): a program of one file

const std::map<std::string, FloorOrder> floor_orders = {{"lp", FloorOrder::block_major},
                                                        {"cycle", FloorOrder::cycle_major}};

struct Choice {
    MachineShape shape;
    bool floor = false;
    std::string floor_order = "lp";
};

void add_options(BenchmarkProgram& program, Choice& choice) {
    CLI::App& app = program.app();
    MachineShape& shape = choice.shape;
    app.add_option("--window", shape.window, "least lookahead, in cycles")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--cycles", shape.cycles, "simulated cycles")
        ->check(CLI::Range(engine::Time{1}, engine::Time{1} << 40U))
        ->capture_default_str();
    app.add_option(
           "--work-ns", shape.work_ns,
           "work of a fragment processor in a cycle: a step of a chain of dependent operations for every 1.9 ns")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    app.add_option("--processors", shape.processors, "fragment processors")
        ->check(CLI::Range(1, engine::order::most_ports - 64))  // of a slice, beside those of DRAM channels
        ->capture_default_str();
    app.add_option("--slices", shape.slices, "of the L2 cache, to each of which every processor has a channel")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--dram-channels", shape.dram_channels, "0: every request is answered by its slice")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    app.add_flag("!--no-raster", shape.raster, "no raster front-end deals tiles");
    auto* floor = program.add_plain_flag("floor", choice.floor, "a hand-written loop instead of the kernel");
    app.add_option("--floor-order", choice.floor_order,
                   "lp: one process after the other, each for a window; cycle: one cycle after the other")
        ->check(CLI::IsMember(floor_orders))
        ->needs(floor)
        ->capture_default_str();
}

BenchmarkProgram::Fields measure(const BenchmarkProgram& program, Choice choice) {
    choice.shape.seed = program.seed();
    BenchmarkProgram::Fields fields = {{"window", static_cast<std::uint64_t>(choice.shape.window)},
                                       {"cycles", static_cast<std::uint64_t>(choice.shape.cycles)},
                                       {"work_ns", choice.shape.work_ns},
                                       {"processors", static_cast<std::uint64_t>(choice.shape.processors)},
                                       {"slices", static_cast<std::uint64_t>(choice.shape.slices)},
                                       {"dram_channels", static_cast<std::uint64_t>(choice.shape.dram_channels)},
                                       {"raster", static_cast<std::uint64_t>(choice.shape.raster ? 1 : 0)},
                                       {"work_steps", static_cast<std::uint64_t>(choice.shape.steps())}};
    MachineOutcome outcome;
    if (choice.floor) {
        outcome = run_machine_floor(choice.shape, floor_orders.at(choice.floor_order));
        fields.emplace_back("floor_order", choice.floor_order);
    } else {
        MachineModel model(choice.shape);
        model.simulation.permute_ties(program.tie_seed());
        const engine::RunReport report = model.simulation.run(program.plan(model.simulation), program.run_options());
        outcome = model.outcome(report);
        program.describe_run(fields, report);
    }
    fields.emplace_back("events", outcome.events);
    fields.emplace_back("seconds", outcome.seconds);
    fields.emplace_back("cycles_per_second", static_cast<double>(choice.shape.cycles) / outcome.seconds);
    fields.emplace_back("peak_memory_bytes", peak_memory());
    fields.emplace_back("digest", hexadecimal(outcome.digest));
    return fields;
}

}  // namespace

int main(int argc, char** argv) {
    const engine::Ranks ranks;
    BenchmarkProgram program(ranks, "machine_shape", "The shape of a GPU as a load for the kernel");
    Choice choice;
    add_options(program, choice);
    return program.run(argc, argv, [&] { return measure(program, choice); });
}
