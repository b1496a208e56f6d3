#include "models/functional/virgl/frame_ends.h"

#include <gtest/gtest.h>

#include "tests/models/functional/virgl/stream_writer.h"

namespace models::functional {
namespace {

constexpr std::uint32_t window = 0x80, texture = 8, fence = 0x20000, storage = 0x4000;

std::size_t frames_in(const StreamWriter& writer) {
    return FrameEnds(writer.bytes()).all().size();
}

StreamWriter read_back(std::uint32_t bind, std::uint32_t width, std::uint32_t waited_for) {
    StreamWriter writer;
    writer.resource(1, 2, 1, bind, 4, 2);
    writer.message(VtestCommand::transfer_get, {1, 0, 16, 0, 0, 0, 0, width, 2, 1, 32});
    return writer.message(VtestCommand::resource_busy_wait, {waited_for, 1});
}

TEST(FrameEnds, AFrameEndsWhereAWholeWindowIsReadAndWaitedFor) {
    EXPECT_EQ(frames_in(read_back(window, 4, 1)), 1U);
    EXPECT_EQ(frames_in(read_back(0x40000, 4, 1)), 1U);
    const FrameEnd end = FrameEnds(read_back(window, 4, 1).bytes()).all().at(0);
    EXPECT_TRUE(end.has_picture());
    EXPECT_EQ(end.width, 4U);
    EXPECT_EQ(end.height, 2U);
}

TEST(FrameEnds, OtherReadsAndWaitsEndNone) {
    EXPECT_EQ(frames_in(read_back(texture, 4, 1)), 0U) << "not a window";
    EXPECT_EQ(frames_in(read_back(window, 3, 1)), 0U) << "a part of it";
    EXPECT_EQ(frames_in(read_back(window, 4, 2)), 0U) << "another one is waited for";
}

TEST(FrameEnds, AMessageBetweenReadAndWaitIsNoSwap) {
    StreamWriter writer;
    writer.resource(1, 2, 1, window, 4, 2);
    writer.message(VtestCommand::transfer_get, {1, 0, 16, 0, 0, 0, 0, 4, 2, 1, 32});
    writer.submit({}).message(VtestCommand::resource_busy_wait, {1, 1});
    EXPECT_EQ(frames_in(writer), 0U);
}

class Computation : public StreamWriter {
  public:
    Computation() { resource(7, 0, 64, storage, 32, 1); }
    void launch() { submit(Commands().add(VirglCommand::launch_grid, {1, 1, 1, 1, 1, 1, 0, 0})); }
    // Returns the offset of the last message's payload.
    std::uint64_t read() {
        message(VtestCommand::resource_busy_wait, {7, 1});
        message(VtestCommand::transfer_get, {7, 0, 32, 0, 0, 0, 0, 32, 1, 1, 32});
        record(1, bytes_of(WordList(8, 0)));
        return last(VtestCommand::resource_busy_wait, {7, 1});
    }
    std::uint64_t finish() {
        resource(9, 0, 64, fence, 8, 1);
        return last(VtestCommand::resource_busy_wait, {9, 1});
    }

  private:
    std::uint64_t last(VtestCommand command, const WordList& words) {
        const std::uint64_t offset = bytes().size() + 5;
        message(command, words);
        return offset;
    }
};

std::vector<std::uint64_t> offsets(const StreamWriter& writer) {
    std::vector<std::uint64_t> found;
    const FrameEnds ends(writer.bytes());
    for (const FrameEnd& end : ends.all()) {
        EXPECT_FALSE(end.has_picture());
        EXPECT_EQ(ends.find(end.offset), &end);
        EXPECT_EQ(ends.find(end.offset + 1), nullptr);
        found.push_back(end.offset);
    }
    return found;
}

TEST(FrameEnds, WithoutAWindowAFrameEndsBehindTheLastReadBackBeforeTheNextLaunch) {
    Computation writer;
    writer.read();  // nothing was computed
    writer.launch();
    writer.launch();
    writer.read();
    writer.submit(Commands().add(VirglCommand::nop, {}));
    const std::uint64_t first = writer.read();
    writer.resource(8, 0, 64, storage, 32, 1);
    writer.launch();
    const std::uint64_t second = writer.read();
    EXPECT_EQ(offsets(writer), (std::vector{first, second}));
}

TEST(FrameEnds, WhatIsOnlyWaitedForEndsWithTheWait) {
    Computation writer;
    writer.finish();
    writer.launch();
    const std::uint64_t first = writer.finish();
    writer.launch();
    writer.finish();
    const std::uint64_t second = writer.read();
    writer.launch();  // nobody waits for it
    EXPECT_EQ(offsets(writer), (std::vector{first, second}));
}

TEST(FrameEnds, WithAWindowOnlyItsPicturesAreFrames) {
    Computation writer;
    writer.resource(1, 2, 1, window, 4, 2);
    writer.launch();
    writer.read();
    writer.launch();
    writer.end_frame(1, 4, 2, {});
    EXPECT_EQ(frames_in(writer), 1U);
}

}  // namespace
}  // namespace models::functional
