// The program as a whole: what it prints and the exit code it ends with.

#include "tests/experiments/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sanitized.h"

namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

TEST(Program, TellsItsVersionAndItsCommands) {
    const ProgramEnd version = tessera("--version");
    EXPECT_EQ(version.code, 0);
    EXPECT_THAT(version.out, StartsWith("tessera 0."));
    const ProgramEnd help = tessera("--help");
    EXPECT_EQ(help.code, 0);
    for (const char* command :
         {"record", "cut", "trace", "info", "run", "plan", "params", "energy", "digest", "compare"}) {
        EXPECT_THAT(help.out, HasSubstr(command));
        const ProgramEnd one = tessera(std::string(command) + " --help");
        EXPECT_EQ(one.code, 0);
        EXPECT_THAT(one.out, HasSubstr("Usage: tessera " + std::string(command)));
    }
}

TEST(Program, WrongUsageIsOneLineAndExitCode2) {
    expect_one_line(tessera(""), 2, "subcommand is required");
    expect_one_line(tessera("rnu"), 2, "unknown command 'rnu', did you mean 'run'?");
    expect_one_line(tessera("run"), 2, "required");
    expect_one_line(tessera("run m.toml w.h5 -o out --threads 0"), 2, "--threads");
    expect_one_line(tessera("run m.toml w.h5 -o out --frames 5-2"), 2, "--frames: expected A-B");
    expect_one_line(tessera("trace x.vtr"), 2, "nothing to do");
    expect_one_line(tessera("params --format xml"), 2, "--format");
    expect_one_line(tessera("run m.toml w.h5 -o out --log-messages 9:5"), 2, "--log-messages: expected FROM:TO");
    expect_one_line(tessera("run m.toml w.h5 -o out --tie-seed x"), 2, "--tie-seed");
    expect_one_line(tessera("compare a"), 2, "B is required");
}

TEST(Program, EmptyTextsAreRefusedAndNotTakenForOptionsThatAreNotGiven) {
    const std::string run = "run m.toml w.h5 -o out ";
    for (const std::string& command :
         {run + "--profile ''", run + "--profile-from ''", run + "--resume ''", run + "--frames ''",
          run + "--log-messages ''", std::string("run m.toml '' -o out"), std::string("trace r.vtr -o ''"),
          std::string("trace r.vtr -o t.h5 --images ''"), std::string("trace r.vtr -o t.h5 --memory-limit ''"),
          std::string("energy out -o ''"), std::string("dram --trace ''"), std::string("sweep '' -o out")})
        expect_one_line(tessera(command), 2, "expected a value, found an empty text");
}

TEST(Program, FlagsTakeNoValueAndOtherOptionsNeedOne) {
    const std::string run = "run m.toml w.h5 -o out ";
    const std::string refusal = ": expected no value, found '";
    expect_one_line(tessera(run + "--force=maybe"), 2, "--force" + refusal + "maybe'");
    expect_one_line(tessera(run + "--force="), 2, "--force" + refusal + "'");
    expect_one_line(tessera(run + "--no-shared-memory=false"), 2, "--no-shared-memory" + refusal + "false'");
    expect_one_line(tessera("sweep s.toml --list=yes"), 2, "--list" + refusal + "yes'");
    expect_one_line(tessera("run --help=1"), 2, "--help" + refusal + "1'");
    expect_one_line(tessera("--version=1"), 2, "--version" + refusal + "1'");
    expect_one_line(tessera(run + "--threads"), 2, "--threads: expected a value, found none");
    expect_one_line(tessera(run + "--threads="), 2, "--threads: expected a value, found none");
    EXPECT_THAT(tessera("run --help").out, HasSubstr("--no-shared-memory "));
}

TEST(Program, WhatNoOptionTakesIsNamedWithTheNearestOne) {
    expect_one_line(tessera("run m.toml w.h5 -o out --thread 2"), 2,
                    "unknown option '--thread', did you mean '--threads'?");
    expect_one_line(tessera("run m.toml w.h5 -o out --profil=x"), 2,
                    "unknown option '--profil', did you mean '--profile'?");
    expect_one_line(tessera("params x"), 2, "expected no more arguments, found 'x'");
    expect_one_line(tessera("run m.toml w.h5 -o out --threads 1 --threads 2"), 2,
                    "--threads: expected once, found 2 times");
    expect_one_line(tessera("run m.toml w.h5 -o out --progress baar"), 2,
                    "--progress: expected one of auto, bar, log, none, found 'baar', did you mean 'bar'?");
    expect_one_line(tessera("trace r.vtr -o t.vtr"), 2, "a frame trace's name ends in .h5");
}

