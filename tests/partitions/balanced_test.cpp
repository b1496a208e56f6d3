#include "partitions/balanced.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace partitions {
namespace {

using engine::Graph;
using testing::Each;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

Graph of_costs(const std::vector<double>& costs) {
    Graph graph;
    for (const double cost : costs) {
        const std::string name = "p[" + std::to_string(graph.processes.size()) + "]";
        graph.processes.push_back({name, "p", cost});
    }
    return graph;
}

// Groups of processes that speak much with each other and little with the next group.
Graph groups(int count, int size, double inside, double between) {
    Graph graph = of_costs(std::vector<double>(at(count * size), 1));
    for (int i = 0; i < count * size; ++i)
        for (int j = 0; j < count * size; ++j)
            if (i != j && i % count == j % count) graph.channels.push_back({i, j, 4, inside});
    for (int i = 0; i < count; ++i) graph.channels.push_back({i, (i + 1) % count, 4, between});
    return graph;
}

std::vector<double> loads(const Graph& graph, const std::vector<int>& worker, int workers) {
    std::vector<double> loads(at(workers));
    for (std::size_t i = 0; i < worker.size(); ++i) loads.at(at(worker[i])) += graph.processes[i].cost;
    return loads;
}

double largest_share(const Graph& graph, int ranks, int threads) {
    const std::vector<double> load = loads(graph, balance(graph, ranks, threads), ranks * threads);
    return *std::max_element(load.begin(), load.end()) / std::accumulate(load.begin(), load.end(), 0.0) *
           static_cast<double>(load.size());
}

double weight_cut(const Graph& graph, const std::vector<int>& worker) {
    double sum = 0;
    for (const Edge& edge : edges_of(graph))
        if (worker[at(edge.a)] != worker[at(edge.b)]) sum += edge.weight;
    return sum;
}

TEST(Balanced, KeepsTogetherWhatSpeaksMuch) {
    const Graph graph = groups(4, 8, 100, 1);
    for (const auto& [ranks, threads] : {std::pair{1, 4}, {4, 1}, {2, 2}}) {
        const std::vector<int> worker = balance(graph, ranks, threads);
        for (int i = 0; i < 32; ++i) EXPECT_EQ(worker[at(i)], worker[at(i % 4)]) << ranks << " ranks, process " << i;
        EXPECT_EQ(std::set<int>(worker.begin(), worker.end()).size(), 4U);
    }
}

TEST(Balanced, CutsWhereTheLookaheadIsHigh) {
    // A ring of equal traffic that is to be cut twice, and there are two slow channels.
    Graph graph = of_costs(std::vector<double>(12, 1));
    for (int i = 0; i < 12; ++i) graph.channels.push_back({i, (i + 1) % 12, i % 6 == 2 ? 40 : 4, 10});
    const std::vector<int> worker = balance(graph, 1, 2);
    for (int i = 0; i < 12; ++i) EXPECT_EQ(worker[at(i)] != worker[at((i + 1) % 12)], i % 6 == 2) << i;
}

TEST(Balanced, RanksAreCutBeforeThreads) {
    // Two halves of two quarters each; to cut between quarters costs more than between halves.
    Graph graph = groups(4, 6, 100, 0);
    graph.channels.push_back({0, 1, 4, 20});
    graph.channels.push_back({2, 3, 4, 20});
    graph.channels.push_back({1, 2, 4, 1});
    const std::vector<int> worker = balance(graph, 2, 2);
    EXPECT_EQ(worker[0] / 2, worker[1] / 2);
    EXPECT_EQ(worker[2] / 2, worker[3] / 2);
    EXPECT_NE(worker[0] / 2, worker[2] / 2);
}

TEST(Balanced, EqualCostsAreDealtEqually) {
    EXPECT_NEAR(largest_share(groups(1, 64, 1, 0), 1, 8), 1, 1e-9);
    EXPECT_NEAR(largest_share(of_costs(std::vector<double>(64, 1)), 2, 4), 1, 1e-9);
}

TEST(Balanced, UnequalCostsAreBalancedAsFarAsProcessesAllow) {
    std::vector<double> costs(60);
    for (int i = 0; i < 60; ++i) costs[at(i)] = 1 + i % 7;
    Graph graph = of_costs(costs);
    for (int i = 0; i < 60; ++i) graph.channels.push_back({i, (i * 7 + 1) % 60, 4, 1});
    for (const int workers : {2, 3, 4, 8}) EXPECT_LT(largest_share(graph, 1, workers), 1.05) << workers;
    EXPECT_LT(largest_share(graph, 2, 3), 1.1);
}

TEST(Balanced, OneHeavyProcessIsLeftAlone) {
    std::vector<double> costs(20, 1);
    costs[7] = 100;
    Graph graph = of_costs(costs);
    for (int i = 0; i < 20; ++i)
        if (i != 7) graph.channels.push_back({7, i, 4, 50});
    const std::vector<int> worker = balance(graph, 1, 4);
    EXPECT_EQ(std::count(worker.begin(), worker.end(), worker[7]), 1);
}

TEST(Balanced, TheCutIsBetterThanThatOfAnyDeal) {
    const Graph graph = groups(6, 10, 5, 3);
    std::vector<int> dealt(60);
    for (int i = 0; i < 60; ++i) dealt[at(i)] = i / 20;
    EXPECT_LT(weight_cut(graph, balance(graph, 1, 3)), weight_cut(graph, dealt) / 3);
}

TEST(Balanced, OfFewerProcessesThanWorkersEachIsAlone) {
    for (const int count : {1, 2, 5}) {
        const std::vector<int> worker = balance(of_costs(std::vector<double>(at(count), 1)), 2, 3);
        EXPECT_EQ(std::set<int>(worker.begin(), worker.end()).size(), at(count));
        EXPECT_THAT(worker, Each(testing::AllOf(testing::Ge(0), testing::Lt(6))));
    }
    EXPECT_TRUE(balance({}, 2, 3).empty());
}

TEST(Balanced, ProcessesWithoutCostsAreDealtByTheirNumber) {
    Graph graph = groups(4, 8, 1, 1);
    for (Graph::Process& process : graph.processes) process.cost = 0;
    const std::vector<int> worker = balance(graph, 1, 4);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(std::count(worker.begin(), worker.end(), i)), 8, 1);
}

