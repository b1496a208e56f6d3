// What a signal at any moment leaves of the commands that write: nothing unfinished, no lock, no folder of their own.

#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/program.h"

namespace {

using tests::quoted;

struct Writer {
    std::string name, arguments;
    std::vector<std::string> complete;  // what may be there when it is done, or when a signal came late

    friend void PrintTo(const Writer& writer, std::ostream* out) { *out << writer.arguments; }
};

const std::vector<Writer> writers = {
    {"trace", "trace $R -o $D/out.h5 --images $D/images", {"images", "out.h5"}},
    {"cut", "cut $R -o $D/out.vtr.zst --frames 1", {"out.vtr.zst"}},
    {"run", "run bifrost32 $R -o $D/out --threads 1", {"out"}},
    {"plan", "plan bifrost32 --input $R --windows 1000 --repeat 2 --workers 2", {}},
};

class Signals : public testing::TestWithParam<Writer> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(recording_)) GTEST_SKIP() << "no recordings beside the tree";
    }
    // The program is killed after so many seconds. What is left of its folder for temporary files goes into
    // `temporary`.
    std::vector<std::string> left_after(double seconds, const std::string& signal) {
        const tests::TemporaryFolder folder;
        std::filesystem::create_directory(folder / "tmp");
        const std::string line = "D=" + quoted(folder.path()) + "; R=" + quoted(recording_) +
                                 "; cd $D; TMPDIR=$D/tmp " + TESSERA_PROGRAM + " " + GetParam().arguments +
                                 " & pid=$!; sleep " + std::to_string(seconds) + "; kill -" + signal +
                                 " $pid; wait $pid";
        tests::run_shell(line);
        std::vector<std::string> left;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
            left.push_back(entry.path().lexically_relative(folder.path()));
        return left;
    }
    const std::filesystem::path recording_ = std::filesystem::path(TESSERA_RECORDINGS) / "g_teeworlds.vtr.zst";
};

bool is_unfinished(const std::string& name) {
    return name.find(".tessera-") != std::string::npos;
}

TEST_P(Signals, LeaveNothingUnfinished) {
    int moment = 0;
    for (const char* signal : {"TERM", "HUP", "QUIT", "TERM", "XCPU", "USR2", "TERM"}) {
        const double seconds = 0.03 + 0.11 * moment++;
        for (const std::string& name : left_after(seconds, signal)) {
            EXPECT_FALSE(is_unfinished(name)) << name << " after " << seconds << " s";
            const std::string first = name.substr(0, name.find('/'));
            if (name == "tmp") continue;
            EXPECT_THAT(GetParam().complete, testing::Contains(first)) << name << " after " << seconds << " s";
        }
    }
}

// What SIGKILL leaves has a name that can be told, and goes when the same command is started again.
TEST_P(Signals, WhatAKillLeavesTheNextOneRemoves) {
    const tests::TemporaryFolder folder;
    const auto start = [&](const std::string& more) {
        return tests::run_shell("D=" + quoted(folder.path()) + "; R=" + quoted(recording_) + "; cd $D; TMPDIR=$D " +
                                TESSERA_PROGRAM + " " + GetParam().arguments + more);
    };
    for (const double seconds : {0.05, 0.2, 0.4, 0.7})
        (void)start(" & sleep " + std::to_string(seconds) + "; kill -9 $!; wait");
    const std::string force = GetParam().name == "plan" ? "" : " --force";
    EXPECT_EQ(start(force).code, 0);
    std::vector<std::string> left = tests::names_in(folder.path());
    if (GetParam().name == "plan")  // in the folder for temporary files, which others use too
        std::erase_if(left, [](const std::string& name) { return name.starts_with("tessera_plan_"); });
    EXPECT_EQ(left, GetParam().complete);
}

INSTANTIATE_TEST_SUITE_P(Commands, Signals, testing::ValuesIn(writers),
                         [](const auto& writer) { return writer.param.name; });

}  // namespace
