// tessera compare, tie seeds and logs of messages.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/run_command.h"

namespace {

using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::RunCommand;
using tests::tessera;

std::string line_with(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(part) != std::string::npos) return line;
    return "";
}

TEST_F(RunCommand, RunsOnAnyNumberOfThreadsCompareAsEqual) {
    ASSERT_EQ(run("--threads 1 --tie-seed 7 --log-messages 100:3000", "one").code, 0);
    ASSERT_EQ(run("--threads 2 --tie-seed 7 --log-messages 100:3000 --partition round_robin", "two").code, 0);
    const ProgramEnd end = tessera("compare " + quoted(folder_ / "one") + " " + quoted(folder_ / "two"));
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("configuration: the same\n"));
    EXPECT_THAT(end.out, HasSubstr("results: the same, digest " + digest("one")));
    EXPECT_THAT(end.out, HasSubstr("messages: the same in all processes\n"));
}

TEST_F(RunCommand, CompareNamesTheParameterTheProcessAndTheMessageInWhichRunsPart) {
    ASSERT_EQ(run("", "one").code, 0);
    ASSERT_EQ(run("--set l2.latency=40", "two").code, 0);
    const std::string command = "compare " + quoted(folder_ / "one") + " " + quoted(folder_ / "two");
    const ProgramEnd end = tessera(command);
    EXPECT_EQ(end.code, 1) << end.err;
    EXPECT_THAT(end.out, HasSubstr("  l2.latency: 18, 40\n"));
    EXPECT_THAT(end.out, HasSubstr("  frames.cycles: "));
    EXPECT_THAT(line_with(end.out, "messages: the runs part in ticks "), HasSubstr(", frame 4 of sample"));
    EXPECT_THAT(line_with(end.out, "  processes: "), HasSubstr("geometry"));

    const std::string advice = line_with(end.out, "run both again with --log-messages ");
    const std::string option = advice.substr(advice.find("--log-messages"));
    ASSERT_EQ(run("--force " + option, "one").code, 0);
    ASSERT_EQ(run("--force --set l2.latency=40 " + option, "two").code, 0);
    const ProgramEnd again = tessera(command);
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.out, HasSubstr("first message that differs: of response_bus, in the window of ticks "));
    // The same line, 22 cycles later.
    const std::string first = line_with(again.out, "one/results.h5: time "),
                      second = line_with(again.out, "two/results.h5: time ");
    const auto after = [](const std::string& line, const std::string& text) {
        return line.substr(line.find(text) + text.size());
    };
    EXPECT_THAT(first, testing::MatchesRegex(".*from l2_slice.*replies to response_bus.in.*, 8 bytes [0-9a-f]+"));
    EXPECT_EQ(after(first, ", from "), after(second, ", from "));
    EXPECT_EQ(std::stoi(after(second, ": time ")) - std::stoi(after(first, ": time ")), 2 * 22);
}

// Frame 4 is the same in both.
TEST_F(RunCommand, CompareSaysWhatItDoesNotCompareOfARunThatGoesOn) {
    ASSERT_EQ(run("--frames 4-4", "one").code, 0);
    ASSERT_EQ(run("--frames 4-5", "two").code, 0);
    const ProgramEnd end = tessera("compare " + quoted(folder_ / "one") + " " + quoted(folder_ / "two"));
    EXPECT_EQ(end.code, 1) << end.err;
    EXPECT_THAT(line_with(end.out, "  frames: 1, 2; the first 1 of both are compared"),
                HasSubstr("two/results.h5 has"));
    EXPECT_THAT(end.out, HasSubstr("  counters: the same in all frames that are compared\n"));
    EXPECT_THAT(end.out, HasSubstr("messages: the same in all processes, as far as they are compared\n"));
    EXPECT_THAT(line_with(end.out, "  not compared: those of sample "), HasSubstr("one/results.h5 ends at tick "));
}

