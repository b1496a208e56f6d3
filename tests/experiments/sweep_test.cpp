// Sweeps as a user starts them.

#include "experiments/tessera/sweep.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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
    ProgramEnd sweep(const std::string& more = "") const { return tests::run_shell(command() + " " + more); }
    std::string command() const {
        return std::string(TESSERA_PROGRAM) + " sweep " + quoted(folder_ / "sweep.toml") + " -o " +
               quoted(folder_ / "sweep");
    }
    // By the names of the points.
    std::map<std::string, std::string> states() const {
        std::map<std::string, std::string> all;
        const ProgramEnd end = sweep("--list");
        std::istringstream lines(end.out);
        for (std::string number, state, name; lines >> number >> state >> name;) all[name] = state;
        return all;
    }
    static int count(const std::string& text, const std::string& part) {
        int found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
        return found;
    }
    static std::string host() {
        std::array<char, 256> name{};
        ::gethostname(name.data(), name.size() - 1);
        return name.data();
    }
    std::string table() const { return tests::read_text(folder_ / "sweep/points.csv"); }
    // When the results of every point that is complete were written.
    std::map<std::string, std::filesystem::file_time_type> written() const {
        std::map<std::string, std::filesystem::file_time_type> times;
        for (const auto& [name, state] : states())
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
    for (const auto& [name, time] : done)
        if (name.find("warps=2-kind=crossbar") != std::string::npos) {
            EXPECT_EQ(digest("sweep/" + name), digest());
        }
    EXPECT_THAT(table(), HasSubstr("point,machine,workload,frames,fragment_processor.warps,network.kind,state,seconds,"
                                   "exit_code,message\n"));
    EXPECT_THAT(table(), ContainsRegex("sample-warps=8-kind=bus-[0-9a-f]+,bifrost32,.*,5-6,8,bus,done,[0-9.]+,0,\n"));
    const ProgramEnd again = sweep();
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(again.out, "nothing is left: all of 4 points are done\n");
    EXPECT_EQ(written(), done);
}

TEST_F(SweepTest, APointThatFailsIsToldInALineAndTheOthersGoOn) {
    spec("[[list]]\nname = \"good\"\n[[list]]\nname = \"odd\"\nl2.ways = 7\n", "\"sample.h5\", \"nothing.h5\"");
    const ProgramEnd end = sweep();
    EXPECT_EQ(end.code, 4);  // of the workload that is not there, the greatest
    EXPECT_EQ(std::count(end.out.begin(), end.out.end(), '\n'), 4) << end.out;
    EXPECT_THAT(end.out, ContainsRegex("done .* sample-good-"));
    EXPECT_THAT(end.out, ContainsRegex("failed .* sample-odd.*--set l2.ways=7: l2: expected capacity"));
    EXPECT_THAT(end.out, ContainsRegex("failed .* nothing-good-.*nothing.h5"));
    EXPECT_THAT(table(), ContainsRegex("sample-odd[^\n]*,failed,[0-9.]+,2,"));
}

TEST_F(SweepTest, AMistakeInTheFileEndsItBeforeAnythingIsRun) {
    spec("[gird]\n");
    expect_one_line(sweep(), 2, "sweep.toml:3:1: unknown key 'gird', did you mean 'grid'?");
    spec("[grid]\nl2.ways = [4, 8]\nfragment_processor.wraps = [3, 4]\n");
    expect_one_line(sweep(), 2,
                    "sweep.toml:5:29: unknown key 'fragment_processor.wraps', did you mean "
                    "'fragment_processor.warps'?");
    spec("[grid]\nl2.ways = [4, 800]\n");
    expect_one_line(sweep(), 2, "sweep.toml:4:15: l2.ways: expected 1 .. 64, found 800");
    spec("[[list]]\nname = \"a\"\nnetwork.kind = \"buss\"\n");
    expect_one_line(sweep(), 2, "sweep.toml:5:16: network.kind: expected one of ");
    spec("frames = \"4-3\"\n");
    expect_one_line(sweep(), 2, "sweep.toml:3:10: frames: expected A-B, A- or A");
    spec("checkpoint_every = \"soon\"\n");
    expect_one_line(sweep(), 2, "sweep.toml:3:20: checkpoint_every: expected a time");
    spec("frames = \"\"\n");
    expect_one_line(sweep(), 2, "sweep.toml:3:10: frames: expected a text that is not empty");
    spec("", "\"\"");
    expect_one_line(sweep(), 2, "sweep.toml:2:14: workloads: expected a text that is not empty");
    std::ofstream(folder_ / "sweep.toml") << "machines = [\"bifrost32\", \"bifrost33\"]\nworkloads = [\"sample.h5\"]\n";
    expect_one_line(sweep(), 2, "sweep.toml:1:26: no machine file or preset 'bifrost33', did you mean 'bifrost32'?");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "sweep"));
    spec("");
    expect_one_line(sweep("--point 1"), 2, "--point: expected a number below 1, found 1");
    expect_one_line(tessera("sweep " + quoted(folder_ / "none.toml") + " -o " + quoted(folder_ / "x")), 4, "none.toml");
}

