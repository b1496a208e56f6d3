#include "io/recording/recording.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/recording/recording_writer.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string record(std::uint8_t kind, const std::string& payload) {
    std::string text(1, static_cast<char>(kind));
    for (std::size_t i = 0; i < 4; ++i) text += static_cast<char>(payload.size() >> (8 * i));
    return text + payload;
}

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class Call>
std::string input_error_of(Call call) {
    try {
        call();
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "no engine::InputError";
}

std::vector<std::byte> noise(std::size_t size, unsigned seed) {
    std::mt19937 generator{seed};
    std::vector<std::byte> bytes(size);
    for (std::byte& value : bytes) value = static_cast<std::byte>(generator() & 255U);
    return bytes;
}

class Recording : public ScratchFolder {
  protected:
    std::filesystem::path small_compressed() const {
        auto path = folder() / "small.vtr.zst";
        io::RecordingWriter writer{path};
        for (unsigned frame = 0; frame < 3; ++frame) {
            writer.add(io::RecordKind::message, noise(150, frame));
            writer.add(io::RecordKind::reply, std::vector<std::byte>(5000));
            writer.end_frame();
        }
        writer.commit();
        return path;
    }
};

TEST_F(Recording, RecordsComeInOrderWithTheirOffsetsAndUnknownKindsAreSkipped) {
    const std::string stream = "VTR0" + record(0, "hello") + record(7, "future") + record(1, "") + record(0, "x");
    io::RecordingReader reader{bytes_of(stream)};
    io::Record found;
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.kind, io::RecordKind::message);
    EXPECT_EQ(found.offset, 4U);
    EXPECT_EQ(text_of(found.payload), "hello");
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.kind, io::RecordKind::reply);
    EXPECT_EQ(found.offset, 4U + 10 + 11);
    EXPECT_TRUE(found.payload.empty());
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.offset, 4U + 10 + 11 + 5);
    EXPECT_EQ(text_of(found.payload), "x");
    EXPECT_FALSE(reader.next(found));
}

TEST_F(Recording, APlainFileLoadsAsItIsUnderAnyName) {
    const std::string stream = "VTR0" + record(0, "hello") + record(9, "skipped");
    EXPECT_EQ(text_of(io::load_recording(write("plain.vtr.zst", stream))), stream);
}

TEST_F(Recording, EveryTruncationOfAPlainFileIsRefusedUnlessItFallsBetweenRecords) {
    const std::string stream = "VTR0" + record(0, "hello") + record(1, std::string(40, 'p')) + record(0, "end");
    const std::vector<std::size_t> boundaries{4, 14, 59};
    for (std::size_t size = 0; size < stream.size(); ++size) {
        const auto path = write("cut.vtr", stream.substr(0, size));
        if (std::count(boundaries.begin(), boundaries.end(), size) == 1)
            EXPECT_EQ(io::load_recording(path).size(), size);
        else
            EXPECT_THROW(io::load_recording(path), engine::InputError) << size;
    }
}

TEST_F(Recording, EveryTruncationOfACompressedFileIsRefusedUnlessItFallsBetweenPictures) {
    const auto whole = read(small_compressed());
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto path = write("cut.vtr.zst", std::span(whole).first(size));
        try {
            io::load_recording(path);
            ++accepted;
        } catch (const engine::InputError&) {
        }
    }
    EXPECT_EQ(accepted, 2U);  // after the first and after the second picture
}

TEST_F(Recording, TheTruncationMessageNamesOffsetExpectedAndFound) {
    const auto path = write("cut.vtr", "VTR0" + record(0, "hello") + record(0, "hello").substr(0, 7));
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }),
                HasSubstr("cut.vtr: truncated or damaged: the record at byte 14 needs 10 bytes, found 7"));
}

TEST_F(Recording, ALengthOfFourGibibytesIsRefusedWithoutAllocatingIt) {
    const auto path = write("huge.vtr", std::string("VTR0\0\xff\xff\xff\xff", 9));
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }), HasSubstr("needs 4294967300 bytes, found 5"));
}

TEST_F(Recording, EveryFlippedBitOfACompressedFileIsFoundOrHarmless) {
    const auto path = small_compressed();
    const auto whole = read(path);
    const auto stream = io::load_recording(path);
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3) {
        auto damaged = whole;
        damaged[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        const auto copy = write("flipped.vtr.zst", damaged);
        try {
            EXPECT_EQ(io::load_recording(copy), stream) << "bit " << bit;
        } catch (const engine::InputError&) {
        }
    }
}

TEST_F(Recording, FlippedBitsOfAPlainFileNeverReadBeyondItsEnd) {
    const std::string stream = "VTR0" + record(0, "hello") + record(1, std::string(40, 'p')) + record(0, "end");
    for (std::size_t bit = 0; bit < 8 * stream.size(); ++bit) {
        std::string damaged = stream;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        try {
            io::RecordingReader reader{bytes_of(damaged)};
            for (io::Record found; reader.next(found);)
                EXPECT_LE(found.offset + 5 + found.payload.size(), damaged.size());
        } catch (const engine::InputError&) {
        }
    }
}

