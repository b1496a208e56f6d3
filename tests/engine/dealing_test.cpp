#include "engine/dealing.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

// Processes that cost as much as each other, in a row, each connected with the next one in both directions.
struct Row {
    explicit Row(int processes, Time lookahead = 4) {
        for (int i = 0; i < processes; ++i) graph.processes.push_back({"process", "process", 1});
        for (int i = 0; i + 1 < processes; ++i) {
            graph.channels.push_back({i, i + 1, lookahead});
            graph.channels.push_back({i + 1, i, lookahead});
        }
        may_travel.resize(static_cast<std::size_t>(processes), true);
    }
    bool deal(const Loads& loads, std::vector<int>& owner) const {
        return deal_anew({graph, links, threads, may_travel}, loads, owner);
    }
    Graph graph;
    std::set<std::pair<int, int>> links = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}};
    int threads = 3;
    std::vector<bool> may_travel;
};

// Of workers with these loads, to which each of their processes contributes the same.
Loads loads_of(const std::vector<double>& workers, const std::vector<int>& owner) {
    Loads loads{workers, {}};
    for (const int worker : owner)
        loads.processes.push_back(workers[static_cast<std::size_t>(worker)] /
                                  static_cast<double>(std::count(owner.begin(), owner.end(), worker)));
    return loads;
}

TEST(DealingTimer, EvenLoadsAreLookedAtEverMoreRarely) {
    DealingTimer timer(1);
    EXPECT_FALSE(timer.is_due(0.5));
    double now = 1, last = 0;
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(timer.is_due(now));
        timer.looked(now, Verdict::even, 0);
        const double before = now;
        while (!timer.is_due(now)) now += 0.25;
        EXPECT_GE(now - before, last);
        last = now - before;
    }
    EXPECT_EQ(last, 8);
    timer.looked(now, Verdict::dealt, 0);  // something changes: it may not have been enough
    EXPECT_TRUE(timer.is_due(now + 1));
}

TEST(DealingTimer, WhatHelpsForAMomentOnlyIsNotDoneForEver) {
    DealingTimer timer(1);
    int deals = 0;
    for (int quarter = 0; quarter < 4000; ++quarter) {
        if (!timer.is_due(quarter / 4.0)) continue;
        timer.looked(quarter / 4.0, Verdict::dealt, 0);
        ++deals;
    }
    EXPECT_LT(deals, 20);
    EXPECT_GT(deals, 8);
}

TEST(DealingTimer, LooksTakeAHundredthOfTheTimeAtMost) {
    for (const Verdict verdict : {Verdict::unknown, Verdict::even, Verdict::uneven, Verdict::dealt}) {
        DealingTimer timer(1e-3);
        timer.looked(1, verdict, 0.25);
        EXPECT_FALSE(timer.is_due(25.9));
        EXPECT_TRUE(timer.is_due(26.1));
    }
}

TEST(Judge, LoadsAreUnevenIfOneWorkerHasPlainlyMoreThanAllOnAverage) {
    const std::vector<int> owner = {0, 0, 1, 1};
    EXPECT_EQ(judge(loads_of({0.9, 0.5}, owner), owner), Verdict::uneven);
    EXPECT_EQ(judge(loads_of({0.5, 0.9}, owner), owner), Verdict::uneven);
    EXPECT_EQ(judge(loads_of({0.9, 0.85}, owner), owner), Verdict::even);
    EXPECT_EQ(judge(loads_of({0.2, 0.2}, owner), owner), Verdict::even);
}

TEST(Judge, AWorkerWithoutProcessesDoesNotCount) {
    const std::vector<int> owner = {0, 0, 3, 3};
    EXPECT_EQ(judge(loads_of({0.9, 0, 0, 0.9}, owner), owner), Verdict::even);
}

TEST(Judge, NothingIsKnownBeforeTheProcessesOfTheBusiestWorkerAre) {
    const std::vector<int> owner = {0, 0, 1, 1};
    EXPECT_EQ(judge({{0.9, 0.5}, {0, 0, 0.25, 0.25}}, owner), Verdict::unknown);
    EXPECT_EQ(judge({}, owner), Verdict::unknown);
    EXPECT_EQ(judge({{0.9, 0.5}, {0.45, 0.45}}, owner), Verdict::uneven);
}

