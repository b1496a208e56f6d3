#include "partitions/partitions.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace partitions {
namespace {

using engine::ConfigError;
using engine::Graph;
using engine::Plan;
using testing::ElementsAre;
using testing::HasSubstr;

// geometry, raster, 32 fragment processors, 8 L2 slices and 2 DRAM channels, weighted as they cost.
Graph gpu() {
    Graph graph;
    const auto add = [&](const std::string& kind, int count, double cost) {
        for (int i = 0; i < count; ++i) graph.processes.push_back({kind + "[" + std::to_string(i) + "]", kind, cost});
    };
    add("geometry", 1, 0.5);
    add("raster", 1, 1);
    add("cluster", 32, 1);
    add("l2_slice", 8, 0.3);
    add("dram_channel", 2, 0.3);
    return graph;
}

Graph equal(int count) {
    Graph graph;
    for (int i = 0; i < count; ++i) graph.processes.push_back({"core[" + std::to_string(i) + "]", "core", 1});
    return graph;
}

std::string error_of(std::string_view name, int ranks, int threads, std::vector<Assignment> manual = {}) {
    try {
        make_plan(name, equal(4), ranks, threads, manual);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

TEST(Partitions, SinglePutsEverythingOnWorkerZero) {
    EXPECT_THAT(make_plan("single", equal(3), 2, 2).worker, ElementsAre(0, 0, 0));
}

TEST(Partitions, BlockGivesConsecutiveProcessesToOneWorker) {
    EXPECT_THAT(make_plan("block", equal(6), 1, 3).worker, ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST(Partitions, BlockOfFewerProcessesThanWorkersLeavesWorkersEmpty) {
    const Plan plan = make_plan("block", equal(2), 2, 2);
    EXPECT_THAT(plan.worker, ElementsAre(1, 3));
}

TEST(Partitions, BlockBalancesCostWithinOneProcess) {
    const Graph graph = gpu();
    double total = 0;
    for (const Graph::Process& process : graph.processes) total += process.cost;
    for (const int workers : {1, 2, 3, 4, 7, 16}) {
        const Plan plan = make_plan("block", graph, 1, workers);
        std::vector<double> load(static_cast<std::size_t>(workers));
        for (std::size_t i = 0; i < plan.worker.size(); ++i)
            load[static_cast<std::size_t>(plan.worker[i])] += graph.processes[i].cost;
        EXPECT_LE(*std::max_element(load.begin(), load.end()), total / workers + 1) << workers << " workers";
        EXPECT_TRUE(std::is_sorted(plan.worker.begin(), plan.worker.end())) << workers << " workers";
    }
}

TEST(Partitions, BlockOfProcessesWithoutCostIsStillAPlan) {
    Graph graph = equal(3);
    for (Graph::Process& process : graph.processes) process.cost = 0;
    EXPECT_THAT(make_plan("block", graph, 1, 2).worker, ElementsAre(0, 0, 0));
}

TEST(Partitions, RoundRobinDealsProcessesToRanksAndThreads) {
    const Plan plan = make_plan("round_robin", equal(5), 2, 2);
    EXPECT_THAT(plan.worker, ElementsAre(0, 1, 2, 3, 0));
    EXPECT_EQ(plan.ranks, 2);
    EXPECT_EQ(plan.threads, 2);
}

TEST(Partitions, TheFirstManualLineThatFitsCounts) {
    const std::vector<Assignment> lines = {{"core[2]", 1}, {"core[*]", 0}};
    EXPECT_THAT(make_plan("manual", equal(4), 1, 2, lines).worker, ElementsAre(0, 0, 1, 0));
}

TEST(Partitions, AStarStandsForAnyText) {
    const std::vector<Assignment> lines = {{"*[1*]", 1}, {"*", 0}};
    EXPECT_THAT(make_plan("manual", equal(12), 1, 2, lines).worker, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1));
}

TEST(Partitions, EveryNameMakesAPlanForEveryProcess) {
    for (const std::string& name : names()) {
        const Plan plan = make_plan(name, gpu(), 2, 3);
        EXPECT_EQ(plan.worker.size(), gpu().processes.size()) << name;
        for (const int worker : plan.worker) EXPECT_TRUE(worker >= 0 && worker < 6) << name;
    }
    EXPECT_THAT(names(), testing::Contains(std::string(default_partition)));
}

TEST(Partitions, ThoseThatUseCostsMakeAnotherPlanOfOtherCosts) {
    Graph heavy = gpu();
    for (std::size_t i = 2; i < 6; ++i) heavy.processes[i].cost = 20;
    for (const std::string& name : names()) {
        const bool differs = make_plan(name, gpu(), 1, 4).worker != make_plan(name, heavy, 1, 4).worker;
        EXPECT_EQ(differs, uses_costs(name)) << name;
    }
    EXPECT_FALSE(uses_costs("blok"));
}

TEST(Partitions, AnUnknownNameIsRefusedWithTheListAndASuggestion) {
    EXPECT_EQ(error_of("blok", 1, 1),
              "partition: expected one of single block round_robin balanced, found \"blok\"; did you mean \"block\"?");
}

TEST(Partitions, WorkersMustExist) {
    EXPECT_EQ(error_of("block", 0, 1), "expected at least 1 rank and 1 thread, found 0 and 1");
    EXPECT_EQ(error_of("manual", 1, 2, {{"*", 2}}), "manual partition, \"*\": expected a worker from 0 to 1, found 2");
}

TEST(Partitions, AManualLineThatFitsNothingIsRefusedWithASuggestion) {
    EXPECT_EQ(error_of("manual", 1, 2, {{"cores[1]", 0}}),
              "manual partition: no process fits \"cores[1]\"; did you mean \"core[1]\"?");
}

TEST(Partitions, AManualListMustSpeakOfEveryProcess) {
    EXPECT_THAT(error_of("manual", 1, 2, {{"core[0]", 0}}), HasSubstr("no line fits process \"core[1]\""));
    EXPECT_THAT(error_of("manual", 1, 2), HasSubstr("no line fits process \"core[0]\""));
}

TEST(Partitions, AListForAnotherPartitionThanManualIsNotIgnored) {
    EXPECT_THAT(error_of("block", 1, 2, {{"*", 0}}), HasSubstr("needs the partition \"manual\""));
}

}  // namespace
}  // namespace partitions
