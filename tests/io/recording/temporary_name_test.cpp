#include "io/recording/temporary_name.h"

#include <csignal>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/io/recording/scratch_folder.h"

namespace {

using Names = ScratchFolder;

TEST_F(Names, AnUnfinishedNameIsInTheSameFolderAndDifferentEachTime) {
    const auto path = folder() / "results.h5";
    const auto first = io::unfinished_name(path);
    EXPECT_EQ(first.parent_path(), folder());
    EXPECT_THAT(first.filename().string(), testing::MatchesRegex("results.h5.tessera-[a-z2-7]{6}"));
    EXPECT_NE(io::unfinished_name(path), first);
}

TEST_F(Names, OnlyUnfinishedFilesOfThatNameAreRemoved) {
    write("a.tessera-abcdef", std::string("left"));
    for (const char* name : {"a", "a.tessera-ABCDEF", "a.tessera-abcde", "aa.tessera-abcdef", "b.tessera-abcdef"})
        write(name, std::string("kept"));
    std::filesystem::create_directory(folder() / "a.tessera-aaaaaa");
    std::filesystem::create_symlink(folder() / "a", folder() / "a.tessera-bbbbbb");
    io::remove_unfinished(folder() / "a");
    EXPECT_FALSE(std::filesystem::exists(folder() / "a.tessera-abcdef"));
    EXPECT_EQ(entries(), 7U);
}

TEST_F(Names, GoWithTheirObjectUnlessKept) {
    {
        const io::TemporaryName name(write("gone", std::string("x")));
    }
    {
        io::TemporaryName(write("kept", std::string("x"))).keep();
    }
    std::filesystem::create_directory(folder() / "folder");
    {
        const io::TemporaryName name(folder() / "folder");
    }
    EXPECT_FALSE(std::filesystem::exists(folder() / "gone"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "kept"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "folder"));
}

TEST_F(Names, TheirOwnerMayMove) {
    io::TemporaryName name;
    {
        io::TemporaryName inner(write("a", std::string("x")));
        name = std::move(inner);
    }
    EXPECT_TRUE(std::filesystem::exists(folder() / "a"));
    name = io::TemporaryName(write("b", std::string("x")));
    EXPECT_FALSE(std::filesystem::exists(folder() / "a"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "b"));
}

// What a signal leaves of a folder with a file in it and of a name that was kept.
class NamesAtSignals : public ScratchFolder, public testing::WithParamInterface<int> {
  protected:
    static void expect_ended_by_signal(pid_t child) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
        EXPECT_EQ(WTERMSIG(status), GetParam());
    }
};

TEST_P(NamesAtSignals, GoBeforeTheProgramDoes) {
    const pid_t child = ::fork();
    if (child == 0) {
        io::remove_temporary_names_at_signals();
        std::filesystem::create_directory(folder() / "folder");
        const io::TemporaryName outer(folder() / "folder");
        const io::TemporaryName inner(write("folder/file", std::string("x")));
        io::TemporaryName kept(write("kept", std::string("x")));
        kept.keep();
        if (::fork() == 0) {  // another process has no right to them
            std::raise(GetParam());
            ::_exit(0);
        }
        int status = 0;
        ::wait(&status);
        if (!std::filesystem::exists(folder() / "folder/file")) ::_exit(1);
        std::raise(GetParam());
        ::_exit(2);
    }
    expect_ended_by_signal(child);
    EXPECT_EQ(entries(), 1U);
}

TEST_P(NamesAtSignals, WaitUntilADelayIsOver) {
    const pid_t child = ::fork();
    if (child == 0) {
        io::remove_temporary_names_at_signals();
        {
            const io::SignalDelay no_signal_comes;
        }
        io::TemporaryName name;
        {
            const io::SignalDelay delay;
            const auto path = write("created", std::string("x"));
            std::raise(GetParam());
            std::raise(SIGXCPU);  // the first one ends the program
            name = io::TemporaryName(path);
        }
        ::_exit(2);
    }
    expect_ended_by_signal(child);
    EXPECT_EQ(entries(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, NamesAtSignals, testing::Values(SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM),
                         [](const auto& signal) { return std::string("SIG") + sigabbrev_np(signal.param); });

}  // namespace
