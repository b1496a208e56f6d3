#include "io/frame_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace {

using models::functional::StreamWriter;

constexpr std::uint32_t window = 0x80;

TEST(PicturesLeftOut, AreFoundByTheFrameThatTheyComeBefore) {
    const auto skipped = static_cast<std::uint8_t>(io::RecordKind::skipped);
    StreamWriter writer;
    writer.resource(1, 2, 1, window, 4, 2);
    std::vector<std::uint64_t> ends{writer.bytes().size()};
    writer.record(skipped, {}).submit({});
    ends.push_back(writer.bytes().size());
    writer.record(skipped, {}).submit({}).end_frame(1, 4, 2, {}).end_frame(1, 4, 2, {}).submit({});
    ends.push_back(writer.bytes().size());
    writer.record(skipped, {}).end_frame(1, 4, 2, {});
    EXPECT_THAT(io::pictures_left_out(writer.bytes()),
                testing::ElementsAre(testing::Pair(0U, testing::ElementsAre(ends[0], ends[1])),
                                     testing::Pair(2U, testing::ElementsAre(ends[2]))));
}

TEST(PicturesLeftOut, AreNoneWhereNoneIsMarked) {
    StreamWriter writer;
    writer.resource(1, 2, 1, window, 4, 2).end_frame(1, 4, 2, {});
    EXPECT_TRUE(io::pictures_left_out(writer.bytes()).empty());
    EXPECT_TRUE(io::work_starts(writer.bytes()).empty());
}

TEST(WorkStarts, AreBehindTheLastPictureLeftOutAndBehindWhatACutFilled) {
    const auto skipped = static_cast<std::uint8_t>(io::RecordKind::skipped);
    const auto filled = static_cast<std::uint8_t>(io::RecordKind::filled);
    StreamWriter writer;
    writer.resource(1, 2, 1, window, 4, 2).submit({});
    const std::uint64_t first = writer.bytes().size();
    writer.record(filled, {}).end_frame(1, 4, 2, {}).end_frame(1, 4, 2, {}).record(skipped, {}).submit({});
    const std::uint64_t third = writer.bytes().size();
    writer.record(skipped, {}).end_frame(1, 4, 2, {});
    EXPECT_THAT(io::work_starts(writer.bytes()),
                testing::ElementsAre(testing::Pair(0U, first), testing::Pair(2U, third)));
    EXPECT_THAT(io::pictures_left_out(writer.bytes()), testing::ElementsAre(testing::Pair(2U, testing::SizeIs(2))))
        << "what is filled is no picture";
}

}  // namespace
