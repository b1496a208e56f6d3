// Partitions by measured costs, timelines, and tessera plan.

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
    expect_one_line(run("--partition balanced --force" + from, "one"), 2, "is read by this command");
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
    EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
    ASSERT_EQ(run(" --profile " + quoted(folder_ / "new/p.json"), "new").code, 0) << "in the folder of the run";
    EXPECT_TRUE(std::filesystem::exists(folder_ / "new/p.json"));
}

TEST_F(RunCommand, PlanShowsThePartitionAndPredictsSpeedUps) {
    const std::string command = "plan bifrost32 --input " + quoted(trace_) + " --windows 2000 --repeat 2 ";
    const ProgramEnd end = tessera(command + "--workers 4 --ranks 2 --frame 5 --verify");
    ASSERT_EQ(end.code, 0) << end.err;
    for (const char* part :
         {"frame 5 of ", "(2 per rank)", "cluster[", "the critical path", "    256  ", "predicted   measured",
          "; the least of 2 runs\n", "The window is ", "cluster.requests -> request_bus.in", "the kernel"})
        EXPECT_THAT(end.out, HasSubstr(part));
    EXPECT_THAT(end.out, Not(HasSubstr("the frame goes on")));
    const ProgramEnd json =
        tessera(command +
                "--workers 3 --json | python3 -c 'import json, sys; "
                "d = json.load(sys.stdin); print(d[\"runs\"], [p[\"workers\"] for p in d[\"predicted\"]], "
                "d[\"predicted\"][0][\"speedup\"], "
                "{p[\"worker\"] for p in d[\"processes\"]}, len(d[\"processes\"]), "
                "min(c[\"latency_ticks\"] + c[\"least_delay_ticks\"] for c in d[\"channels\"]) "
                "== d[\"window_ticks\"], d[\"gpu_cycle_ticks\"], "
                "sum(k[\"processes\"] for k in d[\"kinds\"]), "
                "0 < sum(k[\"share\"] for k in d[\"kinds\"]) < 1, "
                "round(sum(k[\"critical_path_share\"] for k in d[\"kinds\"]), 3), "
                "0 < d[\"critical_path_seconds\"] <= d[\"conservative_seconds\"])'");
    EXPECT_EQ(json.out, "2 [1, 2, 4, 8, 16, 32, 64, 128, 256] 1 {0, 1, 2} 51 True 2 51 True 1.0 True\n") << json.err;
}

TEST_F(RunCommand, PlanSaysWhetherTheFrameEndsInWhatIsProfiled) {
    const std::string command = "plan bifrost32 --input " + quoted(trace_) + " --workers 1 --repeat 1 --windows ";
    EXPECT_THAT(tessera(command + "100").out,
                HasSubstr("\nthe frame goes on, and what comes then may be other work: "));
    EXPECT_THAT(tessera(command + "100 --json").out, HasSubstr("\"whole_frame\": false"));
    EXPECT_THAT(tessera(command + "2000 --json").out, HasSubstr("\"whole_frame\": true"));
}

TEST_F(RunCommand, MistakesOnTheCommandLineOfPlanAreTold) {
    const std::string command = "plan bifrost32 --input " + quoted(trace_);
    expect_one_line(tessera("plan bifrost32"), 2, "--input");
    expect_one_line(tessera(command + " --frame 9"), 3, "none of them is in 9");
    expect_one_line(tessera(command + " --windows 0"), 2, "--windows");
    expect_one_line(tessera(command + " --repeat 0"), 2, "--repeat");
    expect_one_line(tessera(command + " --workers 3 --ranks 2"), 2, "expected a number that divides the 3 workers");
    expect_one_line(tessera("plan bifrost23 --input " + quoted(trace_)), 2, "did you mean 'bifrost32'?");
    expect_one_line(tessera("plan bifrost32 --input absent.h5"), 4, "absent.h5");
}

}  // namespace
