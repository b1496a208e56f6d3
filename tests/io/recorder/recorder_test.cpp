// Recordings of a real application. Skipped where the programs are not installed.
#include "io/recorder/recorder.h"

#include <cerrno>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/frame_marks.h"
#include "io/recorder/process.h"
#include "io/recorder/vtest.h"
#include "io/recording/recording.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

class RecorderTest : public ScratchFolder {
  protected:
    void SetUp() override {
        for (const char* program : {"Xvfb", "virgl_test_server", "glmark2-es2"})
            if (io::find_program(program).empty()) GTEST_SKIP() << program << " is not installed";
        std::filesystem::create_directory(temporary());
        ::setenv("TMPDIR", temporary().c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("TMPDIR");
        EXPECT_TRUE(!std::filesystem::exists(temporary()) || std::filesystem::is_empty(temporary()))
            << "temporary files are left";
        EXPECT_TRUE(::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) << "processes are left";
    }
    std::filesystem::path temporary() const { return folder() / "tmp"; }
    std::filesystem::path output() const { return folder() / "out.vtr.zst"; }

    io::RecordOptions options(const std::string& scene, std::uint64_t frames) const {
        return {.output = output(),
                .command = {"glmark2-es2", "-s", "{size}", "-b", scene},
                .frames = frames,
                .size = {160, 120},
                .existing = io::Existing::replace,
                .private_socket = true,
                .on_frame = {}};
    }
    io::RecordOptions script(const std::string& text, std::uint64_t frames = 0) const {
        io::RecordOptions result = options("", frames);
        result.command = {"sh", "-c", text};
        return result;
    }
    static std::string refusal_of(const io::RecordOptions& wanted) {
        try {
            io::record(wanted);
        } catch (const engine::Error& error) {
            return std::to_string(static_cast<int>(error.code())) + " " + error.what();
        }
        return "none";
    }
    // The pixels of every picture.
    std::vector<io::Bytes> pictures() const {
        const auto stream = io::load_recording(output());
        io::RecordingReader reader{stream};
        std::vector<io::Bytes> found;
        bool pixels_follow = false;
        for (io::Record record; reader.next(record);) {
            if (pixels_follow && record.kind == io::RecordKind::reply)
                found.emplace_back(record.payload.begin(), record.payload.end());
            pixels_follow = record.kind == io::RecordKind::message &&
                            io::command_of(record.payload) == io::VtestCommand::transfer_get;
        }
        return found;
    }
};

TEST_F(RecorderTest, TwoRecordingsOfOneCommandAreTheSameBytes) {
    const io::RecordReport report = io::record(options("terrain:nframes=3", 3));
    EXPECT_EQ(report.frames, 3U);
    EXPECT_EQ(report.width, 160U);
    EXPECT_EQ(report.height, 120U);
    EXPECT_EQ(report.bytes, std::filesystem::file_size(output()));
    EXPECT_EQ(report.other_frames, 0U);
    EXPECT_EQ(pictures().size(), 3U);
    const auto first = read(output());
    io::record(options("terrain:nframes=3", 3));
    EXPECT_EQ(read(output()), first);
}

TEST_F(RecorderTest, ItStopsByItselfAfterThePicturesAskedFor) {
    std::uint64_t announced = 0;
    io::RecordOptions endless = options("jellyfish:duration=1000", 2);
    endless.on_frame = [&](std::uint64_t frames) { announced = frames; };
    const io::RecordReport report = io::record(endless);
    EXPECT_EQ(report.frames, 2U);
    EXPECT_EQ(announced, 2U);
    const auto found = pictures();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].size(), 160U * 120 * 4);
    EXPECT_NE(found[0], found[1]) << "time stands still";
}

TEST_F(RecorderTest, WithoutANumberItRecordsUntilTheApplicationEnds) {
    const io::RecordReport report = io::record(options("build:nframes=4", 0));
    EXPECT_EQ(report.frames, 4U);
    EXPECT_EQ(report.application_end, "");
}

