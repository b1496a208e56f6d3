// The program as a whole: what it prints and the exit code it ends with.

#include "tests/experiments/program.h"

#include <csignal>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::ProgramEnd;
using tests::tessera;

// A user's mistake: one line on standard error.
void expect_one_line(const ProgramEnd& end, int code, const std::string& part) {
    EXPECT_EQ(end.code, code) << end.err;
    EXPECT_THAT(end.err, StartsWith("error: "));
    EXPECT_THAT(end.err, HasSubstr(part));
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
}

std::string quoted(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

TEST(Program, TellsItsVersionAndItsCommands) {
    const ProgramEnd version = tessera("--version");
    EXPECT_EQ(version.code, 0);
    EXPECT_THAT(version.out, StartsWith("tessera 0."));
    const ProgramEnd help = tessera("--help");
    EXPECT_EQ(help.code, 0);
    for (const char* command : {"record", "cut", "trace", "info", "run", "plan", "params", "digest", "compare"}) {
        EXPECT_THAT(help.out, HasSubstr(command));
        const ProgramEnd one = tessera(std::string(command) + " --help");
        EXPECT_EQ(one.code, 0);
        EXPECT_THAT(one.out, HasSubstr("Usage: tessera " + std::string(command)));
    }
}

TEST(Program, WrongUsageIsOneLineAndExitCode2) {
    expect_one_line(tessera(""), 2, "subcommand is required");
    expect_one_line(tessera("rnu"), 2, "unknown command 'rnu', did you mean 'run'?");
    expect_one_line(tessera("run"), 2, "required");
    expect_one_line(tessera("run m.toml w.h5 -o out --threads 0"), 2, "--threads");
    expect_one_line(tessera("run m.toml w.h5 -o out --frames 5-2"), 2, "--frames: expected A-B");
    expect_one_line(tessera("trace x.vtr"), 2, "nothing to do");
    expect_one_line(tessera("params --format xml"), 2, "--format");
    expect_one_line(tessera("run m.toml w.h5 -o out --log-messages 9:5"), 2, "--log-messages: expected FROM:TO");
    expect_one_line(tessera("run m.toml w.h5 -o out --tie-seed x"), 2, "--tie-seed");
    expect_one_line(tessera("compare a"), 2, "B is required");
}

TEST(Program, InfoTellsWhatAFrameTraceHoldsAndRefusesWhatIsDamaged) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path trace = tests::sample_trace(folder);
    const ProgramEnd text = tessera("info " + quoted(trace));
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("frame trace"));
    const ProgramEnd json = tessera("info --json " + quoted(trace) +
                                    " | /usr/bin/python3 -c 'import json, sys; d = json.load(sys.stdin); "
                                    "print(d[\"frame_count\"], [f[\"frame\"] for f in d[\"frames\"]])'");
    EXPECT_EQ(json.out, "3 [4, 5, 6]\n");
    std::filesystem::resize_file(trace, std::filesystem::file_size(trace) - 1);
    expect_one_line(tessera("info " + quoted(trace)), 3, "sample.h5");
    expect_one_line(tessera("info " + quoted(folder / "expected.json")), 3, "not a recording");
    expect_one_line(tessera("info " + quoted(folder / "absent.vtr")), 4, "absent.vtr");
}

TEST(Program, CutMakesARecordingOfSomeFrames) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path recording = tests::recorded_application(folder);
    if (recording.empty()) GTEST_SKIP() << "glmark2-es2, Xvfb or virgl_test_server is missing";
    const std::string arguments = "cut " + quoted(recording) + " -o " + quoted(folder / "cut.vtr.zst");
    const ProgramEnd cut = tessera(arguments + " --frames 1");
    EXPECT_EQ(cut.code, 0) << cut.err;
    EXPECT_THAT(cut.out, HasSubstr("1 frame,"));
    EXPECT_EQ(tessera("trace " + quoted(folder / "cut.vtr.zst") + " --check").code, 0);
    EXPECT_THAT(tessera("info " + quoted(folder / "cut.vtr.zst")).out, HasSubstr("frames 1 of application.vtr.zst"));
    expect_one_line(tessera(arguments + " --frames 1"), 2, "exists; --force replaces it");
    expect_one_line(tessera(arguments + " --force --frames 1-"), 2, "expected A-B or A");
    expect_one_line(tessera(arguments + " --force --frames 2"), 3, "holds 2 frames");
}

