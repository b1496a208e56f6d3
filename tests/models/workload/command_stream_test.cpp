#include "models/workload/command_stream.h"

#include <gtest/gtest.h>

#include "models/workload/pass_order.h"

namespace models {
namespace {

constexpr Address ring = Address{1} << 28U;
constexpr auto ring_blocks = static_cast<BlockNumber>(MemoryMap::command_ring_bytes / block_bytes);

// A frame of passes with so many draws.
class CommandStreamTest : public testing::Test {
  protected:
    void load(std::initializer_list<std::uint32_t> draws, std::uint32_t bytes) {
        Frame frame;
        for (const std::uint32_t count : draws) {
            Pass& pass = frame.passes.emplace_back();
            pass.first_draw = static_cast<std::uint32_t>(frame.draws.size());
            pass.draw_count = count;
            frame.draws.resize(frame.draws.size() + count);
        }
        PassOrder order;
        order.load(frame, {});
        Resolves resolves;
        resolves.load(frame, order, false);
        stream.load(frame, resolves, ring, bytes);
    }
    CommandStream stream;
};

TEST_F(CommandStreamTest, HasTheBytesOfEveryDrawOneBehindTheOther) {
    load({2, 0, 3}, 96);  // 480 bytes
    EXPECT_EQ(stream.lines(), 8U);
    EXPECT_EQ(stream.lines_of(1), 2U);
    EXPECT_EQ(stream.whole_lines_of(1), 1U);
    EXPECT_EQ(stream.lines_of(2), 3U);
    EXPECT_EQ(stream.whole_lines_of(2), 3U);
    EXPECT_EQ(stream.block(0), ring / block_bytes);
    EXPECT_EQ(stream.block(7), ring / block_bytes + 7);
}

TEST_F(CommandStreamTest, SaysWithWhoseCommandsALineBegins) {
    load({2, 3}, 96);
    EXPECT_EQ(stream.draw_of(0), 0U);
    EXPECT_EQ(stream.draw_of(1), 0U);  // byte 64
    EXPECT_EQ(stream.draw_of(2), 1U);  // byte 128
    EXPECT_EQ(stream.draw_of(7), 4U);  // byte 448
}

TEST_F(CommandStreamTest, IsWrittenByTheDriverLineByLine) {
    load({4}, 64);
    ASSERT_EQ(stream.runs().size(), 1U);
    EXPECT_EQ(stream.runs()[0].first, ring / block_bytes);
    EXPECT_EQ(stream.runs()[0].count, 4U);
}

TEST_F(CommandStreamTest, GoesOnAtTheStartOfTheRingWhenThatIsFull) {
    load({2 * ring_blocks / 128 + 1}, 8192);
    EXPECT_EQ(stream.lines(), 2 * ring_blocks + 128);
    EXPECT_EQ(stream.block(ring_blocks), stream.block(0));
    ASSERT_EQ(stream.runs().size(), 3U);
    EXPECT_EQ(stream.runs()[1].count, ring_blocks);
    EXPECT_EQ(stream.runs()[2].count, 128U);
}

TEST_F(CommandStreamTest, IsEmptyWhereCommandsHaveNoBytesOrNothingIsDrawn) {
    load({3}, 0);
    EXPECT_EQ(stream.lines(), 0U);
    EXPECT_TRUE(stream.runs().empty());
    load({}, 256);
    EXPECT_EQ(stream.lines(), 0U);
}

}  // namespace
}  // namespace models
