#include "tests/engine/benchmarks/benchmark_program.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include <sys/resource.h>

#include "partitions/partitions.h"

namespace engine::benchmarks {
namespace {

// Those that need nothing but a name.
std::vector<std::string> partition_names() {
    std::vector<std::string> names = partitions::names();
    names.erase(std::remove(names.begin(), names.end(), "manual"), names.end());
    return names;
}

std::string text(const BenchmarkProgram::Value& value, bool json) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    if (const auto* string = std::get_if<std::string>(&value)) return json ? '"' + *string + '"' : *string;
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", std::get<double>(value));
    return buffer;
}

}  // namespace

BenchmarkProgram::BenchmarkProgram(const Ranks& ranks, const std::string& name, const std::string& description)
    : ranks_(ranks),
      app_(description, name),
      partition_(partitions::default_partition) {
    app_.add_option("--threads", threads_, "threads of each rank")->check(CLI::Range(1, 4096))->capture_default_str();
    app_.add_option("--partition", partition_, "which worker runs which process")
        ->check(CLI::IsMember(partition_names()))
        ->capture_default_str();
    app_.add_flag("--all-workers", all_workers_, "all workers work, even where one would be faster");
    app_.add_option("--fuzz-schedule", fuzz_seed_, "not 0: delay workers at random; results must not change")
        ->capture_default_str();
    app_.add_flag("--pin", pin_, "every thread stays on a core");
    app_.add_option("--seed", seed_, "of the random numbers")->capture_default_str();
    app_.add_option("--tie-seed", tie_seed_, "another order of messages that arrive at one time; 0: as declared")
        ->capture_default_str();
    app_.add_flag("--no-shared-memory", no_shared_memory_,
                  "ranks send each other messages as if on nodes of their own");
    app_.add_flag("--json", json_, "print one JSON object");
}

CLI::Option* BenchmarkProgram::add_plain_flag(const std::string& name, bool& chosen, const std::string& description) {
    return app_.add_flag("--" + name, chosen, description)
        ->excludes("--threads")
        ->excludes("--partition")
        ->excludes("--tie-seed")
        ->excludes("--no-shared-memory")
        ->each([this, name](const std::string& /*value*/) {
            if (ranks_.size() > 1) throw ConfigError("--" + name + " runs on one rank only: start it without mpirun");
        });
}

Plan BenchmarkProgram::plan(const Simulation& simulation) const {
    return partitions::make_plan(partition_, simulation.graph(), ranks_.size(), threads_);
}

RunOptions BenchmarkProgram::run_options() const {
    RunOptions options;
    if (all_workers_) options.trial_seconds = -1;
    options.fuzz_seed = fuzz_seed_;
    options.pin = pin_;
    options.share_memory = !no_shared_memory_;
    return options;
}

void BenchmarkProgram::describe_run(Fields& fields, const RunReport& report) const {
    fields.emplace_back("ranks", static_cast<std::uint64_t>(ranks_.size()));
    fields.emplace_back("threads", static_cast<std::uint64_t>(threads_));
    fields.emplace_back("partition", partition_);
    fields.emplace_back("tie_seed", tie_seed_);
    fields.emplace_back("windows", report.windows);
    fields.emplace_back("null_messages", report.null_messages);
    fields.emplace_back("reductions", report.reductions);
    fields.emplace_back("sequential", report.sequential);
    for (std::size_t i = 0; i < report.workers.size(); ++i)
        fields.emplace_back("worker_" + std::to_string(i) + "_wait_seconds", report.workers[i].wait);
}

int BenchmarkProgram::run(int argc, char** argv, const std::function<Fields()>& measure) {
    try {
        app_.parse(argc, argv);
        print(measure());
        return static_cast<int>(ExitCode::done);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0)
            return tell(std::string(error.what()) + " (see " + app_.get_name() + " --help)", ExitCode::usage);
        if (ranks_.rank() == 0) app_.exit(error);  // --help
        return static_cast<int>(ExitCode::done);
    } catch (const Error& error) {
        return tell(error.what(), error.code());
    }
}

int BenchmarkProgram::tell(const std::string& message, ExitCode code) const {
    if (ranks_.rank() == 0) std::fprintf(stderr, "error: %s\n", message.c_str());
    return static_cast<int>(code);
}

void BenchmarkProgram::print(const Fields& fields) const {
    if (ranks_.rank() != 0) return;
    std::string line = json_ ? "{" : "";
    for (const auto& [name, value] : fields)
        if (!json_)
            line += name + " " + text(value, false) + "\n";
        else
            line += (line.size() > 1 ? ", \"" : "\"") + name + "\": " + text(value, true);
    std::printf("%s%s", line.c_str(), json_ ? "}\n" : "");
}

std::string hexadecimal(std::uint64_t digest) {
    char buffer[17];
    std::snprintf(buffer, sizeof buffer, "%016" PRIx64, digest);
    return buffer;
}

std::uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace engine::benchmarks
