#include "models/structures/mshr_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

MshrTable::Entry of_sectors(SectorMask sectors) {
    MshrTable::Entry entry;
    entry.sectors = sectors;
    return entry;
}

TEST(MshrTable, ReturnsTheWaitersOfALineInTheOrderInWhichTheyCame) {
    MshrTable table(2, 3);
    const int a = table.allocate(100, of_sectors(3)), b = table.allocate(200, of_sectors(3));
    EXPECT_TRUE(table.add_waiter(a, 7));
    EXPECT_TRUE(table.add_waiter(b, 8));
    EXPECT_TRUE(table.add_waiter(a, 5));
    EXPECT_THAT(table.arrive(a), ElementsAre(7, 5));
    EXPECT_THAT(table.arrive(b), ElementsAre(8));
    table.release(a);
    table.release(b);
    EXPECT_TRUE(table.empty());
}

TEST(MshrTable, RefusesMoreWaitersThanItHasPlacesFor) {
    MshrTable table(1, 2);
    const int entry = table.allocate(1, of_sectors(3));
    EXPECT_TRUE(table.add_waiter(entry, 1));
    EXPECT_TRUE(table.has_room_to_wait(entry));
    EXPECT_TRUE(table.add_waiter(entry, 2));
    EXPECT_FALSE(table.has_room_to_wait(entry));
    EXPECT_FALSE(table.add_waiter(entry, 3));
    EXPECT_THAT(table.arrive(entry), ElementsAre(1, 2));
}

TEST(MshrTable, IsFullWhenEveryEntryIsInUseAndCanBeUsedAgain) {
    MshrTable table(2, 1);
    const int first = table.allocate(10, of_sectors(3));
    EXPECT_FALSE(table.full());
    table.allocate(20, of_sectors(3));
    EXPECT_TRUE(table.full());
    EXPECT_EQ(table.find(10, 3), first);
    EXPECT_EQ(table.line(first), 10U);
    table.arrive(first);
    EXPECT_EQ(table.find(10, 3), first);  // holds the data
    EXPECT_TRUE(table.full());
    table.release(first);
    EXPECT_EQ(table.find(10, 3), -1);
    EXPECT_FALSE(table.full());
    table.allocate(30, of_sectors(3));
    EXPECT_GE(table.find(30, 3), 0);
    EXPECT_EQ(table.used(), 2U);
}

TEST(MshrTable, FindsTheEntryThatBringsAllSectors) {
    MshrTable table(4, 1);
    const int low = table.allocate(5, of_sectors(0b0001));
    const int high = table.allocate(5, of_sectors(0b1100));
    EXPECT_EQ(table.find(5, 0b0001), low);
    EXPECT_EQ(table.find(5, 0b0100), high);
    EXPECT_EQ(table.find(5, 0b0101), -1);
    EXPECT_EQ(table.find(5, 0b0010), -1);
}

}  // namespace
}  // namespace models
