// What `tessera run` keeps, replaces and leaves: other runs, errors and signals included.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file_label.h"
#include "io/frame_trace_layout.h"
#include "io/hdf5_file.h"
#include "tests/experiments/run_command.h"
#include "tests/io/spoilt_file.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::RunCommand;
using tests::tessera;

class RunOutput : public RunCommand {
  protected:
    std::uint64_t frames_in(const std::string& output = "out") {
        return io::Hdf5File::open(folder_ / output / "results.h5").root().integer_attribute("frames_committed");
    }
    // A trace of the same three frames, one of which turns out to be damaged when it is loaded.
    std::filesystem::path damaged_trace() {
        const std::filesystem::path path = folder_ / "damaged.h5";
        std::filesystem::copy_file(trace_, path);
        {
            tests::SpoiltFile file(path);
            const io::Hdf5File original = io::Hdf5File::open(trace_);
            auto x = original.root().group("quads").dataset("x").read<std::uint8_t>();
            x.back() ^= 1;
            file.replace("/quads/x", x);
        }
        io::write_label(path, io::frame_trace_kind);
        return path;
    }
};

// Each fails for another reason before its first frame.
TEST_F(RunOutput, ARunThatProvesImpossibleLeavesTheEarlierResults) {
    ASSERT_EQ(run("--frames 4").code, 0);
    const std::string before = tests::read_text(folder_ / "out" / "results.h5");
    const std::vector<std::string> names = tests::names_in(folder_ / "out");
    std::ofstream(folder_ / "small.toml") << "base = \"bifrost32\"\n[dram]\nsize = \"128 MiB\"\n";
    const std::string preset = "run bifrost32 " + quoted(trace_);
    const std::string output = " --threads 1 --force -o " + quoted(folder_ / "out");
    const std::vector<std::pair<std::string, int>> mistakes = {
        {"run bifrost32 " + quoted(folder_ / "absent.h5"), 4},
        {preset + " --frames 7-9", 3},
        {preset + " --partition nosuch", 2},
        {preset + " --partition balanced --profile-from " + quoted(folder_ / "nosuch.h5"), 4},
        {preset + " --partition balanced --profile-from " + quoted(trace_), 3},
        {preset + " --set l2.slices=3", 2},
        {preset + " --profile " + quoted(folder_ / "nowhere/p.json"), 4},
        {preset + " --profile " + quoted(folder_ / "out/results.h5"), 2},
        {preset + " --profile " + quoted(folder_ / "out/images/p.json"), 2},
        {"run bifrost32 " + quoted(damaged_trace()) + " --frames 6", 3},
    };
    for (const auto& [mistake, code] : mistakes) {
        expect_one_line(tessera(mistake + output), code, "");
        EXPECT_EQ(tests::read_text(folder_ / "out" / "results.h5"), before) << mistake;
        EXPECT_EQ(tests::names_in(folder_ / "out"), names) << mistake;
    }
}

TEST_F(RunOutput, ARunThatFailsBeforeItsFirstFrameLeavesNoFolder) {
    expect_one_line(run("--frames 7-9"), 3, "none of them is in 7-9");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(RunOutput, AnErrorLosesNoFrameThatIsDone) {
    const ProgramEnd end =
        tessera("run bifrost32 " + quoted(trace_) + " " + quoted(trace_) + " " + quoted(damaged_trace()) +
                " --threads 1 --progress none -o " + quoted(folder_ / "out"));
    EXPECT_EQ(end.code, 3);
    EXPECT_THAT(end.err, HasSubstr("stopped by an error after damaged frame 5: "));
    EXPECT_THAT(end.err, HasSubstr("error: "));
    EXPECT_EQ(frames_in(), 8U);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/images/damaged/frame_0005.png"));
    EXPECT_EQ(tessera("digest " + quoted(folder_ / "out")).code, 0);
}

TEST_F(RunOutput, AForcedRunThatIsStoppedKeepsBothResults) {
    ASSERT_EQ(run("--frames 4").code, 0);
    const std::string before = digest();
    EXPECT_EQ(
        tessera("run bifrost32 " + quoted(damaged_trace()) + " --threads 1 --force -o " + quoted(folder_ / "out")).code,
        3);
    EXPECT_EQ(frames_in(), 2U);
    EXPECT_EQ(digest("out/replaced"), before);
    EXPECT_EQ(run("--force --frames 5").code, 0);
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("images", "resolved.toml", "results.h5"));
    EXPECT_THAT(tests::names_in(folder_ / "out/images"), ElementsAre("frame_0005.png"));
}

// One of them runs; the others say so.
TEST_F(RunOutput, OfSeveralRunsIntoOneFolderOneWritesIt) {
    std::string line;
    for (int i = 1; i <= 4; ++i)
        line += std::string(TESSERA_PROGRAM) + " run bifrost32 " + quoted(trace_) + " " + quoted(trace_) +
                " --threads 1 --progress none --set l2.latency=" + std::to_string(20 + i) + " -o " +
                quoted(folder_ / "out") + " & p" + std::to_string(i) + "=$!; ";
    for (int i = 1; i <= 4; ++i) line += "wait $p" + std::to_string(i) + "; echo code $?; ";
    line += "true";
    const ProgramEnd end = tests::run_shell(line);
    const auto count = [&](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = end.out.find(text, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    EXPECT_EQ(count("code 0"), 1U) << end.out << end.err;
    EXPECT_EQ(count("code 4") + count("code 2"), 3U) << end.out << end.err;
    EXPECT_EQ(frames_in(), 6U);
    const std::string digest_line = "digest  " + digest().substr(0, 32);
    EXPECT_THAT(end.out, HasSubstr(digest_line));
    const std::string resolved =
        io::Hdf5File::open(folder_ / "out/results.h5").root().group("provenance").text_attribute("resolved_toml");
    EXPECT_EQ(tests::read_text(folder_ / "out/resolved.toml"), resolved);
}

TEST_F(RunOutput, AFileThatGrowsBeyondItsLimitIsAnErrorThatLeavesNothing) {
    const ProgramEnd end =
        tests::run_shell("ulimit -f 10; exec " + std::string(TESSERA_PROGRAM) + " run bifrost32 " + quoted(trace_) +
                         " --threads 1 --progress none -o " + quoted(folder_ / "out"));
    expect_one_line(end, 4, "File too large");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(RunOutput, AHangupStopsARunAsOtherSignalsDo) {
    std::string workloads;
    for (int i = 0; i < 30; ++i) workloads += " " + quoted(trace_);
    const std::string out = quoted(folder_ / "out");
    const ProgramEnd end = tests::run_shell(std::string(TESSERA_PROGRAM) + " run bifrost32" + workloads +
                                            " --progress none --threads 1 -o " + out + " & pid=$!; until [ -f " + out +
                                            "/results.h5 ]; do sleep 0.01; done; kill -HUP $pid; wait $pid");
    EXPECT_EQ(end.code, 75);
    EXPECT_THAT(end.err, HasSubstr("stopped by SIGHUP after sample"));
    EXPECT_THAT(tests::names_in(folder_ / "out"), ElementsAre("checkpoint", "images", "resolved.toml", "results.h5"));
}

}  // namespace
