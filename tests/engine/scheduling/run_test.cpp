#include "engine/scheduling/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::Machine;
using busy::Shape;

Plan dealt(std::size_t processes, int threads, int stride) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(processes); ++i) plan.worker.push_back(i / stride % threads);
    return plan;
}

std::uint64_t digest(const Shape& shape, int threads, int stride) {
    Machine machine(shape);
    return machine.digest(machine.simulation.run(dealt(machine.simulation.processes().size(), threads, stride)));
}

TEST(Run, GivesOneDigestForAllThreadsAndPartitions) {
    const Shape shape;
    const std::uint64_t expected = digest(shape, 1, 1);
    for (const int threads : {1, 2, 3, 4})
        for (const int stride : {1, 3, 6})
            EXPECT_EQ(digest(shape, threads, stride), expected) << threads << " " << stride;
}

TEST(Run, TheBusyMachineIsBusyAndItsDigestDependsOnItsOrder) {
    Machine machine({});
    const RunReport report = machine.simulation.run({});
    EXPECT_GT(report.messages, 3000U);
    EXPECT_GT(report.steps, 3000U);
    EXPECT_GT(report.windows, 1000U);
    EXPECT_NE(digest({.outstanding = 5}, 1, 1), machine.digest(report));
}

class Slow : public Clocked<Slow> {
  public:
    Slow() : Clocked("slow", -1, 100) {}
    Time step() {
        if (now() > 2000) return never;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        to.send({0});
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) {}
    In<busy::Token> from{this, "from", handler<&Slow::on_token>};
    Out<busy::Token> to{this, "to"};
};

TEST(Run, TellsTheTimeReachedNowAndThen) {
    Simulation simulation;
    auto& slow = simulation.add<Slow>();
    simulation.connect(slow.to, slow.from, 50);
    slow.wake_at(0);
    std::vector<Time> told;
    simulation.run({}, {.stall_seconds = 0, .progress = [&](Time time) { told.push_back(time); }});
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_GT(told[0], 0);
    EXPECT_LE(told.back(), simulation.now());
}

TEST(Run, GivesTheSameDigestWithMoreWorkersThanProcessesAndCores) {
    const Shape shape{.cores = 4, .memories = 2, .requests = 40};
    EXPECT_EQ(digest(shape, 24, 1), digest(shape, 1, 1));
}

