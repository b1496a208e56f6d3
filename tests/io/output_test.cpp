#include "io/output.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "engine/error.h"
#include "io/config_file.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/image_file.h"
#include "io/recording/recording_writer.h"
#include "io/results_file.h"
#include "io/timeline_file.h"
#include "tests/io/sample_results.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::HasSubstr;

std::string refusal(const std::filesystem::path& path, const io::OutputKind& kind, const io::OutputPolicy& policy) {
    try {
        const io::OutputFile output(path, kind, policy);
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

// One file of every kind that Tessera writes, by the functions that write them.
class Output : public testing::Test {
  protected:
    struct Sample {
        const io::OutputKind* kind;
        std::filesystem::path path;
    };
    Output() {
        io::FrameTraceWriter(samples_[0].path, {"test", "none", ""}).finish({});
        for (const std::size_t recording : {1U, 2U}) {
            io::RecordingWriter writer(samples_[recording].path);
            writer.end_frame();
            writer.commit();
        }
        io::write_results(samples_[3].path, tests::sample_results());
        io::write_timeline(samples_[4].path, {}, {});
        io::write_file(samples_[5].path, "# tessera 0.1.0: a machine\n");
        io::write_image_file(samples_[6].path, io::encode_png({1, 1, {0, 0, 0, 0}}), io::Existing::keep);
    }
    const tests::TemporaryFolder folder_;
    const std::vector<Sample> samples_ = {
        {&io::trace_output, folder_ / "trace.h5"},         {&io::recording_output, folder_ / "a.vtr"},
        {&io::recording_output, folder_ / "a.vtr.zst"},    {&io::results_output, folder_ / "results.h5"},
        {&io::timeline_output, folder_ / "timeline.json"}, {&io::machine_output, folder_ / "resolved.toml"},
        {&io::image_output, folder_ / "image.png"}};
};

TEST_F(Output, WithForceFilesOfItsOwnKindAreReplacedAndNoOthers) {
    for (const Sample& wanted : samples_)
        for (const Sample& there : samples_) {
            const std::string said = refusal(there.path, *wanted.kind, {true, {}});
            if (there.kind == wanted.kind)
                EXPECT_EQ(said, "") << there.path;
            else
                EXPECT_THAT(said, HasSubstr("is not " + wanted.kind->name)) << there.path;
        }
}

TEST_F(Output, WithoutForceNothingIsReplaced) {
    for (const Sample& there : samples_)
        EXPECT_EQ(refusal(there.path, *there.kind, {}), there.path.string() + " exists; --force replaces it");
    EXPECT_EQ(refusal(folder_ / "free", io::trace_output, {}), "");
}

TEST_F(Output, WhatIsNoFileIsNeverReplaced) {
    const auto said = [&](const std::string& name) {
        EXPECT_EQ(refusal(folder_ / name, io::trace_output, {}), refusal(folder_ / name, io::trace_output, {true, {}}));
        return refusal(folder_ / name, io::trace_output, {true, {}});
    };
    std::filesystem::create_directory(folder_ / "folder");
    std::filesystem::create_symlink(samples_[0].path, folder_ / "link");
    std::filesystem::create_symlink("nowhere", folder_ / "dangling");
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(said("folder"), HasSubstr("is a folder, which is never replaced"));
    EXPECT_THAT(said("link"), HasSubstr("is a link, which is never replaced"));
    EXPECT_THAT(said("dangling"), HasSubstr("is a link"));
    EXPECT_THAT(said("pipe"), HasSubstr("is a pipe"));
    EXPECT_THAT(refusal("/dev/null", io::trace_output, {true, {}}), HasSubstr("is a device"));
}

TEST_F(Output, WhatIsReadIsNeverReplaced) {
    const std::filesystem::path trace = samples_[0].path;
    std::filesystem::create_hard_link(trace, folder_ / "other.h5");
    std::filesystem::create_directory_symlink(folder_.path(), folder_ / "way");
    for (const std::filesystem::path& input : {trace, folder_ / "other.h5", folder_ / "way/trace.h5"})
        EXPECT_THAT(refusal(trace, io::trace_output, {true, {folder_ / "absent", input}}),
                    HasSubstr("is read by this command"))
            << input;
}

TEST_F(Output, APlaceThatCannotBeWrittenToIsFoundOutAtOnce) {
    try {
        const io::OutputFile output(folder_ / "nowhere/x.h5", io::trace_output, {});
        FAIL();
    } catch (const engine::IoError& error) {
        EXPECT_EQ(error.what(), "cannot write " + (folder_ / "nowhere/x.h5").string() + ": No such file or directory");
    }
}

TEST_F(Output, IsWrittenByOneAtATime) {
    const io::OutputFile output(folder_ / "x.h5", io::trace_output, {});
    EXPECT_THROW(io::OutputFile(folder_ / "x.h5", io::trace_output, {}), engine::IoError);
    EXPECT_EQ(output.existing(), io::Existing::keep);
}

TEST_F(Output, WhatAKilledProgramLeftIsRemoved) {
    std::ofstream(folder_ / "x.h5.tessera-abcdef") << "half";
    std::ofstream(folder_ / "y.h5.tessera-abcdef") << "another's";
    {
        const io::OutputFile output(folder_ / "x.h5", io::trace_output, {});
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.h5.tessera-abcdef"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "y.h5.tessera-abcdef"));
}

TEST(OutputInputs, LieInAFolderByAnyName) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "a/b");
    std::ofstream(folder / "a/b/x") << "x";
    std::filesystem::create_directory_symlink(folder / "a", folder / "way");
    EXPECT_TRUE(io::input_within(folder / "a", {folder / "way/b/x"}));
    EXPECT_TRUE(io::input_within(folder / "way/b", {folder / "a/b/../b/x"}));
    EXPECT_FALSE(io::input_within(folder / "a/b", {folder / "a"}));
    EXPECT_FALSE(io::input_within(folder / "a", {folder / "ab", ""}));
}

}  // namespace
