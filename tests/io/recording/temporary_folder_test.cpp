#include "io/recording/temporary_folder.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using testing::HasSubstr;

class TemporaryFolder : public ScratchFolder {
  protected:
    TemporaryFolder() { ::setenv("TMPDIR", folder().c_str(), 1); }
    ~TemporaryFolder() override { ::unsetenv("TMPDIR"); }

    static std::string refusal() {
        try {
            const io::TemporaryFolder made{"socket"};
        } catch (const engine::IoError& error) {
            return error.what();
        }
        return "none";
    }
    // As a recorder leaves it that was killed.
    std::filesystem::path abandoned(const std::string& name, mode_t mode = 0700) const {
        const std::filesystem::path path = folder() / name;
        std::filesystem::create_directories(path / "home/.game");
        ::chmod(path.c_str(), mode);
        return path;
    }
};

TEST_F(TemporaryFolder, IsForTheUserAloneAndGoneAfterwards) {
    {
        const io::TemporaryFolder made{"socket"};
        EXPECT_EQ(made.path().parent_path(), folder());
        EXPECT_EQ(std::filesystem::status(made.path()).permissions(), std::filesystem::perms::owner_all);
    }
    EXPECT_EQ(entries(), 0U);
}

TEST_F(TemporaryFolder, WhatAKilledRecorderLeftIsRemovedByTheNext) {
    abandoned("tessera-tmp.aB3xyz");
    const io::TemporaryFolder made{"socket"};
    EXPECT_EQ(entries(), 1U);
    EXPECT_TRUE(std::filesystem::exists(made.path()));
}

TEST_F(TemporaryFolder, OfARecorderThatLivesIsLeftAlone) {
    const io::TemporaryFolder first{"socket"};
    const io::TemporaryFolder second{"socket"};
    EXPECT_TRUE(std::filesystem::exists(first.path()));
    EXPECT_TRUE(std::filesystem::exists(second.path()));
}

TEST_F(TemporaryFolder, WhatIsNoRecordersIsLeftAlone) {
    const auto victim = abandoned("victim");
    std::filesystem::create_directory_symlink(victim, folder() / "tessera-tmp.linked");
    abandoned("tessera-tmp.longer1");
    abandoned("tessera-tmp.");
    abandoned("tessera-tmp.shared", 0770);
    write("tessera-tmp.afile1", std::string("precious"));
    const std::size_t before = entries();
    {
        const io::TemporaryFolder made{"socket"};
        EXPECT_EQ(entries(), before + 1);
    }
    EXPECT_EQ(entries(), before);
    EXPECT_TRUE(std::filesystem::exists(victim / "home/.game"));
}

TEST_F(TemporaryFolder, OfAnotherUserIsLeftAlone) {
    const auto path = abandoned("tessera-tmp.other1");
    if (::chown(path.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a folder away";
    const io::TemporaryFolder made{"socket"};
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(TemporaryFolder, ASystemFolderThatIsNotThereIsNamedWithItsVariable) {
    const std::string absent = (folder() / "absent").string();
    ::setenv("TMPDIR", absent.c_str(), 1);
    EXPECT_EQ(refusal(), "TMPDIR=" + absent + ", the folder for temporary files: No such file or directory");
    ::setenv("TMPDIR", write("file", std::string("text")).c_str(), 1);
    EXPECT_THAT(refusal(), HasSubstr("file: expected a folder for temporary files"));
}

TEST_F(TemporaryFolder, ASystemFolderTooDeepForSocketsIsRefusedBeforeAnythingIsMade) {
    // tessera-tmp.XXXXXX and socket, with a slash before each
    const std::size_t room = 107 - 19 - 7;
    std::string path = (folder() / std::string(room - folder().native().size() - 1, 'x')).string();
    std::filesystem::create_directory(path);
    ::setenv("TMPDIR", path.c_str(), 1);
    EXPECT_EQ(refusal(), "none");
    path += "y";
    std::filesystem::create_directory(path);
    ::setenv("TMPDIR", path.c_str(), 1);
    EXPECT_EQ(refusal(),
              "TMPDIR=" + path + ": too long by 1 bytes for the sockets in it; set TMPDIR to a shorter path");
    EXPECT_TRUE(std::filesystem::is_empty(path));
}

}  // namespace
