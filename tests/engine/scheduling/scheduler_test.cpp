// Machines of hubs and leaves. Leaves talk to hubs only, so that one worker takes two windows of the leaves at a time;
// with several workers every process goes window by window. Nothing that can be seen depends on it.
#include "engine/scheduling/scheduler.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::mix;
using busy::Token;
using busy::Trace;

constexpr Time latency = 3;                      // of all channels, and the window
constexpr Time long_run = 900, short_run = 100;  // until when processes begin something by themselves

int one_of(int size, std::uint64_t random) {
    return static_cast<int>((random >> 8U) % static_cast<std::uint64_t>(size));
}

struct Fault {
    Time from = never;  // a process throws at the first event then or later
    Time end = long_run;
    void check(Time now) const {
        if (now >= from) throw ConfigError("broken");
    }
};

class Leaf : public Clocked<Leaf> {
  public:
    Leaf(int index, int hubs, Fault fault)
        : Clocked("leaf", index, 1 + index % 3),
          fault_(fault),
          in(this, "in", hubs, handler<&Leaf::on_token>),
          out(this, "out", hubs) {
        wake_at(index % 4);
    }
    Time step() {
        fault_.check(now());
        trace_.note(now(), 1);
        const std::uint64_t random = mix(static_cast<std::uint64_t>(index()) << 32U ^ drawn_++);
        if (now() > fault_.end) return never;
        if (random % 3 == 0) send(one_of(out.size(), random), 9);
        return random % 7 == 0 ? now() + 40 : now() + period();
    }
    void on_token(const Token& token, int hub) {
        fault_.check(now());
        trace_.note(now(), token.hops + 8U * static_cast<std::uint64_t>(hub));
        if (token.hops > 0) send(hub, token.hops - 1);
    }

  private:
    void send(int hub, int hops) { out[hub].send({static_cast<std::uint8_t>(hops)}, (index() + hub) % 5); }

    Fault fault_;
    std::uint64_t drawn_ = 0;
    Trace trace_{&counters()};

  public:
    Row<In<Token>> in;
    Row<Out<Token>> out;
};

// Takes all messages before it looks at the end of what it is given.
class EventLeaf : public EventDriven<EventLeaf> {
  public:
    EventLeaf(int index, int hubs, Fault fault)
        : EventDriven("event_leaf", index),
          fault_(fault),
          in(this, "in", hubs, handler<&EventLeaf::on_token>),
          out(this, "out", hubs) {}
    void on_token(const Token& token, int hub) {
        fault_.check(now());
        trace_.note(now(), token.hops);
        last_ = hub;
        wake_at(now() + static_cast<Time>(mix(static_cast<std::uint64_t>(now())) % 6));
    }
    void on_wake() {
        fault_.check(now());
        trace_.note(now(), 7);
        out[last_].send({5}, 1);
    }

  private:
    Fault fault_;
    int last_ = 0;
    Trace trace_{&counters()};

  public:
    Row<In<Token>> in;
    Row<Out<Token>> out;
};

class Hub : public Clocked<Hub> {
  public:
    Hub(int index, int leaves, Fault fault)
        : Clocked("hub", index, 2),
          fault_(fault),
          in(this, "in", leaves, handler<&Hub::on_token>),
          out(this, "out", leaves) {
        wake_at(1);
    }
    Time step() {
        fault_.check(now());
        trace_.note(now(), 3);
        return now() > fault_.end ? never : now() + 5 * period();
    }
    void on_token(const Token& token, int leaf) {
        fault_.check(now());
        const std::uint64_t random = mix(static_cast<std::uint64_t>(now()) << 8U ^ static_cast<std::uint64_t>(leaf));
        trace_.note(now(), random);
        if (token.hops == 0) return;
        const int to = one_of(out.size(), random);
        out[to].send({static_cast<std::uint8_t>(token.hops - 1)}, to % 3);
    }

  private:
    Fault fault_;
    Trace trace_{&counters()};

  public:
    Row<In<Token>> in;
    Row<Out<Token>> out;
};

constexpr int hubs = 3, leaves = 9;  // every third one event-driven
constexpr int processes = hubs + leaves;

// What can be seen of a run: how it ends, what was counted, hashes of messages.
std::string run(const std::vector<Fault>& faults, int threads) {
    Simulation simulation;
    std::vector<Hub*> hub(hubs);
    std::vector<Leaf*> leaf(leaves);
    std::vector<EventLeaf*> event_leaf(leaves);
    for (int i = 0, fault = 0; i < leaves; ++i) {  // numbers of hubs lie between those of leaves
        if (i % 3 == 1) hub[at(i / 3)] = &simulation.add<Hub>(i / 3, leaves, faults[at(fault++)]);
        if (i % 3 == 2)
            event_leaf[at(i)] = &simulation.add<EventLeaf>(i, hubs, faults[at(fault++)]);
        else
            leaf[at(i)] = &simulation.add<Leaf>(i, hubs, faults[at(fault++)]);
    }
    for (int i = 0; i < leaves; ++i)
        for (int j = 0; j < hubs; ++j) {
            if (leaf[at(i)] != nullptr) {
                simulation.connect(leaf[at(i)]->out[j], hub[at(j)]->in[i], latency);
                simulation.connect(hub[at(j)]->out[i], leaf[at(i)]->in[j], latency);
            } else {
                simulation.connect(event_leaf[at(i)]->out[j], hub[at(j)]->in[i], latency);
                simulation.connect(hub[at(j)]->out[i], event_leaf[at(i)]->in[j], latency);
            }
        }
    Plan plan{1, threads, {}};
    for (int i = 0; i < processes; ++i) plan.worker.push_back(i % threads);
    try {
        RunOptions options;
        options.trial_seconds = -1;  // all workers work: none has all processes
        const RunReport report = simulation.run(plan, options);
        std::string seen = std::to_string(report.end) + " " + std::to_string(report.messages);
        for (const std::uint64_t counter : simulation.collect_counters()) seen += " " + std::to_string(counter);
        for (const MessageHashes::Process& process : simulation.collect_message_hashes().processes)
            for (const std::uint64_t sample : process.samples) seen += " " + std::to_string(sample);
        return seen;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Scheduler, TwoWindowsAtATimeAreSeenByNobody) {
    for (const Time end : {long_run, short_run}) {  // more windows than samples of hashes, and fewer
        const std::vector<Fault> none(processes, Fault{.end = end});
        const std::string expected = run(none, 2);
        EXPECT_GT(expected.size(), 1000U) << expected;
        EXPECT_EQ(run(none, 1), expected);
        EXPECT_EQ(run(none, 3), expected);
    }
}

TEST(Scheduler, OfSeveralFailuresInTwoWindowsTheFirstWindowCountsThenTheLowestNumber) {
    int different = 0;
    std::string before;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        std::vector<Fault> faults(processes);
        for (std::size_t i = 0; i < processes; ++i)
            if (const std::uint64_t random = mix(seed << 8U ^ i); random % 2 == 0)
                faults[i].from = 600 + static_cast<Time>(seed % 12) + static_cast<Time>((random >> 8U) % 9);
        const std::string expected = run(faults, 2);
        EXPECT_NE(expected.find("broken"), std::string::npos);
        EXPECT_EQ(run(faults, 1), expected) << seed;
        different += expected != before ? 1 : 0;
        before = expected;
    }
    EXPECT_GT(different, 200);
}

}  // namespace
}  // namespace engine