TEST_F(Recording, OtherFilesAreRefusedByTheirFirstBytes) {
    const auto message = [&](const std::string& content) {
        return input_error_of([&] { io::load_recording(write("other", content)); });
    };
    EXPECT_THAT(message(""),
                HasSubstr("not a recording: expected \"VTR0\" or zstd data at byte 0, found an empty file"));
    EXPECT_THAT(message("\x89HDF\r\n"), HasSubstr("found 89 48 44 46 (an HDF5 file"));
    EXPECT_THAT(message("\x1f\x8b\x08"), HasSubstr("only zstd is understood"));
    EXPECT_THAT(message("VTR1...."), HasSubstr("found 56 54 52 31"));
    EXPECT_THAT(message("VT"), HasSubstr("found 56 54"));
}

TEST_F(Recording, CompressedDataOfSomethingElseIsNotARecording) {
    const auto path = write("text.zst", std::string("\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello", 14));  // "hello" raw
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }), HasSubstr("found 68 65 6c 6c"));
}

constexpr std::size_t checksum_record = 5 + 16;  // bytes at the end of every frame

TEST_F(Recording, MoreThanTheLimitIsRefused) {
    const auto path = folder() / "bomb.vtr.zst";
    io::RecordingWriter writer{path};
    writer.add(io::RecordKind::reply, std::vector<std::byte>(std::size_t{8} << 20));
    writer.end_frame();
    writer.commit();
    constexpr std::uint64_t size = (8 << 20) + 4 + 5 + checksum_record;
    EXPECT_EQ(io::load_recording(path, size).size(), size);
    EXPECT_THAT(input_error_of([&] { io::load_recording(path, size - 1); }),
                HasSubstr("holds more than " + std::to_string(size - 1) + " bytes"));
}

TEST_F(Recording, AFileThatIsNoneIsNotReadToItsEnd) {
    const auto path = write("film", std::string(100, '\0'));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // of holes
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }), HasSubstr("found 00 00 00 00"));
}

TEST_F(Recording, MoreThanAnyRecordingMayHoldIsRefusedByItsSize) {
    const auto path = write("long.vtr", "VTR0" + record(0, "hello"));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }), HasSubstr("holds more than"));
}

// A sound recording, 10,000 times as long as its file.
TEST_F(Recording, ZstdDataThatUnfoldsToMoreThanItsSizeJustifiesIsRefused) {
    const auto path = folder() / "bomb.vtr.zst";
    io::RecordingWriter writer{path};
    const std::vector<std::byte> zeros(std::size_t{1} << 20);
    for (int i = 0; i < 400; ++i) writer.add(io::RecordKind::reply, zeros);
    writer.end_frame();
    writer.commit();
    EXPECT_THAT(input_error_of([&] { io::load_recording(path); }),
                AllOf(HasSubstr("holds more than"), HasSubstr("if it is a recording, unpack it with zstd -d")));
}

TEST_F(Recording, NoMoreMemoryIsTakenThanTheStreamIsLong) {
    const auto path = folder() / "r.vtr.zst";
    io::RecordingWriter writer{path};
    for (int i = 0; i < 3; ++i) {
        writer.add(io::RecordKind::reply, std::vector<std::byte>(std::size_t{3} << 20));
        writer.end_frame();
    }
    writer.commit();
    const std::vector<std::byte> stream = io::load_recording(path);
    EXPECT_EQ(stream.capacity(), stream.size());
}

TEST_F(Recording, AStreamThatFillsTheDecodersBufferExactlyIsComplete) {
    const auto path = folder() / "exact.vtr.zst";
    io::RecordingWriter writer{path};
    writer.add(io::RecordKind::reply, noise((std::size_t{1} << 20) - 9 - checksum_record, 1));
    writer.end_frame();
    writer.commit();
    EXPECT_EQ(io::load_recording(path).size(), std::size_t{1} << 20);
}

TEST_F(Recording, AMissingFileOrAFolderIsAnErrorOfTheFileSystem) {
    EXPECT_THROW(io::load_recording(folder() / "absent"), engine::IoError);
    EXPECT_THROW(io::load_recording(folder()), engine::IoError);
}

TEST_F(Recording, TheSharedRecordingsLoad) {
    const char* named = std::getenv("TESSERA_SHARED");  // NOLINT(concurrency-mt-unsafe): nothing sets it
    const auto beside = std::filesystem::path{__FILE__}.parent_path() / "../../../../shared";
    const std::filesystem::path shared = named != nullptr ? std::filesystem::path{named} : beside;
    if (!std::filesystem::is_directory(shared / "recordings")) GTEST_SKIP() << "no recordings beside the tree";
    for (const auto& entry : std::filesystem::directory_iterator{shared / "recordings"}) {
        const auto stream = io::load_recording(entry.path());
        io::RecordingReader reader{stream};
        std::size_t records = 0;
        for (io::Record found; reader.next(found);) ++records;
        EXPECT_GT(records, 20U) << entry.path();
    }
}

}  // namespace
