// Runs that stop with a checkpoint, and go on. tests/determinism/resume.sh has the threads, ranks and partitions.

#include "experiments/tessera/resume.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/checkpoint_file.h"
#include "io/results_file.h"
#include "tests/experiments/run_command.h"

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

constexpr int stopped = 75;

class Resume : public tests::RunCommand {
  protected:
    ProgramEnd resume(const std::string& more = "", const std::string& output = "out") {
        const std::string threads = more.find("--threads") == std::string::npos ? " --threads 1 " : " ";
        return tessera("run --resume " + quoted(folder_ / output) + threads + "--progress none " + more);
    }
    void damage(const std::string& name) const {
        std::string bytes = tests::read_text(folder_ / "out" / name);
        bytes.at(bytes.size() / 2) ^= 1;
        std::ofstream(folder_ / "out" / name, std::ios::binary) << bytes;
    }
    io::Results results(const std::string& output = "out") const {
        return io::read_results(folder_ / output / "results.h5");
    }
    void expect_whole(const std::string& more = "") {
        ASSERT_EQ(run("--progress none " + more, "whole").code, 0);
        EXPECT_EQ(digest(), digest("whole"));
        const ProgramEnd end = tessera("compare " + quoted(folder_ / "whole") + " " + quoted(folder_ / "out"));
        EXPECT_EQ(end.code, 0) << end.out;
    }
};

TEST_F(Resume, ARunThatWasStoppedInAFrameComesToTheSameResultsFilesAndSummary) {
    const ProgramEnd end = run("--progress none --stop-after '15000 cycles'");
    EXPECT_EQ(end.code, stopped);
    EXPECT_THAT(end.err, HasSubstr("stopped by --stop-after after frame 4: "));
    EXPECT_THAT(end.err, HasSubstr("tessera run --resume " + (folder_ / "out").string() + " goes on with it\n"));
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("checkpoint", "images", "resolved.toml", "results.h5"));
    EXPECT_FALSE(results().complete);
    EXPECT_EQ(results().frames.size(), 1U);
    const ProgramEnd second = resume("--stop-after '1 frame'");
    EXPECT_EQ(second.code, stopped);
    EXPECT_EQ(results().frames.size(), 2U);
    const ProgramEnd last = resume();
    EXPECT_EQ(last.code, 0) << last.err;
    expect_whole();
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("images", "resolved.toml", "results.h5"));
    EXPECT_EQ(tests::names_in(folder_ / "out/images"), tests::names_in(folder_ / "whole/images"));
    EXPECT_TRUE(results().complete);
    for (std::size_t frame = 0; frame < 3; ++frame) {
        EXPECT_EQ(results().frames[frame].image, results("whole").frames[frame].image);
        EXPECT_EQ(results().frames[frame].end, results("whole").frames[frame].end);
    }
}

TEST_F(Resume, TheProvenanceNamesEveryStartAndHowFarItCame) {
    ASSERT_EQ(run("--progress none --stop-after '15000 cycles'").code, stopped);
    ASSERT_EQ(resume("--threads 2 --partition round_robin").code, 0);
    std::string segments;
    for (const io::NamedText& entry : results().provenance)
        if (entry.name == "segments") segments = entry.text;
    const std::string end = std::to_string(results().frames.back().end);
    EXPECT_THAT(segments, testing::MatchesRegex(".*, ranks 1, threads 1, partition balanced: ticks 0 to ([0-9]+)\n"
                                                ".*, ranks 1, threads 2, partition round_robin: ticks [0-9]+ to " +
                                                end + "\n"));
}

TEST_F(Resume, ARunThatIsCompleteIsLeftAsItIs) {
    ASSERT_EQ(run("--progress none").code, 0);
    const std::string before = tests::read_text(folder_ / "out/results.h5");
    const ProgramEnd end = resume();
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("out is complete already\n"));
    EXPECT_EQ(tests::read_text(folder_ / "out/results.h5"), before);
    io::write_checkpoint({folder_ / "out/checkpoint", folder_ / "out/checkpoint_previous"}, {});
    EXPECT_EQ(resume().code, 0) << "killed after the last frame was committed";
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("images", "resolved.toml", "results.h5"));
}

