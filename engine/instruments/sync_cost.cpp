#include "engine/instruments/sync_cost.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/simulation.h"
#include "engine/threads/back_off.h"
#include "engine/threads/pinning.h"
#include "engine/threads/run_on_threads.h"
#include "engine/transport/link.h"
#include "engine/transport/outgoing.h"
#include "engine/wall_clock.h"

namespace engine {

namespace {

constexpr int batches = 200, rounds = 50;

// A low percentile of many: the cost without interruptions, when both threads have a core. The very least may be luck.
class Samples {
  public:
    Samples() { seconds_.reserve(batches); }
    void add(double seconds) { seconds_.push_back(seconds / rounds); }
    double undisturbed() {
        const auto low = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 20);
        std::nth_element(seconds_.begin(), low, seconds_.end());
        return *low;
    }

  private:
    std::vector<double> seconds_;
};

// Acts in every window, sends so many messages then, and notes how long windows take.
class Chatter : public EventDriven<Chatter> {
  public:
    struct Word {
        std::uint64_t number;
    };

    Chatter(int index, int messages) : EventDriven("chatter", index), messages_(messages) { wake_at(0); }
    void on_wake() {
        if (now() % rounds == 0) {
            const Clock::time_point begin = std::exchange(begin_, Clock::now());
            if (now() > 0) windows.add(std::chrono::duration<double>(begin_ - begin).count());
        }
        for (int i = 0; i < messages_; ++i) out.send({static_cast<std::uint64_t>(i)});
        if (now() < Time{batches} * rounds) wake_at(now() + 1);
    }
    void on_word(const Word& word) { heard_ += word.number; }

    Out<Word> out{this, "out"};
    In<Word> in{this, "in", handler<&Chatter::on_word>};
    Samples windows;

  private:
    int messages_;
    std::uint64_t heard_ = 0;
    Clock::time_point begin_{};
};

// Seconds a window of `workers` (one or two) that send each other, or one itself, so many messages.
double window(int workers, int messages) {
    Simulation simulation;
    std::vector<Chatter*> chatters;
    Plan plan{1, workers, {}};
    for (int i = 0; i < workers; ++i) {
        chatters.push_back(&simulation.add<Chatter>(i, messages));
        plan.worker.push_back(i);
    }
    simulation.connect(chatters.front()->out, chatters.back()->in, 1);
    if (workers > 1) simulation.connect(chatters.back()->out, chatters.front()->in, 1);
    simulation.run(plan, {.trial_seconds = -1, .pin = true});
    return chatters.front()->windows.undisturbed();
}

// One side of a game of two workers that take turns, over several links: each window of one needs the window before of
// the other.
class Player {
  public:
    Player(std::vector<transport::LinkMemory>& from_me, std::vector<transport::LinkMemory>& to_me) {
        for (transport::LinkMemory& memory : from_me) outgoing_.emplace_back(memory);
        for (transport::LinkMemory& memory : to_me) incoming_.emplace_back(memory, 0, 1);
    }

    void set_clocks(Time window) {
        for (transport::Outgoing& outgoing : outgoing_) outgoing.set_clock(window);
    }
    void wait_for(Time window) {
        BackOff back_off(true);
        while (!reached(window)) back_off.pause();
    }

  private:
    bool reached(Time window) const {
        return std::all_of(incoming_.begin(), incoming_.end(),
                           [window](const transport::Incoming& incoming) { return incoming.clock() >= window; });
    }

    std::vector<transport::Outgoing> outgoing_;
    std::vector<transport::Incoming> incoming_;
};

// Seconds from one player to the other, with so many links either way.
double hop(std::size_t links) {
    std::vector<transport::LinkMemory> there(links), back(links);
    Player first(there, back), second(back, there);
    Samples samples;
    const Cores cores;
    run_on_threads(2, [&](int thread) {
        const Cores::Pin pin(cores, thread);  // not both on one core
        Player& me = thread == 0 ? first : second;
        Clock::time_point start = Clock::now();
        for (Time window = 1; window <= batches * rounds; ++window) {
            if (thread == 0) me.set_clocks(window);
            me.wait_for(window);
            if (thread == 1) me.set_clocks(window);
            if (thread == 1 || window % rounds != 0) continue;
            samples.add(seconds_since(start));
            start = Clock::now();
        }
    });
    return samples.undisturbed() / 2;
}

}  // namespace

SyncCost sync_cost(const SyncTimings& timings) {
    constexpr int few = SyncTimings::few_messages, many = SyncTimings::many_messages, links = SyncTimings::many_links;
    const auto more = [](const SyncTimings::Window& window) { return window.two - window.one; };
    const double empty = more(timings.empty), crossing = more(timings.few) - empty;
    SyncCost cost;
    cost.window = std::max(1e-9, empty);
    cost.link = std::max(0.0, timings.hop_of_many - timings.hop) / (links - 1);
    cost.message = std::max(0.0, more(timings.many) - more(timings.few)) / (many - few);
    cost.batch = std::max(0.0, crossing - few * cost.message);
    return cost;
}

SyncCost measure_sync_cost() {
    const auto windows = [](int messages) { return SyncTimings::Window{window(2, messages), window(1, messages)}; };
    return sync_cost({.empty = windows(0),
                      .few = windows(SyncTimings::few_messages),
                      .many = windows(SyncTimings::many_messages),
                      .hop = hop(1),
                      .hop_of_many = hop(SyncTimings::many_links)});
}

}  // namespace engine
