// tessera: the one program. Commands are in *_command.cpp beside this file.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
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

// What CLI11 throws: help and version are no errors.
int tell_parse_error(const engine::Ranks& ranks, const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        if (ranks.rank() == 0) app.exit(error);
        return static_cast<int>(engine::ExitCode::done);
    }
    tell(ranks, std::string(error.what()) + " (see tessera --help, tessera COMMAND --help)");
    return static_cast<int>(engine::ExitCode::usage);
}

// CLI11 says no more of an unknown command than that one is required.
void check_command_name(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
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

int run_command(const engine::Ranks& ranks, CLI::App& app, int argc, char** argv) {
    try {
        check_command_name(app, argc, argv);
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return tell_parse_error(ranks, app, error);
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
void only_alone(CLI::App& command, const engine::Ranks& ranks) {
    command.preparse_callback([&command, &ranks](std::size_t) {
        if (ranks.size() > 1)
            throw engine::ConfigError(command.get_name() + " works on one rank only: start it without mpirun");
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
    CLI::App app("Simulates mobile GPUs on frames that real applications drew.", "tessera");
    app.set_version_flag("--version", experiments::version_text());
    app.require_subcommand(1);
    experiments::add_record_command(app);
    experiments::add_cut_command(app);
    experiments::add_trace_command(app);
    int code = 0;
    experiments::add_run_command(app, ranks, code);
    experiments::add_sweep_command(app, code);
    experiments::add_plan_command(app, ranks);
    experiments::add_info_command(app);
    experiments::add_params_command(app);
    experiments::add_dram_command(app);
    experiments::add_cache_command(app);
    experiments::add_energy_command(app);
    experiments::add_digest_command(app);
    experiments::add_compare_command(app, code);
    for (CLI::App* command : app.get_subcommands({}))
        if (command->get_name() != "run") only_alone(*command, ranks);
    app.footer(
        "Exit codes: 0 done; 1 internal error, failed check, no progress, or results differ; 2 usage or "
        "configuration;\n"
        "3 damaged or unsupported input; 4 file system or socket; 75 a run was stopped, and can be resumed.");
    const int failure = run_command(ranks, app, argc, argv);
    return close_output(failure != 0 ? failure : code);
}
