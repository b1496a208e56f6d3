#include "io/recorder/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/file.h"
#include "io/recording/temporary_folder.h"

namespace {

using std::chrono::milliseconds;

io::Launch shell(const std::string& script) {
    return {.command = {"sh", "-c", script}, .environment = io::Environment::inherited()};
}

void await_end(io::Process& process) {
    pollfd state{process.watch(), POLLIN, 0};
    ASSERT_EQ(::poll(&state, 1, 60000), 1);
    ASSERT_TRUE(process.ended());
}

bool no_children_left() {
    return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

TEST(Process, TellsHowItEnded) {
    io::Process good{shell("exit 0")};
    await_end(good);
    EXPECT_TRUE(good.succeeded());
    io::Process bad{shell("exit 3")};
    await_end(bad);
    EXPECT_FALSE(bad.succeeded());
    EXPECT_EQ(bad.how_it_ended(), "exit code 3");
    io::Process killed{shell("kill -SEGV $$")};
    await_end(killed);
    EXPECT_EQ(killed.how_it_ended(), "signal 11 (Segmentation fault)");
}

TEST(Process, AProgramThatIsNotThereIsNamed) {
    try {
        const io::Process process{{.command = {"no-such-program"}, .environment = io::Environment::inherited()}};
        FAIL() << "started a program that does not exist";
    } catch (const engine::ConfigError& error) {
        EXPECT_STREQ(error.what(), "no-such-program: command not found");
    }
    EXPECT_TRUE(no_children_left());
}

TEST(Process, WhatCannotBeExecutedIsNamed) {
    std::string name = "/tmp/tessera-test.XXXXXX";
    const io::Descriptor file{::mkstemp(name.data())};
    ASSERT_EQ(::write(file.number(),
                      "\x7f"
                      "ELF?",
                      5),
              5);
    ASSERT_EQ(::fchmod(file.number(), 0700), 0);
    try {
        const io::Process process{{.command = {name}, .environment = io::Environment::inherited()}};
        ADD_FAILURE() << "executed garbage";
    } catch (const engine::ConfigError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("cannot start " + name + ": "));
    }
    ::unlink(name.c_str());
    EXPECT_TRUE(no_children_left());
}

TEST(Process, ItsEnvironmentAndOutputAreThoseItWasGiven) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const io::Descriptor reader{ends[0]};
    io::Descriptor writer{ends[1]};
    io::Launch launch = shell("echo $ONE-$TWO-; cat");  // cat: its input is empty
    launch.environment.set("ONE", "1");
    launch.environment.unset("TWO");
    launch.output = writer.number();
    io::Process process{launch};
    writer.close();
    await_end(process);
    std::array<char, 16> text{};
    EXPECT_EQ(::read(reader.number(), text.data(), text.size()), 4);
    EXPECT_STREQ(text.data(), "1--\n");
}

// As games that keep a list of high scores are: what is preloaded is loaded into a program of the caller's group only.
TEST(Process, OneThatIsSetGroupIdKeepsTheCallersGroup) {
    const io::TemporaryFolder folder;
    const std::filesystem::path program = folder.path() / "id";
    std::filesystem::copy("/usr/bin/id", program);
    const gid_t other = ::getegid() + 1;
    if (::chown(program.c_str(), static_cast<uid_t>(-1), other) != 0 || ::chmod(program.c_str(), 02755) != 0)
        GTEST_SKIP() << "only root may give a file to another group";
    const auto group = [&](bool no_new_privileges) {
        const std::filesystem::path output = folder.path() / "group";
        io::Launch launch = shell(program.string() + " -g > " + output.string());
        launch.no_new_privileges = no_new_privileges;
        io::Process process{launch};
        await_end(process);
        return io::read_file(output, 100);
    };
    if (group(false) != std::to_string(other) + "\n")
        GTEST_SKIP() << "the folder is on a file system without set-group-ID";
    EXPECT_EQ(group(true), std::to_string(::getegid()) + "\n");
}

TEST(Process, StoppingItEndsWhatItStarted) {
    const io::OrphanCollector orphans;
    io::Process process{shell("sleep 1000 & sleep 1000 & wait")};
    process.stop();
    EXPECT_EQ(process.how_it_ended(), "signal 15 (Terminated)");
    EXPECT_TRUE(no_children_left());
}

TEST(Process, OneThatIgnoresThePoliteSignalIsKilled) {
    const io::OrphanCollector orphans;
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const io::Descriptor reader{ends[0]};
    io::Descriptor writer{ends[1]};
    io::Launch launch = shell("trap '' TERM; echo; while :; do sleep 0.01; done");
    launch.output = writer.number();
    io::Process process{launch};
    char ready = 0;
    ASSERT_EQ(::read(reader.number(), &ready, 1), 1);
    process.stop(milliseconds{50});
    EXPECT_EQ(process.how_it_ended(), "signal 9 (Killed)");
}

TEST(Process, OrphansThatLeftTheirGroupAreCollected) {
    {
        const io::OrphanCollector orphans;
        io::Process process{shell("setsid sh -c 'sleep 1000 & sleep 1000' & exit 0")};
        await_end(process);
        process.stop();
    }
    EXPECT_TRUE(no_children_left());
}

TEST(Process, ChildrenFromBeforeAreNotCollected) {
    io::Process older{shell("exec sleep 1000")};
    {
        const io::OrphanCollector orphans;
    }
    EXPECT_FALSE(older.ended());
}

TEST(OutputOf, IsWhatAProgramPrintsUnlessItFails) {
    EXPECT_EQ(io::output_of({"sh", "-c", "echo one; echo two"}), "one\ntwo\n");
    EXPECT_EQ(io::output_of({"sh", "-c", "echo one; exit 1"}), "");
    EXPECT_EQ(io::output_of({"no-such-program-anywhere"}), "");
    EXPECT_EQ(io::output_of({"sh", "-c", "echo $LC_ALL"}), "C\n");
}

}  // namespace
