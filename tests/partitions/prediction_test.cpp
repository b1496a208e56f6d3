#include "partitions/prediction.h"

#include <gtest/gtest.h>

namespace partitions {
namespace {

using engine::Graph;
using engine::Plan;
using engine::SyncCost;
using engine::Time;
using engine::WorkLog;

constexpr Time window_length = 10;
constexpr double us = 1e-6;

Graph processes(int count) {
    Graph graph;
    for (int i = 0; i < count; ++i) graph.processes.push_back({"p[" + std::to_string(i) + "]", "p", 1});
    return graph;
}

// Each of the processes works so long in every one of the windows.
Work steady(int windows, const std::vector<double>& seconds, double messages = 0) {
    Work work;
    for (int w = 0; w < windows; ++w) {
        work.windows.push_back({w, work.entries.size()});
        for (std::size_t i = 0; i < seconds.size(); ++i)
            work.entries.push_back({static_cast<int>(i), static_cast<float>(seconds[i]), static_cast<float>(messages)});
    }
    return work;
}

Plan one_each(int workers) {
    Plan plan{1, workers, {}};
    for (int i = 0; i < workers; ++i) plan.worker.push_back(i);
    return plan;
}

double predicted(const Work& work, const Graph& graph, int workers, const SyncCost& sync = {}) {
    return predicted_seconds(work, graph, window_length, one_each(workers), sync);
}

TEST(Prediction, OneWorkerTakesAllTheWork) {
    Work work = steady(1000, {us, 2 * us, 3 * us});
    work.per_window = us / 2;
    EXPECT_NEAR(work.total(), 6500 * us, us);
    EXPECT_NEAR(predicted_seconds(work, processes(3), window_length, {}, {us, us, us, us}), work.total(), us);
}

TEST(Prediction, WorkersThatDoNotSpeakAreAsManyTimesFaster) {
    const Work work = steady(1000, std::vector<double>(8, us));
    EXPECT_NEAR(work.total() / predicted(work, processes(8), 8, {.window = 5 * us}), 8, 1e-3);
}

TEST(Prediction, OneHeavyProcessIsTheBound) {
    const Work work = steady(1000, {10 * us, us, us, us});
    Graph graph = processes(4);
    for (int i = 0; i < 4; ++i) graph.channels.push_back({i, (i + 1) % 4, window_length, 1});
    EXPECT_NEAR(predicted(work, graph, 4), 10'000 * us, 20 * us);
    EXPECT_NEAR(conservative_bound(work, graph, window_length), 10'000 * us, 20 * us);
}

TEST(Prediction, WorkersThatWaitForEachOtherPayForEveryWindow) {
    const Work work = steady(1000, {us, us});
    Graph graph = processes(2);
    graph.channels = {{0, 1, window_length, 1}, {1, 0, window_length, 1}};
    EXPECT_NEAR(predicted(work, graph, 2, {.window = 3 * us}), (1000 + 999 * 3) * us, us / 10);
}

TEST(Prediction, ALookaheadOfSeveralWindowsIsPaidForOnceInSoMany) {
    const Work work = steady(1000, {us, us});
    Graph graph = processes(2);
    graph.channels = {{0, 1, 4 * window_length + 3, 1}, {1, 0, 4 * window_length, 1}};
    // Four windows of work, then the wait for what was sent in the first of them.
    EXPECT_NEAR(predicted(work, graph, 2, {.window = 7 * us}), (1000 + 249 * (7 - 3)) * us, 10 * us);
    EXPECT_NEAR(predicted(work, graph, 2, {.window = 3 * us}), 1000 * us, us / 10);
}

TEST(Prediction, WhoOnlyListensComesOnlyOnceLater) {
    const Work work = steady(1000, {us, us});
    Graph graph = processes(2);
    graph.channels = {{0, 1, window_length, 1}};
    EXPECT_NEAR(predicted(work, graph, 2, {.window = 3 * us}), (1000 + 3) * us, us / 10);
}

// A ring in which one process works at a time, and hands on to the next one.
TEST(Prediction, AChainOfEventsIsTheBound) {
    Work work;
    for (int w = 0; w < 900; ++w) {
        work.windows.push_back({w, work.entries.size()});
        work.entries.push_back({w % 3, static_cast<float>(us), 1});
    }
    Graph graph = processes(3);
    for (int i = 0; i < 3; ++i) graph.channels.push_back({i, (i + 1) % 3, window_length, 1});
    EXPECT_NEAR(conservative_bound(work, graph, window_length), 900 * us, us / 10);
    EXPECT_NEAR(predicted(work, graph, 3, {.window = 2 * us}), (900 + 899 * 2) * us, us / 10);
    EXPECT_NEAR(work.total() / predicted(work, graph, 3), 1, 1e-3);
}

TEST(Prediction, MessagesCostWhereTheyCrossAndByTheShareThatDoes) {
    const Work work = steady(1000, {us, us, us}, 4);
    Graph graph = processes(3);
    graph.channels = {
        {0, 1, 1000 * window_length, 3}, {1, 0, 1000 * window_length, 1}, {2, 0, 1000 * window_length, 3}};
    const SyncCost sync{.message = us / 10};
    const Plan plan{1, 2, {0, 0, 1}};  // three quarters of what process 0 receives cross
    EXPECT_NEAR(predicted_seconds(work, graph, window_length, plan, sync), 1000 * (2 + 4 * 0.75 * 0.1) * us, us);
}

TEST(Prediction, TheFirstMessageOfAWindowCostsMore) {
    Graph graph = processes(2);
    graph.channels = {{0, 1, 1000 * window_length, 1}, {1, 0, 1000 * window_length, 1}};
    const SyncCost sync{.batch = us / 4, .message = us / 10};
    EXPECT_NEAR(predicted(steady(1000, {us, us}, 3), graph, 2, sync), 1000 * (1 + 0.25 + 0.3) * us, us);
    EXPECT_NEAR(predicted(steady(1000, {us, us}, 0.5), graph, 2, sync), 1000 * (1 + 0.125 + 0.05) * us, us);
    EXPECT_NEAR(predicted(steady(1000, {us, us}), graph, 2, sync), 1000 * us, us);
}

TEST(Prediction, EveryLinkThatNobodyWaitsForCostsInEveryWindowWithWork) {
    const Work work = steady(1000, {us, us, us, us});
    Graph graph = processes(4);
    for (int i = 1; i < 4; ++i) graph.channels.push_back({i, 0, 4 * window_length, 1});
    EXPECT_NEAR(predicted(work, graph, 4, {.link = us / 4}), 1000 * (1 + 3 * 0.25) * us, us);
    EXPECT_NEAR(predicted(work, graph, 4, {.window = 2 * us, .link = us / 4}), 1000 * (1 + 3 * 0.25) * us, us);
}

TEST(Prediction, BookkeepingIsPaidByEveryWorkerWithWorkInAWindow) {
    Work work = steady(1000, {us, us});
    work.windows.push_back({1000, work.entries.size()});
    work.entries.push_back({0, static_cast<float>(us), 0});
    work.per_window = us / 2;
    EXPECT_NEAR(predicted(work, processes(2), 2), 1001 * 1.5 * us, us / 10);
}

TEST(Prediction, EmptyWindowsCostTheWayThroughThemUntilAllMeet) {
    Graph graph = processes(2);
    graph.channels = {{0, 1, window_length, 1}, {1, 0, window_length, 1}};
    const auto gap = [&](Time windows) {
        Work work;
        work.windows = {{0, 0}, {windows + 1, 1}};
        work.entries = {{0, static_cast<float>(us), 0}, {1, static_cast<float>(us), 0}};
        return predicted(work, graph, 2, {.window = 3 * us});
    };
    EXPECT_NEAR(gap(0), (2 + 3) * us, us / 10);
    EXPECT_NEAR(gap(4), (2 + 3 * 5) * us, us / 10);
    EXPECT_LT(gap(1'000'000'000), (2 + 3 * 4) * us);
}

// Two chains: 0 and 1 take turns, and 2 works by itself, a little less than they do together.
TEST(CriticalPath, IsTheLongestChainOfWorkThatNeedsTheOneBefore) {
    Work work;
    std::vector<WorkLog::Cause> causes;
    for (std::uint32_t w = 0; w < 100; ++w) {
        work.windows.push_back({w, work.entries.size()});
        work.entries.push_back({static_cast<int>(w % 2), static_cast<float>(2 * us), 1});
        work.entries.push_back({2, static_cast<float>(us), 0});
        if (w > 0) causes.push_back({2 * (w - 1), 2 * w});
    }
    const CriticalPath path = critical_path(work, causes, 3);
    EXPECT_NEAR(path.seconds, 200 * us, us / 10);
    EXPECT_NEAR(path.by_process.at(0), 100 * us, us / 10);
    EXPECT_NEAR(path.by_process.at(1), 100 * us, us / 10);
    EXPECT_EQ(path.by_process.at(2), 0);
    // Without the messages nobody waits for anybody.
    EXPECT_NEAR(critical_path(work, {}, 3).seconds, 100 * us, us / 10);
    // The last piece of work of the chain is needed by a long one.
    work.windows.push_back({100, work.entries.size()});
    work.entries.push_back({2, static_cast<float>(50 * us), 1});
    causes.push_back({198, 200});
    EXPECT_NEAR(critical_path(work, causes, 3).seconds, 250 * us, us / 10);
}

// A channel that carries nothing bounds only who waits for what could come.
TEST(CriticalPath, IsNoLongerThanTheConservativeBound) {
    const Work work = steady(1000, {2 * us, us, us});
    Graph graph = processes(3);
    for (int i = 0; i < 3; ++i) graph.channels.push_back({i, (i + 1) % 3, window_length, 1});
    std::vector<WorkLog::Cause> causes;
    for (std::uint32_t w = 1; w < 1000; ++w) causes.push_back({3 * (w - 1) + 1, 3 * w + 2});
    EXPECT_NEAR(critical_path(work, causes, 3).seconds, 2000 * us, us);
    EXPECT_GE(conservative_bound(work, graph, window_length), critical_path(work, causes, 3).seconds - us / 100);
}

TEST(Prediction, NothingIsPredictedOfNothing) {
    EXPECT_EQ(critical_path({}, {}, 2).seconds, 0);
    EXPECT_EQ(predicted({}, processes(2), 2), 0);
    EXPECT_EQ(conservative_bound({}, {}, window_length), 0);
}

// In units of nanoseconds; looking at the clock takes 5.
WorkLog log_of(const std::vector<std::uint32_t>& times) {
    WorkLog log;
    log.unit = 1e-9;
    log.overhead = 5e-9;
    for (const std::uint32_t time : times) {
        log.windows.push_back(
            {static_cast<Time>(log.windows.size()), static_cast<std::uint32_t>(log.entries.size()), 2, 45, 25});
        log.entries.push_back({0, time, 1});
        log.entries.push_back({1, 105, 3});
    }
    return log;
}

TEST(InSeconds, TakesAwayWhatMeasuringAdded) {
    const Work work = in_seconds(log_of({205, 205}));
    EXPECT_NEAR(work.per_window, 20e-9, 1e-12);  // 25 less one look
    ASSERT_EQ(work.entries.size(), 4U);
    EXPECT_NEAR(work.entries[0].seconds, (200 + 10) * 1e-9, 1e-12);  // 40 to collect four messages
    EXPECT_NEAR(work.entries[1].seconds, (100 + 30) * 1e-9, 1e-12);
    EXPECT_NEAR(work.total(), 2 * (200 + 100 + 40 + 20) * 1e-9, 1e-12);
}

TEST(InSeconds, WhatIsLongInTheLeastOfSeveralRunsIsWork) {
    const Work work = in_seconds(log_of({5'005, 3'000'005, 5'005}));
    EXPECT_NEAR(work.by_process(2).at(0), (3'010'000 + 30) * 1e-9, 1e-9);
    EXPECT_EQ(work.windows.at(2).first, 4U);
}

TEST(Work, IsScaledAsAWhole) {
    Work work = steady(1000, {us, 2 * us});
    work.per_window = us;
    work.scale_to(1000 * us);
    EXPECT_NEAR(work.total(), 1000 * us, us / 100);
    EXPECT_NEAR(work.per_window, us / 4, us / 1000);
    EXPECT_NEAR(work.by_process(2).at(1), 500 * us, us / 100);
    Work nothing;
    nothing.scale_to(0);
    EXPECT_EQ(nothing.total(), 0);
}

TEST(TakeLeast, ReplacesTimesThatWereDisturbed) {
    std::vector<std::uint32_t> times(300, 105), others(300, 105);
    times.at(5) = others.at(150) = 9'000;  // each is short in the other one
    times.at(6) = others.at(299) = 55;
    WorkLog log = log_of(times), other = log_of(others);
    log.windows.at(3).rest = 700;
    other.windows.at(3).rest = 10;
    log.windows.at(4).collect = 20;
    other.windows.at(4).collect = 700;
    take_least(log, other);
    std::vector<std::uint32_t> least(300, 105);
    least.at(6) = least.at(299) = 55;
    const WorkLog expected = log_of(least);
    ASSERT_EQ(log.entries.size(), expected.entries.size());
    for (std::size_t i = 0; i < log.entries.size(); ++i) EXPECT_EQ(log.entries[i].time, expected.entries[i].time);
    EXPECT_EQ(log.windows[3].rest, 10U);
    EXPECT_EQ(log.windows[4].collect, 20U);
}

}  // namespace
}  // namespace partitions
