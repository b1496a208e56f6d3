// The job array of a sweep: what is written for Slurm, and what the script does with a squeue, a scontrol and a tessera
// that are made for it. tests/experiments/slurm_test.cpp runs it under Slurm itself.

#include "experiments/tessera/slurm_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/experiments/run_command.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;

TEST(SlurmArray, NamesRunsOfNumbersByTheirEnds) {
    EXPECT_EQ(experiments::array_expression({7}, 0), "7");
    EXPECT_EQ(experiments::array_expression({0, 3, 5, 6, 7, 8, 9}, 4), "0,3,5-9%4");
    EXPECT_EQ(experiments::array_expression({0, 1, 4, 5}, 1), "0-1,4-5%1");
}

io::Sweep two_points() {
    io::Sweep sweep;
    sweep.threads = 3;
    sweep.points = {{"a-1", "bifrost32", "a.h5", {}}, {"b-2", "bifrost32", "b.h5", {}}};
    sweep.slurm = io::SlurmTask{};
    sweep.slurm->time = 5401;
    sweep.slurm->margin = 119.5;
    sweep.slurm->least = 30;
    return sweep;
}
const experiments::SlurmJob job{"/opt/it's/tessera", "/home/me/a b.toml", "/data/100% of it", {1}, 2};

TEST(SlurmScript, HasWhatTheSweepSaysAndNothingElse) {
    io::Sweep sweep = two_points();
    const std::string plain = experiments::job_script(job, sweep);
    EXPECT_THAT(plain, testing::StartsWith("#!/bin/bash\n#SBATCH --"));
    for (const char* line :
         {"#SBATCH --array=1%2\n", "#SBATCH --time=91\n", "#SBATCH --cpus-per-task=3\n", "#SBATCH --requeue\n",
          "#SBATCH --output=\"/data/100%% of it/logs/slurm-%A_%a.log\"\n", "tessera='/opt/it'\\''s/tessera'\n",
          "spec='/home/me/a b.toml'\n", "folder='/data/100% of it'\n", "\n    [1]=b-2\n)\n"})
        EXPECT_THAT(plain, HasSubstr(line));
    EXPECT_THAT(plain, ContainsRegex("limit=5460 .*\nmargin=120 .*\nleast=30.000 .*\nrestarts=100 "));
    for (const char* option : {"--mem", "--partition", "--account", "a-1"}) EXPECT_THAT(plain, Not(HasSubstr(option)));
    sweep.slurm->memory = (std::int64_t{1} << 30) + 1;
    sweep.slurm->partition = "long";
    sweep.slurm->account = "models";
    sweep.slurm->options = {"--qos=low"};
    sweep.slurm->setup = {"module load 'a b'"};
    const std::string full = experiments::job_script(job, sweep);
    for (const char* line : {"#SBATCH --mem=1025M\n", "#SBATCH --partition=long\n", "#SBATCH --account=models\n",
                             "#SBATCH --qos=low\n", "\nmodule load 'a b'\n"})
        EXPECT_THAT(full, HasSubstr(line));
}

TEST(SlurmScript, RefusesWhatItCannotSay) {
    io::Sweep sweep = two_points();
    experiments::SlurmJob strange = job;
    strange.folder = "/data/\"new\"";
    EXPECT_THROW(experiments::job_script(strange, sweep), engine::ConfigError);
    sweep.slurm.reset();
    EXPECT_THROW(experiments::job_script(job, sweep), engine::ConfigError);
}

