#include "io/file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

TEST(PendingFile, AppearsWithItsNameOnlyWhenCommitted) {
    const tests::TemporaryFolder folder;
    io::PendingFile pending(folder / "x");
    std::ofstream(pending.temporary()) << "contents";
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
    pending.commit();
    EXPECT_EQ(io::read_file(folder / "x", 100), "contents");
    EXPECT_FALSE(std::filesystem::exists(pending.temporary()));
}

TEST(PendingFile, LeavesTheOldFileAndNothingElseWhenAbandoned) {
    const tests::TemporaryFolder folder;
    io::write_file(folder / "x", "old");
    {
        io::PendingFile pending(folder / "x");
        std::ofstream(pending.temporary()) << "new";
    }
    EXPECT_EQ(io::read_file(folder / "x", 100), "old");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.tmp"));
}

TEST(File, TreesAreRemovedAndAbsentOnesAreNoError) {
    const tests::TemporaryFolder folder;
    io::create_folder(folder / "a/b/c");
    io::write_file(folder / "a/b/file", "x");
    EXPECT_TRUE(io::exists(folder / "a/b/file"));
    io::remove_tree(folder / "a");
    EXPECT_FALSE(io::exists(folder / "a"));
    io::remove_tree(folder / "a");
}

TEST(File, ErrorsNameThePathAndTheReason) {
    const tests::TemporaryFolder folder;
    const auto message = [](auto&& action) -> std::string {
        try {
            action();
        } catch (const engine::IoError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message([&] { io::read_file(folder / "absent", 100); }),
              "cannot read " + (folder / "absent").string() + ": No such file or directory");
    io::write_file(folder / "file", "x");
    EXPECT_EQ(message([&] { io::create_folder(folder / "file/below"); }),
              "cannot create the folder " + (folder / "file/below").string() + ": Not a directory");
    EXPECT_THAT(message([&] { io::read_file(folder / "file", 0); }), testing::HasSubstr("larger than 0 bytes"));
}

}  // namespace
