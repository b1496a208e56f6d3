#include "io/sweep_file.h"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class SweepFile : public testing::Test {
  protected:
    Sweep read(const std::string& text) {
        std::ofstream(path_) << text;
        return read_sweep(path_);
    }
    std::string error(const std::string& text) {
        try {
            read(text);
        } catch (const engine::ConfigError& error) {
            return std::string(error.what()).substr(path_.string().size());
        }
        return "none";
    }
    const tests::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "sweep.toml";
    const std::string head_ = "machine = \"bifrost32\"\nworkloads = [\"a.h5\", \"/b/c.h5\"]\n";
};

TEST_F(SweepFile, WithoutSettingsThereIsAPointForEveryMachineAndWorkload) {
    const Sweep sweep =
        read("machines = [\"one\", \"two.toml\"]\nworkloads = [\"a.h5\", \"/b/c.h5\"]\nthreads = 2\nframes = 3\n");
    ASSERT_EQ(sweep.points.size(), 4U);
    EXPECT_EQ(sweep.points[0].machine, "one");
    EXPECT_EQ(sweep.points[0].workload, folder_ / "a.h5");
    EXPECT_EQ(sweep.points[3].machine, (folder_ / "two.toml").string());
    EXPECT_EQ(sweep.points[3].workload, "/b/c.h5");
    EXPECT_THAT(sweep.points[3].name, StartsWith("c-two-"));
    EXPECT_THAT(sweep.points[0].settings, IsEmpty());
    EXPECT_EQ(sweep.threads, 2);
    EXPECT_EQ(sweep.frames, "3");
}

TEST_F(SweepFile, CombinesGridZipAndList) {
    const Sweep sweep = read(head_ +
                             "[set]\nl2.ways = 16\nx.y = 0.5\n"
                             "[grid]\nb.n = [1, 2]\na.m = [\"u\", \"v\", \"w\"]\n"
                             "[zip]\nz.p = [1, 2]\nz.q = [true, false]\n"
                             "[[list]]\nname = \"plain\"\n[[list]]\nname = \"big\"\nl2.ways = 8\n");
    EXPECT_EQ(sweep.points.size(), 2U * 2 * 3 * 2 * 2);
    EXPECT_THAT(sweep.varied, ElementsAre("b.n", "a.m", "z.p", "z.q", "l2.ways"));
    EXPECT_THAT(sweep.points[0].settings, ElementsAre(Pair("l2.ways", "16"), Pair("x.y", "0.5"), Pair("b.n", "1"),
                                                      Pair("a.m", "u"), Pair("z.p", "1"), Pair("z.q", "true")));
    EXPECT_THAT(sweep.points[3].settings, ElementsAre(Pair("l2.ways", "8"), Pair("x.y", "0.5"), Pair("b.n", "1"),
                                                      Pair("a.m", "u"), Pair("z.p", "2"), Pair("z.q", "false")));
    EXPECT_THAT(sweep.points[3].name, StartsWith("a-big-ways=8-n=1-m=u-p=2-q=false-"));
    std::set<std::string> names;
    for (const SweepPoint& point : sweep.points) names.insert(point.name);
    EXPECT_EQ(names.size(), sweep.points.size());
}

TEST_F(SweepFile, APointIsCalledTheSameWhateverOthersThereAre) {
    const std::string one = read(head_ + "[grid]\na.m = [1]\n").points[0].name;
    EXPECT_EQ(read(head_ + "[grid]\na.m = [2, 1]\n").points[1].name, one);
    EXPECT_NE(read(head_ + "frames = 1\n[grid]\na.m = [1]\n").points[0].name, one);
}

TEST_F(SweepFile, APointIsTheSameFromWhereverTheFileIsRead) {
    const SweepPoint point = read(head_).points[0];
    for (const std::filesystem::path& from : {folder_.path(), folder_.path().parent_path()}) {
        const std::filesystem::path before = std::filesystem::current_path();
        std::filesystem::current_path(from);
        const SweepPoint other = read_sweep("." / path_.lexically_relative(from)).points[0];
        std::filesystem::current_path(before);
        EXPECT_EQ(other.name, point.name);
        EXPECT_EQ(other.workload, point.workload);
    }
}

TEST_F(SweepFile, MistakesAreToldWithTheirPlace) {
    EXPECT_THAT(error(head_ + "[gird]\n"), HasSubstr(":3:1: unknown key 'gird', did you mean 'grid'?"));
    EXPECT_THAT(error(head_ + "[axes]\n"), HasSubstr(":3:1: unknown key 'axes', expected one of machine"));
    EXPECT_THAT(error(head_ + "[grid]\na.b = 3\n"), HasSubstr(":4:7: a.b: expected a list that is not empty"));
    EXPECT_THAT(error(head_ + "[grid]\na.b = []\n"), HasSubstr(":4:7: a.b: expected a list that is not empty"));
    EXPECT_THAT(error(head_ + "[grid]\na.b = [[1]]\n"),
                HasSubstr(":4:8: a.b: expected a text, a number, true or false"));
    EXPECT_THAT(error(head_ + "[zip]\na.b = [1, 2]\na.c = [1]\n"),
                HasSubstr(":5:7: a.c: expected 2 values as before it, found 1"));
    EXPECT_THAT(error(head_ + "[grid]\na.b = [1, 2]\n[zip]\na.b = [3]\n"),
                HasSubstr(":6:7: a.b: varies in [grid] already; expected it in one of them"));
    EXPECT_THAT(error(head_ + "[zip]\na.b = [1, 2]\n[[list]]\na.b = 3\n"),
                HasSubstr(":6:7: a.b: varies in [zip] already; expected it in one of them"));
    EXPECT_THAT(error(head_ + "threads = 0\n"), HasSubstr(":3:11: threads: expected a number from 1 to 256"));
    EXPECT_THAT(error(head_ + "list = 3\n"), HasSubstr(":3:8: list: expected tables, as [[list]]"));
    EXPECT_THAT(error(head_ + "set = 3\n"), HasSubstr(":3:7: set: expected a table"));
    EXPECT_EQ(error("machine = \"a\"\n"), ": expected a key 'workloads', found none");
    EXPECT_EQ(error("workloads = [\"a\"]\n"), ": expected either 'machine' or 'machines', found none");
    EXPECT_EQ(error("machines = [\"a\"]\n" + head_), ": expected either 'machine' or 'machines', found both");
    EXPECT_THAT(error("machine = \"m\"\nworkloads = [\"s/a.h5\", \"b.h5\", \"s/../s/./a.h5\"]\n"),
                StartsWith(":2:32: workloads: 's/../s/./a.h5' is named twice, first as 's/a.h5'"));
    EXPECT_THAT(error(head_ + "[grid]\na.b = [1, 1]\n"), StartsWith(": two points are the same: a-b=1-"));
    EXPECT_THAT(error("machine = \n"), StartsWith(":1:"));
}