class SlurmJobTest : public tests::RunCommand {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(folder_ / "bin");
        std::ofstream(folder_ / "sweep.toml")
            << "machine = \"bifrost32\"\nworkloads = [\"sample.h5\"]\n[grid]\nfragment_processor.warps = [4, 8, 16]\n"
               "[slurm]\ntime = \"2 h\"\nmargin = \"1 min\"\nleast = \"2 s\"\nrestarts = 5\n";
    }
    // A program that comes before all others of its name.
    void make(const std::string& name, const std::string& script) const {
        const std::filesystem::path path = folder_ / "bin" / name;
        std::ofstream(path) << "#!/bin/bash\n" << script << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    ProgramEnd slurm(const std::string& more = "", const std::string& path = "$PWD/bin:$PATH") const {
        return tests::run_shell("cd " + quoted(folder_.path()) + "; PATH=" + path + "; " + TESSERA_PROGRAM +
                                " sweep sweep.toml -o sweep --slurm " + more);
    }
    // A task of the script, with tools that do as they are told. What they were told is in `calls`.
    ProgramEnd task(const std::string& squeue, const std::string& tessera, const std::string& more = "& wait $!") {
        EXPECT_EQ(slurm("--no-submit").code, 0);
        make("squeue", squeue);
        make("scontrol", "echo scontrol \"$@\" >> calls");
        make("tessera", "echo tessera \"$@\" >> calls; " + tessera);
        return tests::run_shell(
            "cd " + quoted(folder_.path()) +
            "; rm -f calls; sed -i \"s|^tessera=.*|tessera=$PWD/bin/tessera|; s|^least=.*|least=" + least_ +
            "|\" sweep/job.sh; export "
            "PATH=$PWD/bin:$PATH SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=1; bash sweep/job.sh " +
            more);
    }
    std::string least_ = "2.000";
    std::string calls() const { return tests::read_text(folder_ / "calls"); }
};

TEST_F(SlurmJobTest, IsForThePointsThatAreLeft) {
    ASSERT_EQ(tests::run_shell("cd " + quoted(folder_.path()) + "; " + TESSERA_PROGRAM +
                               " sweep sweep.toml -o sweep --point 1")
                  .code,
              0);
    EXPECT_THAT(slurm("--no-submit").out, HasSubstr("sweep/job.sh: a job array for 2 of 3 points\n"));
    EXPECT_THAT(tests::read_text(folder_ / "sweep/job.sh"), HasSubstr("#SBATCH --array=0,2\n"));
    EXPECT_THAT(tests::read_text(folder_ / "sweep/points.csv"), ContainsRegex(",8,done.*,16,waiting"));
    ASSERT_EQ(tests::tessera("sweep " + quoted(folder_ / "sweep.toml") + " -o " + quoted(folder_ / "sweep")).code, 0);
    EXPECT_EQ(slurm().out, "nothing is left of 3 points: they are done, or running\n");
}

