// tessera trace, on a recording of a real application.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/cut/cut_file.h"
#include "io/frame_trace_file.h"
#include "io/recording/recording_writer.h"
#include "models/functional/virgl/frame_ends.h"
#include "tests/experiments/program.h"

namespace {

using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

class TraceCommand : public testing::Test {
  protected:
    const tests::TemporaryFolder folder_;
    const std::filesystem::path recording_ = tests::recorded_application(folder_);
};

TEST_F(TraceCommand, ChecksImagesAndWritesTraceAndPictures) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::string command = "trace " + quoted(recording_) + " -o " + quoted(folder_ / "t.h5") + " --images " +
                                quoted(folder_ / "images") + " --references " + quoted(folder_ / "references") +
                                " --frames 1 --check";
    const ProgramEnd end = tessera(command);
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("frame 1: "));
    EXPECT_THAT(end.out, HasSubstr("PSNR"));
    EXPECT_THAT(end.out, HasSubstr("bytes per quad"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "images/frame_0001.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "images/frame_0000.png"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "references/frame_0001.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "references/frame_0000.png"));
    EXPECT_THAT(tessera("info --load " + quoted(folder_ / "t.h5")).out, HasSubstr("loading\n  frame  seconds\n"));
    expect_one_line(tessera("info --load " + quoted(recording_)), 2, "--load is for frame traces");
    expect_one_line(tessera(command), 2, "t.h5 exists; --force replaces it");
    expect_one_line(tessera("trace " + quoted(recording_) + " --check --frames 7"), 3,
                    "holds 2 frames; none of them is in 7");
}

TEST_F(TraceCommand, ARecordingRunsLikeItsTrace) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    ASSERT_EQ(tessera("trace " + quoted(recording_) + " -o " + quoted(folder_ / "t.h5")).code, 0);
    const auto run = [&](const std::filesystem::path& workload, const std::string& output) {
        const ProgramEnd end =
            tessera("run bifrost32 " + quoted(workload) + " --threads 1 --frames 0-1 -o " + quoted(folder_ / output));
        EXPECT_EQ(end.code, 0) << end.err;
        return tessera("digest " + quoted(folder_ / output)).out;
    };
    const std::string digest = run(folder_ / "t.h5", "a");
    EXPECT_EQ(digest.size(), 33u);
    EXPECT_EQ(run(recording_, "b"), digest);
}

TEST_F(TraceCommand, ARecordingIsPlannedFor) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const ProgramEnd end =
        tessera("plan bifrost32 --windows 1000 --repeat 1 --workers 2 --input " + quoted(recording_));
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("frame 0 of "));
}

// The two frames again, of which the first is now a picture that the recorder left out.
void leave_first_frame_out(const std::filesystem::path& from, const std::filesystem::path& to) {
    const std::vector<std::byte> stream = io::load_recording(from);
    io::RecordingWriter writer(to);
    models::functional::FrameEndFinder finder;
    io::RecordingReader reader(stream);
    std::vector<io::Record> read_back;  // of the window
    int frames = 0;
    for (io::Record record; reader.next(record);) {
        const bool message = record.kind == io::RecordKind::message;
        const bool ends =
            message && finder.see(models::functional::parse_message(
                                      {models::functional::RecordKind::client_message, 0, record.payload}),
                                  record.offset);
        if (frames == 0 && (finder.reads() || ends || !read_back.empty())) {
            read_back.push_back(record);
            if (read_back.size() < 4) continue;
            writer.add(io::RecordKind::skipped, {});
            ++frames;
            continue;
        }
        writer.add(record.kind, record.payload);
    }
    writer.end_frame();
    writer.commit();
}

TEST_F(TraceCommand, TheWorkOfPicturesLeftOutIsNotTheFirstFrames) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    leave_first_frame_out(recording_, folder_ / "second.vtr.zst");
    const auto quads = [&](const std::string& arguments) {
        const ProgramEnd end = tessera("trace " + arguments + " --check -o " + quoted(folder_ / "t.h5") + " --force");
        EXPECT_EQ(end.code, 0) << end.err;
        return end.out.substr(end.out.find(": "), end.out.find('\n') - end.out.find(": "));
    };
    EXPECT_EQ(quads(quoted(folder_ / "second.vtr.zst")), quads(quoted(recording_) + " --frames 1"));
    EXPECT_THAT(tessera("info " + quoted(folder_ / "second.vtr.zst")).out,
                testing::ContainsRegex("pictures left out +1\n"));
}

TEST_F(TraceCommand, ACutHasTheTraceOfTheWhole) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::filesystem::path whole = folder_ / "whole.vtr.zst", cut = folder_ / "cut.vtr.zst";
    leave_first_frame_out(recording_, whole);
    const io::CutFileReport report =
        io::cut_recording_file(io::load_recording(whole), whole, cut, "a part", {.frames = {0, 0}, .threads = 1});
    EXPECT_GT(report.cut.bytes_filled, 0U);
    const auto digest = [&](const std::filesystem::path& recording) {
        const std::filesystem::path trace = folder_ / "t.h5";
        const ProgramEnd end = tessera("trace " + quoted(recording) + " -o " + quoted(trace) + " --force");
        EXPECT_EQ(end.code, 0) << end.err;
        return io::FrameTraceFile(trace).digest();
    };
    EXPECT_EQ(digest(cut), digest(whole));
}

TEST_F(TraceCommand, ATruncatedRecordingIsOneLineAndExitCode3) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::string whole = tests::read_text(recording_);
    std::ofstream(folder_ / "cut.vtr.zst", std::ios::binary) << whole.substr(0, whole.size() / 2);
    expect_one_line(tessera("trace " + quoted(folder_ / "cut.vtr.zst") + " -o " + quoted(folder_ / "t.h5")), 3,
                    "cut.vtr.zst");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "t.h5"));
}

TEST_F(TraceCommand, AFullDiskIsOneLineAndExitCode4) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const tests::SmallFileSystem disk(16 * 1024);
    if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
    const ProgramEnd end = tessera("trace " + quoted(recording_) + " --frames 0 -o " + quoted(disk / "t.h5"));
    expect_one_line(end, 4, "No space left on device");
    EXPECT_TRUE(std::filesystem::is_empty(disk.path()));
}

TEST_F(TraceCommand, AFrameBeyondTheMemoryLimitIsRefused) {
    if (recording_.empty()) GTEST_SKIP() << "no application to record";
    const std::string command = "trace " + quoted(recording_) + " -o " + quoted(folder_ / "t.h5") + " --memory-limit ";
    const ProgramEnd refused = tessera(command + "2MiB");
    expect_one_line(refused, 3, "frame 0 needs more memory than the limit of 2.0 MiB");
    EXPECT_THAT(refused.err, HasSubstr(recording_.string() + ": "));
    EXPECT_THAT(refused.err, HasSubstr("--memory-limit"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "t.h5"));
    expect_one_line(tessera(command + "2"), 2, "--memory-limit: expected a quantity in byte with its unit");
    expect_one_line(tessera(command + "0MiB"), 2, "--memory-limit: expected more than nothing");
    const ProgramEnd traced = tessera(command + "'1 GiB'");
    EXPECT_EQ(traced.code, 0) << traced.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "t.h5"));
}

TEST_F(TraceCommand, WorksOnOneRankOnly) {
    if (!tests::have_mpirun()) GTEST_SKIP() << "no mpirun";
    const ProgramEnd end = tests::tessera_on_ranks(2, "trace x.vtr -o y.h5");
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, HasSubstr("error: trace works on one rank only: start it without mpirun"));
}

}  // namespace