TEST(Program, NumbersThatWouldBecomeOtherOnesAreRefusedWithTheirRange) {
    const std::string run = "run m.toml w.h5 -o out ";
    const std::string seeds = "expected a whole number, 0 .. 18446744073709551615, found '";
    expect_one_line(tessera(run + "--tie-seed 18446744073709551616"), 2, seeds + "18446744073709551616'");
    expect_one_line(tessera(run + "--tie-seed=-1"), 2, seeds + "-1'");
    expect_one_line(tessera(run + "--fuzz-schedule=-3"), 2, seeds + "-3'");
    expect_one_line(tessera(run + "--watchdog=nan"), 2, "expected a whole number, 0 .. 1000000, found 'nan'");
    expect_one_line(tessera("plan m.toml --input w.h5 --workers 1e3"), 2, "expected a whole number, 1 .. 65536");
    for (const std::string& command :
         {run, std::string("trace r.vtr -o t.h5 "), std::string("cut r.vtr -o c.vtr --frames 0 ")})
        expect_one_line(tessera(command + "--threads 512"), 2, "expected a whole number, 1 .. 256, found '512'");
    expect_one_line(tessera(run + "--partition manual"), 2,
                    "expected one of single, block, round_robin, balanced, found 'manual'");
}

TEST(Program, ASettingIsGivenOnceAndBlamedForWhatItSpoils) {
    const std::string run = "run bifrost32 w.h5 -o out ";
    expect_one_line(tessera(run + "--set l2.slices=4 --set l2.slices=8"), 2, "given twice");
    expect_one_line(tessera(run + "--set l2.slices=3"), 2, "error: --set l2.slices=3: l2: expected capacity");
    expect_one_line(tessera(run + "--set dram.model=flat --set dram.flat.frequency='1866666667 Hz'"), 2, "will do");
}

TEST(Program, InfoTellsWhatAFrameTraceHoldsAndRefusesWhatIsDamaged) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path trace = tests::sample_trace(folder);
    const ProgramEnd text = tessera("info " + quoted(trace));
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("frame trace"));
    const ProgramEnd json = tessera("info --json " + quoted(trace) +
                                    " | /usr/bin/python3 -c 'import json, sys; d = json.load(sys.stdin); "
                                    "print(d[\"frame_count\"], [f[\"frame\"] for f in d[\"frames\"]])'");
    EXPECT_EQ(json.out, "3 [4, 5, 6]\n");
    std::filesystem::resize_file(trace, std::filesystem::file_size(trace) - 1);
    expect_one_line(tessera("info " + quoted(trace)), 3, "sample.h5");
    expect_one_line(tessera("info " + quoted(folder / "expected.json")), 3, "not a recording");
    expect_one_line(tessera("info " + quoted(folder / "absent.vtr")), 4, "absent.vtr");
}

TEST(Program, FilesOfAnotherKindAreCalledByTheirName) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path trace = tests::sample_trace(folder), out = folder / "out";
    ASSERT_EQ(tessera("run bifrost32 " + quoted(trace) + " --frames 4 -o " + quoted(out)).code, 0);
    const std::string results = quoted(out / "results.h5");
    const char* are_results = "Tessera results: `tessera digest` and `tessera compare` read them";
    expect_one_line(tessera("info " + results), 3, are_results);
    expect_one_line(tessera("trace " + results + " --check"), 3, are_results);
    expect_one_line(tessera("run bifrost32 " + results + " -o " + quoted(folder / "other")), 3, are_results);
    const char* is_trace = "a frame trace: `tessera run`, `plan` and `info` read it";
    expect_one_line(tessera("digest " + quoted(trace)), 3, is_trace);
    expect_one_line(tessera("trace " + quoted(trace) + " --check"), 3, is_trace);
    expect_one_line(tessera("run " + quoted(trace) + " bifrost32 -o " + quoted(folder / "other")), 2, is_trace);
}

TEST(Program, WhatIsNoFileIsRefusedAndNotWaitedFor) {
    const tests::TemporaryFolder folder;
    const std::string pipe = quoted(folder / "pipe");
    ASSERT_EQ(tests::run_shell("mkfifo " + pipe).code, 0);
    for (const std::string command : {"info ", "digest ", "trace --check "}) {
        expect_one_line(tessera(command + pipe), 4, "expected a regular file, found a pipe");
        expect_one_line(tessera(command + "/dev/zero"), 4, "expected a regular file, found a device");
    }
}