// The file of the machine, or the trace, has changed since: what is there is of neither.
TEST_F(SweepTest, ResultsOfAnotherMachineOrTraceAreRefused) {
    const auto machine = [&](const char* slices) {
        std::ofstream(folder_ / "my.toml") << "base = \"bifrost32\"\n[l2]\nslices = " << slices << "\n";
    };
    std::ofstream(folder_ / "sweep.toml") << "machine = \"my.toml\"\nworkloads = [\"sample.h5\"]\nframes = \"5-5\"\n";
    machine("8");
    ASSERT_EQ(sweep().code, 0);
    ASSERT_EQ(sweep().code, 0);
    machine("4");
    expect_one_line(sweep(), 2,
                    "expected results of l2.slices = 4, as the sweep has it now, found 8; remove that folder");
    expect_one_line(sweep("--point 0"), 2, "expected results of l2.slices = 4");
    machine("8");
    ASSERT_EQ(sweep().code, 0);
    std::filesystem::copy_file(folder_ / "kernels.h5", folder_ / "sample.h5",
                               std::filesystem::copy_options::overwrite_existing);
    expect_one_line(sweep(), 2, "sample.h5 with the digest");
}

TEST_F(SweepTest, ResultsOfAnotherRecordingAreRefused) {
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_teeworlds.vtr.zst";
    if (!std::filesystem::exists(recording)) GTEST_SKIP() << "no recordings beside the tree";
    const std::string game = quoted(folder_ / "game.vtr.zst");
    ASSERT_EQ(tessera("cut " + quoted(recording) + " --frames 0 -o " + game).code, 0);
    spec("", "\"game.vtr.zst\"");
    ASSERT_EQ(sweep().code, 0);
    ASSERT_EQ(sweep().code, 0);
    ASSERT_EQ(tessera("cut " + quoted(recording) + " --frames 1 --force -o " + game).code, 0);
    expect_one_line(sweep(), 2, "expected results of the recording ");
}

TEST_F(SweepTest, AfterAKillTheSameCommandDoesWhatIsLeft) {
    std::filesystem::copy(folder_ / "sample.h5", folder_ / "other.h5");
    spec(points(7), "\"sample.h5\", \"other.h5\"");
    tests::run_shell(
        command() + " --jobs 2 & pid=$!; until [ \"$(grep -c ,done, " + quoted(folder_ / "sweep/points.csv") +
        " 2>/dev/null || true)\" -ge 4 ] 2>/dev/null; do sleep 0.05; done; kill -9 $pid; wait $pid; sleep 1");
    const auto before = written();
    EXPECT_GE(before.size(), 4U);
    EXPECT_LT(before.size(), 14U);
    const ProgramEnd end = sweep("--jobs 2");
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    const auto after = written();
    EXPECT_EQ(after.size(), 14U);
    for (const auto& [name, time] : before) EXPECT_EQ(after.at(name), time) << name;
}

