// What a run says about its speed: never how fast it is, but whether the numbers belong together.

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ranks.h"
#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::Machine;

Plan dealt(std::size_t processes, int threads) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(processes); ++i) plan.worker.push_back(i % threads);
    return plan;
}

RunReport report_of(int threads, const RunOptions& options = {}) {
    Machine machine({});
    return machine.simulation.run(dealt(machine.simulation.processes().size(), threads), options);
}

TEST(RunReport, MessagesOfProcessesAndChannelsAreThoseOfTheRun) {
    for (const int threads : {1, 3}) {
        const RunReport report = report_of(threads);
        std::uint64_t consumed = 0;
        for (const Profile::Process& process : report.profile.processes) consumed += process.messages;
        EXPECT_EQ(consumed, report.messages);
        EXPECT_EQ(std::accumulate(report.profile.channels.begin(), report.profile.channels.end(), std::uint64_t{0}),
                  report.messages);
    }
}

TEST(RunReport, MessagesAreTheSameForAllPlansAndCountedFromTheBeginningOfARun) {
    const RunReport one = report_of(1), three = report_of(3);
    EXPECT_EQ(one.profile.channels, three.profile.channels);
    for (std::size_t i = 0; i < one.profile.processes.size(); ++i)
        EXPECT_EQ(one.profile.processes[i].messages, three.profile.processes[i].messages);
    Machine machine({});
    const RunReport first = machine.simulation.run({}), second = machine.simulation.run({});
    EXPECT_EQ(first.profile.channels, one.profile.channels);
    EXPECT_THAT(second.profile.channels, testing::Each(0));
}

TEST(RunReport, TheTimesOfAWorkerAddUpToThatOfTheRun) {
    for (const int threads : {1, 3})
        for (const WorkerReport& worker : report_of(threads, {.trial_seconds = -1, .measure_every = 5}).workers) {
            EXPECT_GT(worker.work, 0);
            EXPECT_GT(worker.messages, 0);
            EXPECT_GE(worker.wait, 0);
        }
    const RunReport report = report_of(1);
    const WorkerReport& worker = report.workers.at(0);
    EXPECT_LE(worker.work + worker.messages + worker.wait, report.seconds);
}

TEST(RunReport, AWorkerWithoutProcessesWaits) {
    const RunReport report = report_of(30);
    EXPECT_EQ(report.workers.size(), 30U);
    EXPECT_EQ(report.workers.back().work, 0);
    EXPECT_GT(report.workers.back().wait, 0);
}

TEST(RunReport, WhatWorkersHeldIsMarked) {
    const RunReport one = report_of(1), two = report_of(2, {.trial_seconds = -1});
    EXPECT_GE(one.workers[0].calendar_mark, 12U);
    EXPECT_EQ(one.workers[0].backlog_mark, 0U);
    EXPECT_GE(two.workers[1].backlog_mark, 1U);
    EXPECT_EQ(one.window_length, 3);
}

struct Beat {};
class Clockwork : public Clocked<Clockwork> {
  public:
    Clockwork(int index, bool runs) : Clocked("clockwork", index, 10) {
        if (runs) wake_at(0);
    }
    Time step() { return now() < 2000 ? now() + period() : never; }
    void on_beat(const Beat& /*beat*/) {}
    In<Beat> in{this, "in", handler<&Clockwork::on_beat>};
    Out<Beat> out{this, "out"};
};

TEST(RunReport, OnlyAProcessThatRunsCostsTime) {
    for (const int threads : {1, 2}) {
        Simulation simulation;
        auto& asleep = simulation.add<Clockwork>(0, false);
        auto& busy = simulation.add<Clockwork>(1, true);
        simulation.connect(asleep.out, busy.in, 10);
        simulation.connect(busy.out, asleep.in, 10);
        const RunReport report = simulation.run(dealt(2, threads), {.measure_every = 3});
        EXPECT_EQ(report.profile.processes[0].seconds, 0) << threads;
        EXPECT_GT(report.profile.processes[1].seconds, 0) << threads;
    }
}

