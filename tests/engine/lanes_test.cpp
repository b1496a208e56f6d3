#include "engine/lanes.h"

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engine/block.h"
#include "engine/draws.h"
#include "engine/simulation.h"

namespace engine {
namespace {

struct Note {
    std::uint64_t value;
};

// Sends notes to others of its kind now and then, and remembers what it did and when. Sleeps at times.
template <class Base>
class Gossip : public Base {
  public:
    static constexpr int others = 3;

    Time act() {
        absorb(1);
        const std::uint64_t draw = draws_.next();
        if (sent_ < most) {
            if (draw % 2 == 0) say(draw);
            if (draw % 16 == 0) say(draw);  // two at one time
        }
        if (sent_ == most || draw % 11 == 0) return never;
        return this->now() + 1 + static_cast<Time>(draw % 20 == 0 ? 100 : draw % 5);
    }
    void on_note(const Note& note) {
        absorb(note.value);
        if constexpr (!requires(Base base) { base.period(); }) this->wake_at(this->now());
    }
    std::uint64_t state() const { return state_; }

    Row<In<Note>> from{this, "from", others, handler<&Gossip::on_note>};
    Row<Out<Note>> to{this, "to", others, Time{0}};

  protected:
    template <class... Arguments>
    explicit Gossip(int index, Arguments... arguments)
        : Base("gossip", index, arguments...),
          draws_(7, static_cast<std::uint64_t>(index)) {
        this->wake_at(index % 5);
    }

  private:
    static constexpr int most = 2000;

    void absorb(std::uint64_t value) {
        state_ = (state_ ^ value ^ static_cast<std::uint64_t>(this->now()) << 32U) * 0x9e3779b97f4a7c15U;
        state_ ^= state_ >> 29U;
    }
    void say(std::uint64_t draw) {
        to[static_cast<int>((draw >> 20U) % others)].send({draw});
        ++sent_;
    }

    Draws draws_;
    std::uint64_t state_ = 1;
    int sent_ = 0;
};

class ClockedGossip : public Gossip<Clocked<ClockedGossip>> {
  public:
    ClockedGossip(int index, Time period) : Gossip(index, period) {}
    Time step() { return act(); }
};

class AlarmedGossip : public Gossip<EventDriven<AlarmedGossip>> {
  public:
    explicit AlarmedGossip(int index) : Gossip(index) {}
    void on_wake() { wake_at(act()); }
};

// Makes every window as short as its latency, and does nothing.
class Idler : public EventDriven<Idler> {
  public:
    explicit Idler(int index) : EventDriven("idler", index) {}
    void on_note(const Note& /*note*/) {}
    In<Note> from{this, "from", handler<&Idler::on_note>};
    Out<Note> to{this, "to"};
};

struct Outcome {
    std::vector<std::uint64_t> states;
    std::uint64_t messages;
    std::vector<std::vector<std::uint64_t>> samples;  // of the hash of messages, by process
};

// A ring in which everybody talks to the next ones, with so many of either kind; its windows have this length.
class Ring {
  public:
    Ring(int clocked, int alarmed, const std::vector<Time>& periods, Time latency, Time window) {
        for (int i = 0; i < clocked; ++i)
            clocks_.push_back(
                &simulation_.add<ClockedGossip>(i, periods[static_cast<std::size_t>(i) % periods.size()]));
        for (int i = 0; i < alarmed; ++i) alarms_.push_back(&simulation_.add<AlarmedGossip>(clocked + i));
        for (int i = 0; i < clocked; ++i) connect(*clocks_[static_cast<std::size_t>(i)], i, latency);
        for (int i = 0; i < alarmed; ++i) connect(*alarms_[static_cast<std::size_t>(i)], clocked + i, latency);
        auto& one = simulation_.add<Idler>(0);
        auto& other = simulation_.add<Idler>(1);
        simulation_.connect(one.to, other.from, window);
        simulation_.connect(other.to, one.from, window);
    }
    // `logged`: its messages, so processes are advanced in turn.
    Outcome run(int threads, bool logged = false) {
        if (logged) simulation_.log_messages(0, 1, 1);
        Plan plan{1, threads, {}};
        for (int i = 0; i < size() + 2; ++i) plan.worker.push_back(i % threads);
        Outcome outcome{{}, simulation_.run(plan).messages, {}};
        for (const ClockedGossip* each : clocks_) outcome.states.push_back(each->state());
        for (const AlarmedGossip* each : alarms_) outcome.states.push_back(each->state());
        for (const MessageHashes::Process& process : simulation_.collect_message_hashes().processes)
            outcome.samples.push_back(process.samples);
        return outcome;
    }

