#include "io/recorder/preload_library.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

class PreloadLibrary : public ScratchFolder {
  protected:
    PreloadLibrary() {
        std::filesystem::create_directories(folder() / "tree/experiments/tessera");
        write("tree/experiments/tessera/tessera", std::string("program"));
    }
    std::filesystem::path library(const std::string& place) const {
        std::filesystem::create_directories(folder() / place);
        return write(place + "/libtessera_preload.so", std::string("library"));
    }
    std::filesystem::path find() const { return io::find_preload(folder() / "tree/experiments/tessera/tessera"); }
    std::string refusal() const {
        try {
            find();
        } catch (const engine::ConfigError& error) {
            return error.what();
        }
        return "none";
    }
};

TEST_F(PreloadLibrary, IsFoundWhereTheBuildPutsItWhereItIsInstalledAndBesideTheProgram) {
    const auto built = library("tree/io/recorder");
    EXPECT_EQ(find(), built);
    const auto installed = library("tree/experiments/lib/tessera");
    EXPECT_EQ(find(), installed);
    const auto beside = library("tree/experiments/tessera");
    EXPECT_EQ(find(), beside);
}

TEST_F(PreloadLibrary, IsNotLookedForAnywhereElse) {
    library("io/recorder");
    library("tree/experiments/io/recorder");
    EXPECT_THAT(refusal(), HasSubstr("libtessera_preload.so is not beside the program"));
}

TEST_F(PreloadLibrary, ThatEveryUserMayChangeIsRefused) {
    const auto path = library("tree/io/recorder");
    ::chmod(path.c_str(), 0666);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("it may be written by every user"), HasSubstr("use --real-time")));
    ::chmod(path.c_str(), 0644);
    ::chmod((folder() / "tree/io").c_str(), 0777);
    EXPECT_THAT(refusal(), HasSubstr("tree/io may be written by every user"));
    ::chmod((folder() / "tree/io").c_str(), 01777);  // where nobody can rename what is another's
    EXPECT_EQ(refusal(), "none");
}

TEST_F(PreloadLibrary, OfAnotherUserIsRefusedUnlessTheProgramIsTheirsToo) {
    const auto path = library("tree/io/recorder");
    if (::chown(path.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a file away";
    EXPECT_THAT(refusal(), HasSubstr("it belongs to user 12345"));
    ASSERT_EQ(::chown((folder() / "tree/experiments/tessera/tessera").c_str(), 12345, 12345), 0);
    EXPECT_EQ(refusal(), "none");
}

}  // namespace