TEST(Program, InfoTellsWhatARecordingHoldsAndWhatProducedIt) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path recording = tests::recorded_application(folder);
    if (recording.empty()) GTEST_SKIP() << "glmark2-es2, Xvfb or virgl_test_server is missing";
    const ProgramEnd info = tessera("info " + quoted(recording));
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("glmark2-es2 -s 160x120 -b texture:nframes=2"));
    EXPECT_THAT(info.out, HasSubstr("glmark2-es2-x11 "));
    EXPECT_THAT(info.out, HasSubstr("libgl1-mesa-dri "));
    EXPECT_THAT(info.out, testing::ContainsRegex("frame count +2\n"));
    EXPECT_THAT(info.out, testing::ContainsRegex("checksums +yes\n"));
}

TEST(Program, PrintsTheParameterReferenceInThreeFormats) {
    EXPECT_THAT(tessera("params").out, HasSubstr("texture_cache.capacity"));
    EXPECT_THAT(tessera("params --format markdown").out, HasSubstr("| `texture_cache.capacity` | "));
    const ProgramEnd json = tessera(
        "params --format json | /usr/bin/python3 -c 'import json, sys; "
        "print(len(json.load(sys.stdin)) > 50)'");
    EXPECT_EQ(json.out, "True\n");
}

TEST(Program, AReaderThatHadEnoughIsNoError) {
    const ProgramEnd closed = tests::run_shell(std::string("( sleep 0.2; ") + TESSERA_PROGRAM +
                                               " params --format json; echo code $? >&2 ) | true");
    EXPECT_EQ(closed.err, "code 0\n");
    if (std::filesystem::exists("/dev/full")) {
        EXPECT_EQ(tessera("params >/dev/full").code, 4);
    }
}

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
    const tests::TemporaryFolder folder_;
    const std::filesystem::path trace_ = tests::sample_trace(folder_);
};

TEST_F(RunCommand, WritesResultsMachineAndImages) {
    const ProgramEnd end = run("--threads 1");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("digest  " + digest().substr(0, 32)));
    EXPECT_THAT(end.out, HasSubstr("GPU cycles"));
    for (const char* file : {"results.h5", "resolved.toml", "images/frame_0004.png", "images/frame_0006.png"})
        EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "results.h5.tmp"));
}

TEST_F(RunCommand, TheDigestIsOneForAllThreadsAndPartitions) {
    ASSERT_EQ(run("--frames 5 --threads 1", "one").code, 0);
    ASSERT_EQ(run("--frames 5 --threads 1", "again").code, 0);
    ASSERT_EQ(run("--frames 5 --threads 2", "two").code, 0);
    ASSERT_EQ(run("--frames 5 --threads 3 --partition round_robin", "three").code, 0);
    EXPECT_EQ(digest("again"), digest("one"));
    EXPECT_EQ(digest("two"), digest("one"));
    EXPECT_EQ(digest("three"), digest("one"));
}

TEST_F(RunCommand, TheDigestIsOneForAllNumbersOfRanks) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    ASSERT_EQ(run("--frames 5", "one").code, 0);
    for (const int ranks : {2, 3}) {
        const std::string output = "ranks" + std::to_string(ranks);
        const ProgramEnd end =
            tests::tessera_on_ranks(ranks, "run bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / output) +
                                               " --frames 5" + (ranks == 2 ? " --threads 2" : ""));
        ASSERT_EQ(end.code, 0) << end.err;
        EXPECT_EQ(digest(output), digest("one"));
        EXPECT_EQ(std::count(end.out.begin(), end.out.end(), '\n'), 6) << end.out;  // one rank prints
    }
}

TEST_F(RunCommand, TheResolvedMachineGivesTheSameResults) {
    ASSERT_EQ(run("--set l2.latency=40 --set texture_cache.capacity='32 KiB'", "one").code, 0);
    const ProgramEnd end = tessera("run " + quoted(folder_ / "one" / "resolved.toml") + " " + quoted(trace_) + " -o " +
                                   quoted(folder_ / "two"));
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(digest("two"), digest("one"));
    ASSERT_EQ(run("", "preset").code, 0);
    EXPECT_NE(digest("preset"), digest("one"));
}

