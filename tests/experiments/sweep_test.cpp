// Sweeps as a user starts them.

#include "experiments/tessera/sweep.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/run_command.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

class SweepTest : public tests::RunCommand {
  protected:
    std::filesystem::path spec(const std::string& text, const std::string& workloads = "\"sample.h5\"") const {
        std::ofstream(folder_ / "sweep.toml") << "machine = \"bifrost32\"\nworkloads = [" + workloads + "]\n" + text;
        return folder_ / "sweep.toml";
    }
    ProgramEnd sweep(const std::string& more = "") const {
        return tessera("sweep " + quoted(folder_ / "sweep.toml") + " -o " + quoted(folder_ / "sweep") + " " + more);
    }
    std::string table() const { return tests::read_text(folder_ / "sweep/points.csv"); }
    // When the results of every point that is complete were written.
    std::map<std::string, std::filesystem::file_time_type> written() const {
        std::map<std::string, std::filesystem::file_time_type> times;
        const ProgramEnd end = sweep("--list");
        std::istringstream lines(end.out);
        for (std::string number, state, name; lines >> number >> state >> name;)
            if (state == "done")
                times[name] = std::filesystem::last_write_time(folder_ / "sweep" / name / "results.h5");
        return times;
    }
    static std::string points(int count) {
        std::string text = "[grid]\nfragment_processor.warps = [";
        for (int i = 0; i < count; ++i) text += std::to_string(i + 4) + ", ";
        return text + "]\n";
    }
};

TEST_F(SweepTest, EveryPointHasTheResultsOfARunWithItsSettings) {
    spec("frames = \"5-6\"\n[grid]\nfragment_processor.warps = [2, 8]\nnetwork.kind = [\"bus\", \"crossbar\"]\n");
    const ProgramEnd end = sweep("--jobs 2");
    ASSERT_EQ(end.code, 0) << end.err << end.out;
    EXPECT_THAT(end.out, HasSubstr("(4 of 4 done)"));
    const auto done = written();
    ASSERT_EQ(done.size(), 4U);
    ASSERT_EQ(run("--frames 5-6 --progress none --set fragment_processor.warps=2 --set network.kind=crossbar").code, 0);
    for (const auto& [name, time] : done) {
        if (name.find("warps=2-kind=crossbar") != std::string::npos) {
            EXPECT_EQ(digest("sweep/" + name), digest());
        }
    }
    EXPECT_THAT(table(), HasSubstr("point,machine,workload,frames,fragment_processor.warps,network.kind,state,seconds,"
                                   "exit_code,message\n"));
    EXPECT_THAT(table(), ContainsRegex("sample-warps=8-kind=bus-[0-9a-f]+,bifrost32,.*,5-6,8,bus,done,[0-9.]+,0,\n"));
    EXPECT_EQ(sweep().code, 0);
    EXPECT_EQ(written(), done);
}

TEST_F(SweepTest, APointThatFailsIsToldInALineAndTheOthersGoOn) {
    spec("[[list]]\nname = \"good\"\n[[list]]\nname = \"typo\"\nfragment_processor.wraps = 3\n",
         "\"sample.h5\", \"nothing.h5\"");
    const ProgramEnd end = sweep();
    EXPECT_EQ(end.code, 4);  // of the workload that is not there, the greatest
    EXPECT_EQ(std::count(end.out.begin(), end.out.end(), '\n'), 4) << end.out;
    EXPECT_THAT(end.out, ContainsRegex("done .* sample-good-"));
    EXPECT_THAT(end.out, ContainsRegex("failed .* sample-typo.*unknown key 'fragment_processor.wraps', did you mean "
                                       "'fragment_processor.warps'"));
    EXPECT_THAT(end.out, ContainsRegex("failed .* nothing-good-.*nothing.h5"));
    EXPECT_THAT(table(), ContainsRegex("sample-typo[^\n]*,failed,[0-9.]+,2,"));
}

TEST_F(SweepTest, AMistakeInTheFileEndsItBeforeAnythingIsRun) {
    spec("[gird]\n");
    expect_one_line(sweep(), 2, "sweep.toml:3:1: unknown key 'gird', did you mean 'grid'?");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "sweep"));
    spec("");
    expect_one_line(sweep("--point 1"), 2, "--point: expected a number below 1, found 1");
    expect_one_line(tessera("sweep " + quoted(folder_ / "none.toml") + " -o " + quoted(folder_ / "x")), 4, "none.toml");
}

TEST_F(SweepTest, AfterAKillTheSameCommandDoesWhatIsLeft) {
    std::filesystem::copy(folder_ / "sample.h5", folder_ / "other.h5");
    spec(points(12), "\"sample.h5\", \"other.h5\"");
    const std::string command = std::string(TESSERA_PROGRAM) + " sweep " + quoted(folder_ / "sweep.toml") + " -o " +
                                quoted(folder_ / "sweep") + " --jobs 2";
    tests::run_shell(
        command + " & pid=$!; until [ \"$(grep -c ,done, " + quoted(folder_ / "sweep/points.csv") +
        " 2>/dev/null || true)\" -ge 6 ] 2>/dev/null; do sleep 0.05; done; kill -9 $pid; wait $pid; sleep 1");
    const auto before = written();
    EXPECT_GE(before.size(), 6U);
    EXPECT_LT(before.size(), 24U);
    const ProgramEnd end = sweep("--jobs 2");
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    const auto after = written();
    EXPECT_EQ(after.size(), 24U);
    for (const auto& [name, time] : before) EXPECT_EQ(after.at(name), time) << name;
}

TEST_F(SweepTest, ASignalStopsItsPointsWithCheckpoints) {
    spec(points(8));
    const std::string command = std::string(TESSERA_PROGRAM) + " sweep " + quoted(folder_ / "sweep.toml") + " -o " +
                                quoted(folder_ / "sweep") + " --jobs 2";
    const ProgramEnd end = tests::run_shell(
        command + " & pid=$!; until [ \"$(grep -c ,done, " + quoted(folder_ / "sweep/points.csv") +
        " 2>/dev/null || true)\" -ge 2 ] 2>/dev/null; do sleep 0.05; done; kill -TERM $pid; wait $pid");
    EXPECT_EQ(end.code, 75) << end.out << end.err;
    EXPECT_EQ(sweep().code, 0);
    EXPECT_EQ(written().size(), 8U);
    EXPECT_THAT(table(), Not(HasSubstr("stopped")));
}

TEST_F(SweepTest, APointAloneIsRunForABatchSystem) {
    spec(points(3));
    EXPECT_EQ(sweep("--point 1").code, 0);
    const auto done = written();
    ASSERT_EQ(done.size(), 1U);
    EXPECT_THAT(done.begin()->first, testing::StartsWith("sample-warps=5-"));
}

}  // namespace
