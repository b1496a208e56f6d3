#include "experiments/tessera/sweep_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "engine/error.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/run_length.h"
#include "experiments/tessera/slurm_job.h"
#include "experiments/tessera/sweep.h"
#include "experiments/tessera/sweep_check.h"
#include "io/file.h"
#include "io/output_lock.h"
#include "io/sweep_file.h"

namespace experiments {

namespace {

struct SweepArguments {
    std::filesystem::path spec, output;
    std::string point;  // empty: all
    int jobs = 0;       // not given
    double stop_after = std::numeric_limits<double>::infinity();
    bool list = false, slurm = false, no_submit = false;
};

engine::ExitCode submit_sweep(const SweepArguments& arguments, const io::Sweep& sweep) {
    SlurmJob job{std::filesystem::read_symlink("/proc/self/exe"),
                 std::filesystem::absolute(arguments.spec),
                 std::filesystem::absolute(arguments.output),
                 {},
                 arguments.jobs};
    SweepRun run(sweep, job.folder);
    job.points = run.left();
    if (job.points.empty()) {
        std::printf("nothing is left of %zu points: they are done, or running\n", sweep.points.size());
        return engine::ExitCode::done;
    }
    const std::string script = job_script(job, sweep);
    run.create_folders();
    const io::OutputLock lock = io::OutputLock::of_folder(job.folder);  // no other sweep is running here
    io::write_file(job.script(), script);
    run.write_table();
    if (arguments.no_submit)
        std::printf("%s: a job array for %zu of %zu points\n", job.script().c_str(), job.points.size(),
                    sweep.points.size());
    else
        std::printf("job %s: %zu of %zu points\n", submit(job).c_str(), job.points.size(), sweep.points.size());
    return engine::ExitCode::done;
}

engine::ExitCode sweep(const SweepArguments& arguments) {
    io::Sweep spec = io::read_sweep(arguments.spec);
    check_sweep(spec);
    if (arguments.slurm) return submit_sweep(arguments, spec);
    SweepRun run(std::move(spec), arguments.output);
    if (!arguments.list)
        return arguments.point.empty() ? run.run(std::max(arguments.jobs, 1), arguments.stop_after)
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

void add_sweep_command(Commands& commands, int& code) {
    auto arguments = std::make_shared<SweepArguments>();
    Command command = commands.add("sweep", "run a machine with many settings, on many workloads");
    command.add_option("SPEC", arguments->spec, "TOML file of machines, workloads and settings (see below)").required();
    command
        .add_option("-o,--output", arguments->output,
                    "folder: points.csv, logs/, and a folder with the results of every point")
        .type_name("DIR")
        .required();
    command
        .add_option("--jobs", arguments->jobs,
                    "points that run side by side [1; with --slurm: as many as the cluster lets]")
        .type_name("N")
        .check(whole_number(1, 256));
    command
        .add_option_function(
            "--stop-after", [arguments](const std::string& text) { arguments->stop_after = parse_stop_after(text); },
            "stop the points with checkpoints, and exit code 75, after \"90 s\", \"10 min\" or \"2 h\" [when all is "
            "done]")
        .type_name("TIME");
    command
        .add_option(
            "--point", arguments->point,
            "run this point alone, by its name or its number from 0: others may run at the same time, on other\n"
            "nodes too")
        .type_name("POINT")
        .excludes("--jobs");
    command.add_flag("--list", arguments->list, "print number, state and name of every point, and run nothing")
        .excludes("--jobs")
        .excludes("--point")
        .excludes("--stop-after");
    command
        .add_flag("--slurm", arguments->slurm,
                  "write what is left as a job array of Slurm, DIR/job.sh, and submit it: see [slurm] below")
        .excludes("--list")
        .excludes("--point")
        .excludes("--stop-after");
    command.add_flag("--no-submit", arguments->no_submit, "with --slurm: only write DIR/job.sh").needs("--slurm");
    command.footer(
        "SPEC, for example:\n\n"
        "  machine = \"teapot-collector\"\n"
        "  workloads = [\"openarena.h5\"]\n"
        "  frames = \"1-1\"\n"
        "  [grid]                                               every combination of these\n"
        "  fragment_processor.collector.banks = [1, 2, 4]\n"
        "  fragment_processor.collector.bank_hash = [\"warp_shift\", \"register_index\"]\n\n"
        "Also: machines = [...]; threads, checkpoint_every; [set] for all points; [zip] of settings that go together;\n"
        "[[list]] of tables, each a point. The same command again does what is left: points that are done stay, those\n"
        "that were stopped go on from their checkpoints. A point that fails is told in a line, others go on.\n\n"
        "For --slurm:\n\n"
        "  [slurm]\n"
        "  time = \"2 h\"                      limit of a task, which runs a point\n"
        "  margin = \"2 min\"                  so long before the limit it writes a checkpoint, and is queued again\n"
        "  restarts = 100                    at most\n"
        "  partition = \"long\"\n"
        "  options = [\"--constraint=avx2\"]   for sbatch\n\n"
        "Also: least, a time that every start gets on whatever signals come; memory, account; setup = [...], lines of\n"
        "shell. What is not given is as the cluster has it. With SIGUSR1 (scancel --batch --signal=USR1) a task is\n"
        "queued again, with SIGTERM (scancel) it ends; both leave a checkpoint. --list shows on any node how far the\n"
        "points are. When the job is over, the same command submits what is left.\n\n"
        "Exit codes: 0 all done, or submitted; 75 stopped, by a signal or --stop-after, or another process\n"
        "is running a point; else that of the worst failure.");
    command.callback([arguments, &code] { code = static_cast<int>(sweep(*arguments)); });
}

}  // namespace experiments