TEST(DealAnew, TheBusiestWorkerGivesHalfTheDifferenceAway) {
    std::vector<int> owner = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
    EXPECT_TRUE(Row(10).deal(loads_of({0.8, 0.2}, owner), owner));
    EXPECT_THAT(owner, testing::ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1));
}

TEST(DealAnew, OfSeveralWorkersTheLeastBusyGetMost) {
    std::vector<int> owner(30, 0);
    owner[28] = 1;
    owner[29] = 2;
    EXPECT_TRUE(Row(30).deal(loads_of({0.9, 0.5, 0.1}, owner), owner));
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 1), 1);
    EXPECT_GT(std::count(owner.begin(), owner.end(), 2), 10);
}

TEST(DealAnew, ASlowerCoreKeepsLess) {  // its processes cost more
    std::vector<int> owner = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    EXPECT_TRUE(Row(16).deal(loads_of({1.0, 0.6}, owner), owner));
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 0), 7);
}

TEST(DealAnew, NothingChangesWhereNothingIsWon) {
    std::vector<int> owner = {0, 1, 1, 1};
    const std::vector<int> before = owner;
    EXPECT_FALSE(Row(4).deal(loads_of({0.9, 0.3}, owner), owner));  // one process, which cannot be cut
    owner = {0, 0, 1, 1};
    EXPECT_FALSE(Row(4).deal({{0.9, 0.7}, {0.88, 0.02, 0.35, 0.35}}, owner));
    EXPECT_FALSE(Row(4).deal(loads_of({0.9, 0.9}, owner), owner));
    EXPECT_THAT(owner, testing::ElementsAre(0, 0, 1, 1));
}

TEST(DealAnew, EveryWorkerKeepsAProcess) {
    std::vector<int> owner = {0, 0, 1};
    Row row(3);
    EXPECT_TRUE(row.deal({{1.0, 0.0}, {0.5, 0.5, 0}}, owner));
    EXPECT_THAT(owner, testing::ElementsAre(0, 1, 1));
    EXPECT_FALSE(row.deal({{1.0, 0.0}, {1.0, 0, 0}}, owner));
}

TEST(DealAnew, NoChannelLeadsWhereThereIsNoLink) {
    Row row(6);
    row.links = {{0, 1}, {1, 0}, {1, 2}, {2, 1}};  // what moves from 0 to 2 would speak from there to 0
    std::vector<int> owner = {0, 0, 0, 0, 1, 2};
    EXPECT_TRUE(row.deal(loads_of({0.8, 0.2, 0.1}, owner), owner));
    EXPECT_THAT(owner, testing::ElementsAre(0, 0, 0, 1, 1, 2));
}

TEST(DealAnew, NoLinkGetsALowerLookahead) {
    Row row(6);
    for (Graph::Channel& channel : row.graph.channels)
        if (channel.from + channel.to < 7) channel.lookahead = 2;
    std::vector<int> owner = {0, 0, 0, 0, 1, 1};  // the first four are close to each other
    EXPECT_FALSE(row.deal(loads_of({0.8, 0.2}, owner), owner));
    row.graph.channels.push_back({0, 5, 2});
    EXPECT_TRUE(row.deal(loads_of({0.8, 0.2}, owner), owner));
}

TEST(DealAnew, WhatCannotTravelStaysOnItsRank) {
    Row row(8);
    row.threads = 2;  // workers 0 and 1 are one rank
    row.may_travel.assign(8, false);
    std::vector<int> owner = {0, 0, 0, 0, 0, 0, 1, 2};
    EXPECT_TRUE(row.deal(loads_of({0.9, 0.5, 0.1}, owner), owner));
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 2), 1);
    EXPECT_GT(std::count(owner.begin(), owner.end(), 1), 1);
    row.may_travel.assign(8, true);
    owner = {0, 0, 0, 0, 0, 0, 1, 2};
    EXPECT_TRUE(row.deal(loads_of({0.9, 0.5, 0.1}, owner), owner));
    EXPECT_GT(std::count(owner.begin(), owner.end(), 2), 1);
}

TEST(DealAnew, AMemberOfABundleGoesWhereAnotherOneIs) {
    Row row(6);
    row.graph.channels.clear();
    row.graph.bundles.push_back({{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, 4});
    std::vector<int> owner = {0, 0, 0, 0, 1, 2};
    EXPECT_TRUE(row.deal(loads_of({0.9, 0.3, 0.1}, owner), owner));
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 1), 2);
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 2), 1);
}

}  // namespace
}  // namespace engine
