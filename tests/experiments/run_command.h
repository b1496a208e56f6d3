// What tests of simulations need: a folder, the sample trace, and the program that runs it.
#pragma once

#include "tests/experiments/program.h"

namespace tests {

class RunCommand : public testing::Test {
  protected:
    // Runs the sample trace, or what `workload` says, on the preset.
    ProgramEnd run(const std::string& more, const std::string& output = "out") {
        const std::string threads = more.find("--threads") == std::string::npos ? " --threads 1 " : " ";
        return tessera("run bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / output) + threads + more);
    }
    std::string digest(const std::string& output = "out") {
        const ProgramEnd end = tessera("digest " + quoted(folder_ / output));
        EXPECT_EQ(end.code, 0) << end.err;
        return end.out;
    }
    const TemporaryFolder folder_;
    const std::filesystem::path trace_ = sample_trace(folder_);
};

}  // namespace tests