TEST(RunReport, MeasuringChangesNoResult) {
    const auto digest = [](int threads, unsigned every) {
        Machine machine({});
        Timeline timeline(100);
        const Plan plan = dealt(machine.simulation.processes().size(), threads);
        return machine.digest(machine.simulation.run(plan, {.measure_every = every, .timeline = &timeline}));
    };
    const std::uint64_t expected = digest(1, 127);
    for (const unsigned every : {1U, 2U, 10U})
        for (const int threads : {1, 2}) EXPECT_EQ(digest(threads, every), expected) << every << " " << threads;
}

TEST(WorkLog, HoldsEveryWindowAndEveryProcessThatDidSomethingInIt) {
    WorkLog log;
    const RunReport report = report_of(1, {.measure_every = 1, .work_log = &log});
    EXPECT_EQ(log.windows.size(), report.windows);
    EXPECT_TRUE(std::is_sorted(log.windows.begin(), log.windows.end(),
                               [](const auto& a, const auto& b) { return a.number <= b.number; }));
    std::size_t entries = 0;
    std::uint64_t messages = 0;
    for (const WorkLog::Window& window : log.windows) {
        EXPECT_EQ(window.first, entries);
        EXPECT_GT(window.count, 0U);
        entries += window.count;
    }
    EXPECT_EQ(entries, log.entries.size());
    for (const WorkLog::Entry& entry : log.entries) messages += entry.messages;
    EXPECT_EQ(messages, report.messages);
    EXPECT_GT(log.unit, 0);
    EXPECT_GT(log.overhead, 0);
}

TEST(Timeline, SaysWhatEveryWorkerDidInOrder) {
    Timeline timeline(1'000'000);
    const RunReport report = report_of(2, {.trial_seconds = -1, .measure_every = 10, .timeline = &timeline});
    ASSERT_EQ(timeline.lanes.size(), 2U);
    const auto processes = static_cast<std::int32_t>(report.profile.processes.size());
    for (const Timeline::Lane& lane : timeline.lanes) {
        EXPECT_FALSE(lane.full);
        std::int64_t last = 0, windows = 0, advanced = 0;
        for (const Timeline::Slice& slice : lane.slices) {
            EXPECT_LE(slice.begin, slice.end);
            EXPECT_GE(slice.what, Timeline::unmeasured);
            EXPECT_LT(slice.what, processes);
            advanced += slice.what >= 0 ? 1 : 0;
            if (slice.what != Timeline::window) continue;
            EXPECT_GE(slice.begin, last);
            last = slice.end;
            ++windows;
        }
        EXPECT_GT(windows, 10);
        EXPECT_GE(advanced, windows);
    }
}

TEST(Timeline, EndsWhenItIsFullAndSaysSo) {
    Timeline timeline(25);
    for (int run = 0; run < 2; ++run) report_of(1, {.measure_every = 1, .timeline = &timeline});
    EXPECT_EQ(timeline.lanes.at(0).slices.size(), 25U);
    EXPECT_TRUE(timeline.lanes[0].full);
}

TEST(Timeline, OfOneRankIsThatOfAllRanks) {
    Timeline timeline(25);
    report_of(2, {.timeline = &timeline});
    const Ranks ranks;
    const std::vector<Timeline> all = timeline.over_ranks(ranks);
    ASSERT_EQ(all.size(), 1U);
    ASSERT_EQ(all[0].lanes.size(), 2U);
    EXPECT_EQ(all[0].lanes[0].full, timeline.lanes[0].full);
    ASSERT_EQ(all[0].lanes[1].slices.size(), timeline.lanes[1].slices.size());
    EXPECT_EQ(all[0].lanes[0].slices.back().end, timeline.lanes[0].slices.back().end);
}

}  // namespace
}  // namespace engine