TEST_F(RecorderTest, SkippedPicturesAreNotThereAndTheOthersAreAsBefore) {
    io::record(options("jellyfish:nframes=4", 4));
    const auto all = pictures();
    ASSERT_EQ(all.size(), 4U);
    io::RecordOptions later = options("jellyfish:nframes=4", 2);
    later.skip = 2;
    EXPECT_EQ(io::record(later).frames, 2U);
    EXPECT_EQ(pictures(), std::vector<io::Bytes>(all.begin() + 2, all.end()));
}

// All that the recording has, whatever frame it is part of.
std::size_t draws_in(const std::filesystem::path& recording) {
    const auto stream = io::load_recording(recording);
    io::RecordingReader reader{stream};
    std::size_t draws = 0;
    for (io::Record record; reader.next(record);) {
        if (record.kind != io::RecordKind::message || io::command_of(record.payload) != io::VtestCommand::submit_cmd)
            continue;
        const std::size_t words = record.payload.size() / 4;
        for (std::size_t at = 2; at < words; at += 1 + (io::word(record.payload, at) >> 16))
            if ((io::word(record.payload, at) & 0xff) == 8) ++draws;  // DRAW_VBO
    }
    return draws;
}

TEST_F(RecorderTest, TheFirstFrameHasNoneOfTheWorkOfSkippedPictures) {
    io::RecordOptions later = options("build:nframes=6", 2);
    later.skip = 3;
    std::vector<std::uint64_t> told;
    later.on_drawn = [&](std::uint64_t drawn, std::uint64_t of) {
        EXPECT_EQ(of, 3U);
        told.push_back(drawn);
    };
    const io::RecordReport report = io::record(later);
    EXPECT_EQ(report.bytes, std::filesystem::file_size(output()));
    EXPECT_TRUE(report.same_addresses);
    EXPECT_THAT(told, testing::ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(draws_in(output()), 2U) << "one for each frame, and none before";
}

TEST_F(RecorderTest, AnInterruptWhileSkippedPicturesAreLeftOutKeepsTheWholeRecording) {
    io::RecordOptions later = options("build:nframes=6", 2);
    later.skip = 3;
    later.on_drawn = [](std::uint64_t drawn, std::uint64_t) {
        if (drawn == 1) ::kill(::getpid(), SIGINT);
    };
    EXPECT_THAT(refusal_of(later), AllOf(HasSubstr("3 the recording is kept whole"), HasSubstr("interrupted")));
    EXPECT_EQ(pictures().size(), 2U);
    EXPECT_EQ(draws_in(output()), 5U);
    EXPECT_EQ(io::pictures_left_out(io::load_recording(output())).at(0).size(), 3U);
    EXPECT_EQ(entries(), 2U) << "the recording and the folder for temporary files";
}

TEST_F(RecorderTest, FewerPicturesThanAskedForHaveNoneOfTheWorkOfSkippedOnesEither) {
    io::RecordOptions later = options("build:nframes=4", 5);
    later.skip = 3;
    EXPECT_THAT(refusal_of(later), HasSubstr("has the 1 picture completed before, of 5 asked for"));
    EXPECT_EQ(draws_in(output()), 1U);
}

TEST_F(RecorderTest, AnInterruptKeepsTheCompletePictures) {
    io::RecordOptions endless = options("build:duration=1000", 0);
    endless.on_frame = [](std::uint64_t frames) {
        if (frames == 2) ::kill(::getpid(), SIGINT);
    };
    const io::RecordReport report = io::record(endless);
    EXPECT_GE(report.frames, 2U);
    EXPECT_EQ(pictures().size(), report.frames);
}

// What virgl_test_server prints when a shader fails to compile; it draws nothing from then on, and says no more.
const std::string failing_renderer =
    R"(echo 'vrend_compile_shader: context error reported 1 "a" Illegal shader 0' >>"${TESSERA_VTEST_SOCKET%/*}"/)"
    "virgl_test_server.log";

TEST_F(RecorderTest, CommandsThatTheRendererDropsAreAnError) {
    const std::string drawing = "glmark2-es2 -s 160x120 -b build:nframes=2";
    EXPECT_THAT(refusal_of(script(drawing + "; " + failing_renderer)),
                AllOf(HasSubstr("3 virgl_test_server fails at what sh draws, and drops it from there on: "
                                "vrend_compile_shader: context error reported 1 \"a\" Illegal shader 0"),
                      HasSubstr("out.vtr.zst has 2 pictures, the last of which may lack what was dropped")));
    EXPECT_EQ(pictures().size(), 2U);
}

TEST_F(RecorderTest, CommandsThatTheRendererDropsEndARecordingWithoutEnd) {
    const std::string endless = "glmark2-es2 -s 160x120 -b build:duration=1000";
    EXPECT_THAT(refusal_of(script("(sleep 1; " + failing_renderer + ") & " + endless)),
                HasSubstr("3 virgl_test_server fails at what sh draws"));
}

TEST_F(RecorderTest, OfSeveralConnectionsItIsOnlyAReportThatTheRendererDropsCommands) {
    const std::string drawing = "glmark2-es2 -s 160x120 -b build:nframes=2";
    const io::RecordReport report = io::record(script(drawing + " & " + drawing + "; wait; " + failing_renderer));
    EXPECT_EQ(report.frames, 2U);
    EXPECT_THAT(report.dropping, HasSubstr("context error reported"));
}

TEST_F(RecorderTest, AnInterruptBeforeTheFirstPictureLeavesNothing) {
    std::string script_text = "kill -TERM " + std::to_string(::getpid()) + "; sleep 1000";
    EXPECT_THAT(refusal_of(script(script_text)), "3 interrupted before the first complete picture");
    io::RecordOptions later = script(script_text);
    later.skip = 7;
    EXPECT_THAT(refusal_of(later), "3 interrupted before the first complete picture after the 7 pictures to skip");
    EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(RecorderTest, ACrashAfterSomePicturesKeepsThemAndSaysSo) {
    const std::string crash = "glmark2-es2 -s 160x120 -b build:nframes=2; kill -SEGV $$";
    EXPECT_EQ(io::record(script(crash)).application_end, "signal 11 (Segmentation fault)");
    EXPECT_THAT(refusal_of(script(crash, 5)),
                AllOf(HasSubstr("3 sh ended with signal 11 (Segmentation fault)"),
                      HasSubstr("out.vtr.zst has the 2 pictures completed before, of 5 asked for")));
    EXPECT_EQ(pictures().size(), 2U);
}

TEST_F(RecorderTest, AnApplicationThatDrawsNothingIsRefused) {
    EXPECT_THAT(refusal_of(script("exit 0")), HasSubstr("3 sh ended with exit code 0 and drew nothing"));
    EXPECT_THAT(refusal_of(script("exit 7")), HasSubstr("3 sh ended with exit code 7 before it drew anything"));
    EXPECT_THAT(refusal_of(script("glmark2-es2 --off-screen -s 160x120 -b build:nframes=2")),
                HasSubstr("completed no picture"));
    EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(RecorderTest, ARendererThatIsKilledIsAnErrorAndThePicturesBeforeAreKept) {
    io::RecordOptions endless = options("build:duration=1000", 0);
    endless.on_frame = [this](std::uint64_t frames) {
        if (frames != 2) return;
        const std::string pattern = "virgl_test_server.*" + temporary().string();
        io::Process killer{{.command = {"pkill", "-KILL", "-f", pattern},  // nothing else has this path
                            .environment = io::Environment::inherited()}};
        while (!killer.ended()) ::usleep(1000);
    };
    EXPECT_THAT(refusal_of(endless), AllOf(HasSubstr("4 virgl_test_server"), HasSubstr("pictures completed before")));
    EXPECT_GE(pictures().size(), 2U);
}

TEST_F(RecorderTest, ProgramsThatTheApplicationLeavesInTheBackgroundAreEnded) {
    EXPECT_THAT(refusal_of(script("setsid sleep 1000 & sleep 1000 & exit 0")), HasSubstr("drew nothing"));
}  // TearDown finds them otherwise

TEST_F(RecorderTest, AHomeOfItsOwnHasOnlyTheFilesGivenAndIsGoneAfterwards) {
    io::RecordOptions wanted = script("find $HOME -type f | sed s,$HOME,, >" + (folder() / "files").string() +
                                      "; cat $HOME/.game/rc >" + (folder() / "rc").string() + "; echo $GREETING >>" +
                                      (folder() / "rc").string() + "; glmark2-es2 -s 160x120 -b build:nframes=1");
    wanted.home.emplace();
    (*wanted.home)[".game/rc"] = "size {size}\n";
    wanted.environment["GREETING"] = "hello";
    EXPECT_EQ(io::record(wanted).frames, 1U);
    const auto text = [&](const char* name) {
        const auto bytes = read(folder() / name);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    EXPECT_EQ(text("files"), "/.game/rc\n");
    EXPECT_EQ(text("rc"), "size 160x120\nhello\n");
}

TEST_F(RecorderTest, InputReachesTheApplicationAfterItsPicture) {
    if (io::find_program("xdotool").empty()) GTEST_SKIP() << "xdotool is not installed";
    io::RecordOptions wanted = options("build:duration=1000", 0);
    wanted.input = {{1, {"mousemove", "80", "60"}}, {3, {"key", "Escape"}}};  // Escape ends it
    const io::RecordReport report = io::record(wanted);
    EXPECT_GE(report.frames, 3U);
    EXPECT_LE(report.frames, 5U);
    EXPECT_EQ(report.application_end, "");
}

TEST_F(RecorderTest, AnApplicationHasTheKeyToItsDisplayAndOthersHaveNot) {
    if (io::find_program("xdotool").empty()) GTEST_SKIP() << "xdotool is not installed";
    const std::string ask = "xdotool getdisplaygeometry >>" + (folder() / "answers").string() + " 2>&1; ";
    io::RecordOptions wanted =
        script(ask + "env -u XAUTHORITY HOME=/nowhere " + ask + "glmark2-es2 -s 160x120 -b build:nframes=1");
    io::record(wanted);
    const auto bytes = read(folder() / "answers");
    const std::string answers{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    EXPECT_THAT(answers, AllOf(testing::StartsWith("160 120\n"), HasSubstr("Authorization required")));
    EXPECT_EQ(answers.find("160 120", 1), std::string::npos);
}

TEST_F(RecorderTest, MistakesAreFoundBeforeAnythingIsStarted) {
    io::RecordOptions wrong = options("build", 1);
    wrong.command = {"no-such-game"};
    EXPECT_THAT(refusal_of(wrong), HasSubstr("2 no-such-game: command not found"));
    wrong = options("build", 1);
    wrong.output = folder() / "absent" / "out.vtr";
    EXPECT_THAT(refusal_of(wrong), HasSubstr("absent/out.vtr: No such file or directory"));
    wrong.output = folder() / "out.h5";
    EXPECT_THAT(refusal_of(wrong), HasSubstr("ends in .vtr or .vtr.zst"));
    wrong = options("build", 1);
    wrong.size = {16385, 600};
    EXPECT_THAT(refusal_of(wrong), HasSubstr("--size: width and height are 1 to 16384 pixels, found 16385x600"));
}

TEST_F(RecorderTest, AMissingPackageIsNamed) {
    const std::string path = io::Environment::inherited().get("PATH");
    io::RecordOptions wanted = options("build", 1);
    wanted.command = {"/bin/true"};
    ::setenv("PATH", "/nowhere", 1);
    const std::string text = refusal_of(wanted);
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(text, "2 virgl_test_server is not installed: apt-get install --no-install-recommends virgl-server");
}

TEST_F(RecorderTest, ADisplayThatDoesNotStartIsToldWithItsLastWords) {
    const std::filesystem::path program = folder() / "Xvfb";
    write("Xvfb", std::string("#!/bin/sh\necho first\necho no screens found\nexit 1\n"));
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const std::string path = io::Environment::inherited().get("PATH");
    ::setenv("PATH", (folder().string() + ":" + path).c_str(), 1);
    const std::string text = refusal_of(options("build", 1));
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(text, "2 Xvfb does not start: no screens found");
}

TEST_F(RecorderTest, AFullDiskIsOneClearErrorAndLeavesNothing) {
    const auto disk = folder() / "disk";
    std::filesystem::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
        GTEST_SKIP() << "may not mount a small file system here";
    io::RecordOptions large = options("jellyfish:nframes=3", 3);
    large.output = disk / "out.vtr.zst";
    EXPECT_THAT(refusal_of(large), AllOf(HasSubstr("4 "), HasSubstr("No space left on device")));
    EXPECT_TRUE(std::filesystem::is_empty(disk));
    ::umount(disk.c_str());
}

}  // namespace
