#include "models/memory/address_regions.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(AddressRegions, AreMovedInTheOrderInWhichTheyAreMet) {
    AddressRegions regions(1 << 20);
    const Address far = Address{0x7fff12345} << 20U;
    EXPECT_EQ(regions.moved(far + 5), 5U);
    EXPECT_EQ(regions.moved(7), (1U << 20) + 7);
    EXPECT_EQ(regions.moved(far + 9), 9U);
    EXPECT_EQ(regions.moved(~Address{0}), (3U << 20) - 1);
    EXPECT_EQ(regions.moved(0), 1U << 20);
}

TEST(AddressRegions, HaveRoomBelowTheLastLine) {
    AddressRegions regions(Address{1} << 35U);
    EXPECT_EQ(regions.most(), 3U);
    for (Address i = 9; i > 6; --i) EXPECT_EQ(regions.moved(i << 35U), (9 - i) << 35U);
    EXPECT_EQ(regions.moved(Address{1} << 35U), std::nullopt);
    EXPECT_EQ(regions.moved(1), std::nullopt);
    EXPECT_EQ(regions.moved(Address{7} << 35U), Address{2} << 35U);
}

}  // namespace
}  // namespace models
