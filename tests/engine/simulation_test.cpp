#include "engine/simulation.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "engine/series.h"

namespace engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Ball {
    std::int64_t hits;
};

// Strikes a ball back at its next edge, up to ten times in all.
class Player : public Clocked<Player> {
  public:
    explicit Player(int index, Time period = 4) : Clocked("player", index, period) {}
    Time step() {
        ++steps;
        if (ball_ > 0 && ball_ < 10) to.send({ball_ + 1}, 2);
        if (ball_ == 10 && trips) throw std::runtime_error("tripped");
        if (ball_ < 10) ball_ = 0;
        return never;
    }
    void on_ball(const Ball& ball) { ball_ = ball.hits; }
    void serve(Time time) {
        ball_ = 1;
        wake_at(time);
    }
    std::string unfinished() const override { return holds && ball_ == 10 ? "still has the ball" : ""; }
    double cost_hint() const override { return 1.5; }

    bool trips = false, holds = false;
    In<Ball> from{this, "from", handler<&Player::on_ball>};
    Out<Ball> to{this, "to", 2};
    Counter steps{&counters(), "steps", "cycle", "clock cycles stepped"};

  private:
    std::int64_t ball_ = 0;
};

struct Match {
    Match() {
        simulation.connect(a.to, b.from, 1);
        simulation.connect(b.to, a.from, 1);
    }
    Simulation simulation;
    Player& a = simulation.add<Player>(0);
    Player& b = simulation.add<Player>(1);
};

template <class E, class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    }
    return "none";
}

TEST(Simulation, RunsUntilNothingIsLeftToDo) {
    Match match;
    match.a.serve(0);
    const RunReport report = match.simulation.run({});
    EXPECT_EQ(report.end, 36);  // 9 flights of 3 ticks, each struck at the next edge
    EXPECT_EQ(report.messages, 9U);
    EXPECT_EQ(report.steps, 10U);
    EXPECT_EQ(match.simulation.now(), 36);
    EXPECT_THAT(match.simulation.collect_counters(), ElementsAre(5, 5));
}

TEST(Simulation, MayHaveShorterWindowsThanItsLookaheadAllows) {
    for (const Time longest : {Time{1}, Time{2}, never}) {
        SCOPED_TRACE(longest);
        Match match;
        match.simulation.limit_windows(longest);
        EXPECT_EQ(match.simulation.window_length(), std::min<Time>(longest, 3));
        match.a.serve(0);
        const RunReport report = match.simulation.run({1, 2, {0, 1}});
        EXPECT_EQ(report.window_length, std::min<Time>(longest, 3));
        EXPECT_EQ(report.end, 36);
        EXPECT_EQ(report.messages, 9U);
        EXPECT_THAT(match.simulation.collect_counters(), ElementsAre(5, 5));
    }
}

