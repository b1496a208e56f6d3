#include "models/functional/virgl/record_stream.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<Record> read_all(Bytes bytes) {
    RecordStream stream(bytes);
    std::vector<Record> records;
    for (Record record; stream.next(record);) records.push_back(record);
    return records;
}

TEST(RecordStream, GivesTheRecordsWithTheOffsetsOfTheirPayloads) {
    const StreamWriter writer = StreamWriter().record(0, bytes_of({1, 2})).record(1, bytes_of({3}));
    const std::vector<Record> records = read_all(writer.bytes());
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].kind, RecordKind::client_message);
    EXPECT_EQ(records[0].offset, 9U);
    EXPECT_EQ(records[0].payload.size(), 8U);
    EXPECT_EQ(records[1].kind, RecordKind::server_reply);
    EXPECT_EQ(records[1].offset, 22U);
}

TEST(RecordStream, SkipsKindsItDoesNotKnow) {
    const StreamWriter writer = StreamWriter().record(7, bytes_of({1})).record(1, bytes_of({2}));
    const std::vector<Record> records = read_all(writer.bytes());
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].kind, RecordKind::server_reply);
}

TEST(RecordStream, RefusesWhatDoesNotBeginWithTheMagic) {
    const std::vector<std::byte> wrong = bytes_of({0x31525456});
    EXPECT_THAT(error_of([&] { RecordStream stream(wrong); }), StartsWith("byte 0: not a recording"));
    EXPECT_THAT(error_of([] { RecordStream stream(Bytes{}); }), StartsWith("byte 0: not a recording"));
}

TEST(RecordStream, RefusesEveryTruncationInsideARecord) {
    const StreamWriter writer = StreamWriter().record(0, bytes_of({1, 2})).record(1, bytes_of({3}));
    for (std::size_t size = 4; size < writer.bytes().size(); ++size) {
        const bool between_records = size == 4 || size == 17;
        const std::string error = error_of([&] { read_all(writer.bytes().first(size)); });
        EXPECT_THAT(error, between_records ? HasSubstr("nothing") : HasSubstr("truncated")) << size;
    }
}

TEST(RecordStream, NamesATruncatedHeaderWithItsOffset) {
    const StreamWriter writer = StreamWriter().record(0, bytes_of({1, 2})).record(1, bytes_of({3}));
    EXPECT_THAT(error_of([&] { read_all(writer.bytes().first(20)); }),
                StartsWith("byte 17: truncated recording: expected a record's header of 5 bytes, found 3"));
}

TEST(RecordStream, RefusesALengthBeyondTheEnd) {
    std::vector<std::byte> stream = StreamWriter().record(0, bytes_of({1, 2})).stream();
    stream[5] = stream[6] = stream[7] = stream[8] = std::byte{0xff};
    EXPECT_THAT(error_of([&] { read_all(stream); }), StartsWith("byte 4: truncated recording: a record of 4294967295"));
}

TEST(Words, RefuseWhatLiesBeyondTheirEndWithOffsetAndName) {
    const std::vector<std::byte> bytes = bytes_of({5, word(1.5F)});
    const Words words(bytes, 100, "CLEAR");
    EXPECT_EQ(words[0], 5U);
    EXPECT_EQ(words.real(1), 1.5F);
    EXPECT_EQ(error_of([&] { (void)words[2]; }), "byte 100: CLEAR: expected at least 3 words, found 2");
    EXPECT_EQ(error_of([&] { (void)words.real64(1); }), "byte 100: CLEAR: expected at least 3 words, found 2");
    EXPECT_EQ(error_of([&] { (void)words.bytes_from(3); }), "byte 100: CLEAR: expected at least 3 words, found 2");
}

TEST(Locate, AddsThePlaceOnceOnly) {
    const auto fail = [] { throw engine::InputError("no such thing"); };
    EXPECT_EQ(error_of([&] { locate(7, "BLIT", fail); }), "byte 7: BLIT: no such thing");
    EXPECT_EQ(error_of([&] { locate(3, "SUBMIT_CMD", [&] { locate(7, "BLIT", fail); }); }),
              "byte 7: BLIT: no such thing");
}

}  // namespace
}  // namespace models::functional