  private:
    int size() const { return static_cast<int>(clocks_.size() + alarms_.size()); }
    template <class From>
    void connect(From& from, int index, Time latency) {
        for (int j = 0; j < From::others; ++j) {
            const auto to = static_cast<std::size_t>((index + j + 1) % size());
            if (to < clocks_.size())
                simulation_.connect(from.to[j], clocks_[to]->from[j], latency + j);
            else
                simulation_.connect(from.to[j], alarms_[to - clocks_.size()]->from[j], latency + j);
        }
    }

    Simulation simulation_;
    std::vector<ClockedGossip*> clocks_;
    std::vector<AlarmedGossip*> alarms_;
};

// A window of one tick cannot be cut into pieces: there processes are advanced one after the other. In longer ones they
// are so in some windows and side by side in others, whichever seems the faster way.
TEST(Lanes, ProcessesDoSideBySideWhatTheyDoInTurn) {
    constexpr Time latency = 12;
    for (const std::vector<Time>& periods : std::vector<std::vector<Time>>{{1}, {3}, {1, 3}, {2, 5}, {4, 6, 12}})
        for (const int alarmed : {0, 4}) {
            const Outcome in_turn = Ring(9, alarmed, periods, latency, 1).run(1);
            for (const int threads : {1, 2})
                EXPECT_EQ(Ring(9, alarmed, periods, latency, latency).run(threads).states, in_turn.states)
                    << periods.size() << " periods from " << periods[0] << ", " << alarmed << " alarmed, " << threads;
        }
}

// 70 of one type need two groups.
TEST(Lanes, AGroupMayBeOfAnySize) {
    EXPECT_EQ(Ring(70, 1, {1}, 8, 8).run(1).states, Ring(70, 1, {1}, 8, 1).run(1).states);
}

TEST(Lanes, MessagesAreCountedAndTheirHashSampledAsInTurn) {
    for (const std::vector<Time>& periods : std::vector<std::vector<Time>>{{1}, {2, 5}}) {
        const Outcome in_turn = Ring(9, 4, periods, 12, 12).run(1, true), mixed = Ring(9, 4, periods, 12, 12).run(1);
        EXPECT_GT(in_turn.messages, 10000U);
        EXPECT_EQ(mixed.messages, in_turn.messages);
        EXPECT_GT(in_turn.samples[0].size(), 30U);
        EXPECT_EQ(mixed.samples, in_turn.samples);
    }
}

TEST(Lanes, NeighboursOfOneTypeAreAGroup) {
    std::vector<std::unique_ptr<LogicalProcess>> processes;
    processes.reserve(69);
    for (int i = 0; i < 66; ++i) processes.push_back(std::make_unique<ClockedGossip>(i, 1));
    for (int i = 0; i < 2; ++i) processes.push_back(std::make_unique<AlarmedGossip>(i));
    processes.push_back(std::make_unique<ClockedGossip>(66, 1));
    Lanes lanes;
    for (int round = 0; round < 2; ++round) {  // cleared and filled again
        lanes.clear();
        for (const auto& process : processes) lanes.add(*process, never);
        lanes.close();
        const std::span<Lane> all = lanes.all();
        ASSERT_EQ(all.size(), 69U);
        const auto size = [&](std::size_t lane) { return all[lane].group->lanes.size(); };
        EXPECT_EQ(size(0), 64U);
        EXPECT_EQ(all[63].group, all[0].group);
        EXPECT_EQ(all[63].bit, std::uint64_t{1} << 63U);
        EXPECT_EQ(size(64), 2U);
        EXPECT_EQ(all[64].bit, 1U);
        EXPECT_EQ(size(66), 2U);
        EXPECT_EQ(all[67].bit, 2U);
        EXPECT_EQ(size(68), 1U);
    }
}

TEST(Lanes, KnowsWhenTheFirstOneWakes) {
    ClockedGossip a(0, 1), b(1, 1), c(2, 1);
    Lanes lanes;
    EXPECT_EQ(lanes.next_wake(0), never);
    lanes.add(a, 9);
    lanes.add(b, 7);
    lanes.add(c, never);
    lanes.close();
    EXPECT_EQ(lanes.next_wake(3), 7);
    EXPECT_EQ(lanes.next_wake(7), 7);
}

}  // namespace
}  // namespace engine
