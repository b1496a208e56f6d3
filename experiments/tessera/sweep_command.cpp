#include "experiments/tessera/sweep_command.h"

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "engine/error.h"
#include "experiments/tessera/sweep.h"
#include "io/sweep_file.h"

namespace experiments {

namespace {

struct Arguments {
    std::filesystem::path spec, output;
    int jobs = 1, point = -1;
    bool list = false;
};

engine::ExitCode sweep(const Arguments& arguments) {
    SweepRun run(io::read_sweep(arguments.spec), arguments.output, arguments.jobs);
    if (!arguments.list) return run.run(arguments.point);
    run.list();
    return engine::ExitCode::done;
}

}  // namespace

void add_sweep_command(CLI::App& app, int& code) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("sweep", "run a machine with many settings, on many workloads");
    command->add_option("SPEC", arguments->spec, "TOML file of machines, workloads and settings (see below)")
        ->required();
    command
        ->add_option("-o,--output", arguments->output,
                     "folder: points.csv, logs/, and a folder with the results of every point")
        ->type_name("DIR")
        ->required();
    command->add_option("--jobs", arguments->jobs, "points that run side by side")
        ->type_name("N")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_option("--point", arguments->point, "run this point alone, counted from 0: for jobs of a batch system")
        ->type_name("N")
        ->check(CLI::Range(0, 1'000'000));
    command->add_flag("--list", arguments->list, "print number, state and name of every point, and run nothing");
    command->footer(
        "SPEC, for example:\n\n"
        "  machine = \"teapot-collector\"\n"
        "  workloads = [\"openarena.h5\"]\n"
        "  frames = \"1-1\"\n"
        "  [grid]                                               every combination of these\n"
        "  fragment_processor.collector.banks = [1, 2, 4]\n"
        "  fragment_processor.collector.bank_hash = [\"warp_shift\", \"register_index\"]\n\n"
        "Also: machines = [...]; threads, checkpoint_every; [set] for all points; [zip] of settings that go together;\n"
        "[[list]] of tables, each a point. The same command again does what is left: points that are done stay, those\n"
        "that were stopped go on from their checkpoints. A point that fails is told in a line, others go on.\n"
        "Exit codes: 0 all done, 75 stopped by a signal, else that of the worst failure.");
    command->callback([arguments, &code] { code = static_cast<int>(sweep(*arguments)); });
}

}  // namespace experiments