TEST_F(RunCommand, ResultsAreNotReplacedUnlessForced) {
    ASSERT_EQ(run("--frames 4").code, 0);
    const std::string before = tests::read_text(folder_ / "out" / "results.h5");
    expect_one_line(run(""), 2, "results.h5 exists; --force replaces it");
    EXPECT_EQ(tests::read_text(folder_ / "out" / "results.h5"), before);
    EXPECT_EQ(run("--force").code, 0);
    EXPECT_NE(tests::read_text(folder_ / "out" / "results.h5"), before);
}

TEST_F(RunCommand, SeveralWorkloadsAreSimulatedOneAfterAnother) {
    const ProgramEnd end = tessera("run bifrost32 " + quoted(trace_) + " " + quoted(trace_) +
                                   " --threads 1 --frames 4-5 -o " + quoted(folder_ / "out"));
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/images/sample/frame_0005.png"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/images/sample_2/frame_0004.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out/images/sample_2/frame_0006.png"));
}

TEST_F(RunCommand, AMistakeInTheMachineIsToldWithItsPlace) {
    std::ofstream(folder_ / "m.toml") << "[texture_cache]\ncapacty = \"16 KiB\"\n";
    const std::string command =
        "run " + quoted(folder_ / "m.toml") + " " + quoted(trace_) + " -o " + quoted(folder_ / "out");
    const std::string expected = (folder_ / "m.toml").string() +
                                 ":2:1: unknown key 'texture_cache.capacty', did you mean 'texture_cache.capacity'?";
    expect_one_line(tessera(command), 2, expected);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
    if (!tests::have_mpirun()) return;
    const ProgramEnd end = tests::tessera_on_ranks(2, command);
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, HasSubstr("error: " + expected));
    EXPECT_EQ(end.err.find("error: ", end.err.find("error: ") + 1), std::string::npos) << end.err;
}

TEST_F(RunCommand, MistakesOnTheCommandLineAreTold) {
    expect_one_line(run("--set l2.wais=1"), 2, "--set l2.wais=1: unknown key 'l2.wais', did you mean 'l2.ways'?");
    expect_one_line(run("--partition blok"), 2, "blok");
    expect_one_line(tessera("run bifrost23 " + quoted(trace_) + " -o " + quoted(folder_ / "out")), 2,
                    "no machine file or preset 'bifrost23', did you mean 'bifrost32'?");
    expect_one_line(run("--frames 7-9"), 3, "holds frames 4 to 6; none of them is in 7-9");
}

TEST_F(RunCommand, WorkloadsThatCannotBeReadAreTold) {
    const auto run_on = [&](const std::string& name) {
        return tessera("run bifrost32 " + quoted(folder_ / name) + " -o " + quoted(folder_ / "out") + " --force");
    };
    expect_one_line(run_on("absent.h5"), 4, "absent.h5: No such file or directory");
    std::ofstream(folder_ / "text.vtr") << "this is no recording";
    expect_one_line(run_on("text.vtr"), 3, "text.vtr");
    const std::string whole = tests::read_text(trace_);
    std::ofstream(folder_ / "cut.h5", std::ios::binary) << whole.substr(0, whole.size() / 2);
    expect_one_line(run_on("cut.h5"), 3, "cut.h5: truncated: expected ");
}

TEST_F(RunCommand, AFullDiskIsOneLineAndExitCode4) {
    const tests::SmallFileSystem disk(100 * 1024);
    if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
    const ProgramEnd end = tessera("run bifrost32 " + quoted(trace_) + " -o " + quoted(disk / "out"));
    expect_one_line(end, 4, "No space left on device");
    EXPECT_FALSE(std::filesystem::exists(disk / "out" / "results.h5.tmp"));
}

TEST_F(RunCommand, ARunThatIsKilledLeavesTheFramesDoneSoFar) {
    std::string workloads;
    for (int i = 0; i < 20; ++i) workloads += " " + quoted(trace_);
    const std::string out = quoted(folder_ / "out");
    const ProgramEnd end = tests::run_shell(std::string(TESSERA_PROGRAM) + " run bifrost32" + workloads +
                                            " --progress none -o " + out + " & pid=$!; until [ -f " + out +
                                            "/results.h5 ]; do sleep 0.01; done; kill -9 $pid; wait $pid");
    EXPECT_EQ(end.code, 137);
    const ProgramEnd digest = tessera("digest " + out);
    EXPECT_EQ(digest.code, 0) << digest.err;
    EXPECT_THAT(digest.err, HasSubstr("note: the run did not end; "));
}