TEST(Simulation, SkipsSilenceInOneWindow) {
    Match match;
    match.a.serve(4'000'000'000);
    const RunReport report = match.simulation.run({});
    EXPECT_EQ(report.end, 4'000'000'036);
    EXPECT_LE(report.windows, 19U);
}

TEST(Simulation, ASecondRunGoesOnWhereTheFirstEnded) {
    Match match;
    match.a.serve(0);
    match.simulation.run({});
    EXPECT_EQ(match.b.now(), 36);
    EXPECT_EQ(match.a.now(), 36);  // though its own last event was earlier
    match.a.serve(0);
    EXPECT_EQ(match.simulation.run({}).end, 72);
    EXPECT_THAT(match.simulation.collect_counters(), ElementsAre(10, 10));
}

// Notes when it is woken.
class Diary : public EventDriven<Diary> {
  public:
    explicit Diary(int index) : EventDriven("diary", index) {}
    void on_wake() {
        for (int i = 0; i <= index(); ++i) pages.append(static_cast<std::uint64_t>(now()));
    }
    void serialize(Archive&) override {}
    Series empty{&counters()}, pages{&counters()};
};

TEST(Simulation, SeriesAreTakenOnce) {
    Simulation simulation;
    Diary& first = simulation.add<Diary>(0);
    Diary& second = simulation.add<Diary>(1);
    for (const Time time : {10, 20}) {
        first.wake_at(time);
        second.wake_at(time + 1);
        simulation.run({1, 2, {0, 1}});
        const std::vector<Simulation::TakenSeries> taken = simulation.take_series();
        ASSERT_EQ(taken.size(), 4U);
        EXPECT_EQ(taken[0].series, &first.empty);
        EXPECT_THAT(taken[0].values, ElementsAre());
        EXPECT_EQ(taken[1].series, &first.pages);
        EXPECT_THAT(taken[1].values, ElementsAre(time));
        EXPECT_EQ(taken[3].series, &second.pages);
        EXPECT_THAT(taken[3].values, ElementsAre(time + 1, time + 1));
    }
    EXPECT_TRUE(simulation.take_series()[1].values.empty());
}

TEST(Simulation, SeriesAreInCheckpoints) {
    Simulation before, after;
    before.add<Diary>(0).wake_at(10);
    Diary& diary = after.add<Diary>(0);
    before.run({});
    Checkpoint::read(after, Checkpoint::write(before));
    EXPECT_THAT(diary.pages.values(), ElementsAre(10));
}

TEST(Simulation, TheSecondRunMayUseOtherThreads) {
    Match match;
    match.a.serve(0);
    match.simulation.run({1, 2, {0, 1}});
    match.a.serve(0);
    EXPECT_EQ(match.simulation.run({1, 3, {2, 1}}).end, 72);
}

TEST(Simulation, ReportsTheTimesOfEveryWorker) {
    Match match;
    match.a.serve(0);
    EXPECT_EQ(match.simulation.run({1, 3, {0, 2}}).workers.size(), 3U);
}

TEST(Simulation, RefusesAPortThatIsNotConnected) {
    Simulation simulation;
    auto& a = simulation.add<Player>(0);
    auto& b = simulation.add<Player>(1);
    simulation.connect(a.to, b.from, 1);
    EXPECT_EQ(error_of<ConfigError>([&] { simulation.run({}); }), "player[0].from: not connected");
}

TEST(Simulation, RefusesTwoProcessesOfOneName) {
    Simulation simulation;
    auto& a = simulation.add<Player>(7);
    auto& b = simulation.add<Player>(7);
    simulation.connect(a.to, b.from, 1);
    simulation.connect(b.to, a.from, 1);
    EXPECT_EQ(error_of<ConfigError>([&] { simulation.run({}); }), "player[7]: two processes have this name");
}

TEST(Simulation, RefusesAChannelWithoutLatency) {
    Simulation simulation;
    auto& a = simulation.add<Player>(0);
    auto& b = simulation.add<Player>(1);
    EXPECT_EQ(error_of<ConfigError>([&] { simulation.connect(a.to, b.from, 0); }),
              "player[0].to -> player[1].from: expected a latency of at least 1 tick, found 0");
}

TEST(Simulation, RefusesASecondChannelAtOnePort) {
    Match match;
    EXPECT_EQ(error_of<ConfigError>([&] { match.simulation.connect(match.a.to, match.a.from, 1); }),
              "player[0].to -> player[0].from: player[0].to is connected already");
}

TEST(Simulation, RefusesAPlanThatDoesNotFit) {
    Match match;
    const auto error = [&](const Plan& plan) { return error_of<ConfigError>([&] { match.simulation.run(plan); }); };
    EXPECT_EQ(error({2, 1, {0, 1}}), "the plan is for 2 ranks, but there are 1");
    EXPECT_EQ(error({1, 0, {}}), "expected at least 1 thread, found 0");
    EXPECT_EQ(error({1, 1, {0}}), "the plan is for 1 processes, but there are 2");
    EXPECT_EQ(error({1, 2, {0, 2}}), "player[1]: expected a worker from 0 to 1, found 2");
    EXPECT_THAT(error({1, 1000, {0, 999}}), HasSubstr("expected at most"));
}

TEST(Simulation, WhatAProcessThrowsEndsTheRunWithItsName) {
    for (const int threads : {1, 2}) {
        Match match;
        match.b.trips = true;
        match.a.serve(0);
        EXPECT_EQ(error_of<InternalError>([&] { match.simulation.run({1, threads, {0, threads - 1}}); }),
                  "player[1]: tripped (at time 36)");
    }
}

TEST(Simulation, WhatAProcessThrowsInOrAfterATrialEndsTheRunToo) {
    class Patient : public Clocked<Patient> {  // throws at a late cycle
      public:
        explicit Patient(int index) : Clocked("patient", index, 1) { wake_at(0); }
        Time step() {
            if (now() == 5000 + index()) throw std::runtime_error("enough");
            to.send({0});
            return now() + 1;
        }
        void on_ball(const Ball& /*ball*/) {}
        In<Ball> from{this, "from", handler<&Patient::on_ball>};
        Out<Ball> to{this, "to"};
    };
    for (int repetition = 0; repetition < 5; ++repetition) {
        Simulation simulation;
        auto& a = simulation.add<Patient>(0);
        auto& b = simulation.add<Patient>(1);
        simulation.connect(a.to, b.from, 2);
        simulation.connect(b.to, a.from, 2);
        EXPECT_EQ(
            error_of<InternalError>([&] { simulation.run({1, 2, {1, 0}}, {.progress = {}, .trial_seconds = 0}); }),
            "patient[0]: enough (at time 5000)");
    }
}

TEST(Simulation, OfSeveralThatThrowInOneWindowTheFirstAddedIsReported) {
    for (const int threads : {1, 2}) {
        Match match;
        for (Player* player : {&match.a, &match.b}) {
            player->trips = true;
            player->on_ball({10});
            player->wake_at(8);
        }
        EXPECT_EQ(error_of<InternalError>([&] { match.simulation.run({1, threads, {threads - 1, 0}}); }),
                  "player[0]: tripped (at time 8)");
    }
}

class Patient : public Clocked<Patient> {  // throws at a cycle
  public:
    Patient(int index, Time patience) : Clocked("patient", index, 1), patience_(patience) { wake_at(0); }
    Time step() {
        if (now() == patience_) throw std::runtime_error("enough");
        return now() + 1;
    }
    void on_ball(const Ball& /*ball*/) {}
    In<Ball> from{this, "from", handler<&Patient::on_ball>};
    Out<Ball> to{this, "to"};

  private:
    Time patience_;
};

TEST(Simulation, OfSeveralThatThrowInOneWindowTheFirstAddedIsReportedAlsoIfItThrowsLater) {
    for (Time window = 0; window < 200; ++window) {  // some are measured
        Simulation simulation;
        auto& a = simulation.add<Patient>(0, 4 * window + 3);
        auto& b = simulation.add<Patient>(1, 4 * window + 1);
        simulation.connect(a.to, b.from, 4);
        simulation.connect(b.to, a.from, 4);
        ASSERT_EQ(error_of<InternalError>([&] { simulation.run({}); }),
                  "patient[0]: enough (at time " + std::to_string(4 * window + 3) + ")");
    }
}

TEST(Simulation, OfSeveralThatThrowInOneWindowOfAWorkerTheFirstAddedIsReported) {
    // Of the two that throw in this window, or of the one that does; on this many threads.
    const auto reported = [](Time window, Time of_first, Time of_second, int threads) {
        Simulation simulation;
        auto& first = simulation.add<Patient>(0, 4 * window + of_first);
        auto& second = simulation.add<Patient>(1, 4 * window + of_second);
        auto& one = simulation.add<Patient>(2, never);
        auto& other = simulation.add<Patient>(3, never);
        simulation.connect(first.to, one.from, 8);
        simulation.connect(second.to, other.from, 4);
        simulation.connect(one.to, first.from, 4);
        simulation.connect(other.to, second.from, 4);
        return error_of<InternalError>([&] { simulation.run({1, threads, {threads - 1, threads - 1, 0, 0}}); });
    };
    constexpr Time later = 1000;
    for (Time window = 0; window < 150; ++window)  // some are measured
        for (const int threads : {1, 2}) {
            const auto text = [&](int sender, Time time) {
                return "patient[" + std::to_string(sender) + "]: enough (at time " + std::to_string(4 * window + time) +
                       ")";
            };
            ASSERT_EQ(reported(window, 3, 1, threads), text(0, 3));
            ASSERT_EQ(reported(window, later, 1, threads), text(1, 1));
            ASSERT_EQ(reported(window, 3, later, threads), text(0, 3));
        }
}

TEST(Simulation, UnfinishedProcessesAreReportedWhenNothingHappensAnyMore) {
    Match match;
    match.b.holds = true;
    match.a.serve(0);
    EXPECT_EQ(error_of<InternalError>([&] { match.simulation.run({1, 2, {0, 1}}); }),
              "nothing happens after time 36, but not all is done: player[1]: still has the ball");
}

TEST(Simulation, ShowsItsGraphToPartitions) {
    const Graph graph = Match().simulation.graph();
    ASSERT_EQ(graph.processes.size(), 2U);
    EXPECT_EQ(graph.processes[1].name, "player[1]");
    EXPECT_EQ(graph.processes[1].kind, "player");
    EXPECT_EQ(graph.processes[1].cost, 1.5);
    ASSERT_EQ(graph.channels.size(), 2U);
    EXPECT_EQ(graph.channels[0].from, 0);
    EXPECT_EQ(graph.channels[0].to, 1);
    EXPECT_EQ(graph.channels[0].lookahead, 3);
}

// Strikes for ever.
class Bell : public Clocked<Bell> {
  public:
    Bell(int index, Time period) : Clocked("bell", index, period) { wake_at(0); }
    Time step() {
        to.send({1}, 0);
        last = now();
        return now() + period();
    }
    void on_ball(const Ball& /*ball*/) {}
    In<Ball> from{this, "from", handler<&Bell::on_ball>};
    Out<Ball> to{this, "to"};
    Time last = -1;
};

TEST(Simulation, EndsWithAnErrorWhereTimeEnds) {
    for (const int threads : {1, 2})
        for (const Time period : {Time{1} << 52, (Time{1} << 57) - 1}) {
            Simulation simulation;
            auto& a = simulation.add<Bell>(0, period);
            auto& b = simulation.add<Bell>(1, period / 2);
            simulation.connect(a.to, b.from, period);
            simulation.connect(b.to, a.from, period);
            const Plan plan{1, threads, {0, threads - 1}};
            EXPECT_EQ(error_of<ConfigError>([&] { simulation.run(plan); }), "simulated time is used up: it ends at " +
                                                                                std::to_string(end_of_time) +
                                                                                " ticks, and there is more to do");
            EXPECT_LT(a.last, end_of_time);
            EXPECT_GT(a.last, end_of_time - 3 * period);
            EXPECT_LE(simulation.now(), end_of_time);
        }
}

TEST(Simulation, RefusesALatencyThatLeavesNoTime) {
    Simulation simulation;
    auto& a = simulation.add<Player>(0);
    auto& b = simulation.add<Player>(1);
    EXPECT_THAT(error_of<ConfigError>([&] { simulation.connect(a.to, b.from, end_of_time); }),
                HasSubstr("player[0].to -> player[1].from: expected a latency of at most 1"));
}

TEST(Simulation, AnEmptyMachineHasNothingToDo) {
    Simulation simulation;
    EXPECT_EQ(simulation.run({}).end, 0);
}

}  // namespace
}  // namespace engine