TEST_F(Resume, WhatDiffersFromCompleteResultsIsRefusedByName) {
    ASSERT_EQ(run("--progress none --frames 4-5 --tie-seed 5 --set l2.latency=30").code, 0);
    std::filesystem::copy_file(trace_, folder_ / "same.h5");
    const std::string trace = quoted(trace_);
    EXPECT_EQ(
        resume("bifrost32 " + quoted(folder_ / "same.h5") + " --set l2.latency=30 --frames 4-5 --tie-seed 5").code, 0);
    EXPECT_EQ(resume("--set l2.latency=30").code, 0);
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {"bifrost32", "the machine's l2.latency is 18, in the results, which are complete, it is 30"},
        {"--set l2.ways=4", "the machine's l2.ways is 4, in the results, which are complete, it is 8"},
        {"--set l2.wais=4", "did you mean 'l2.ways'?"},
        {"bifrost33", "bifrost33"},
        {"bifrost32 " + trace + " " + trace + " --set l2.latency=30", "the number of workloads is 2, in the results"},
        {"bifrost32 " + quoted(folder_ / "kernels.h5") + " --set l2.latency=30", "the digest of workload "},
        {"--frames 4", "--frames is 4, in the results, which are complete, it is 4-5"},
        {"--tie-seed 0", "--tie-seed is 0, in the results, which are complete, it is 5"},
        {"--log-messages 1:2", "--log-messages is 1:2, in the results, which are complete, it is none"},
    };
    const std::string before = tests::read_text(folder_ / "out/results.h5");
    for (const auto& [mistake, said] : mistakes) expect_one_line(resume(mistake), 2, said);
    expect_one_line(resume("bifrost32 " + quoted(folder_ / "none.h5") + " --set l2.latency=30"), 4, "none.h5");
    expect_one_line(resume("--profile-from " + quoted(folder_ / "none")), 4, "none");
    EXPECT_THAT(resume("--profile " + quoted(folder_ / "p.json")).out, HasSubstr("nothing to write to --profile"));
    EXPECT_EQ(tests::read_text(folder_ / "out/results.h5"), before);
}

TEST_F(Resume, WhatDecidesTheResultsIsThatOfTheCheckpoint) {
    const std::string options = "--frames 5- --tie-seed 9 --log-messages 100:20000 --set l2.latency=30 ";
    ASSERT_EQ(run(options + "--progress none --stop-after '5000 cycles'").code, stopped);
    const std::string given = "bifrost32 " + quoted(trace_) + " -o " + quoted(folder_ / "out") + " " + options;
    ASSERT_EQ(resume(given + "--stop-after '5000 cycles'").code, stopped);
    ASSERT_EQ(resume().code, 0);
    expect_whole(options);
    const io::Determinism &one = results().determinism, &other = results("whole").determinism;
    EXPECT_EQ(one.log.ports, other.log.ports);
    EXPECT_EQ(one.log.messages.size(), other.log.messages.size());
    EXPECT_GT(one.log.messages.size(), 0U);
    EXPECT_EQ(one.tie_seed, 9U);
}

TEST_F(Resume, WhatDiffersFromTheCheckpointIsRefusedByName) {
    ASSERT_EQ(run("--progress none --stop-after '5000 cycles' --tie-seed 5").code, stopped);
    std::filesystem::copy_file(trace_, folder_ / "other.h5");
    std::filesystem::create_directory(folder_ / "other");
    const ProgramEnd made =
        tests::run_shell(std::string(TESSERA_SAMPLE_WRITER) + " " + (folder_ / "sample.h5").string() + " " +
                         (folder_ / "e.json").string() + " " + (folder_ / "x.h5").string());
    ASSERT_EQ(made.code, 0);  // its kernels are another trace
    const std::string trace = quoted(trace_);
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {"bifrost32 --set l2.ways=4", "the machine's l2.ways is 4, in the checkpoint it is 8"},
        {"--set texture_cache.capacity='64 KiB'", "the machine's texture_cache.capacity is 64 KiB, in the checkpoint"},
        {"bifrost32 " + trace + " " + trace, "the number of workloads is 2, in the checkpoint it is 1"},
        {"--frames 4", "--frames is 4, in the checkpoint it is 0-"},
        {"--tie-seed 0", "--tie-seed is 0, in the checkpoint it is 5"},
        {"--log-messages 1:2", "--log-messages is 1:2, in the checkpoint it is none"},
        {"-o " + quoted(folder_ / "other"), "--output: a run that --resume goes on with stays in its folder"},
        {"--force", "--resume goes on with a run, --force replaces it"},
    };
    const std::string before = tests::read_text(folder_ / "out/checkpoint");
    for (const auto& [mistake, said] : mistakes) {
        expect_one_line(resume(mistake), 2, said);
        EXPECT_EQ(tests::read_text(folder_ / "out/checkpoint"), before);
    }
    EXPECT_EQ(resume("bifrost32 " + quoted(folder_ / "other.h5")).code, 0) << "the same trace under another name";
}