TEST_F(RunCommand, CompareFindsWhatDiffersInTheFramesThatBothRunsHave) {
    ASSERT_EQ(run("--frames 4-4 --set l2.latency=40", "one").code, 0);
    ASSERT_EQ(run("--stop-after '2 frames'", "two").code, 75);
    const ProgramEnd end = tessera("compare " + quoted(folder_ / "one") + " " + quoted(folder_ / "two"));
    EXPECT_EQ(end.code, 1) << end.err;
    EXPECT_THAT(end.out, HasSubstr("two/results.h5: the run did not end; frames that are there: 2\n"));
    EXPECT_THAT(end.out, HasSubstr("  frames.cycles: "));
    EXPECT_THAT(end.out, HasSubstr("messages: the runs part in ticks "));
}

TEST_F(RunCommand, CompareSaysThatFramesOfOtherNumbersAreCompared) {
    ASSERT_EQ(run("--frames 4", "one").code, 0);
    ASSERT_EQ(run("--frames 5", "two").code, 0);
    const ProgramEnd end = tessera("compare " + quoted(folder_ / "one") + " " + quoted(folder_ / "two"));
    EXPECT_EQ(end.code, 1) << end.err;
    EXPECT_THAT(end.out, HasSubstr("  frame 4 of sample is compared with frame 5 of sample\n"));
}

TEST_F(RunCommand, ResultsOfARunWithoutAFrameAreAskedForInVain) {
    ASSERT_EQ(run("--stop-after '10 cycles'").code, 75);
    const std::string out = quoted(folder_ / "out");
    for (const std::string& command : {"compare " + out + " " + out, "digest " + out, "energy " + out})
        expect_one_line(tessera(command), 4,
                        "out: expected the folder of a run, found a run of which no frame is done yet");
}

TEST_F(RunCommand, ATieSeedGivesOneResultForAllThreadsAndRanks) {
    ASSERT_EQ(run("--frames 5 --tie-seed 3", "one").code, 0);
    const ProgramEnd end = run("--frames 5 --tie-seed 3 --threads 3 --partition round_robin", "two");
    ASSERT_EQ(end.code, 0);
    EXPECT_THAT(end.out, HasSubstr("tie seed 3\n"));
    EXPECT_EQ(digest("two"), digest("one"));
    const auto compare = [&](const std::string& a, const std::string& b) {
        return tessera("compare " + quoted(folder_ / a) + " " + quoted(folder_ / b));
    };
    EXPECT_EQ(compare("one", "two").code, 0);
    if (tests::have_mpirun()) {
        ASSERT_EQ(tests::tessera_on_ranks(2, "run bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / "ranks") +
                                                 " --frames 5 --tie-seed 3 --log-messages 0:2000")
                      .code,
                  0);
        EXPECT_EQ(compare("one", "ranks").code, 0);
    }
    ASSERT_EQ(run("--frames 5", "declared").code, 0);
    const ProgramEnd other = compare("one", "declared");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("  tie seed: 3, 0\n"));
    EXPECT_THAT(other.out, HasSubstr("the tie seeds differ"));
}

TEST_F(RunCommand, CompareRefusesWhatAreNoResults) {
    ASSERT_EQ(run("--frames 4").code, 0);
    const std::string good = quoted(folder_ / "out");
    expect_one_line(tessera("compare " + good + " " + quoted(folder_ / "nowhere")), 4, "No such file or directory");
    expect_one_line(tessera("compare " + good + " " + quoted(folder_.path())), 4,
                    "expected the folder of a run, found no results.h5");
    expect_one_line(tessera("compare " + quoted(trace_) + " " + good), 3, "sample.h5");
    std::string bytes = tests::read_text(folder_ / "out" / "results.h5");
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(folder_ / "damaged.h5", std::ios::binary) << bytes;
    expect_one_line(tessera("compare " + good + " " + quoted(folder_ / "damaged.h5")), 3, "damaged.h5: damaged");
}

}  // namespace
