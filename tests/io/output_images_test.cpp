#include "io/output_images.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/file.h"
#include "io/image_file.h"
#include "tests/io/temporary_folder.h"

namespace {

std::string image(std::uint8_t grey) {
    return io::encode_png({1, 1, {grey, grey, grey, 255}});
}

std::uint8_t grey_of(const std::filesystem::path& path) {
    return io::decode_png(io::read_file(path, 10'000), path.string()).rgba[0];
}

class OutputImages : public testing::Test {
  protected:
    void write(std::uint32_t first, std::uint32_t last, std::uint32_t frames, std::uint8_t grey, bool force) {
        io::OutputImages images(path_, first, last, {force, {}});
        for (std::uint32_t frame = first; frame < first + frames; ++frame) images.write(frame, image(grey));
        images.finish();
    }
    std::size_t count() const {
        const std::filesystem::directory_iterator files(path_);
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }
    const tests::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "images";
};

TEST_F(OutputImages, AnotherRangeOfFramesGoesIntoTheSameFolder) {
    write(0, 1, 2, 10, false);
    write(2, 3, 2, 20, false);
    EXPECT_EQ(count(), 4U);
}

TEST_F(OutputImages, AreReplacedWithForceAndStaleOnesOfTheRangeGo) {
    write(0, 3, 4, 10, false);
    EXPECT_THROW(write(3, 9, 1, 20, false), engine::ConfigError);
    write(1, 9, 1, 20, true);
    EXPECT_EQ(count(), 2U);
    EXPECT_EQ(grey_of(path_ / "frame_0000.png"), 10);
    EXPECT_EQ(grey_of(path_ / "frame_0001.png"), 20);
}

TEST_F(OutputImages, StayWhereTheirReplacementsAreNotWritten) {
    write(0, 3, 4, 10, false);
    {
        io::OutputImages images(path_, 0, 3, {true, {}});
    }
    EXPECT_EQ(count(), 4U);
}

TEST_F(OutputImages, UnfinishedOnesOfAProgramThatWasKilledGo) {
    std::filesystem::create_directory(path_);
    for (const char* name :
         {"frame_0002.png.tessera-2p7vee", "frame_0009.png.tessera-2p7vee", "frame_0002.png.tessera-1"})
        std::ofstream(path_ / name) << "half";
    write(2, 3, 2, 20, false);
    EXPECT_FALSE(std::filesystem::exists(path_ / "frame_0002.png.tessera-2p7vee"));
    EXPECT_EQ(count(), 4U);  // that of another frame stays, and what has only a similar name
}

TEST_F(OutputImages, OfAnotherProgramAreNeverReplaced) {
    std::filesystem::create_directory(path_);
    std::ofstream(path_ / "frame_0002.png", std::ios::binary) << image(10);  // without the note
    EXPECT_THROW(write(2, 2, 1, 20, true), engine::ConfigError);
    write(3, 3, 1, 20, true);
    EXPECT_EQ(count(), 2U);
}

}  // namespace