TEST_F(Resume, AnotherTraceIsRefusedByItsDigest) {
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_teeworlds.vtr.zst";
    if (!std::filesystem::exists(recording)) GTEST_SKIP() << "no recordings beside the tree";
    ASSERT_EQ(tessera("trace " + quoted(recording) + " --frames 0 -o " + quoted(folder_ / "game.h5")).code, 0);
    ASSERT_EQ(run("--progress none --stop-after '5000 cycles'").code, stopped);
    expect_one_line(resume("bifrost32 " + quoted(folder_ / "game.h5")), 2, "game.h5 is ");
    std::filesystem::rename(folder_ / "game.h5", trace_);
    expect_one_line(resume(), 2, "the digest of workload " + trace_.string());
}

TEST_F(Resume, ARecordingIsNotTracedAgain) {
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_teeworlds.vtr.zst";
    if (!std::filesystem::exists(recording)) GTEST_SKIP() << "no recordings beside the tree";
    std::filesystem::copy_file(recording, folder_ / "game.vtr.zst");
    const std::string out = quoted(folder_ / "out");
    ASSERT_EQ(tessera("run bifrost32 " + quoted(folder_ / "game.vtr.zst") +
                      " --frames 0 --threads 1 --progress none --stop-after '20000 cycles' -o " + out)
                  .code,
              stopped);
    std::filesystem::remove(folder_ / "game.vtr.zst");
    EXPECT_EQ(resume().code, 0);
    EXPECT_THAT(results().workloads.at(0).path, testing::EndsWith("game.vtr.zst"));
}

// Runs of frame 0 of a recording that is traced on the way.
class ResumeTracing : public Resume {
  protected:
    void SetUp() override {
        Resume::SetUp();
        const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "g_teeworlds.vtr.zst";
        if (!std::filesystem::exists(recording)) GTEST_SKIP() << "no recordings beside the tree";
        std::filesystem::copy_file(recording, game_);
    }
    std::string command(const std::string& workloads, const std::string& output = "out") const {
        return "run bifrost32 " + workloads + " --frames 0 --threads 1 -o " + quoted(folder_ / output) + " ";
    }
    std::vector<std::string> traces() const { return tests::names_in(folder_ / "out/traces"); }
    const std::filesystem::path game_ = folder_ / "game.vtr.zst";
};

TEST_F(ResumeTracing, AStopBeforeTheTraceIsThereLeavesACheckpointOfTheBeginning) {
    const ProgramEnd end = tessera(command(quoted(game_)) + "--progress none --stop-after '0.001 s'");
    EXPECT_EQ(end.code, stopped) << end.err;
    EXPECT_THAT(end.err, HasSubstr(game_.string() + " is not traced to its end: "));
    EXPECT_THAT(end.err, HasSubstr("stopped by --stop-after before the first frame was done"));
    EXPECT_THAT(end.err, HasSubstr("tessera run --resume " + (folder_ / "out").string() + " goes on with it\n"));
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("checkpoint", "resolved.toml"));
    std::filesystem::copy_file(game_, folder_ / "other.vtr.zst");
    expect_one_line(resume("bifrost32 " + quoted(folder_ / "other.vtr.zst")), 2, "a workload is ");
    const ProgramEnd second = resume("--stop-after '0.001 s'");
    EXPECT_EQ(second.code, stopped) << second.err;
    EXPECT_THAT(traces(), ElementsAre("game.h5")) << "every start gets further";
    EXPECT_EQ(resume().code, 0);
    ASSERT_EQ(tessera(command(quoted(game_), "whole") + "--progress none").code, 0);
    EXPECT_EQ(digest(), digest("whole"));
    EXPECT_TRUE(results().complete);
}

