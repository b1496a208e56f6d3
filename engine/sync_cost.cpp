#include "engine/sync_cost.h"

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "engine/calendar.h"
#include "engine/patience.h"
#include "engine/pinning.h"
#include "engine/together.h"
#include "engine/transport/link.h"
#include "engine/transport/outgoing.h"

namespace engine {

namespace {

constexpr int batches = 400, rounds = 50, many_links = 9, many_messages = 16;

// One side of a game of two workers that take turns: each window of one needs the window before of the other.
class Player {
  public:
    Player(std::vector<transport::LinkMemory>& from_me, std::vector<transport::LinkMemory>& to_me) {
        for (transport::LinkMemory& memory : from_me) outgoing_.emplace_back(memory);
        for (transport::LinkMemory& memory : to_me) incoming_.emplace_back(memory, 0, 1);
    }

    void promise(Time window, int messages) {
        for (int i = 0; i < messages; ++i) fill(outgoing_[0].add(window + 1), i);
        for (transport::Outgoing& outgoing : outgoing_) outgoing.flush();
        for (transport::Outgoing& outgoing : outgoing_) outgoing.promise(window);
    }
    void wait_for(Time window, bool spin) {
        Patience patience(spin);
        while (!promised(window)) patience.pause();
        for (transport::Incoming& incoming : incoming_) incoming.drain(calendar_);
        consume();
    }
    // The same messages without another worker.
    void keep(Time window, int messages) {
        for (int i = 0; i < messages; ++i) fill(calendar_.add(window + 1), i);
        consume();
    }

  private:
    static void fill(Envelope& envelope, int i) {
        envelope.order = static_cast<std::uint64_t>(i);
        envelope.receiver = 0;
    }
    bool promised(Time window) const {
        return std::all_of(incoming_.begin(), incoming_.end(),
                           [window](const transport::Incoming& incoming) { return incoming.clock() >= window; });
    }
    void consume() {
        while (calendar_.next_window() != never) {
            places_.clear();
            calendar_.open(calendar_.next_window(),
                           [this](const Envelope& /*envelope*/, std::uint32_t place) { places_.push_back(place); });
            for (const std::uint32_t place : places_) calendar_.release(place);
        }
    }

    std::vector<transport::Outgoing> outgoing_;
    std::vector<transport::Incoming> incoming_;
    Calendar calendar_{Windows(1)};
    std::vector<std::uint32_t> places_;
};

// Of many, one of the least: that is what it costs when nobody interrupts and both threads have a core. The very least
// may be luck.
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

// Seconds from one player to the other, with so many links either way and messages on the first.
double hop(int links, int messages, bool spin) {
    const auto count = static_cast<std::size_t>(links);
    std::vector<transport::LinkMemory> there(count), back(count);
    Player first(there, back), second(back, there);
    Samples samples;
    const Cores cores;
    run_together(2, [&](int thread) {
        const Cores::Pin pin(cores, thread);  // not both on one core
        Player& me = thread == 0 ? first : second;
        Clock::time_point start = Clock::now();
        for (Time window = 1; window <= batches * rounds; ++window) {
            if (thread == 0) me.promise(window, messages);
            me.wait_for(window, spin);
            if (thread == 1) me.promise(window, messages);
            if (thread == 1 || window % rounds != 0) continue;
            samples.add(seconds_since(start));
            start = Clock::now();
        }
    });
    return samples.undisturbed() / 2;
}

double keep(int messages) {
    std::vector<transport::LinkMemory> none;
    Player player(none, none);
    Samples samples;
    Time window = 0;
    for (int batch = 0; batch < batches; ++batch) {
        const Clock::time_point start = Clock::now();
        for (int round = 0; round < rounds; ++round) player.keep(++window, messages);
        samples.add(seconds_since(start));
    }
    return samples.undisturbed();
}

}  // namespace

SyncCost measure_sync_cost() {
    const bool spin = std::thread::hardware_concurrency() > 1;
    SyncCost cost;
    cost.window = hop(1, 0, spin);
    const double with_links = hop(many_links, 0, spin);
    const double with_messages = hop(1, many_messages, spin);
    const double kept = keep(many_messages);
    cost.link = std::max(0.0, with_links - cost.window) / (many_links - 1);
    cost.message = std::max(0.0, with_messages - cost.window - kept) / many_messages;
    return cost;
}

}  // namespace engine
