// A sweep under Slurm itself, one that has this machine as its only node. tests/experiments/slurm_job_test.cpp has the
// details, without Slurm.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/run_command.h"

namespace {

using tests::ProgramEnd;
using tests::quoted;
using tests::read_text;

class Slurm : public tests::RunCommand {
  protected:
    ProgramEnd beside_slurm(const std::string& script) const {
        std::ofstream(folder_ / "script.sh")
            << "set -e\ncd " + quoted(folder_.path()) +
                   "\nis_over() { queue=$(squeue --noheader) && [ -z \"$queue\" ]; }\n" + script;
        return tests::run_shell("timeout -k 10 400 bash " + std::string(TESSERA_ONE_NODE_SLURM) + " bash " +
                                quoted(folder_ / "script.sh"));
    }
    std::vector<std::filesystem::path> logs_of_tasks() const {
        std::vector<std::filesystem::path> logs;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "sweep/logs"))
            if (entry.path().filename().string().starts_with("slurm-")) logs.push_back(entry.path());
        return logs;
    }
};

// The first starts of all tasks find their limit of a minute too near; then the administrator raises it.
TEST_F(Slurm, PointsThatTheTimeLimitStopsGoOnAndComeToTheSameResults) {
    std::ofstream(folder_ / "sweep.toml")
        << "machine = \"bifrost32\"\nworkloads = [\"sample.h5\"]\n[grid]\nfragment_processor.warps = [2, 4, 8]\n"
           "[slurm]\ntime = \"1 min\"\nmargin = \"59.5 s\"\nleast = \"0.001 s\"\nmemory = \"100 MiB\"\n";
    const std::string sweep = std::string(TESSERA_PROGRAM) + " sweep sweep.toml -o ";
    const ProgramEnd end = beside_slurm(sweep + "sweep --slurm --jobs 2\n" +
                                        "until is_over; do\n"
                                        "    squeue --noheader --array --Format=JobArrayID:20,RestartCnt:10 |\n"
                                        "    while read task restarts; do\n"
                                        "        [ $restarts -gt 0 ] || continue\n"
                                        "        scontrol update JobId=$task TimeLimit=30 || true\n"
                                        "    done 2>/dev/null\n"
                                        "    sleep 0.5\n"
                                        "done\n" +
                                        sweep + "sweep --list\n" + sweep + "sweep --slurm\n" + sweep + "plain\n");
    if (end.code == 77) GTEST_SKIP() << "no Slurm here: " << end.err;
    ASSERT_EQ(end.code, 0) << end.out << end.err;
    EXPECT_THAT(end.out, testing::HasSubstr("nothing is left of 3 points"));
    const std::vector<std::filesystem::path> logs = logs_of_tasks();
    EXPECT_EQ(logs.size(), 3U);
    for (const std::filesystem::path& log : logs)
        EXPECT_THAT(read_text(log), testing::ContainsRegex("restart 0 on .*is queued again.*restart 1 on .*done "));
    int points = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "plain")) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("sample")) continue;
        ++points;
        EXPECT_EQ(digest("sweep/" + name), digest("plain/" + name)) << name;
    }
    EXPECT_EQ(points, 3);
    const std::string table = read_text(folder_ / "sweep/points.csv");
    EXPECT_THAT(table, testing::ContainsRegex("warps=2.*,done,.*\n.*warps=4.*,done,.*\n.*warps=8.*,done,"));
}

TEST_F(Slurm, ATaskThatFailsSaysSoAndTheOthersGoOn) {
    std::ofstream(folder_ / "sweep.toml")
        << "machine = \"bifrost32\"\nworkloads = [\"nothing.h5\", \"sample.h5\"]\n[slurm]\ntime = \"10 min\"\n";
    const std::string sweep = std::string(TESSERA_PROGRAM) + " sweep sweep.toml -o sweep ";
    const ProgramEnd end = beside_slurm(
        sweep + "--slurm\nuntil is_over; do sleep 0.2; done\n" + sweep +
        "--list\nscontrol show job 1 | grep -o 'ArrayTaskId=[0-9]*\\|JobState=[A-Z]*\\|ExitCode=[0-9]*'\n");
    if (end.code == 77) GTEST_SKIP() << "no Slurm here: " << end.err;
    ASSERT_EQ(end.code, 0) << end.out << end.err;
    EXPECT_THAT(end.out, testing::ContainsRegex("0\tfailed\tnothing-.*\n1\tdone\tsample-"));
    EXPECT_THAT(end.out, testing::ContainsRegex("ArrayTaskId=0\nJobState=FAILED\nExitCode=4\n"));
    EXPECT_THAT(end.out, testing::ContainsRegex("ArrayTaskId=1\nJobState=COMPLETED\nExitCode=0\n"));
    EXPECT_THAT(read_text(folder_ / "sweep/points.csv"), testing::ContainsRegex(",failed,.*,4,.*nothing.h5.*,done,"));
}

}  // namespace