TEST(Balanced, SomeProcessesWithoutCostsAreStillDealt) {
    std::vector<double> costs(40, 0);
    costs[0] = costs[1] = costs[2] = 1;
    const std::vector<int> worker = balance(of_costs(costs), 2, 2);
    EXPECT_THAT(worker, Each(testing::AllOf(testing::Ge(0), testing::Lt(4))));
    EXPECT_EQ((std::set<int>{worker[0], worker[1], worker[2]}.size()), 3U);
}

TEST(Balanced, TheSameGraphGivesTheSamePlan) {
    const Graph graph = groups(5, 9, 3, 2);
    const std::vector<int> first = balance(graph, 2, 3);
    balance(groups(3, 30, 1, 1), 1, 7);  // METIS has random numbers of its own
    for (int i = 0; i < 3; ++i) EXPECT_EQ(balance(graph, 2, 3), first);
}

TEST(Balanced, ABundleIsChannelsBetweenAllItsPairs) {
    Graph graph = of_costs(std::vector<double>(4, 1));
    graph.bundles.push_back({{0, 1}, {2, 3}, 4, {30, 10}});
    const std::vector<Edge> edges = edges_of(graph);
    ASSERT_EQ(edges.size(), 4U);
    EXPECT_DOUBLE_EQ(edges[0].weight, 1.02);            // 0-2, the busiest
    EXPECT_DOUBLE_EQ(edges[2].weight, 1.0 / 3 + 0.02);  // 1-2
}

TEST(Balanced, ALargeBundleDoesNotBecomeAsManyEdgesAsPairs) {
    Graph graph = of_costs(std::vector<double>(3000, 1));
    std::vector<int> all(3000);
    std::iota(all.begin(), all.end(), 0);
    graph.bundles.push_back({all, all, 4, {}});
    EXPECT_LE(edges_of(graph).size(), 3000U * 16);
    EXPECT_LT(largest_share(graph, 2, 4), 1.04);
}

}  // namespace
}  // namespace partitions