TEST_F(ResumeTracing, ASignalStopsItBetweenFramesAndTracesThatAreDoneStay) {
    std::filesystem::copy_file(game_, folder_ / "second.vtr.zst");
    std::filesystem::copy_file(game_, folder_ / "third.vtr.zst");
    const std::string out = quoted(folder_ / "out"), log = quoted(folder_ / "log");
    const ProgramEnd end = tests::run_shell(
        std::string(TESSERA_PROGRAM) + " run bifrost32 " + quoted(game_) + " " + quoted(folder_ / "second.vtr.zst") +
        " " + quoted(folder_ / "third.vtr.zst") + " --frames 0-1 --progress log -o " + out + " 2> " + log +
        " & pid=$!; until grep -q 'traced frame 0 of .*second' " + log +
        "; do sleep 0.01; done; kill -TERM $pid; wait $pid");
    EXPECT_EQ(end.code, stopped);
    EXPECT_THAT(tests::read_text(folder_ / "log"), HasSubstr("stopped by SIGTERM before the first frame was done"));
    EXPECT_THAT(traces(), Contains("game.h5"));
    EXPECT_THAT(traces(), Not(Contains("third.h5")));
    expect_one_line(resume("--frames 0"), 2, "--frames is 0, in the checkpoint it is 0-1");
    EXPECT_EQ(resume("--stop-after '1 cycle'").code, stopped);
    EXPECT_THAT(traces(), ElementsAre("game.h5", "second.h5", "third.h5"));
}

TEST_F(ResumeTracing, AnotherRecordingIsRefusedByWhatItHolds) {
    std::filesystem::create_directory(folder_ / "other");
    const std::filesystem::path other = folder_ / "other/game.vtr.zst", same = folder_ / "same.vtr.zst";
    std::filesystem::copy_file(game_, same);
    ASSERT_EQ(tessera("cut " + quoted(game_) + " --frames 0-0 -o " + quoted(other)).code, 0);
    const std::string refusal = "the digest of workload " + other.string() + " is ";
    ASSERT_EQ(tessera(command(quoted(game_)) + "--progress none --stop-after '20000 cycles'").code, stopped);
    expect_one_line(resume("bifrost32 " + quoted(other)), 2, refusal);
    EXPECT_EQ(resume("bifrost32 " + quoted(same)).code, 0);
    expect_one_line(resume("bifrost32 " + quoted(other)), 2, refusal);
    expect_one_line(resume("bifrost32 " + quoted(other)), 2, " of " + game_.string() + "; leave it out to go on");
    EXPECT_EQ(resume("bifrost32 " + quoted(game_)).code, 0);
    EXPECT_EQ(resume("bifrost32 " + quoted(same)).code, 0);
    std::filesystem::remove_all(folder_ / "out/traces");
    expect_one_line(resume("bifrost32 " + quoted(same)), 2, "workload 1 is " + same.string());
}

TEST_F(ResumeTracing, StopsOnRanks) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    const ProgramEnd end =
        tests::tessera_on_ranks(2, command(quoted(game_)) + "--progress none --stop-after '0.001 s'");
    EXPECT_EQ(end.code, stopped) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped by --stop-after before the first frame was done"));
    EXPECT_EQ(resume("--stop-after '1 cycle'").code, stopped);
}

TEST_F(Resume, TheBatchScriptOfTheManualStopsRanksWithACheckpointAndGoesOn) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    const std::string manual = tests::read_text(TESSERA_EXPERIMENTS_MANUAL), start = "#!/bin/bash";
    const std::size_t at = manual.find(start);
    ASSERT_NE(at, std::string::npos);
    std::ofstream(folder_ / "job.sh") << manual.substr(at, manual.find("```", at) - at);
    std::filesystem::copy_file(trace_, folder_ / "game.h5");
    const std::string before = "cd " + quoted(folder_.path()) +
                               "; export PATH=" + quoted(std::filesystem::path(TESSERA_PROGRAM).parent_path()) +
                               ":$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                               "OMPI_MCA_hwloc_base_binding_policy=none ASAN_OPTIONS=detect_leaks=0; ";
    const ProgramEnd end = tests::run_shell(
        before + "bash job.sh & job=$!; until [ -e out/checkpoint ]; do sleep 0.01; done; kill -TERM $job; wait $job");
    EXPECT_EQ(end.code, stopped) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped by SIGUSR1"));
    const ProgramEnd rest = tests::run_shell(before + "bash job.sh");
    EXPECT_EQ(rest.code, 0) << rest.err;
    expect_whole();
    EXPECT_THAT(tests::run_shell(before + "bash job.sh").out, HasSubstr("is complete already"));
}