TEST_F(SlurmJobTest, IsSubmittedOnceAtATime) {
    make("sbatch", "echo submitted \"$@\" >> calls; echo '42;north'");
    make("squeue", "echo 42_0");
    EXPECT_EQ(slurm().out, "job 42: 3 of 3 points\n");
    EXPECT_THAT(calls(), testing::MatchesRegex("submitted --parsable .*/sweep/job.sh\n"));
    expect_one_line(slurm(), 2, "job 42 of this sweep is still in the queue");
    make("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    EXPECT_EQ(slurm("--jobs 2").out, "job 42: 3 of 3 points\n");
    EXPECT_THAT(tests::read_text(folder_ / "sweep/job.sh"), HasSubstr("#SBATCH --array=0-2%2\n"));
}

TEST_F(SlurmJobTest, WhatSlurmDoesNotTakeIsToldInALine) {
    make("sbatch",
         "echo 'sbatch: error: invalid partition specified: lung' >&2\n"
         "echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2; exit 1");
    expect_one_line(slurm(), 4,
                    "job.sh: invalid partition specified: lung; Batch job submission failed: Invalid partition name");
    expect_one_line(slurm("", "/nowhere"), 4, "sbatch: command not found");
    expect_one_line(slurm("--list"), 2, "excludes");
    std::ofstream(folder_ / "sweep.toml") << "machine = \"bifrost32\"\nworkloads = [\"sample.h5\"]\n";
    expect_one_line(slurm(), 2,
                    "sweep.toml: --slurm expected a table [slurm] with the limit of a task, as time = \"2 h\"");
}

TEST_F(SlurmJobTest, ATaskStopsBeforeItsLimitAndIsQueuedAgain) {
    const ProgramEnd end = task("echo '   1-01:00:10   '", "exit 75");
    EXPECT_EQ(end.code, 75) << end.err;
    EXPECT_THAT(calls(),
                testing::MatchesRegex("tessera sweep .*/sweep.toml -o .*/sweep --point sample-warps=8-[0-9a-f]+ "
                                      "--stop-after 89950 s\nscontrol requeue 7_1\n"));
    task("echo 59:09", "exit 75");
    EXPECT_THAT(calls(), HasSubstr("--stop-after 3489 s\n"));
    task("echo UNLIMITED", "exit 75");
    EXPECT_THAT(calls(), HasSubstr("--stop-after 7140 s\n"));
    task("exit 1", "exit 75");
    EXPECT_THAT(calls(), HasSubstr("--stop-after 7140 s\n"));
    task("echo 0:50", "exit 75");
    EXPECT_THAT(calls(), HasSubstr("--stop-after 2.000 s\n"));
}

TEST_F(SlurmJobTest, ATaskThatIsDoneOrFailedOrWasQueuedOftenEnoughIsNotQueuedAgain) {
    for (const int code : {0, 3}) {
        EXPECT_EQ(task("echo 1:00:00", "exit " + std::to_string(code)).code, code);
        EXPECT_THAT(calls(), Not(HasSubstr("scontrol")));
    }
    const ProgramEnd end = task("echo 1:00:00", "exit 75", "& true; SLURM_RESTART_COUNT=5 bash sweep/job.sh");
    EXPECT_EQ(end.code, 75);
    EXPECT_THAT(end.out, HasSubstr("task 7_1 was queued 5 times and is not done"));
}

// What the stand-in for tessera does until it is told to stop, and a wait for it to begin.
const std::string until_told =
    "trap 'echo told >> calls; exit 75' TERM; echo begun >> calls; "
    "while :; do /bin/sleep 0.05; done";
const std::string when_begun = "& pid=$!; until grep -q begun calls 2>/dev/null; do /bin/sleep 0.02; done; ";

TEST_F(SlurmJobTest, ATaskThatIsCancelledStopsAndIsNotQueuedAgain) {
    const ProgramEnd end = task("echo 1:00:00", until_told, when_begun + "kill -TERM $pid; wait $pid");
    EXPECT_EQ(end.code, 75) << end.err;
    EXPECT_THAT(calls(), HasSubstr("told\n"));
    EXPECT_THAT(calls(), Not(HasSubstr("scontrol")));
}

TEST_F(SlurmJobTest, ATaskThatIsAskedToStopIsQueuedAgain) {
    least_ = "0";
    const ProgramEnd end = task("echo 1:00:00", until_told, when_begun + "kill -USR1 $pid; wait $pid");
    EXPECT_EQ(end.code, 75) << end.err;
    EXPECT_THAT(calls(), HasSubstr("told\nscontrol requeue 7_1\n"));
}

// Slurm may send the signal of the start before once more. What cancels a task does so at once.
TEST_F(SlurmJobTest, ATaskThatIsAskedToStopAtOnceFirstGetsOn) {
    least_ = "10000";
    make("sleep", "echo waited >> calls; exec /bin/sleep 0.1");
    const ProgramEnd end = task("echo 3:00:00", until_told,
                                when_begun +
                                    "kill -USR1 $pid; until [ $(grep -c waited calls) -ge 5 ]; do /bin/sleep "
                                    "0.02; done; cp calls before; kill -TERM $pid; wait $pid");
    EXPECT_EQ(end.code, 75) << end.err;
    EXPECT_THAT(tests::read_text(folder_ / "before"), Not(HasSubstr("told")));
    EXPECT_THAT(calls(), HasSubstr("told\n"));
    EXPECT_THAT(calls(), Not(HasSubstr("scontrol")));
}

}  // namespace
