#include "partitions/balanced.h"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace partitions {
namespace {

using engine::at;
using engine::Graph;
using testing::Each;

Graph of_costs(const std::vector<double>& costs) {
    Graph graph;
    for (const double cost : costs) {
        const std::string name = "p[" + std::to_string(graph.processes.size()) + "]";
        graph.processes.push_back({name, "p", cost});
    }
    return graph;
}

double largest_share(const Graph& graph, int workers) {
    return heaviest_share(graph, balance(graph, workers), workers) * workers;
}

TEST(Balanced, EqualCostsAreDealtEqually) {
    EXPECT_NEAR(largest_share(of_costs(std::vector<double>(64, 1)), 8), 1, 1e-9);
}

TEST(Balanced, UnequalCostsAreBalancedAsFarAsProcessesAllow) {
    std::vector<double> costs(60);
    for (int i = 0; i < 60; ++i) costs[at(i)] = 1 + i % 7;
    for (const int workers : {2, 3, 4, 6, 8}) EXPECT_LT(largest_share(of_costs(costs), workers), 1.05) << workers;
}

TEST(Balanced, OneHeavyProcessIsLeftAlone) {
    std::vector<double> costs(20, 1);
    costs[7] = 100;
    const std::vector<int> worker = balance(of_costs(costs), 4);
    EXPECT_EQ(std::count(worker.begin(), worker.end(), worker[7]), 1);
}

TEST(Balanced, EveryWorkerGetsItsShareOfEveryKind) {
    std::vector<double> costs(4, 3.7);   // DRAM channels
    costs.insert(costs.end(), 32, 2.1);  // cores
    costs.insert(costs.end(), 8, 0.9);   // slices
    const std::vector<int> worker = balance(of_costs(costs), 4);
    for (const auto& [first, count] : {std::pair{0, 4}, {4, 32}, {36, 8}})
        for (int w = 0; w < 4; ++w)
            EXPECT_EQ(std::count(worker.begin() + first, worker.begin() + first + count, w), count / 4);
}

TEST(Balanced, OfFewerProcessesThanWorkersEachIsAlone) {
    for (const int count : {1, 2, 5}) {
        const std::vector<int> worker = balance(of_costs(std::vector<double>(at(count), 1)), 6);
        EXPECT_EQ(std::set<int>(worker.begin(), worker.end()).size(), at(count));
        EXPECT_THAT(worker, Each(testing::AllOf(testing::Ge(0), testing::Lt(6))));
    }
    EXPECT_TRUE(balance({}, 6).empty());
}

TEST(Balanced, ProcessesWithoutCostsAreDealtByTheirNumber) {
    const std::vector<int> worker = balance(of_costs(std::vector<double>(32, 0)), 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(std::count(worker.begin(), worker.end(), i), 8);
}

TEST(Balanced, SomeProcessesWithoutCostsAreStillDealt) {
    std::vector<double> costs(40, 0);
    costs[0] = costs[1] = costs[2] = 1;
    const std::vector<int> worker = balance(of_costs(costs), 4);
    EXPECT_THAT(worker, Each(testing::AllOf(testing::Ge(0), testing::Lt(4))));
    EXPECT_EQ((std::set<int>{worker[0], worker[1], worker[2]}.size()), 3U);
}

TEST(Balanced, TheHeaviestShareIsThatOfTheWorkerWithTheMostToDo) {
    EXPECT_DOUBLE_EQ(heaviest_share(of_costs({1, 2, 3, 4}), {0, 1, 1, 2}, 4), 0.5);
    EXPECT_DOUBLE_EQ(heaviest_share(of_costs({0, 0}), {0, 1}, 2), 0);
}

}  // namespace
}  // namespace partitions
