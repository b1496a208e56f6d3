#include "experiments/tessera/sweep_command.h"

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "engine/error.h"
#include "experiments/tessera/run_length.h"
#include "experiments/tessera/sweep.h"
#include "io/sweep_file.h"

namespace experiments {

namespace {

struct Arguments {
    std::filesystem::path spec, output;
    std::string point;  // empty: all
    int jobs = 1;
    double stop_after = std::numeric_limits<double>::infinity();
    bool list = false;
};

engine::ExitCode sweep(const Arguments& arguments) {
    SweepRun run(io::read_sweep(arguments.spec), arguments.output);
    if (!arguments.list)
        return arguments.point.empty() ? run.run(arguments.jobs, arguments.stop_after)
                                       : run.run_alone(arguments.point, arguments.stop_after);
    run.list();
    return engine::ExitCode::done;
}

double parse_stop_after(const std::string& text) {
    const RunLength length = parse_run_length("--stop-after", text);
    if (length.seconds == 0)
        throw engine::ConfigError("--stop-after: expected a time of the wall clock, as all points share it, found \"" +
                                  text + "\"");
    return length.seconds;
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
    command
        ->add_option_function<std::string>(
            "--stop-after", [arguments](const std::string& text) { arguments->stop_after = parse_stop_after(text); },
            "stop the points with checkpoints, and exit code 75, after \"90 s\", \"10 min\" or \"2 h\" [when all is "
            "done]")
        ->type_name("TIME");
    command
        ->add_option(
            "--point", arguments->point,
            "run this point alone, by its name or its number from 0: others may run at the same time, on other\n"
            "nodes too")
        ->type_name("POINT");
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
