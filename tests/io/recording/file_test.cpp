#include "io/recording/file.h"

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

class File : public ScratchFolder {
  protected:
    static std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }
    static std::string text(const std::filesystem::path& path) {
        const auto content = read(path);
        return {reinterpret_cast<const char*>(content.data()), content.size()};
    }
};

TEST_F(File, AnErrorSaysWhatFailedAndWhatTheSystemSaid) {
    try {
        io::open_for_reading(folder() / "absent");
        FAIL() << "opened a file that does not exist";
    } catch (const engine::IoError& error) {
        EXPECT_EQ(error.what(), "cannot read " + (folder() / "absent").string() + ": No such file or directory");
        EXPECT_EQ(error.code(), engine::ExitCode::io);
    }
}

TEST_F(File, ReadingStopsAtTheEnd) {
    const auto path = write("f", std::string("abcde"));
    const io::Descriptor file = io::open_for_reading(path);
    std::array<std::byte, 3> buffer{};
    EXPECT_EQ(io::read_bytes(file, buffer, path), 3U);
    EXPECT_EQ(io::read_bytes(file, buffer, path), 2U);
    EXPECT_EQ(io::read_bytes(file, buffer, path), 0U);
}

TEST_F(File, ADescriptorHasOneOwner) {
    io::Descriptor first = io::open_for_reading(write("f", std::string("a")));
    const int number = first.number();
    const io::Descriptor second = std::move(first);
    EXPECT_EQ(second.number(), number);
    EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move): the claim
}

TEST_F(File, ANewFileReplacesTheOldOneOnlyWhenItIsComplete) {
    const auto path = write("f", std::string("old"));
    {
        io::NewFile file{path};
        file.write(bytes("new"));
        EXPECT_EQ(text(path), "old");
    }
    EXPECT_EQ(text(path), "old");
    io::NewFile file{path};
    file.write(bytes("newer"));
    file.commit();
    EXPECT_EQ(text(path), "newer");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(File, WritingGoesOnWhereTheFileWasCut) {
    io::NewFile file{folder() / "f"};
    file.write(bytes("abcdef"));
    file.truncate(2);
    EXPECT_EQ(file.size(), 2U);
    file.write(bytes("xy"));
    file.commit();
    EXPECT_EQ(text(folder() / "f"), "abxy");
}

}  // namespace
