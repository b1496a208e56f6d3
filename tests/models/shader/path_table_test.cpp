#include "models/shader/path_table.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

TEST(PathTable, NumbersPathsInTheOrderInWhichTheyAreFirstMet) {
    PathTable table;
    const Path whole{{0, 9}}, skip{{0, 3}, {6, 3}};
    EXPECT_EQ(table.intern(whole), 0);
    EXPECT_EQ(table.intern(skip), 1);
    EXPECT_EQ(table.intern(whole), 0);
    EXPECT_EQ(table.intern(skip), 1);
    ASSERT_EQ(table.paths().size(), 2U);
    EXPECT_EQ(table.paths()[1], skip);
}

TEST(PathTable, TellsApartPathsWithTheSameInstructions) {
    PathTable table;
    EXPECT_EQ(table.intern({{0, 2}, {1, 1}}), 0);
    EXPECT_EQ(table.intern({{0, 2}, {1, 1}, {1, 1}}), 1);
    EXPECT_EQ(table.intern({}), 2);
}

TEST(PathTable, StartsAgainAfterClear) {
    PathTable table;
    table.intern({{0, 1}});
    table.clear();
    EXPECT_TRUE(table.paths().empty());
    EXPECT_EQ(table.intern({{5, 5}}), 0);
}

TEST(PathTable, RefusesMoreThan65536Paths) {
    PathTable table;
    for (int i = 0; i <= 0xffff; ++i) EXPECT_EQ(table.intern({{static_cast<std::uint16_t>(i), 1}}), i);
    EXPECT_EQ(table.intern({{7, 1}}), 7);
    EXPECT_THROW(table.intern({{0, 2}}), engine::InputError);
}

}  // namespace
}  // namespace models