TEST_F(SweepTest, ASignalStopsItsPointsWithCheckpoints) {
    spec(points(8));
    const ProgramEnd end = tests::run_shell(
        command() + " --jobs 2 & pid=$!; until [ \"$(grep -c ,done, " + quoted(folder_ / "sweep/points.csv") +
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

TEST_F(SweepTest, APointIsAlsoCalledByItsName) {
    spec(points(2));
    const std::string name = states().rbegin()->first;
    EXPECT_EQ(sweep("--point " + name).code, 0);
    EXPECT_THAT(states(), testing::Contains(testing::Pair(name, "done")));
    expect_one_line(sweep("--point 0 --jobs 2"), 2, " excludes --");
    for (const char* const option : {"--point 0", "--jobs 2", "--stop-after '1 s'"})
        expect_one_line(sweep(std::string("--list ") + option), 2, " excludes --");
    expect_one_line(sweep("--point " + name + "0"), 2,
                    "--point: the sweep has no point called '" + name + "0', did you mean '" + name + "'?");
    EXPECT_EQ(sweep("--point " + name).out, name + " is done already\n");
}

TEST_F(SweepTest, PointsThatAreRunAloneSideBySideMakeOneTable) {
    spec(points(6) + "[[list]]\nname = \"good\"\n[[list]]\nname = \"odd\"\nl2.ways = 7\n");
    std::string all;
    for (int i = 0; i < 12; ++i) all += command() + " --point " + std::to_string(i) + " & ";
    EXPECT_EQ(tests::run_shell(all + "wait").err, "");
    const std::string text = table();
    EXPECT_EQ(count(text, ",done,"), 6) << text;
    EXPECT_EQ(count(text, ",failed,"), 6) << text;
    EXPECT_EQ(sweep("--list").code, 0);
    EXPECT_EQ(sweep().code, 2);  // the typo again
    EXPECT_EQ(count(table(), ",done,"), 6);
    EXPECT_THAT(table(), Not(ContainsRegex(",done,0.000,"))) << "what a point took is known later, too";
}

TEST_F(SweepTest, WhenTimeIsUpEveryPointHasACheckpoint) {
    spec(points(1));
    const ProgramEnd end = sweep("--stop-after '0.001 s'");
    EXPECT_EQ(end.code, 75) << end.out << end.err;
    EXPECT_THAT(end.out, HasSubstr("stopped with a checkpoint"));
    EXPECT_EQ(states().begin()->second, "stopped");
    EXPECT_EQ(sweep("--stop-after '1 h'").code, 0);
    ASSERT_EQ(run("--progress none --set fragment_processor.warps=4").code, 0);
    EXPECT_EQ(digest("sweep/" + states().begin()->first), digest());
    expect_one_line(sweep("--stop-after '3 frames'"), 2, "--stop-after: expected a time of the wall clock");
}

TEST_F(SweepTest, ThePointThatIsBeingRunIsLeftToWhoRunsIt) {
    spec(points(1));
    ASSERT_EQ(sweep("--stop-after '0.001 s'").code, 75);
    const std::string name = states().begin()->first;
    const std::string state = (folder_ / "sweep/logs" / (name + ".state")).string();
    const std::string lock = (folder_ / "sweep/logs" / ("." + name + ".state.tessera-lock")).string();
    const std::string alive = "running 0.000 0 " + host() + " " + std::to_string(::getpid()) + " ";
    std::ofstream(state) << alive << "\n";
    EXPECT_EQ(states()[name], "running");
    const ProgramEnd end = tests::run_shell("exec 9>" + lock + "; flock 9; " + command() + "; echo code $?; " +
                                            command() + " --point 0; echo code $?");
    EXPECT_THAT(end.out, ContainsRegex("running .*: by process [0-9]+ on .*\ncode 75\ncode 4\n"));
    EXPECT_EQ(tests::read_text(state), alive + "\n");
    EXPECT_THAT(table(), HasSubstr(",running,"));
    std::ofstream(state) << "running 0.000 0 elsewhere 1 \n";
    EXPECT_EQ(states()[name], "running");
    std::filesystem::last_write_time(state, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_EQ(states()[name], "stopped");
    EXPECT_EQ(sweep().code, 0);
}

}  // namespace
