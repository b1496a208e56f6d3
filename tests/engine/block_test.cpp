#include "engine/block.h"

#include <functional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct Note {
    int value;
};

// Sends what it was told to, when it was told to.
class Script : public EventDriven<Script> {
  public:
    explicit Script(int index) : EventDriven("script", index) {}
    void at(Time time, int value) {
        lines_.emplace_back(time, value);
        wake_at(time);
    }
    void on_wake() {
        for (const auto& [time, value] : lines_)
            if (time == now()) out.send({value});
        for (const auto& [time, value] : lines_)
            if (time > now()) wake_at(time);
    }
    Out<Note> out{this, "out"};

  private:
    std::vector<std::pair<Time, int>> lines_;
};

enum Event : int { step_event = -1 };

// Writes down what happens to it: (time, value of the message or step_event).
class Diary : public Clocked<Diary> {
  public:
    explicit Diary(Time period) : Clocked("diary", -1, period) {}
    Time step() {
        ++calls;
        for (;;) {
            entries.emplace_back(now(), step_event);
            const Time next = next_step ? next_step(now()) : never;
            if (!goes_on || next == never || !go_on_at(next)) return next;
        }
    }
    void on_first(const Note& note) {
        entries.emplace_back(now(), note.value);
        if (note.value >= quiet) needs_no_step();
        if (note.value > quiet) wake_at(now() + note.value - quiet);
    }
    void on_second(const Note& note) { entries.emplace_back(now(), 100 + note.value); }
    static constexpr int quiet = 50;  // a note of this value needs no step; one of a greater one, a step so much later
    std::vector<std::pair<Time, int>> entries;
    bool goes_on = false;
    int calls = 0;
    std::function<Time(Time)> next_step;
    In<Note> first{this, "first", handler<&Diary::on_first>};
    In<Note> second{this, "second", handler<&Diary::on_second>};
};

struct Desk {
    explicit Desk(Time period, Time latency = 1)
        : diary(simulation.add<Diary>(period)),
          a(simulation.add<Script>(0)),
          b(simulation.add<Script>(1)) {
        simulation.connect(a.out, diary.first, latency);
        simulation.connect(b.out, diary.second, latency + 2);
    }
    Simulation simulation;
    Diary& diary;
    Script &a, &b;
};

TEST(Clocked, StepsAtEveryEdgeItAsksFor) {
    Desk desk(3);
    desk.diary.next_step = [](Time now) { return now < 9 ? now + 3 : never; };
    desk.diary.wake_at(1);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(3, -1), Pair(6, -1), Pair(9, -1)));
}

TEST(Clocked, RoundsTheNextStepUpToAnEdge) {
    Desk desk(5);
    desk.diary.next_step = [](Time now) { return now == 0 ? 6 : never; };
    desk.diary.wake_at(0);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(0, -1), Pair(10, -1)));
}

TEST(Clocked, HandlesMessagesAtTheirTimeAndStepsAtTheEdgeAfter) {
    Desk desk(5);
    desk.a.at(6, 1);  // arrives at 7, between two edges
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(7, 1), Pair(10, -1)));
}

TEST(Clocked, HandlesAMessageBeforeTheStepAtTheSameTime) {
    Desk desk(5);
    desk.diary.next_step = [](Time now) { return now < 10 ? now + 5 : never; };
    desk.diary.wake_at(0);
    desk.a.at(9, 1);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(0, -1), Pair(5, -1), Pair(10, 1), Pair(10, -1)));
}

TEST(Clocked, AMessageBringsAFarStepForward) {
    Desk desk(2);
    desk.diary.next_step = [](Time now) { return now == 0 ? 1000 : never; };
    desk.diary.wake_at(0);
    desk.a.at(4, 1);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(0, -1), Pair(5, 1), Pair(6, -1)));
}

TEST(Clocked, AMessageThatNeedsNoStepCausesNone) {
    Desk desk(4);
    desk.a.at(1, Diary::quiet);
    desk.a.at(9, Diary::quiet);
    desk.b.at(7, 2);                  // arrives with the second one, and needs a step
    desk.a.at(20, Diary::quiet + 9);  // arrives at 21, wants one at 30
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(2, Diary::quiet), Pair(10, Diary::quiet), Pair(10, 102),
                                                Pair(12, -1), Pair(21, Diary::quiet + 9), Pair(32, -1)));
}

