#include "experiments/tessera/planning.h"

#include <gtest/gtest.h>

namespace {

TEST(Planning, GroupsChannelsByTheirPortsAndPutsTheLeastLookaheadFirst) {
    const auto groups = experiments::group_channels({{"core[0].reads[1]", "slice[1].reads[0]", 7, 4},
                                                     {"raster.ready", "core[2].ready", 4, 6},
                                                     {"core[1].reads[0]", "slice[0].reads[1]", 7, 4},
                                                     {"core[1].reads[1]", "slice[1].reads[1]", 8, 3}});
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].from + " " + groups[0].to, "raster.ready core.ready");
    EXPECT_EQ(groups[0].lookahead(), 10);
    EXPECT_EQ(groups[1].from + " " + groups[1].to, "core.reads slice.reads");
    EXPECT_EQ(groups[1].channels, 2U);
    EXPECT_EQ(groups[2].latency, 8);
}

TEST(Planning, SharesAreOfAllWorkAndOfTheCriticalPath) {
    engine::Graph graph;
    graph.processes = {{"raster", "raster", 1}, {"core[0]", "core", 1}, {"core[1]", "core", 1}};
    partitions::Work work;
    work.windows = {{0, 0}};
    work.entries = {{0, 1, 0}, {1, 2, 0}, {2, 4, 0}};
    work.per_window = 1;  // the kernel's
    const auto kinds = experiments::kind_shares(graph, work, {5, {1, 0, 4}});
    ASSERT_EQ(kinds.size(), 2U);
    EXPECT_EQ(kinds[0].kind, "core");
    EXPECT_EQ(kinds[0].processes, 2U);
    EXPECT_DOUBLE_EQ(kinds[0].share, 6.0 / 8);
    EXPECT_EQ(kinds[0].largest, "core[1]");
    EXPECT_DOUBLE_EQ(kinds[0].largest_share, 4.0 / 8);
    EXPECT_DOUBLE_EQ(kinds[0].path_share, 4.0 / 5);
    EXPECT_DOUBLE_EQ(kinds[1].share, 1.0 / 8);
    EXPECT_DOUBLE_EQ(kinds[1].path_share, 1.0 / 5);
}

}  // namespace
