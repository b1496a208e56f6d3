// What the benchmark programs have in common: how to run (--threads, --partition and others), ranks, exit
// codes, output.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/ranks.h"
#include "engine/simulation.h"

namespace engine::benchmarks {

class BenchmarkProgram {
  public:
    using Value = std::variant<std::uint64_t, double, std::string>;
    using Fields = std::vector<std::pair<std::string, Value>>;

    BenchmarkProgram(const Ranks& ranks, const std::string& name, const std::string& description);

    CLI::App& app() { return app_; }
    std::uint64_t seed() const { return seed_; }
    std::uint64_t tie_seed() const { return tie_seed_; }  // for Simulation::permute_ties()

    // The option --NAME, which runs plain code without the kernel: on one thread of one rank, without a partition.
    CLI::Option* add_plain_flag(const std::string& name, bool& chosen, const std::string& description);

    // How the options say that the machine is to be run.
    Plan plan(const Simulation& simulation) const;
    RunOptions run_options() const;
    // Ranks, --threads and --partition as they were given, and what it took to synchronise.
    void describe_run(Fields& fields, const RunReport& report) const;

    // Parses, measures, and prints the fields on rank 0. To be returned from main().
    int run(int argc, char** argv, const std::function<Fields()>& measure);

  private:
    int tell(const std::string& message, ExitCode code) const;
    void print(const Fields& fields) const;

    const Ranks& ranks_;
    CLI::App app_;
    int threads_ = 1;
    bool all_workers_ = false, pin_ = false;
    std::uint64_t fuzz_seed_ = 0;
    std::string partition_;
    std::uint64_t seed_ = 1, tie_seed_ = 0;
    bool json_ = false, no_shared_memory_ = false;
};

// A digest as results show it: 16 hexadecimal digits.
std::string hexadecimal(std::uint64_t digest);
// The most memory this process has held so far, in bytes.
std::uint64_t peak_memory();

}  // namespace engine::benchmarks
