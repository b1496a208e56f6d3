#include "io/recording/recording_writer.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "engine/error.h"
#include "io/recording/recording.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

std::vector<std::byte> noise(std::size_t size) {
    std::mt19937 generator{7};
    std::vector<std::byte> bytes(size);
    for (std::byte& value : bytes) value = static_cast<std::byte>(generator() & 255U);
    return bytes;
}

class RecordingWriter : public ScratchFolder, public testing::WithParamInterface<const char*> {};

TEST_P(RecordingWriter, WhatWasAddedUpToTheLastFrameIsReadBack) {
    const auto path = folder() / GetParam();
    const auto message = noise(3000);
    const std::vector<std::byte> pixels(std::size_t{3} << 20, std::byte{5});
    io::RecordingWriter writer{path};
    writer.add(io::RecordKind::message, message);
    writer.end_frame();
    writer.add(io::RecordKind::reply, pixels);
    writer.add(io::RecordKind::message, {});
    writer.end_frame();
    writer.add(io::RecordKind::message, message);  // of a picture that was never finished
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.commit();
    EXPECT_EQ(writer.frames(), 2U);
    EXPECT_EQ(entries(), 1U);

    const auto stream = io::load_recording(path);
    io::RecordingReader reader{stream};
    io::Record found;
    ASSERT_TRUE(reader.next(found));
    EXPECT_TRUE(std::ranges::equal(found.payload, message));
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.kind, io::RecordKind::reply);
    EXPECT_TRUE(std::ranges::equal(found.payload, pixels));
    ASSERT_TRUE(reader.next(found));
    EXPECT_TRUE(found.payload.empty());
    EXPECT_FALSE(reader.next(found));
}

TEST_P(RecordingWriter, TheSameRecordsGiveTheSameBytes) {
    for (const char* folder_name : {"a", "b"}) {
        std::filesystem::create_directory(folder() / folder_name);
        io::RecordingWriter writer{folder() / folder_name / GetParam()};
        for (int frame = 0; frame < 3; ++frame) {
            writer.add(io::RecordKind::message, noise(100000));
            writer.end_frame();
        }
        writer.commit();
    }
    EXPECT_EQ(read(folder() / "a" / GetParam()), read(folder() / "b" / GetParam()));
}

TEST_P(RecordingWriter, WithoutCommitNothingIsLeftBehind) {
    {
        io::RecordingWriter writer{folder() / GetParam()};
        writer.add(io::RecordKind::message, noise(1000));
        writer.end_frame();
        EXPECT_EQ(entries(), 1U);
    }
    EXPECT_EQ(entries(), 0U);
}

TEST_P(RecordingWriter, TheFileHasTheRightsTheUserAsksFor) {
    const mode_t before = ::umask(027);
    {
        io::RecordingWriter writer{folder() / GetParam()};
        writer.end_frame();
        writer.commit();
    }
    ::umask(before);
    EXPECT_EQ(std::filesystem::status(folder() / GetParam()).permissions(), std::filesystem::perms{0640});
}

TEST_P(RecordingWriter, WhatProducedItIsReadBackAndSkippedByReadersOfMessages) {
    const auto path = folder() / GetParam();
    const io::RecordingOrigin origin{{"command", "game -level 'a\\b'\n=1"}, {"mesa", "22.3.6"}};
    io::RecordingWriter writer{path, origin};
    writer.add(io::RecordKind::message, noise(10));
    writer.end_frame();
    writer.commit();
    const auto stream = io::load_recording(path);
    EXPECT_EQ(io::origin_of(stream), origin);
    io::RecordingReader reader{stream};
    io::Record found;
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.kind, io::RecordKind::message);
    EXPECT_FALSE(reader.next(found));
}

INSTANTIATE_TEST_SUITE_P(PlainAndCompressed, RecordingWriter, testing::Values("r.vtr", "r.vtr.zst"),
                         [](const auto& name) { return std::string(name.index == 0 ? "Plain" : "Compressed"); });

class Checksums : public ScratchFolder {
  protected:
    std::vector<std::byte> two_frames() const {
        io::RecordingWriter writer{folder() / "r.vtr", {{"command", "game"}}};
        for (int frame = 0; frame < 2; ++frame) {
            writer.add(io::RecordKind::message, noise(100));
            writer.end_frame();
        }
        writer.commit();
        return read(folder() / "r.vtr");
    }
    std::string refusal() const {
        try {
            io::load_recording(folder() / "r.vtr");
        } catch (const engine::InputError& error) {
            return error.what();
        }
        return "none";
    }
};

TEST_F(Checksums, AByteChangedAnywhereBehindTheMagicIsFound) {
    const auto whole = two_frames();
    EXPECT_EQ(refusal(), "none");
    EXPECT_TRUE(io::has_checksums(whole));
    for (std::size_t at = 4; at < whole.size(); ++at) {
        auto damaged = whole;
        damaged[at] ^= std::byte{16};
        if (at + 21 == whole.size() || at + 142 == whole.size()) continue;  // the kind of a checksum: a kind for later
        write("r.vtr", std::string(reinterpret_cast<const char*>(damaged.data()), damaged.size()));
        EXPECT_THAT(refusal(), testing::HasSubstr("damaged")) << "byte " << at;
    }
}

TEST_F(Checksums, RecordingsWithoutThemAreRead) {
    auto whole = two_frames();
    whole.resize(whole.size() - 21);
    write("r.vtr", std::string(reinterpret_cast<const char*>(whole.data()), whole.size()));
    EXPECT_EQ(refusal(), "none");
    EXPECT_FALSE(io::has_checksums(whole));
}

class SmallDisk : public ScratchFolder {
  public:
    SmallDisk() { mounted_ = ::mount("tmpfs", folder().c_str(), "tmpfs", 0, "size=64k") == 0; }
    ~SmallDisk() override {
        if (mounted_) ::umount(folder().c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

  protected:
    bool mounted() const { return mounted_; }

  private:
    bool mounted_ = false;
};

TEST_F(SmallDisk, AFullDiskIsOneClearErrorAndLeavesNothing) {
    if (!mounted()) GTEST_SKIP() << "may not mount a small file system here";
    try {
        io::RecordingWriter writer{folder() / "r.vtr.zst"};
        for (int frame = 0; frame < 10; ++frame) {
            writer.add(io::RecordKind::message, noise(30000));
            writer.end_frame();
        }
        FAIL() << "300 kB fitted into 64 KiB";
    } catch (const engine::IoError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("r.vtr.zst: No space left on device"));
    }
    EXPECT_EQ(entries(), 0U);
}

TEST_F(SmallDisk, AFolderThatIsNotThereIsOneClearError) {
    try {
        const io::RecordingWriter writer{folder() / "absent" / "r.vtr"};
        FAIL() << "created a file in a folder that does not exist";
    } catch (const engine::IoError& error) {
        EXPECT_THAT(error.what(), testing::EndsWith("absent/r.vtr: No such file or directory"));
    }
}

}  // namespace