// A signal after the first frame, once for the program and once for a rank of two.
TEST_F(RunCommand, ASignalEndsARunWhenTheFramesDoneSoFarAreCommitted) {
    std::string workloads;
    for (int i = 0; i < 200; ++i) workloads += " " + quoted(trace_);
    const auto stopped = [&](const std::string& launcher, const std::string& output, const std::string& kill) {
        const std::string out = quoted(folder_ / output);
        const ProgramEnd end = tests::run_shell(launcher + TESSERA_PROGRAM + " run bifrost32" + workloads +
                                                " --progress none --threads 1 -o " + out + " & pid=$!; until [ -f " +
                                                out + "/results.h5 ]; do sleep 0.01; done; " + kill + "; wait $pid");
        EXPECT_THAT(end.err, HasSubstr("stopped by SIGTERM after sample"));
        EXPECT_THAT(end.err, HasSubstr("results.h5 holds the frames done so far\n"));
        const ProgramEnd digest = tessera("digest " + out);
        EXPECT_EQ(digest.code, 0) << digest.err;
        EXPECT_THAT(digest.err, HasSubstr("note: the run did not end; "));
        return end.code;
    };
    EXPECT_EQ(stopped("", "alone", "kill -TERM $pid"), 128 + SIGTERM);
    if (!tests::have_mpirun()) return;
    EXPECT_EQ(stopped(tests::launcher(2), "ranks", "kill -TERM $(pgrep -P $pid tessera | tail -n 1)"), 128 + SIGTERM);
}

TEST_F(RunCommand, TheDigestIsOneOnRanksThatShareNoMemory) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    ASSERT_EQ(run("--frames 5", "one").code, 0);
    const ProgramEnd end =
        tests::tessera_on_ranks(2, "run bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / "two") +
                                       " --frames 5 --threads 1 --no-shared-memory");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(digest("two"), digest("one"));
}

TEST_F(RunCommand, TheDigestIsOneOnTwoHosts) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    std::filesystem::path workload = trace_;
    std::string frames = " --frames 4-5";
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_oa120.vtr.zst";
    if (std::filesystem::exists(recording)) {  // of a game
        workload = recording;
        frames = " --frames 0-1";
    }
    const auto arguments = [&](const std::string& output) {
        return "run bifrost32 " + quoted(workload) + frames + " --threads 1 --progress none -o " +
               quoted(folder_ / output);
    };
    const ProgramEnd hosts = tests::tessera_on_two_hosts(arguments("two"));
    if (hosts.code == 77) GTEST_SKIP() << hosts.err;
    ASSERT_EQ(hosts.code, 0) << hosts.err;
    ASSERT_EQ(tessera(arguments("one")).code, 0);
    EXPECT_EQ(digest("two"), digest("one"));
}

TEST_F(RunCommand, OptionsMayStandAnywhere) {
    const ProgramEnd end =
        tessera("run --set l2.ways=4 bifrost32 --set l2.latency=20 " + quoted(trace_) + " --threads 1 --frames 4 -o " +
                quoted(folder_ / "out") + " --set 'l2.capacity=512 KiB'");
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(tests::read_text(folder_ / "out/resolved.toml"), HasSubstr("capacity = \"512 KiB\""));
}

