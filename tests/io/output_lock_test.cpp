#include "io/output_lock.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

std::string refusal(const std::filesystem::path& file) {
    try {
        const io::OutputLock lock = io::OutputLock::of_file(file);
    } catch (const engine::IoError& error) {
        return error.what();
    }
    return "";
}

TEST(OutputLock, NamesTheHolderAndGoesWithIt) {
    const tests::TemporaryFolder folder;
    {
        const io::OutputLock lock = io::OutputLock::of_file(folder / "x.h5");
        EXPECT_THAT(refusal(folder / "x.h5"),
                    testing::AllOf(testing::StartsWith((folder / "x.h5").string() + " is being written by process " +
                                                       std::to_string(::getpid()) + " on "),
                                   testing::HasSubstr("; wait until it is done, or write to another place")));
        EXPECT_EQ(refusal(folder / "y.h5"), "");
    }
    EXPECT_EQ(refusal(folder / "x.h5"), "");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(OutputLock, IsFoundByEveryWayToTheFolder) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a");
    std::filesystem::create_directory_symlink(folder / "a", folder / "b");
    const io::OutputLock lock = io::OutputLock::of_folder(folder / "a");
    EXPECT_THROW(io::OutputLock::of_folder(folder / "b"), engine::IoError);
    EXPECT_THROW(io::OutputLock::of_folder(folder / "a/../a/."), engine::IoError);
}

TEST(OutputLock, OfAProgramThatWasKilledIsTakenOver) {
    const tests::TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        const io::OutputLock lock = io::OutputLock::of_folder(folder.path());
        ::_exit(std::filesystem::is_empty(folder.path()) ? 1 : 0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
    {
        const io::OutputLock lock = io::OutputLock::of_folder(folder.path());
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(OutputLock, DoesNotFollowALink) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "victim") << "theirs";
    std::filesystem::create_symlink(folder / "victim", folder / ".tessera-lock");
    EXPECT_THROW(io::OutputLock::of_folder(folder.path()), engine::IoError);
    EXPECT_EQ(std::filesystem::file_size(folder / "victim"), 6U);
}

}  // namespace
