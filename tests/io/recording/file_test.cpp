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

TEST_F(File, ANewFileThatMayReplaceNothingKeepsWhatHasAppearedAndItself) {
    const auto path = folder() / "f";
    io::NewFile file{path, io::Existing::keep};
    file.write(bytes("new"));
    write("f", std::string("appeared"));
    try {
        file.commit();
        FAIL() << "replaced it";
    } catch (const engine::IoError& error) {
        const std::string other = file.working_path().string();
        EXPECT_EQ(error.what(), path.string() + " has appeared in the meantime and is kept; the new file is " + other);
        EXPECT_EQ(text(other), "new");
    }
    EXPECT_EQ(text(path), "appeared");

    io::NewFile free{folder() / "g", io::Existing::keep};
    free.write(bytes("new"));
    free.commit();
    EXPECT_EQ(text(folder() / "g"), "new");
    EXPECT_EQ(entries(), 3U);
}

TEST_F(File, ANewFileDoesNotFollowALink) {
    const auto victim = write("victim", std::string("theirs"));
    std::filesystem::create_symlink(victim, folder() / "f");
    io::NewFile file{folder() / "f"};
    file.write(bytes("new"));
    file.commit();
    EXPECT_EQ(text(victim), "theirs");
    EXPECT_EQ(text(folder() / "f"), "new");
}

// Others must not be able to foresee it, and a file that has the name of another one must not be written to.
TEST_F(File, UnfinishedFilesHaveNamesOfTheirOwn) {
    write("f.tmp", std::string("mine"));
    io::NewFile first{folder() / "f"};
    io::NewFile second{folder() / "f"};
    EXPECT_NE(first.working_path(), second.working_path());
    first.write(bytes("1"));
    second.write(bytes("2"));
    first.commit();
    second.commit();
    EXPECT_EQ(text(folder() / "f"), "2");
    EXPECT_EQ(text(folder() / "f.tmp"), "mine");
    EXPECT_EQ(entries(), 2U);
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
