#include "partitions/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace partitions {
namespace {

using engine::Graph;
using testing::ElementsAre;
using testing::Pair;

Graph three() {
    Graph graph;
    for (const char* name : {"a", "b", "c"}) graph.processes.push_back({name, name, 1});
    return graph;
}

TEST(Cut, IsWhatLeadsFromOneWorkerToAnother) {
    Graph graph = three();
    graph.channels = {{0, 1, 4, 10}, {0, 2, 9, 2}, {1, 2, 7, 4}, {2, 0, 30, 1}};
    const Cut cut = cut_of(graph, {1, 2, {0, 0, 1}});
    EXPECT_THAT(cut.links, ElementsAre(Pair(Pair(0, 1), 7), Pair(Pair(1, 0), 30)));
    EXPECT_EQ(cut.lookahead, 7);
    EXPECT_EQ(cut.messages, 7);
    EXPECT_EQ(cut.all_messages, 17);
    EXPECT_THAT(cut.crossing, ElementsAre(1, 0, 1));
}

TEST(Cut, OfABundleDividesTheTrafficOfItsSenders) {
    Graph graph = three();
    graph.bundles = {{{0, 1}, {1, 2}, 5, {8, 2}}};
    const Cut cut = cut_of(graph, {1, 2, {0, 1, 1}});
    EXPECT_THAT(cut.links, ElementsAre(Pair(Pair(0, 1), 5)));
    EXPECT_EQ(cut.messages, 8);
    EXPECT_EQ(cut.all_messages, 10);
    EXPECT_THAT(cut.crossing, ElementsAre(0, 0.8, 0.8));
}

TEST(Cut, OfOneWorkerIsNothing) {
    Graph graph = three();
    graph.channels = {{0, 1, 4, 10}};
    const Cut cut = cut_of(graph, {});
    EXPECT_TRUE(cut.links.empty());
    EXPECT_EQ(cut.lookahead, engine::never);
    EXPECT_EQ(cut.messages, 0);
}

}  // namespace
}  // namespace partitions