TEST_F(RunCommand, DamagedResultsHaveNoDigest) {
    ASSERT_EQ(run("").code, 0);
    std::string bytes = tests::read_text(folder_ / "out" / "results.h5");
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(folder_ / "out" / "results.h5", std::ios::binary) << bytes;
    expect_one_line(tessera("digest " + quoted(folder_ / "out")), 3, "results.h5: damaged");
    expect_one_line(tessera("digest " + quoted(folder_ / "nowhere")), 4, "No such file or directory");
}

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
    EXPECT_THAT(again.out, HasSubstr("first message that differs: of geometry, in the window of ticks "));
    // The same line from a slice, 22 cycles later.
    const std::string first = line_with(again.out, "one/results.h5: time "),
                      second = line_with(again.out, "two/results.h5: time ");
    const auto after = [](const std::string& line, const std::string& text) {
        return line.substr(line.find(text) + text.size());
    };
    EXPECT_THAT(first, testing::MatchesRegex(".*from l2_slice.*replies.* to geometry.replies.*, 8 bytes [0-9a-f]+"));
    EXPECT_EQ(after(first, ", from "), after(second, ", from "));
    EXPECT_EQ(std::stoi(after(second, ": time ")) - std::stoi(after(first, ": time ")), 2 * 22);
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
    expect_one_line(tessera("compare " + quoted(trace_) + " " + good), 3, "sample.h5");
    std::string bytes = tests::read_text(folder_ / "out" / "results.h5");
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(folder_ / "damaged.h5", std::ios::binary) << bytes;
    expect_one_line(tessera("compare " + good + " " + quoted(folder_ / "damaged.h5")), 3, "damaged.h5: damaged");
}

TEST_F(RunCommand, BalancedPartitionsByTheFirstWindowsOrByEarlierResultsGiveTheSameResults) {
    ASSERT_EQ(run("", "one").code, 0);
    ASSERT_EQ(run("--threads 2 --partition balanced", "two").code, 0);
    const ProgramEnd end = run("--threads 3 --partition balanced --profile-from " + quoted(folder_ / "one"), "three");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(digest("two"), digest("one"));
    EXPECT_EQ(digest("three"), digest("one"));
    if (!tests::have_mpirun()) return;
    const ProgramEnd ranks = tests::tessera_on_ranks(
        2, "run bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / "four") + " --partition balanced");
    ASSERT_EQ(ranks.code, 0) << ranks.err;
    EXPECT_EQ(digest("four"), digest("one"));
}

TEST_F(RunCommand, AProfileThatDoesNotFitIsRefused) {
    ASSERT_EQ(run("--frames 4", "one").code, 0);
    const std::string from = " --profile-from " + quoted(folder_ / "one");
    expect_one_line(run("--partition round_robin" + from), 2, "the partition 'round_robin' does not look at costs");
    expect_one_line(run("--partition balanced --set l2.slices=4" + from), 2, "of a machine with other processes");
    expect_one_line(run("--partition balanced --force" + from, "one"), 2, "is what --force would replace");
    expect_one_line(run("--partition balanced --profile-from absent.h5"), 4, "absent.h5");
}

TEST_F(RunCommand, TheTimelineIsJsonWithARowForEveryWorker) {
    const std::string profile = " --profile " + quoted(folder_ / "p.json");
    ASSERT_EQ(run("--threads 2" + profile).code, 0);
    const ProgramEnd rows = tests::run_shell(
        "python3 -c 'import json, sys; print(len({(e[\"pid\"], e[\"tid\"]) for e in "
        "json.load(open(sys.argv[1]))[\"traceEvents\"]}))' " +
        quoted(folder_ / "p.json"));
    EXPECT_EQ(rows.out, "2\n") << rows.err;
    expect_one_line(run(profile, "other"), 2, "p.json exists; --force replaces it");
}

TEST_F(RunCommand, PlanShowsThePartitionAndPredictsSpeedUps) {
    const std::string command = "plan bifrost32 --input " + quoted(trace_) + " --windows 2000 ";
    const ProgramEnd end = tessera(command + "--workers 4 --ranks 2 --frame 5 --verify");
    ASSERT_EQ(end.code, 0) << end.err;
    for (const char* part :
         {"frame 5 of ", "(2 per rank)", "fragment_processor[", "critical path", "    256  ", "predicted   measured"})
        EXPECT_THAT(end.out, HasSubstr(part));
    const ProgramEnd json = tessera(command +
                                    "--workers 3 --json | python3 -c 'import json, sys; "
                                    "d = json.load(sys.stdin); print([p[\"workers\"] for p in d[\"predicted\"]], "
                                    "d[\"predicted\"][0][\"speedup\"], "
                                    "{p[\"worker\"] for p in d[\"processes\"]}, len(d[\"processes\"]))'");
    EXPECT_EQ(json.out, "[1, 2, 4, 8, 16, 32, 64, 128, 256] 1 {0, 1, 2} 45\n") << json.err;
}

TEST_F(RunCommand, MistakesOnTheCommandLineOfPlanAreTold) {
    const std::string command = "plan bifrost32 --input " + quoted(trace_);
    expect_one_line(tessera("plan bifrost32"), 2, "--input");
    expect_one_line(tessera(command + " --frame 9"), 3, "none of them is in 9");
    expect_one_line(tessera(command + " --windows 0"), 2, "--windows");
    expect_one_line(tessera(command + " --workers 3 --ranks 2"), 2, "expected a number that divides the 3 workers");
    expect_one_line(tessera("plan bifrost23 --input " + quoted(trace_)), 2, "did you mean 'bifrost32'?");
    expect_one_line(tessera("plan bifrost32 --input absent.h5"), 4, "absent.h5");
}

TEST_F(RunCommand, ProgressGoesToStandardErrorInLines) {
    const ProgramEnd lines = run("--progress log");
    EXPECT_EQ(lines.code, 0);
    EXPECT_THAT(lines.err, HasSubstr(" %"));
    EXPECT_EQ(run("--progress none --force").err, "");
}

class TraceCommand : public testing::Test {
  protected:
    const tests::TemporaryFolder folder_;
    const std::filesystem::path recording_ = tests::recorded_application(folder_);
};

TEST_F(TraceCommand, ChecksImagesAndWritesTraceAndPictures) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::string command = "trace " + quoted(recording_) + " -o " + quoted(folder_ / "t.h5") + " --images " +
                                quoted(folder_ / "images") + " --frames 1 --check";
    const ProgramEnd end = tessera(command);
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("frame 1: "));
    EXPECT_THAT(end.out, HasSubstr("PSNR"));
    EXPECT_THAT(end.out, HasSubstr("bytes per quad"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "images/frame_0001.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "images/frame_0000.png"));
    expect_one_line(tessera(command), 2, "t.h5 exists; --force replaces it");
    expect_one_line(tessera("trace " + quoted(recording_) + " --check --frames 7"), 3,
                    "holds 2 frames; none of them is in 7");
}

TEST_F(TraceCommand, ARecordingRunsLikeItsTrace) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    ASSERT_EQ(tessera("trace " + quoted(recording_) + " -o " + quoted(folder_ / "t.h5")).code, 0);
    const auto run = [&](const std::filesystem::path& workload, const std::string& output) {
        const ProgramEnd end =
            tessera("run bifrost32 " + quoted(workload) + " --threads 1 --frames 0-1 -o " + quoted(folder_ / output));
        EXPECT_EQ(end.code, 0) << end.err;
        return tessera("digest " + quoted(folder_ / output)).out;
    };
    const std::string digest = run(folder_ / "t.h5", "a");
    EXPECT_EQ(digest.size(), 33u);
    EXPECT_EQ(run(recording_, "b"), digest);
}