TEST_F(SweepFile, SaysWhatATaskOfABatchJobMayTake) {
    EXPECT_FALSE(read(head_).slurm);
    const SlurmTask plain = *read(head_ + "[slurm]\ntime = \"2 h\"\n").slurm;
    EXPECT_EQ(plain.time, 7200);
    EXPECT_EQ(plain.margin, 120);
    EXPECT_EQ(plain.least, 30);
    EXPECT_EQ(plain.restarts, 100);
    EXPECT_EQ(plain.memory, 0);
    EXPECT_EQ(read(head_ + "[slurm]\ntime = \"1 min\"\n").slurm->margin, 15);
    const SlurmTask task = *read(head_ +
                                 "[slurm]\ntime = \"90 min\"\nmargin = \"4.5min\"\nleast = \"0.1 s\"\nrestarts = 0\n"
                                 "memory = \"1.5 GiB\"\npartition = \"long\"\naccount = \"models\"\n"
                                 "options = [\"--qos=low\", \"--exclude=n[1-3]\"]\nsetup = [\"module load 'a b'\"]\n")
                                .slurm;
    EXPECT_EQ(task.time, 5400);
    EXPECT_EQ(task.margin, 270);
    EXPECT_EQ(task.least, 0.1);
    EXPECT_EQ(task.restarts, 0);
    EXPECT_EQ(task.memory, std::int64_t{3} << 29);
    EXPECT_EQ(task.partition, "long");
    EXPECT_EQ(task.account, "models");
    EXPECT_THAT(task.options, ElementsAre("--qos=low", "--exclude=n[1-3]"));
    EXPECT_THAT(task.setup, ElementsAre("module load 'a b'"));
}

TEST_F(SweepFile, MistakesInWhatATaskMayTakeAreToldWithTheirPlace) {
    const auto wrong = [&](const std::string& line) {
        return error(head_ + "[slurm]\ntime = \"2 h\"\n" + line + "\n");
    };
    EXPECT_THAT(wrong("partiton = \"a\""), HasSubstr(":5:12: unknown key 'partiton', did you mean 'partition'?"));
    EXPECT_THAT(wrong("margin = 5"),
                HasSubstr("margin: expected a time as in \"90 s\", \"10 min\" or \"2 h\", found \"5\""));
    EXPECT_THAT(wrong("margin = \"3 d\""), HasSubstr(":5:10: margin: expected a time"));
    EXPECT_THAT(wrong("margin = \"2 h\""), HasSubstr("slurm: expected that 'margin' and 'least' fit into 'time'"));
    EXPECT_THAT(wrong("restarts = -1"), HasSubstr(":5:12: restarts: expected a number from 0 to 100000"));
    EXPECT_THAT(wrong("memory = \"4 G\""),
                HasSubstr("memory: expected a size as in \"500 MiB\" or \"4 GiB\", found \"4 G\""));
    EXPECT_THAT(wrong("partition = \"a b\""), HasSubstr("partition: expected a name without blanks, found \"a b\""));
    EXPECT_THAT(wrong("options = [\"-p x\"]"),
                HasSubstr("options: expected options of sbatch in their long form, found \"-p x\""));
    EXPECT_THAT(wrong("options = [\"--time=5\"]"), HasSubstr("options: --time is decided by the sweep"));
    EXPECT_THAT(wrong("setup = [\"a\\nb\"]"), HasSubstr("setup: expected lines without line breaks"));
    EXPECT_THAT(error(head_ + "[slurm]\n"),
                HasSubstr("slurm: expected a time limit of at least a minute, as time = \"2 h\""));
    EXPECT_THAT(error(head_ + "[slurm]\ntime = \"59 s\"\n"), HasSubstr(":4:8: slurm: expected a time limit"));
    EXPECT_THAT(error(head_ + "slurm = 3\n"), HasSubstr(":3:9: slurm: expected a table"));
}

TEST_F(SweepFile, TooManyPointsAreRefusedBeforeTheyAreMade) {
    std::string grid = "[grid]\n";
    for (int i = 0; i < 40; ++i) grid += "a.p" + std::to_string(i) + " = [1, 2]\n";
    EXPECT_THAT(error(head_ + grid), HasSubstr("expected at most 100000 points"));
}

}  // namespace
}  // namespace io