TEST(Clocked, StepsOnceAtAnEdgeHoweverManyMessagesArrive) {
    Desk desk(4);
    desk.a.at(1, 1);
    desk.a.at(2, 2);
    desk.b.at(1, 3);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(2, 1), Pair(3, 2), Pair(4, 103), Pair(4, -1)));
}

TEST(Clocked, NeverStepsTwiceAtOneEdge) {
    Desk desk(4);
    desk.diary.next_step = [&](Time now) { return now < 8 ? now : never; };  // asks for the edge it is at
    desk.diary.wake_at(0);
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(0, -1), Pair(4, -1), Pair(8, -1)));
}

TEST(Clocked, GoesOnInAStepUntilSomethingElseComesFirst) {
    std::vector<std::pair<Time, int>> entries;
    int calls = 0;
    for (const bool goes_on : {false, true}) {
        Desk desk(2, 6);
        desk.diary.goes_on = goes_on;
        desk.diary.next_step = [&](Time now) {
            if (now == 20) desk.diary.wake_at(24);  // earlier than what it returns
            return now < 30 ? now + (now == 20 ? 6 : 2) : never;
        };
        desk.diary.wake_at(0);
        desk.a.at(2, 1);  // arrives at 8, before the step of that time
        desk.b.at(5, 2);  // arrives at 13, between two
        desk.simulation.run({}, {.until = 17});
        desk.simulation.run({});
        if (goes_on) {
            EXPECT_EQ(desk.diary.entries, entries);
            EXPECT_LT(desk.diary.calls, calls);
        }
        entries = desk.diary.entries;
        calls = desk.diary.calls;
    }
}

TEST(Clocked, AsksForAPositivePeriod) {
    Simulation simulation;
    EXPECT_THROW(simulation.add<Diary>(0), ConfigError);
}

TEST(Clocked, AnInputDeclaredEarlierGoesFirstAtEqualTimes) {
    Desk desk(1);
    desk.b.at(7, 1);
    desk.a.at(9, 2);  // both arrive at 10
    desk.simulation.run({});
    EXPECT_THAT(desk.diary.entries, ElementsAre(Pair(10, 2), Pair(10, 101), Pair(10, -1)));
}

TEST(EventDriven, TheAlarmRingsAfterTheMessagesOfItsTimeAndOnce) {
    class Bell : public EventDriven<Bell> {
      public:
        Bell() : EventDriven("bell", -1) {}
        void on_note(const Note& note) {
            rung.emplace_back(now(), note.value);
            wake_at(now());
            wake_at(now() + 5);
        }
        void on_wake() { rung.emplace_back(now(), -1); }
        std::vector<std::pair<Time, int>> rung;
        In<Note> in{this, "in", handler<&Bell::on_note>};
    };
    Simulation simulation;
    auto& bell = simulation.add<Bell>();
    auto& script = simulation.add<Script>(0);
    simulation.connect(script.out, bell.in, 2);
    script.at(3, 1);
    script.at(3, 2);
    simulation.run({});
    EXPECT_THAT(bell.rung, ElementsAre(Pair(5, 1), Pair(5, 2), Pair(5, -1)));  // the earliest alarm counts
}

TEST(EventDriven, AnAlarmSetFromTheAlarmRingsLater) {
    class Ticker : public EventDriven<Ticker> {
      public:
        Ticker() : EventDriven("ticker", -1) {}
        void on_wake() {
            times.push_back(now());
            if (times.size() < 3) wake_at(now());
        }
        std::vector<Time> times;
    };
    Simulation simulation;
    auto& ticker = simulation.add<Ticker>();
    ticker.wake_at(8);
    simulation.run({});
    EXPECT_THAT(ticker.times, ElementsAre(8, 9, 10));
}

TEST(EventDriven, DoesNothingWhenNobodyCalls) {
    Desk desk(1);
    EXPECT_EQ(desk.simulation.run({}).windows, 0U);
    EXPECT_THAT(desk.diary.entries, IsEmpty());
}

}  // namespace
}  // namespace engine
