// What the commands do to files that stand where they write: one table for all of them.

#include <csignal>
#include <functional>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "io/output_lock.h"
#include "tests/experiments/program.h"

namespace {

using testing::HasSubstr;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

// A command line with {out} for what is written, {in} for what is read.
struct Writer {
    std::string name, arguments, file;  // file: what is replaced, seen from the folder of the test

    friend void PrintTo(const Writer& writer, std::ostream* out) { *out << writer.arguments; }
};

const std::vector<Writer> writers = {
    {"trace", "trace {in} -o {out}", "out.h5"},
    {"trace_images", "trace {in} --images images", "images/frame_0000.png"},
    {"trace_references", "trace {in} --references images", "images/frame_0000.png"},
    {"trace_differences", "trace {in} --differences images", "images/frame_0000.png"},
    {"cut", "cut {in} --frames 0 -o {out}", "out.vtr.zst"},
    {"record", "record -o {out} --private-socket -- true", "out.vtr.zst"},
    {"run", "run bifrost32 {in} -o results --threads 1", "results/results.h5"},
    {"run_machine", "run bifrost32 {in} -o results --threads 1", "results/resolved.toml"},
    {"run_checkpoint", "run bifrost32 {in} -o results --threads 1", "results/checkpoint"},
    {"run_image", "run bifrost32 {in} -o results --threads 1", "results/images/frame_0004.png"},
    {"run_profile", "run bifrost32 {in} -o results --threads 1 --profile {out}", "profile.json"},
};

class Outputs : public testing::TestWithParam<Writer> {
  protected:
    Outputs() {
        std::filesystem::create_directories(path().parent_path());
        std::ofstream(folder_ / "mine") << "mine";
    }
    std::filesystem::path path() const { return folder_ / GetParam().file; }
    std::string input() const { return (GetParam().name.starts_with("run") ? trace_ : folder_ / "mine").string(); }
    ProgramEnd run(const std::string& more) const {
        std::string line = GetParam().arguments;
        const auto put = [&](const std::string& place, const std::string& text) {
            if (const std::size_t at = line.find(place); at != std::string::npos) line.replace(at, place.size(), text);
        };
        put("{in}", input());
        put("{out}", GetParam().file);
        const std::size_t end = std::min(line.find(" -- "), line.size());
        line.insert(end, more);
        return tests::run_shell("cd " + quoted(folder_.path()) + " && " + TESSERA_PROGRAM + " " + line);
    }
    // What stands in the way is named and left as it is, with --force and without.
    void expect_refusal(const std::string& with_force, int code = 2) {
        for (const char* force : {"", " --force"}) {
            const std::vector<std::string> before = tests::names_in(folder_.path());
            const ProgramEnd end = run(force);
            tests::expect_one_line(end, code, *force == 0 ? "" : with_force);
            EXPECT_EQ(tests::names_in(folder_.path()), before) << force;
        }
    }
    const tests::TemporaryFolder folder_;
    const std::filesystem::path trace_ = tests::sample_trace(folder_);
};

TEST_P(Outputs, AFileOfTheUsersStays) {
    std::ofstream(path()) << "not yours";
    expect_refusal("and --force replaces nothing else");
    EXPECT_EQ(tests::read_text(path()), "not yours");
}

TEST_P(Outputs, AFolderStaysWithAllThatIsInIt) {
    std::filesystem::create_directory(path());
    std::ofstream(path() / "notes.txt") << "not yours";
    expect_refusal(GetParam().name == "run_image" ? "notes.txt is not an image that Tessera wrote" : "is a folder");
    EXPECT_EQ(tests::read_text(path() / "notes.txt"), "not yours");
}

TEST_P(Outputs, ALinkStaysAndIsNotFollowed) {
    std::filesystem::create_symlink(folder_ / "mine", path());
    expect_refusal("is a link");
    EXPECT_TRUE(std::filesystem::is_symlink(path()));
    EXPECT_EQ(tests::read_text(folder_ / "mine"), "mine");
}

TEST_P(Outputs, ADeviceStays) {
    if (::mknod(path().c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) GTEST_SKIP() << "no device can be made here";
    expect_refusal("is a device");
    struct stat found{};
    ASSERT_EQ(::lstat(path().c_str(), &found), 0);
    EXPECT_TRUE(S_ISCHR(found.st_mode));
}

TEST_P(Outputs, APipeStaysAndIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo(path().c_str(), 0666), 0);
    expect_refusal("is a pipe");
}

TEST_P(Outputs, TheInputStays) {
    std::filesystem::create_hard_link(input(), path());
    const std::string before = tests::read_text(path());
    if (GetParam().name == "record") GTEST_SKIP() << "reads no file";
    expect_refusal("is read by this command");
    EXPECT_EQ(tests::read_text(path()), before);
}

TEST_P(Outputs, AFileWithTheNameOfATemporaryOneStays) {
    std::ofstream(path().string() + ".tmp") << "not yours";
    (void)run("");
    EXPECT_EQ(tests::read_text(path().string() + ".tmp"), "not yours");
}

TEST_P(Outputs, WhatAnotherTesseraWritesIsLeftToIt) {
    const std::string& file = GetParam().file;
    std::optional<io::OutputLock> lock;
    if (const std::size_t slash = file.find('/'); slash != std::string::npos)
        lock.emplace(io::OutputLock::of_folder(folder_ / file.substr(0, slash)));
    else
        lock.emplace(io::OutputLock::of_file(path()));
    expect_refusal("is being written by process", 4);
}

TEST_P(Outputs, APlaceThatCannotBeWrittenToIsFoundOutFirst) {
    if (GetParam().file.find('/') != std::string::npos) GTEST_SKIP() << "folders are made";
    std::string line = GetParam().arguments;
    line.replace(line.find("{out}"), 5, "nowhere/" + GetParam().file);
    if (const std::size_t at = line.find("{in}"); at != std::string::npos) line.replace(at, 4, input());
    const ProgramEnd end = tests::run_shell("cd " + quoted(folder_.path()) + " && " + TESSERA_PROGRAM + " " + line);
    tests::expect_one_line(end, 4, "nowhere/" + GetParam().file + ": No such file or directory");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

INSTANTIATE_TEST_SUITE_P(Commands, Outputs, testing::ValuesIn(writers),
                         [](const auto& writer) { return writer.param.name; });

}  // namespace
