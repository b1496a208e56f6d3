#include "models/frame_trace/morton_squares.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

TEST(Morton, InterleavesXBelowY) {
    EXPECT_EQ(morton(0, 0), 0U);
    EXPECT_EQ(morton(1, 0), 1U);
    EXPECT_EQ(morton(0, 1), 2U);
    EXPECT_EQ(morton(3, 3), 15U);
    EXPECT_EQ(morton(5, 2), 0b011001U);
    EXPECT_EQ(morton(0xffff, 0), 0x55555555U);
}

TEST(MortonSquares, OfAPowerOfTwoIsOneSquareOrSquaresInARow) {
    const MortonSquares square(8, 8), row(16, 4);
    EXPECT_EQ(square.square_shift, 3U);
    EXPECT_EQ(square.count(), 64U);
    EXPECT_EQ(square.position(5, 2), morton(5, 2));
    EXPECT_EQ(row.square_shift, 2U);
    EXPECT_EQ(row.squares_x, 4U);
    EXPECT_EQ(row.count(), 64U);
    EXPECT_EQ(row.position(9, 3), 2 * 16 + morton(1, 3));
}

TEST(MortonSquares, TakesSmallerSquaresWherePaddingWouldAddMoreThanAQuarter) {
    EXPECT_EQ(MortonSquares(1, 1).count(), 1U);
    EXPECT_EQ(MortonSquares(7, 7).square_shift, 0U);    // 8x8 tiles instead of 49: by 31 %
    EXPECT_EQ(MortonSquares(15, 15).square_shift, 3U);  // 16x16 instead of 225: by 14 %
    EXPECT_EQ(MortonSquares(1000, 1).count(), 1000U);
}

RC_GTEST_PROP(MortonSquares, GivesEveryTileAPositionOfItsOwnAndAddsAQuarterAtMost, ()) {
    const auto tiles_x = *rc::gen::inRange<std::uint32_t>(1, 150), tiles_y = *rc::gen::inRange<std::uint32_t>(1, 150);
    const MortonSquares order(tiles_x, tiles_y);
    std::set<std::uint64_t> positions;
    for (std::uint32_t y = 0; y < tiles_y; ++y)
        for (std::uint32_t x = 0; x < tiles_x; ++x) positions.insert(order.position(x, y));
    const std::uint64_t tiles = std::uint64_t{tiles_x} * tiles_y;
    RC_ASSERT(positions.size() == tiles);
    RC_ASSERT(*positions.rbegin() < order.count());
    RC_ASSERT(order.count() * 4 <= tiles * 5);
}

}  // namespace
}  // namespace models
