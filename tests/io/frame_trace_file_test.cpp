#include "io/frame_trace_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/frame_trace_layout.h"
#include "tests/io/sample_trace.h"
#include "tests/io/temporary_folder.h"

namespace {

using tests::SampleTrace;
using tests::TemporaryFolder;

const io::FrameTraceOrigin origin{"tessera test", "sample.vtr", "tessera trace sample.vtr", "0f"};

std::vector<models::Frame> sample_frames(int count) {
    SampleTrace sample;
    std::vector<models::Frame> frames;
    for (int i = 0; i < count; ++i) frames.push_back(sample.frame(static_cast<std::uint32_t>(10 + i)));
    return frames;
}

void write_trace(const std::filesystem::path& path, const std::vector<models::Frame>& frames) {
    io::FrameTraceWriter writer(path, origin);
    for (const models::Frame& frame : frames) writer.append(frame, "png of frame " + std::to_string(frame.number));
    writer.finish(SampleTrace::programs());
}

std::string read_all(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// Opens the trace and loads every frame.
void load_everything(const std::filesystem::path& path) {
    const io::FrameTraceFile file(path);
    for (std::size_t i = 0; i < file.frame_count(); ++i) {
        (void)file.load(i);
        (void)file.png(i);
    }
}

template <class Error>
std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(FrameTraceFile, EveryFrameComesBackAsItWasInAnyOrder) {
    const TemporaryFolder folder;
    const std::vector<models::Frame> frames = sample_frames(3);
    write_trace(folder / "t.h5", frames);

    const io::FrameTraceFile file(folder / "t.h5");
    ASSERT_EQ(file.frame_count(), 3u);
    for (const std::size_t i : {2u, 0u, 1u}) {
        const models::Frame frame = file.load(i);
        EXPECT_EQ(file.frame_number(i), 10 + i);
        EXPECT_EQ(io::frame_digest(frame, file.png(i)), io::frame_digest(frames[i], file.png(i)));
        EXPECT_TRUE(frame == frames[i]);
        EXPECT_EQ(frame.kernels.at(0).before_draw, 1u);
        EXPECT_EQ(frame.memory_accesses.size(), 12u);
        EXPECT_EQ(frame.passes[0].colour[1].address, 0x20000u);
        EXPECT_EQ(frame.check.psnr, 51.25);
        EXPECT_EQ(frame.check.ssim, 0.9875);
        EXPECT_EQ(frame.check.share_off, 0.25);
        EXPECT_EQ(file.png(i), "png of frame " + std::to_string(10 + i));
    }
}

// So large that threads pack and unpack it.
TEST(FrameTraceFile, OfALargeFrameDoesNotDependOnTheThreads) {
    const TemporaryFolder folder;
    SampleTrace sample(3, SampleTrace::Kernels::none);
    const models::Frame small = sample.frame(6), frame = sample.frame(7, 15'000);
    ASSERT_GE(io::FrameTraceWriter::memory_to_append(frame), io::large_column_bytes);
    std::size_t bytes = 0;
    const io::FlatPasses passes = io::flatten_passes(frame);
    io::visit_tables(frame, passes, [&](const std::string&, const auto& rows, const auto&) {
        bytes += rows.size() * sizeof(rows[0]);
    });
    ASSERT_GE(bytes, io::large_frame_bytes);
    const auto size_with = [&](int threads) {
        io::FrameTraceWriter writer(folder / "t.h5", origin, io::Existing::replace, threads);
        writer.append(small, "");  // so that the other begins in the middle of chunks
        writer.append(frame, "");
        writer.finish(SampleTrace::programs());
        return std::filesystem::file_size(folder / "t.h5");
    };
    const auto size = size_with(1);
    EXPECT_EQ(size_with(3), size);
    for (const int threads : {1, 3}) {
        const io::FrameTraceFile file(folder / "t.h5", threads);
        EXPECT_TRUE(file.load(0) == small);
        EXPECT_TRUE(file.load(1) == frame);
    }
}

TEST(FrameTraceFile, ProgramsComeBackAsTheyWere) {
    const TemporaryFolder folder;
    write_trace(folder / "t.h5", sample_frames(1));
    const std::vector<models::Program> programs = io::FrameTraceFile(folder / "t.h5").programs();
    ASSERT_EQ(programs.size(), 3u);
    EXPECT_EQ(programs[1].text, "FRAG µ");
    EXPECT_EQ(programs[0].stage, models::ShaderStage::vertex);
    EXPECT_EQ(programs[0].instructions[1].opcode, models::Opcode::tex);
    EXPECT_EQ(programs[0].instructions[1].texture_unit, 1);
    EXPECT_EQ(programs[0].instructions[0].texture_unit, -1);
    EXPECT_TRUE(programs[0].instructions[0].sources[0].indirect);
    EXPECT_EQ(programs[0].instructions[0].sources[0].components, 7);
    EXPECT_EQ(programs[0].instructions[0].sources[0].buffer, 2);
    EXPECT_EQ(programs[0].instructions[0].sources[0].swizzle, 0x1b);
    EXPECT_EQ(programs[0].instructions[0].destination.swizzle, models::Operand::plain_swizzle);
    EXPECT_EQ(programs[0].instructions[1].kind, models::InstructionClass::texture);
    EXPECT_TRUE(programs[0].instructions[1].dependent);
    EXPECT_FALSE(programs[0].instructions[0].dependent);
    EXPECT_EQ(programs[2].stage, models::ShaderStage::compute);
    for (std::size_t i = 0; i < programs.size(); ++i) EXPECT_EQ(programs[i].paths, SampleTrace::programs()[i].paths);
}

TEST(FrameTraceFile, TheDigestIsThatOfTheContentNotOfTheFile) {
    const TemporaryFolder folder;
    write_trace(folder / "a.h5", sample_frames(2));
    {
        io::FrameTraceWriter writer(folder / "b.h5", {"another program", "elsewhere.vtr", ""});
        for (const models::Frame& frame : sample_frames(2))
            writer.append(frame, "png of frame " + std::to_string(frame.number));
        writer.finish(SampleTrace::programs());
    }
    write_trace(folder / "c.h5", sample_frames(1));
    const std::string digest = io::FrameTraceFile(folder / "a.h5").digest();
    EXPECT_EQ(digest.size(), 32u);
    EXPECT_EQ(io::FrameTraceFile(folder / "b.h5").digest(), digest);
    EXPECT_NE(io::FrameTraceFile(folder / "c.h5").digest(), digest);
}

TEST(FrameTraceFile, NothingIsLeftOfATraceThatWasNotFinished) {
    const TemporaryFolder folder;
    {
        io::FrameTraceWriter writer(folder / "t.h5", origin);
        writer.append(sample_frames(1)[0], "");
        EXPECT_FALSE(std::filesystem::exists(folder / "t.h5"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FrameTraceFile, ATraceWithoutFramesOrProgramsIsATrace) {
    const TemporaryFolder folder;
    io::FrameTraceWriter writer(folder / "t.h5", origin);
    writer.finish({});
    EXPECT_EQ(io::FrameTraceFile(folder / "t.h5").frame_count(), 0u);
    EXPECT_TRUE(io::FrameTraceFile::recognises(folder / "t.h5"));
}

TEST(FrameTraceFile, EveryTruncationIsRefused) {
    const TemporaryFolder folder;
    write_trace(folder / "t.h5", sample_frames(1));
    const std::string whole = read_all(folder / "t.h5");
    for (int i = 0; i < 40; ++i) {
        const std::size_t length = whole.size() * static_cast<std::size_t>(i) / 40;
        write_all(folder / "cut.h5", whole.substr(0, length));
        EXPECT_THROW(load_everything(folder / "cut.h5"), engine::InputError) << length;
    }
    write_all(folder / "cut.h5", whole.substr(0, whole.size() - 1));
    EXPECT_EQ(message_of<engine::InputError>([&] { load_everything(folder / "cut.h5"); }),
              (folder / "cut.h5").string() + ": truncated: expected " + std::to_string(whole.size()) +
                  " bytes, found " + std::to_string(whole.size() - 1));
}

TEST(FrameTraceFile, EveryFlippedBitIsRefused) {
    const TemporaryFolder folder;
    write_trace(folder / "t.h5", sample_frames(1));
    const std::string whole = read_all(folder / "t.h5");
    std::mt19937 random(7);
    const std::size_t label = std::string_view(whole).substr(0, 512).find('\0');
    for (int i = 0; i < 300; ++i) {
        // The padding behind the label's text means nothing.
        std::size_t byte = i < 30 ? random() % label : 512 + random() % (whole.size() - 512);
        std::string damaged = whole;
        damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << random() % 8));
        write_all(folder / "flipped.h5", damaged);
        EXPECT_THROW(load_everything(folder / "flipped.h5"), engine::InputError) << "byte " << byte;
    }
}

TEST(FrameTraceFile, IndicesThatPointNowhereAreNamedByDatasetAndRow) {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::function<void(models::Frame&)>& spoil) {
        std::vector<models::Frame> frames = sample_frames(1);
        spoil(frames[0]);
        std::string message = message_of<engine::InputError>([&] { write_trace(folder / "t.h5", frames); });
        const std::string prefix = (folder / "t.h5").string() + ": frame 10: ";
        return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    };
    EXPECT_EQ(refusal([](models::Frame& f) { f.quads[17].primitive = 99; }),
              "/quads/primitive: row 17: 99 is beyond the 30 rows of /primitives");
    EXPECT_EQ(refusal([](models::Frame& f) { f.quads[5].x = 16; }),
              "/quads/x: row 5: 16 is beyond the 16 columns of a tile");
    EXPECT_EQ(refusal([](models::Frame& f) { f.fetches[3] = 1000; }).substr(0, 23), "/fetches/vertex: row 3:");
    EXPECT_EQ(refusal([](models::Frame& f) { f.draws[1].fragment_program = 0; }),
              "/draws/fragment_program: row 1: is a program of the other stage");
    EXPECT_EQ(refusal([](models::Frame& f) { f.accesses[2].block_count = 60000; }).substr(0, 29),
              "/accesses/first_block: row 2:");
    EXPECT_EQ(refusal([](models::Frame& f) { f.passes[0].tiles_x = 0x10000; }),
              "/passes/tiles_x: row 0: does not fit the width");
    EXPECT_EQ(refusal([](models::Frame& f) { f.tiles[3].quad_count += 1; }).substr(0, 25), "/tiles/first_quad: row 3:");
    EXPECT_EQ(refusal([](models::Frame& f) { f.passes[0].tiles_y = 3; }),
              "/passes/tiles_y: row 0: does not fit the height");
    EXPECT_EQ(refusal([](models::Frame& f) { f.draws[2].index_bytes = 3; }),
              "/draws/index_bytes: row 2: is none of 0, 1, 2, 4");
    EXPECT_EQ(refusal([](models::Frame& f) { f.draws[1].vertex_program = models::none; }),
              "/draws/vertex_program: row 1: is none, but the draw has vertices");
    EXPECT_EQ(refusal([](models::Frame& f) { f.primitives[4].tile_x0 = 2; }),
              "/primitives/tile_x0: row 4: the bounding box is inside out");
    EXPECT_EQ(refusal([](models::Frame& f) { f.quads[6].coverage = 16; }),
              "/quads/coverage: row 6: names more than four lanes");
    EXPECT_EQ(refusal([](models::Frame& f) { f.quads[6].coverage = 1, f.quads[6].early_pass = 2; }),
              "/quads/early_pass: row 6: has lanes outside the coverage");
    EXPECT_EQ(refusal([](models::Frame& f) { f.quads[6].written = 15 & ~f.quads[6].early_pass; }),
              "/quads/written: row 6: has lanes that failed the early test");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FrameTraceFile, OtherFilesAndVersionsAreNamed) {
    const TemporaryFolder folder;
    write_all(folder / "text", "hello");
    EXPECT_FALSE(io::FrameTraceFile::recognises(folder / "text"));
    EXPECT_THAT(message_of<engine::InputError>([&] { load_everything(folder / "text"); }),
                testing::HasSubstr("byte 0: not a file of Tessera frame traces"));
    write_all(folder / "new", "TESSERA FRAME TRACE 7\ncontent 0 xxh3-128 0\n");
    EXPECT_THAT(message_of<engine::InputError>([&] { load_everything(folder / "new"); }),
                testing::HasSubstr("frame traces, version 7; this program reads version 5"));
    write_all(folder / "old", "TESSERA FRAME TRACE 3\ncontent 0 xxh3-128 0\n");
    EXPECT_EQ(message_of<engine::InputError>([&] { load_everything(folder / "old"); }),
              (folder / "old").string() +
                  ": frame traces, version 3; this program reads version 5; make the file anew: "
                  "tessera trace RECORDING --output FILE");
    EXPECT_THROW(load_everything(folder / "absent"), engine::IoError);
}

TEST(FrameTraceFile, ADiskFullAtAnyMomentIsAnIoErrorAndLeavesNothing) {
    const std::vector<models::Frame> frames = sample_frames(4);
    const auto write = [&](const std::filesystem::path& path) {
        io::FrameTraceWriter writer(path, origin);
        for (const models::Frame& frame : frames) writer.append(frame, std::string(20000, 'x'));
        writer.finish(SampleTrace::programs());
    };
    int failures = 0;
    bool fits = false;
    for (std::size_t kibibytes = 16; !fits; kibibytes += 16) {
        const tests::SmallFileSystem disk(kibibytes * 1024);
        if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
        const std::string message = message_of<engine::IoError>([&] { write(disk / "t.h5"); });
        fits = message == "no error";
        if (fits) continue;
        EXPECT_THAT(message, testing::HasSubstr("No space left on device")) << kibibytes;
        EXPECT_TRUE(std::filesystem::is_empty(disk.path())) << kibibytes;
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

}  // namespace
