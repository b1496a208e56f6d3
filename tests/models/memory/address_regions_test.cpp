#include "models/memory/address_regions.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(AddressRegions, StayWhereTheyAreBelow128GiB) {
    AddressRegions regions(1 << 20);
    for (const Address address : {Address{5}, Address{77} << 20U, (Address{100'000} << 20U) + 9, Address{3} << 20U})
        EXPECT_EQ(regions.moved(address), address);
}

TEST(AddressRegions, FarAwayKeepTheirDistances) {
    AddressRegions regions(1 << 20);
    const Address far = Address{0x7fff12345} << 20U, first = regions.moved(far).value();
    EXPECT_EQ(regions.moved(far + (Address{5} << 20U) + 7), first + (Address{5} << 20U) + 7);
    EXPECT_EQ(regions.moved(far + 9), first + 9);
}

TEST(AddressRegions, ThatMeetAreApart) {
    AddressRegions regions(1 << 20);
    const Address turn = Address{regions.most()} << 20U;
    EXPECT_EQ(regions.moved(7), 7U);
    EXPECT_EQ(regions.moved(turn + 7), (1U << 20) + 7);
    EXPECT_EQ(regions.moved(2 * turn + 7), (2U << 20) + 7);
    EXPECT_EQ(regions.moved((1U << 20) + 7), (3U << 20) + 7);
    EXPECT_EQ(regions.moved(8), 8U);
    EXPECT_EQ(regions.moved(turn), 1U << 20);
}

TEST(AddressRegions, HaveRoomBelowTheLastLine) {
    AddressRegions regions(Address{1} << 35U);
    EXPECT_EQ(regions.most(), 3U);
    for (Address i = 9; i > 6; --i) EXPECT_EQ(regions.moved(i << 35U), i % 3 << 35U);
    EXPECT_EQ(regions.moved(Address{1} << 35U), std::nullopt);
    EXPECT_EQ(regions.moved(1), std::nullopt);
    EXPECT_EQ(regions.moved(Address{7} << 35U), Address{1} << 35U);
}

}  // namespace
}  // namespace models
