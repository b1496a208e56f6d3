// tessera run and digest: what they write, and how they end.

#include "tests/experiments/run_command.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/hdf5_file.h"

namespace {

using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::RunCommand;
using tests::tessera;

TEST_F(RunCommand, WritesResultsMachineAndImages) {
    const ProgramEnd end = run("--threads 1");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("digest  " + digest().substr(0, 32)));
    EXPECT_THAT(end.out, HasSubstr("GPU cycles"));
    for (const char* file : {"results.h5", "resolved.toml", "images/frame_0004.png", "images/frame_0006.png"})
        EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
    EXPECT_THAT(tests::names_in(folder_ / "out"), testing::ElementsAre("images", "resolved.toml", "results.h5"));
}

TEST_F(RunCommand, TellsWhichProgramsCostMost) {
    const ProgramEnd end = run("--frames 5");
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("program  cores"));
    EXPECT_THAT(end.out, HasSubstr("fragment_processor  "));
}

TEST_F(RunCommand, WarnsIfNoInstructionWasThereToBeRecorded) {
    const std::string early = "--frames 5 --set observe.pipeline_cores=2",
                      no_effect = "observe.pipeline_cores had no effect";
    const ProgramEnd late = run(early + " --set observe.pipeline_from=900000000 --set observe.pipeline_to=900000100");
    ASSERT_EQ(late.code, 0) << late.err;
    EXPECT_THAT(late.err, HasSubstr(no_effect));
    const ProgramEnd all = run(early + " --set observe.pipeline_to=1000000", "all");
    ASSERT_EQ(all.code, 0) << all.err;
    EXPECT_THAT(all.err, testing::Not(HasSubstr(no_effect)));
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
        const std::size_t told = end.out.find("\ndigest ");  // by one rank
        ASSERT_NE(told, std::string::npos) << end.out;
        EXPECT_EQ(end.out.find("\ndigest ", told + 1), std::string::npos) << end.out;
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
    const ProgramEnd end = tessera("run bifrost32 " + quoted(trace_) + " --progress none -o " + quoted(disk / "out"));
    expect_one_line(end, 4, "No space left on device");
    EXPECT_THAT(tests::names_in(disk.path()), testing::IsEmpty());
}

TEST_F(RunCommand, ARunThatIsKilledLeavesTheFramesDoneSoFar) {
    std::string workloads;
    for (int i = 0; i < 50; ++i) workloads += " " + quoted(trace_);
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
TEST_F(RunCommand, ASignalStopsARunWhenTheFramesDoneSoFarAreCommitted) {
    std::string workloads;
    for (int i = 0; i < 50; ++i) workloads += " " + quoted(trace_);
    const auto stopped = [&](const std::string& launcher, const std::string& output, const std::string& kill) {
        const std::string out = quoted(folder_ / output);
        const ProgramEnd end = tests::run_shell(launcher + TESSERA_PROGRAM + " run bifrost32" + workloads +
                                                " --progress none --threads 1 -o " + out + " & pid=$!; until [ -f " +
                                                out + "/results.h5 ]; do sleep 0.01; done; " + kill + "; wait $pid");
        EXPECT_THAT(end.err, HasSubstr("stopped by SIGTERM after sample"));
        EXPECT_THAT(end.err, HasSubstr("results.h5 holds the frames done so far\n"));
        EXPECT_THAT(end.err, HasSubstr("tessera run --resume "));
        const ProgramEnd digest = tessera("digest " + out);
        EXPECT_EQ(digest.code, 0) << digest.err;
        EXPECT_THAT(digest.err, HasSubstr("note: the run did not end; "));
        return end.code;
    };
    EXPECT_EQ(stopped("", "alone", "kill -TERM $pid"), 75);
    if (!tests::have_mpirun()) return;
    EXPECT_EQ(stopped(tests::launcher(2), "ranks", "kill -TERM $(pgrep -P $pid tessera | tail -n 1)"), 75);
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
    std::string frames = " --frames 4-4";
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_oa120.vtr.zst";
    if (std::filesystem::exists(recording)) {  // of a game
        workload = recording;
        frames = " --frames 0-0";
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

TEST_F(RunCommand, ProgressGoesToStandardErrorInLines) {
    const ProgramEnd lines = run("--progress log");
    EXPECT_EQ(lines.code, 0);
    EXPECT_THAT(lines.err, HasSubstr(" %"));
    EXPECT_EQ(run("--progress none --force").err, "");
}

}  // namespace