TEST_F(Resume, ACheckpointEveryFrameKeepsTheOneBefore) {
    ASSERT_EQ(run("--progress none --checkpoint-every '1 frame' --stop-after '2 frames'").code, stopped);
    EXPECT_THAT(tests::names_in(folder_ / "out"), Contains("checkpoint_previous"));
    damage("checkpoint");
    const ProgramEnd end = resume("--stop-after '3000 cycles'");
    EXPECT_EQ(end.code, stopped);
    EXPECT_THAT(end.err, HasSubstr("out/checkpoint: damaged"));
    EXPECT_THAT(end.err, HasSubstr("going on from the one before, "));
    EXPECT_EQ(resume().code, 0);
    expect_whole();
}

TEST_F(Resume, WithBothCheckpointsDamagedIsRefused) {
    ASSERT_EQ(run("--progress none --checkpoint-every '1 frame' --stop-after '2 frames'").code, stopped);
    damage("checkpoint");
    damage("checkpoint_previous");
    expect_one_line(resume(), 3, "checkpoint_previous: damaged");
}

TEST_F(Resume, WhatIsNoStoppedRunIsRefused) {
    expect_one_line(resume(), 2, "--resume: there is no folder");
    std::filesystem::create_directory(folder_ / "out");
    expect_one_line(resume(), 2, "holds no checkpoint");
    EXPECT_THAT(tests::names_in(folder_ / "out"), testing::IsEmpty());
    expect_one_line(tessera("run bifrost32 -o x"), 2, "WORKLOAD is required");
    expect_one_line(tessera("run"), 2, "MACHINE is required");
    expect_one_line(tessera("run game.h5 -o x"), 2, "MACHINE is required before WORKLOAD");
    expect_one_line(run("--stop-after 10"), 2, "--stop-after: expected a time of the wall clock");
    expect_one_line(run("--checkpoint-every '0 s'"), 2, "--checkpoint-every: expected a time of the wall clock");
}

TEST_F(Resume, AStoppedRunIsReplacedOnlyByForce) {
    ASSERT_EQ(run("--progress none --stop-after '5000 cycles'").code, stopped);
    expect_one_line(run(""), 2, "holds a run that was stopped; --resume ");
    EXPECT_EQ(run("--progress none --force").code, 0);
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("images", "resolved.toml", "results.h5"));
}

TEST_F(Resume, CheckpointsChangeNoResult) {
    ASSERT_EQ(run("--progress none --checkpoint-every '700 cycles'").code, 0);
    EXPECT_THAT(tests::names_in(folder_ / "out"), Not(Contains("checkpoint")));
    expect_whole();
}

TEST_F(Resume, AWallTimeStopsARunThatWouldTakeLonger) {
    std::string workloads;
    for (int i = 0; i < 200; ++i) workloads += " " + quoted(trace_);
    const ProgramEnd end = tessera("run bifrost32" + workloads +
                                   " --threads 1 --progress none --stop-after '1 s' --checkpoint-every '0.1 s' -o " +
                                   quoted(folder_ / "out"));
    EXPECT_EQ(end.code, stopped) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped by --stop-after "));
    EXPECT_THAT(tests::names_in(folder_ / "out"), Contains("checkpoint_previous"));
    EXPECT_EQ(resume("--stop-after '1 s'").code, stopped);
}

// On two ranks, of which one gets the signal; then on one.
TEST_F(Resume, ASignalStopsARunOnRanksToGoOnAlone) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    std::string workloads;
    for (int i = 0; i < 12; ++i) workloads += " " + quoted(trace_);
    const std::string out = quoted(folder_ / "out"), whole = quoted(folder_ / "whole");
    const ProgramEnd end = tests::run_shell(
        tests::launcher(2) + TESSERA_PROGRAM + " run bifrost32" + workloads +
        " --progress none --threads 1 --checkpoint-every '100 frames' -o " + out + " & pid=$!; until [ -f " + out +
        "/checkpoint ]; do sleep 0.01; done; kill -TERM $(pgrep -P $pid tessera | tail -n 1); wait $pid");
    ASSERT_EQ(end.code, stopped) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped by SIGTERM"));
    EXPECT_EQ(resume("--threads 2").code, 0);
    ASSERT_EQ(tessera("run bifrost32" + workloads + " --progress none --threads 1 -o " + whole).code, 0);
    EXPECT_EQ(digest(), digest("whole"));
}

}  // namespace
