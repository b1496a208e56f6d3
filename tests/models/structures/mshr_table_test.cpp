#include "models/structures/mshr_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

TEST(MshrTable, ReturnsTheWaitersOfALineInTheOrderInWhichTheyCame) {
    MshrTable table(2, 3);
    const int a = table.allocate(100), b = table.allocate(200);
    EXPECT_TRUE(table.add_waiter(a, 7));
    EXPECT_TRUE(table.add_waiter(b, 8));
    EXPECT_TRUE(table.add_waiter(a, 5));
    EXPECT_THAT(table.release(a), ElementsAre(7, 5));
    EXPECT_THAT(table.release(b), ElementsAre(8));
    EXPECT_TRUE(table.empty());
}

TEST(MshrTable, RefusesMoreWaitersThanItHasPlacesFor) {
    MshrTable table(1, 2);
    const int entry = table.allocate(1);
    EXPECT_TRUE(table.add_waiter(entry, 1));
    EXPECT_TRUE(table.add_waiter(entry, 2));
    EXPECT_FALSE(table.add_waiter(entry, 3));
    EXPECT_THAT(table.release(entry), ElementsAre(1, 2));
}

TEST(MshrTable, IsFullWhenEveryEntryIsInUseAndCanBeUsedAgain) {
    MshrTable table(2, 1);
    const int first = table.allocate(10);
    EXPECT_FALSE(table.full());
    table.allocate(20);
    EXPECT_TRUE(table.full());
    EXPECT_EQ(table.find(10), first);
    EXPECT_EQ(table.block(first), 10U);
    table.release(first);
    EXPECT_EQ(table.find(10), -1);
    EXPECT_FALSE(table.full());
    table.allocate(30);
    EXPECT_GE(table.find(30), 0);
    EXPECT_EQ(table.used(), 2U);
}

}  // namespace
}  // namespace models
