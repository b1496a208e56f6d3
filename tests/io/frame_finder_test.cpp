#include "io/frame_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace {

using models::functional::StreamWriter;
using models::functional::VtestCommand;

int frames_in(const StreamWriter& writer) {
    io::FrameFinder finder;
    models::functional::RecordStream records(writer.bytes());
    int frames = 0;
    for (models::functional::Record record; records.next(record);)
        if (record.kind == models::functional::RecordKind::client_message &&
            finder.ends_frame(models::functional::parse_message(record)))
            ++frames;
    return frames;
}

constexpr std::uint32_t window = 0x80, texture = 8;

StreamWriter read_back(std::uint32_t bind, std::uint32_t width, std::uint32_t waited_for) {
    StreamWriter writer;
    writer.resource(1, 2, 1, bind, 4, 2);
    writer.message(VtestCommand::transfer_get, {1, 0, 16, 0, 0, 0, 0, width, 2, 1, 32});
    return writer.message(VtestCommand::resource_busy_wait, {waited_for, 1});
}

TEST(FrameFinder, AFrameEndsWhereAWholeWindowIsReadAndWaitedFor) {
    EXPECT_EQ(frames_in(read_back(window, 4, 1)), 1);
    EXPECT_EQ(frames_in(read_back(0x40000, 4, 1)), 1);
}

TEST(FrameFinder, OtherReadsAndWaitsEndNone) {
    EXPECT_EQ(frames_in(read_back(texture, 4, 1)), 0) << "not a window";
    EXPECT_EQ(frames_in(read_back(window, 3, 1)), 0) << "a part of it";
    EXPECT_EQ(frames_in(read_back(window, 4, 2)), 0) << "another one is waited for";
}

TEST(FrameFinder, AMessageBetweenReadAndWaitIsNoSwap) {
    StreamWriter writer;
    writer.resource(1, 2, 1, window, 4, 2);
    writer.message(VtestCommand::transfer_get, {1, 0, 16, 0, 0, 0, 0, 4, 2, 1, 32});
    writer.submit({}).message(VtestCommand::resource_busy_wait, {1, 1});
    EXPECT_EQ(frames_in(writer), 0);
}

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
    EXPECT_TRUE(io::pictures_left_out(read_back(window, 4, 1).bytes()).empty());
}

}  // namespace
