#include "models/structures/page_placement.h"

#include <vector>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(PagePlacement, LeavesPagesWhereTheyAreUnlessItIsDrawn) {
    const PagePlacement contiguous;
    EXPECT_EQ(contiguous.physical_page(12345), 12345U);
    EXPECT_EQ(contiguous.physical(0xffffffffU), 0xffffffffU);
}

TEST(PagePlacement, IsAPermutationOfAllPages) {
    for (const PageNumber pages : {2U, 3U, 256U, 1000U, 262144U, 99991U}) {
        const PagePlacement drawn(pages, 5);
        std::vector<bool> taken(pages);
        for (PageNumber page = 0; page < pages; ++page) {
            const PageNumber place = drawn.physical_page(page);
            ASSERT_LT(place, pages);
            ASSERT_FALSE(taken[place]) << page;
            taken[place] = true;
        }
    }
}

TEST(PagePlacement, KeepsBlocksOfAPageTogether) {
    const PagePlacement drawn(262144, 5);
    for (BlockNumber block = 640; block < 640 + page_blocks; ++block)
        EXPECT_EQ(drawn.physical(block), drawn.physical(640) + (block - 640));
}

// As if each bit of the place were a coin: neighbours lie apart, seeds differ, and hardly a page stays.
TEST(PagePlacement, LooksDrawn) {
    const PageNumber pages = 262144;
    const PagePlacement one(pages, 1), two(pages, 2);
    int neighbours = 0, same = 0, fixed = 0;
    std::vector<int> high(64), low(64);
    for (PageNumber page = 0; page < 65536; ++page) {
        const PageNumber place = one.physical_page(page);
        neighbours += place + 1 == one.physical_page(page + 1) ? 1 : 0;
        same += place == two.physical_page(page) ? 1 : 0;
        fixed += place == page ? 1 : 0;
        ++high[place >> 12U];
        ++low[place & 63U];
    }
    EXPECT_LE(neighbours, 5);
    EXPECT_LE(same, 5);
    EXPECT_LE(fixed, 5);
    for (const std::vector<int>& counts : {high, low})
        for (const int count : counts) EXPECT_NEAR(count, 1024, 200);  // more than six standard deviations
}

}  // namespace
}  // namespace models