TEST_F(TraceCommand, ARecordingIsPlannedFor) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const ProgramEnd end = tessera("plan bifrost32 --windows 1000 --workers 2 --input " + quoted(recording_));
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("frame 0 of "));
}

TEST_F(TraceCommand, ATruncatedRecordingIsOneLineAndExitCode3) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::string whole = tests::read_text(recording_);
    std::ofstream(folder_ / "cut.vtr.zst", std::ios::binary) << whole.substr(0, whole.size() / 2);
    expect_one_line(tessera("trace " + quoted(folder_ / "cut.vtr.zst") + " -o " + quoted(folder_ / "t.h5")), 3,
                    "cut.vtr.zst");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "t.h5"));
}

TEST_F(TraceCommand, AFullDiskIsOneLineAndExitCode4) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const tests::SmallFileSystem disk(16 * 1024);
    if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
    const ProgramEnd end = tessera("trace " + quoted(recording_) + " --frames 0 -o " + quoted(disk / "t.h5"));
    expect_one_line(end, 4, "No space left on device");
    EXPECT_TRUE(std::filesystem::is_empty(disk.path()));
}

TEST_F(TraceCommand, WorksOnOneRankOnly) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    const ProgramEnd end = tests::tessera_on_ranks(2, "trace x.vtr -o y.h5");
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, HasSubstr("error: trace works on one rank only: start it without mpirun"));
}

}  // namespace
