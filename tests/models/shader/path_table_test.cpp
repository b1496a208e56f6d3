#include "models/shader/path_table.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

TEST(PathTable, NumbersPathsInTheOrderInWhichTheyAreFirstMet) {
    PathTable table(ShaderStage::fragment);
    const Path whole{{0, 9}}, skip{{0, 3}, {6, 3}};
    EXPECT_EQ(table.intern(whole), 0);
    EXPECT_EQ(table.intern(skip), 1);
    EXPECT_EQ(table.intern(whole), 0);
    EXPECT_EQ(table.intern(skip), 1);
    ASSERT_EQ(table.paths().size(), 2U);
    EXPECT_EQ(table.paths()[1], skip);
}

TEST(PathTable, TellsApartPathsWithTheSameInstructions) {
    PathTable table(ShaderStage::fragment);
    EXPECT_EQ(table.intern({{0, 2}, {1, 1}}), 0);
    EXPECT_EQ(table.intern({{0, 2}, {1, 1}, {1, 1}}), 1);
    EXPECT_EQ(table.intern({}), 2);
}

TEST(PathTable, TellsApartPathsThatOtherLanesTook) {
    PathTable table(ShaderStage::fragment);
    EXPECT_EQ(table.intern({{0, 2, 15}, {2, 3, 1}}), 0);
    EXPECT_EQ(table.intern({{0, 2, 15}, {2, 3, 2}}), 1);
    EXPECT_EQ(table.intern({{0, 2, 15}, {2, 3, 1}}), 0);
}

// Of 32768 paths the lanes are known. What comes then is one path for all lanes, joined where only lanes changed.
TEST(PathTable, ForgetsLanesWhenThereAreManyPaths) {
    PathTable table(ShaderStage::fragment);
    for (std::uint32_t i = 0; i < PathTable::exact_paths; ++i)
        table.intern({{static_cast<std::uint16_t>(i), 1, 1 + i % 15}});
    EXPECT_EQ(table.intern({{7, 1, 8}}), 7);
    const std::uint16_t joined = table.intern({{0, 2, 15}, {2, 3, 1}, {9, 1, 2}});
    EXPECT_EQ(joined, PathTable::exact_paths);
    EXPECT_EQ(table.intern({{0, 2, 15}, {2, 3, 6}, {9, 1, 4}}), joined);
    EXPECT_EQ(table.paths().back(), (Path{{0, 5, 15}, {9, 1, 15}}));
    EXPECT_EQ(with_all_lanes({{0, 1, 2}}, ShaderStage::compute), (Path{{0, 1, 0xffffffff}}));
    EXPECT_EQ(with_all_lanes({{0, 1, 1}}, ShaderStage::vertex), (Path{{0, 1, 1}}));
}

// A loop that every warp leaves at another time has few paths of many runs.
TEST(PathTable, ForgetsLanesWhenPathsHaveManyRuns) {
    constexpr std::size_t times = 4096;
    const auto around = [](std::uint32_t last_lanes) {
        Path path(times, {3, 5, 15});
        path.push_back({3, 5, last_lanes});
        return path;
    };
    PathTable table(ShaderStage::fragment);
    std::uint32_t exact = 0;
    while (table.runs() < PathTable::exact_runs) {
        Path path = around(1);
        path.front().first = static_cast<std::uint16_t>(10 + exact++);
        table.intern(path);
    }
    EXPECT_LT(exact, PathTable::exact_paths);
    const std::uint16_t joined = table.intern(around(1));
    EXPECT_EQ(joined, exact);
    EXPECT_EQ(table.intern(around(2)), joined);
    EXPECT_EQ(table.paths().back().back().lanes, 15U);
}

TEST(PathTable, RefusesMoreThan65536Paths) {
    PathTable table(ShaderStage::fragment);
    for (int i = 0; i <= 0xffff; ++i) EXPECT_EQ(table.intern({{static_cast<std::uint16_t>(i), 1, 15}}), i);
    EXPECT_EQ(table.intern({{7, 1, 15}}), 7);
    EXPECT_THROW(table.intern({{0, 2, 15}}), engine::InputError);
}

}  // namespace
}  // namespace models
