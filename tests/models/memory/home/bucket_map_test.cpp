#include "models/memory/home/bucket_map.h"

#include <set>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(BucketMap, KeepsTheBlocksOfAPageTogetherAndDealsPagesInTurn) {
    const BucketMap map(8, 32);  // paper 004, Table I
    for (BlockNumber block = 0; block < 5000; ++block) {
        EXPECT_EQ(map.bucket(block), block / 8 % 32);
        EXPECT_EQ(map.bucket(block), map.bucket(block + 8 * 32));
    }
}

// With the paper's numbers all blocks of a bucket lie in 8 of the 64 sets of a texture cache, if the lowest bits of
// their numbers choose the set: pages p, p + 32, p + 64 and so on. An owner of one bucket uses no more of its cache.
TEST(BucketMap, PutsABucketInFewSetsOfACacheThatTakesTheLowestBits) {
    const BucketMap map(8, 32);
    std::set<std::uint32_t> sets;
    for (BlockNumber block = 0; block < 1U << 16; ++block)
        if (map.bucket(block) == 5) sets.insert(block % 64);
    EXPECT_EQ(sets.size(), 8U);
}

TEST(BucketMap, OfOneBucketAndOfPagesOfOneBlock) {
    EXPECT_EQ(BucketMap(8, 1).bucket(12345), 0U);
    EXPECT_EQ(BucketMap(1, 7).bucket(12345), 12345U % 7);
    EXPECT_EQ(BucketMap(3, 5).bucket(0xfffffffe), 0xfffffffeU / 3 % 5);
}

}  // namespace
}  // namespace models