TEST(Program, ARecordingThatTheMemoryIsTooSmallForIsRefused) {
    if (tests::is_sanitized) GTEST_SKIP() << "sanitizers need all address space";
    const tests::TemporaryFolder folder;
    const std::filesystem::path recording = folder / "r.vtr";
    std::ofstream(recording) << "VTR0";
    std::filesystem::resize_file(recording, std::uintmax_t{1} << 31);
    const ProgramEnd end =
        tests::run_shell("ulimit -v 2000000; " + std::string(TESSERA_PROGRAM) + " info " + quoted(recording));
    expect_one_line(end, 3, "holds more than 1024000000 bytes decompressed, half of the memory");
}

TEST(Program, RecordingsWithoutChecksumsAreTold) {
    const std::filesystem::path recording = std::filesystem::path(TESSERA_RECORDINGS) / "es2_ideas.vtr.zst";
    if (!std::filesystem::exists(recording)) GTEST_SKIP() << recording << " is not there";
    const ProgramEnd info = tessera("info --json " + quoted(recording));
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("\"checksums\": false"));
    EXPECT_THAT(info.err, testing::MatchesRegex("note: [^\n]*es2_ideas.vtr.zst has no checksums: damage may go "
                                                "unnoticed; [^\n]*\n"));
}

TEST(Program, InfoPrintsNoControlCharacters) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path trace = folder / "x\x1b]0;pwned\x07.h5";
    std::filesystem::rename(tests::sample_trace(folder), trace);
    const ProgramEnd text = tessera("info " + quoted(trace)), json = tessera("info --json " + quoted(trace));
    EXPECT_THAT(text.out, HasSubstr("x\\x1b]0;pwned\\x07.h5"));
    EXPECT_EQ(text.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(json.out.find('\x1b'), std::string::npos);
}

TEST(Program, CutMakesARecordingOfSomeFrames) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path recording = tests::recorded_application(folder);
    if (recording.empty()) GTEST_SKIP() << "glmark2-es2, Xvfb or virgl_test_server is missing";
    const std::string arguments = "cut " + quoted(recording) + " -o " + quoted(folder / "cut.vtr.zst");
    const ProgramEnd cut = tessera(arguments + " --frames 1");
    EXPECT_EQ(cut.code, 0) << cut.err;
    EXPECT_THAT(cut.out, HasSubstr("1 frame,"));
    EXPECT_EQ(tessera("trace " + quoted(folder / "cut.vtr.zst") + " --check").code, 0);
    EXPECT_THAT(tessera("info " + quoted(folder / "cut.vtr.zst")).out, HasSubstr("frames 1 of application.vtr.zst"));
    expect_one_line(tessera(arguments + " --frames 1"), 2, "exists; --force replaces it");
    expect_one_line(tessera(arguments + " --force --frames 1-"), 2, "expected A-B or A");
    expect_one_line(tessera(arguments + " --force --frames 2"), 3, "holds 2 frames");
}

TEST(Program, InfoTellsWhatARecordingHoldsAndWhatProducedIt) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path recording = tests::recorded_application(folder);
    if (recording.empty()) GTEST_SKIP() << "glmark2-es2, Xvfb or virgl_test_server is missing";
    const ProgramEnd info = tessera("info " + quoted(recording));
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("glmark2-es2 -s 160x120 -b texture:nframes=2"));
    EXPECT_THAT(info.out, HasSubstr("glmark2-es2-x11 "));
    EXPECT_THAT(info.out, HasSubstr("libgl1-mesa-dri "));
    EXPECT_THAT(info.out, testing::ContainsRegex("frame count +2\n"));
    EXPECT_THAT(info.out, testing::ContainsRegex("checksums +yes\n"));
}

TEST(Program, PrintsTheParameterReferenceInThreeFormats) {
    EXPECT_THAT(tessera("params").out, HasSubstr("texture_cache.capacity"));
    EXPECT_THAT(tessera("params --format markdown").out, HasSubstr("| `texture_cache.capacity` | "));
    const ProgramEnd json = tessera(
        "params --format json | /usr/bin/python3 -c 'import json, sys; "
        "print(len(json.load(sys.stdin)) > 50)'");
    EXPECT_EQ(json.out, "True\n");
}

TEST(Program, AReaderThatHadEnoughIsNoError) {
    const ProgramEnd closed = tests::run_shell(std::string("( sleep 0.2; ") + TESSERA_PROGRAM +
                                               " params --format json; echo code $? >&2 ) | true");
    EXPECT_EQ(closed.err, "code 0\n");
    if (std::filesystem::exists("/dev/full")) {
        EXPECT_EQ(tessera("params >/dev/full").code, 4);
    }
}

}  // namespace
