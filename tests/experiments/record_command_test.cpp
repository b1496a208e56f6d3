// tessera record: what the command line asks for, on a real application.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/program.h"

namespace {

using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

TEST(RecordCommand, AnApitraceDrawsWhatTheApplicationDrew) {
    const tests::TemporaryFolder folder;
    if (tests::recorded_application(folder).empty() || tests::run_shell("command -v apitrace").code != 0)
        GTEST_SKIP() << "glmark2-es2, Xvfb, virgl_test_server or apitrace is missing";
    const std::string calls = quoted(folder / "calls.trace");
    const std::string scene = "glmark2-es2 -s 160x120 -b effect2d:nframes=3";  // looks the same at any time
    const auto record = [&](const std::string& output, const std::string& what) {
        return tessera("record --size 160x120 --private-socket -o " + quoted(folder / output) + " " + what);
    };
    const ProgramEnd direct = record("a.vtr.zst", "-- " + scene);
    ASSERT_EQ(direct.code, 0) << direct.err;
    // For the display only: the calls are taken down without the recorder between.
    record("none.vtr.zst",
           "-- env -u LD_PRELOAD GALLIUM_DRIVER=llvmpipe apitrace trace -a egl -o " + calls + " " + scene);
    const ProgramEnd played = record("b.vtr.zst", "--frames 3 --apitrace " + calls);
    ASSERT_EQ(played.code, 0) << played.err;
    EXPECT_THAT(tessera("info " + quoted(folder / "b.vtr.zst")).out, HasSubstr("eglretrace"));
    for (const char* name : {"a", "b"}) {
        const ProgramEnd end = tessera("trace " + quoted(folder / (std::string(name) + ".vtr.zst")) +
                                       " --frames 0-2 --check --references " + quoted(folder / name));
        ASSERT_EQ(end.code, 0) << end.err;
    }
    for (const char* frame : {"frame_0000.png", "frame_0002.png"})
        EXPECT_EQ(tests::read_text(folder / (std::string("a/") + frame)),
                  tests::read_text(folder / (std::string("b/") + frame)))
            << frame;
    expect_one_line(tessera("record --apitrace " + calls + " --skip 1 --frames 3 -o " + quoted(folder / "c.vtr.zst")),
                    2, "holds 3 pictures; --skip and --frames need 4");
}

TEST(RecordCommand, WhatIsNoApitraceIsOneLine) {
    const tests::TemporaryFolder folder;
    const std::string missing = "record --apitrace " + quoted(folder / "none.trace") + " -o x.vtr.zst";
    expect_one_line(tessera(missing), 4, "none.trace: No such file");
    expect_one_line(tessera(missing + " -- true"), 2, "give one of --apitrace, --workload and a command");
    if (tests::run_shell("command -v apitrace").code != 0) GTEST_SKIP() << "apitrace is missing";
    std::ofstream(folder / "text.trace") << "no calls";
    expect_one_line(tessera("record --apitrace " + quoted(folder / "text.trace") + " -o x.vtr.zst"), 3,
                    "another kind of file");
}

TEST(RecordCommand, SomethingMustBeRecorded) {
    expect_one_line(tessera("record -o x.vtr.zst"), 2, "expected a command after --, --workload NAME or --apitrace");
}

TEST(RecordCommand, NumbersOutOfRangeAreOneLineWithTheRangeInIt) {
    const std::string rest = " -o x.vtr.zst -- true";
    for (const char* fps : {"nan", "-nan", "inf", "-1", "0", "1e7", "x"})
        expect_one_line(tessera("record --fps=" + std::string(fps) + rest), 2,
                        "--fps: expected 0.001 to 1e6 pictures per second, found " + std::string(fps));
    for (const char* frames : {"0", "-1", "1000000001", "18446744073709551617", "nan"})
        expect_one_line(tessera("record --frames=" + std::string(frames) + rest), 2,
                        "--frames: expected a whole number, 1 .. 1000000000, found '" + std::string(frames));
    expect_one_line(tessera("record --skip=18446744073709551615" + rest), 2,
                    "--skip: expected a whole number, 0 .. 1000000000, found '18446744073709551615'");
}

TEST(RecordCommand, ATemporaryFolderThatCannotBeUsedIsNamedBeforeAnythingIsStarted) {
    if (tests::run_shell("command -v Xvfb && command -v virgl_test_server").code != 0)
        GTEST_SKIP() << "Xvfb or virgl_test_server is missing";
    const tests::TemporaryFolder folder;
    const auto record = [&](const std::filesystem::path& temporary) {
        return tests::run_shell("TMPDIR=" + quoted(temporary) + " " + TESSERA_PROGRAM + " record --private-socket -o " +
                                quoted(folder / "x.vtr.zst") + " -- sh -c 'touch " + (folder / "started").string() +
                                "'");
    };
    expect_one_line(record(folder / "absent"), 4, "TMPDIR=" + (folder / "absent").string());
    expect_one_line(record(TESSERA_PROGRAM), 4, "expected a folder for temporary files");
    const std::filesystem::path deep = folder / std::string(60, 'a') / std::string(60, 'b');
    std::filesystem::create_directories(deep);
    expect_one_line(record(deep), 4, "set TMPDIR to a shorter path");
    EXPECT_TRUE(std::filesystem::is_empty(deep));
    EXPECT_FALSE(std::filesystem::exists(folder / "started"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "more than the deep folder";
}

TEST(RecordCommand, AProgramWithoutItsLibraryBesideItSaysWhatCanBeDone) {
    if (tests::run_shell("command -v Xvfb && command -v virgl_test_server").code != 0)
        GTEST_SKIP() << "Xvfb or virgl_test_server is missing";
    const tests::TemporaryFolder folder;
    std::filesystem::copy_file(TESSERA_PROGRAM, folder / "tessera");
    const std::string alone =
        quoted(folder / "tessera") + " record --private-socket -o " + quoted(folder / "x.vtr.zst");
    expect_one_line(tests::run_shell(alone + " -- true"), 2,
                    "libtessera_preload.so is not beside the program in " + folder.path().string() +
                        "; without it use --real-time and no --private-socket");
}

}  // namespace
