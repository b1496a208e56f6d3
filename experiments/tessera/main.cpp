// tessera: the one program. Commands are in *_command.cpp beside this file.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/own_mistakes.h"
#include "engine/parameter.h"
#include "engine/ranks.h"
#include "experiments/tessera/cache_command.h"
#include "experiments/tessera/compare_command.h"
#include "experiments/tessera/cut_command.h"
#include "experiments/tessera/digest_command.h"
#include "experiments/tessera/dram_command.h"
#include "experiments/tessera/energy_command.h"
#include "experiments/tessera/info_command.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/params_command.h"
#include "experiments/tessera/plan_command.h"
#include "experiments/tessera/record_command.h"
#include "experiments/tessera/run_command.h"
#include "experiments/tessera/sweep_command.h"
#include "experiments/tessera/trace_command.h"
#include "experiments/tessera/version.h"
#include "io/printable.h"
#include "io/recording/temporary_name.h"

namespace {

void tell(const engine::Ranks& ranks, const std::string& message) {
    if (ranks.rank() != 0) return;
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", io::printable(message).c_str());
}

// CLI11 says no more of an unknown command than that one is required.
void check_command_name(const experiments::Commands& commands, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const experiments::Command& command : commands.all()) names.push_back(command.name());
    if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
    const std::string near = engine::nearest(argv[1], names);
    throw engine::ConfigError("unknown command '" + std::string(argv[1]) + "'" +
                              (near.empty() ? "" : ", did you mean '" + near + "'?") + " (see tessera --help)");
}

// What only this rank may know of: no other may be left waiting for it.
int end_alone(const engine::Ranks& ranks, engine::ExitCode code, const std::string& message) {
    std::fprintf(stderr, "error: %s\n", io::printable(message).c_str());
    if (ranks.size() > 1) ranks.abort(code);
    return static_cast<int>(code);
}

int run_command(const engine::Ranks& ranks, experiments::Commands& commands, int argc, char** argv) {
    try {
        check_command_name(commands, argc, argv);
        const std::string text = commands.parse(argc, argv);
        if (ranks.rank() == 0) std::fputs(text.c_str(), stdout);
    } catch (const experiments::UsageError& error) {
        tell(ranks, std::string(error.what()) + " (see tessera --help, tessera COMMAND --help)");
        return static_cast<int>(engine::ExitCode::usage);
    } catch (const engine::Error& error) {
        tell(ranks, error.what());
        return static_cast<int>(error.code());
    } catch (const std::bad_alloc& error) {
        const std::string known = error.what();  // more than its name, where more was known
        return end_alone(ranks, engine::ExitCode::io,
                         known != std::bad_alloc().what() ? known : "out of memory: less is left than this needs");
    } catch (const std::exception& error) {
        const std::string what = error.what();
        if (what.starts_with("pthread_create"))  // oneTBB, which gives it no type of its own
            return end_alone(ranks, engine::ExitCode::io,
                             "the system starts no more threads (" + what + "): give --threads 1, or more memory");
        return end_alone(ranks, engine::ExitCode::internal, what);
    }
    return static_cast<int>(engine::ExitCode::done);
}

// Two ranks would write the same files.
void only_alone(experiments::Command command, const engine::Ranks& ranks) {
    command.before_parsing([command, &ranks] {
        if (ranks.size() > 1)
            throw engine::ConfigError(command.name() + " works on one rank only: start it without mpirun");
    });
}

// Output that went nowhere is an error, unless the reader of a pipe had enough.
int close_output(int code) {
    const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    const bool abandoned = ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
    if (!failed || abandoned || code != 0) return code;
    std::fprintf(stderr, "error: cannot write to standard output\n");
    return static_cast<int>(engine::ExitCode::io);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    io::remove_temporary_names_at_signals();
    const engine::Ranks ranks;
    engine::answer_for_own_mistakes();
    experiments::Commands commands("tessera", "Simulates mobile GPUs on frames that real applications drew.",
                                   experiments::version_text());
    experiments::add_record_command(commands);
    experiments::add_cut_command(commands);
    experiments::add_trace_command(commands);
    int code = 0;
    experiments::add_run_command(commands, ranks, code);
    experiments::add_sweep_command(commands, code);
    experiments::add_plan_command(commands, ranks);
    experiments::add_info_command(commands);
    experiments::add_params_command(commands);
    experiments::add_dram_command(commands);
    experiments::add_cache_command(commands);
    experiments::add_energy_command(commands);
    experiments::add_digest_command(commands);
    experiments::add_compare_command(commands, code);
    for (const experiments::Command& command : commands.all())
        if (command.name() != "run") only_alone(command, ranks);
    commands.footer(
        "Exit codes: 0 done; 1 internal error, failed check, no progress, or results differ; 2 usage or "
        "configuration;\n"
        "3 damaged or unsupported input; 4 file system or socket; 75 a run was stopped, and can be resumed.");
    const int failure = run_command(ranks, commands, argc, argv);
    return close_output(failure != 0 ? failure : code);
}