// The processes that each worker has run, by number.
std::vector<std::set<int>> processes_run(Machine& machine, const Plan& plan, double trial_seconds) {
    Timeline timeline(100'000);
    machine.simulation.run(plan, {.trial_seconds = trial_seconds, .measure_every = 1, .timeline = &timeline});
    std::vector<std::set<int>> run;
    for (const Timeline::Lane& lane : timeline.lanes) {
        std::set<int>& by_worker = run.emplace_back();
        for (const Timeline::Slice& slice : lane.slices)
            if (slice.what >= 0) by_worker.insert(slice.what);
    }
    return run;
}

TEST(Run, TriesAllWorkersAndOneAtTheBeginning) {
    Machine machine({}), planned({});
    const std::size_t processes = machine.simulation.processes().size();
    const Plan plan = dealt(processes, 2, 1);
    const std::vector<std::set<int>> tried = processes_run(machine, plan, 0);
    EXPECT_EQ(tried.at(0).size(), processes);
    EXPECT_EQ(tried.at(1).size(), processes / 2);
    const std::vector<std::set<int>> as_planned = processes_run(planned, plan, -1);
    EXPECT_EQ(as_planned.at(0).size(), processes - processes / 2);
    EXPECT_EQ(as_planned.at(1), tried.at(1));
}

TEST(Run, TrialsChangeNoResult) {
    const Shape shape{.requests = 500};
    Machine one(shape);
    const RunReport expected = one.simulation.run({});
    const std::uint64_t expected_digest = one.digest(expected);
    for (const int threads : {2, 3, 8})
        for (const std::uint64_t seed : {0U, 1U})
            for (const double trial : {0.0, 1e-4, 1e-3}) {
                Machine machine(shape);
                const Plan plan = dealt(machine.simulation.processes().size(), threads, 1);
                const RunReport report = machine.simulation.run(plan, {.trial_seconds = trial, .fuzz_seed = seed});
                EXPECT_EQ(machine.digest(report), expected_digest) << threads << " " << seed << " " << trial;
                EXPECT_EQ(report.profile.channels, expected.profile.channels);
                EXPECT_EQ(report.stopped_at, never);
            }
}

// Sends one message far ahead, and after a long time another one that arrives first.
class Letters : public Clocked<Letters> {
  public:
    static constexpr Time last = 40'000;
    explicit Letters(int index) : Clocked("letters", index, 1) { wake_at(0); }
    Time step() {
        if (now() == 0) far.send({}, 1'000'000);
        if (now() % 4096 == 4095) near.send({}, 0);
        return now() < last ? now() + 1 : never;
    }
    void on_letter(const busy::Token& /*token*/) { arrived = absorbed(arrived, now()); }
    static std::uint64_t absorbed(std::uint64_t sum, Time time) {
        return busy::mix(sum ^ static_cast<std::uint64_t>(time));
    }
    static std::uint64_t all_arrived() {
        std::uint64_t sum = 0;
        for (Time time = 4095; time <= last; time += 4096) sum = absorbed(sum, time + 3);
        return absorbed(sum, 1'000'003);
    }
    In<busy::Token> from_far{this, "from_far", handler<&Letters::on_letter>};
    In<busy::Token> from_near{this, "from_near", handler<&Letters::on_letter>};
    Out<busy::Token> far{this, "far"}, near{this, "near"};
    std::uint64_t arrived = 0;
};

TEST(Run, AtTheEndOfATrialAllThatWaitsMayBeForMuchLater) {
    for (const std::uint64_t seed : {0U, 1U}) {
        Simulation simulation;
        std::vector<Letters*> all;
        all.reserve(4);
        for (int i = 0; i < 4; ++i) all.push_back(&simulation.add<Letters>(i));
        for (std::size_t i = 0; i < 4; ++i) {
            simulation.connect(all[i]->far, all[(i + 1) % 4]->from_far, 3);
            simulation.connect(all[i]->near, all[(i + 3) % 4]->from_near, 3);
        }
        simulation.run({1, 2, {0, 1, 0, 1}}, {.trial_seconds = 0, .fuzz_seed = seed});
        for (const Letters* letters : all) EXPECT_EQ(letters->arrived, Letters::all_arrived());
    }
}

// Steps for ever, and tells its neighbour. One of them asks for the end of the run at a time of its own.
class Pacer : public Clocked<Pacer> {
  public:
    Pacer(int index, std::atomic<int>* stop) : Clocked("pacer", index, 1 + index), stop_(stop) { wake_at(0); }
    Time step() {
        to.send({}, 0);
        ++steps;
        if (stop_ != nullptr && now() == 999) *stop_ = 15;
        if (stop_ != nullptr && now() == 999 && fails) throw IoError("out of paper");
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) { ++received; }
    std::string unfinished() const override { return "has more to do"; }
    In<busy::Token> from{this, "from", handler<&Pacer::on_token>};
    Out<busy::Token> to{this, "to"};
    Time steps = 0, received = 0;
    bool fails = false;

  private:
    std::atomic<int>* stop_;
};

struct Pacers {
    Pacers() {
        for (int i = 0; i < 4; ++i) all.push_back(&simulation.add<Pacer>(i, i == 2 ? &stop : nullptr));
        for (std::size_t i = 0; i < 4; ++i) simulation.connect(all[i]->to, all[(i + 1) % 4]->from, 3);
    }
    std::atomic<int> stop = 0;
    Simulation simulation;
    std::vector<Pacer*> all;
};

// The pacers have done all that happens before this time, and no more.
void expect_done_before(Time time, const Pacers& pacers) {
    const auto events_before = [](Time end, Time period) { return (end + period - 1) / period; };
    for (std::size_t i = 0; i < 4; ++i) {
        const Time period = 1 + static_cast<Time>(i), of_sender = 1 + static_cast<Time>((i + 3) % 4);
        EXPECT_EQ(pacers.all[i]->steps, events_before(time, period)) << i;
        EXPECT_EQ(pacers.all[i]->received, events_before(time - 3, of_sender)) << i;
    }
}

TEST(Run, StopsForAllAtOneTimeWhenASignalAsksForItAndCanGoOn) {
    for (const int threads : {1, 2, 4})
        for (const double trial : {-1.0, 0.0}) {
            Pacers pacers;
            const Plan plan = dealt(4, threads, 1);
            RunOptions options{.progress = {}, .trial_seconds = trial, .stop_requested = &pacers.stop};
            const RunReport first = pacers.simulation.run(plan, options);
            EXPECT_EQ(first.stopped_by, 15);
            EXPECT_GE(first.stopped_at, 1000);
            expect_done_before(first.stopped_at, pacers);
            // The request stands, so the next one ends where it begins.
            EXPECT_EQ(pacers.simulation.run(plan, options).stopped_at, first.stopped_at);
            expect_done_before(first.stopped_at, pacers);
            pacers.stop = 0;
            options.until = first.stopped_at + 3000;
            const RunReport second = pacers.simulation.run(plan, options);
            EXPECT_EQ(second.stopped_by, 0);
            EXPECT_GT(second.stopped_at, first.stopped_at + 2900);
            expect_done_before(second.stopped_at, pacers);
        }
}

TEST(Run, AStopBeforeTheBeginningRunsNothing) {
    Pacers pacers;
    pacers.stop = 2;
    const RunReport report = pacers.simulation.run(dealt(4, 2, 1), {.progress = {}, .stop_requested = &pacers.stop});
    EXPECT_EQ(report.stopped_by, 2);
    EXPECT_EQ(report.stopped_at, 0);
    EXPECT_EQ(report.steps, 0U);
}

TEST(Run, AFailureIsNoStop) {
    for (const int threads : {1, 2}) {
        Pacers pacers;
        pacers.all[2]->fails = true;
        EXPECT_THROW(pacers.simulation.run(dealt(4, threads, 1), {.progress = {}, .stop_requested = &pacers.stop}),
                     IoError);
    }
}

TEST(Run, ARunThatNobodyStopsIsNotStopped) {
    Machine machine({});
    const std::atomic<int> stop = 0;
    const RunReport report = machine.simulation.run({}, {.progress = {}, .stop_requested = &stop});
    EXPECT_EQ(report.stopped_by, 0);
    EXPECT_EQ(report.stopped_at, never);
}

class Ring : public Clocked<Ring> {
  public:
    explicit Ring(int index, Time start = 0) : Clocked("ring", index, 1) { wake_at(start); }
    Time step() {
        if (now() > 50000) return never;
        to.send({});
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) {}
    In<busy::Token> from{this, "from", handler<&Ring::on_token>};
    Out<busy::Token> to{this, "to"};
};
class Source : public Clocked<Source> {
  public:
    Source() : Clocked("source", -1, 1) { wake_at(0); }
    Time step() {
        to.send({});
        return never;
    }
    Out<busy::Token> to{this, "to"};
};
class Sink : public EventDriven<Sink> {
  public:
    Sink() : EventDriven("sink", -1) {}
    void on_token(const busy::Token& /*token*/) {}
    void on_wake() {}
    In<busy::Token> from{this, "from", handler<&Sink::on_token>};
};

TEST(Run, AWorkerWithNothingLeftToDoDoesNotHoldUpTheOthersByAskingForTheEnd) {
    Simulation simulation;
    auto& ring = simulation.add<Ring>(0);
    auto& source = simulation.add<Source>();
    auto& sink = simulation.add<Sink>();
    simulation.connect(ring.to, ring.from, 4);
    simulation.connect(source.to, sink.from, 4);
    const RunReport report = simulation.run({1, 2, {0, 1, 0}}, {.progress = {}, .trial_seconds = -1});
    EXPECT_GT(report.windows, 12000U);
    EXPECT_LT(report.reductions, report.windows / 10);
}

TEST(Run, AWorkerThatHasReachedTheEndDoesNotHoldUpTheOthersByAskingForIt) {
    Simulation simulation;
    auto& ring = simulation.add<Ring>(0);
    auto& late = simulation.add<Ring>(1, 50000);
    for (Ring* each : {&ring, &late}) simulation.connect(each->to, each->from, 4);
    const RunReport report = simulation.run({1, 2, {0, 1}}, {.progress = {}, .trial_seconds = -1, .until = 49000});
    EXPECT_EQ(report.stopped_at, 49000);
    EXPECT_GT(report.windows, 12000U);
    EXPECT_LT(report.reductions, report.windows / 10);
}

TEST(Run, AWindowIsRunBetweenTwoReductions) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Simulation simulation;
        auto& ring = simulation.add<Ring>(0);
        auto& late = simulation.add<Ring>(1, 50000);
        simulation.connect(ring.to, late.from, 4);
        simulation.connect(late.to, ring.from, 4);
        const RunReport report =
            simulation.run({1, 2, {0, 1}}, {.progress = {}, .trial_seconds = -1, .fuzz_seed = seed, .until = 100});
        EXPECT_LE(report.reductions, report.windows + 2) << seed;
    }
}

}  // namespace
}  // namespace engine
