// Meeting: where all workers of all ranks agree on the next window, once per window.
//
// Every worker brings the time of its next event, including messages it has sent to other workers; the least of all is
// where the next window begins. `never` from all: the run is over, for all at the same point. Everything a worker did
// before a meeting is visible to all workers after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/units.h"

namespace engine {

namespace transport {
class Exchange;
}

// What a worker that cannot go on brings: earlier than every time, so that all learn of it at the same meeting.
inline constexpr Time failure = -1;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what different workers write lies in different cache lines
class Meeting {
  public:
    // `exchange` is null if there is one rank. `spin`: every worker has a core of its own.
    Meeting(int threads, transport::Exchange* exchange, bool spin);

    Time agree(int thread, Time next);
    bool failed() const { return outcome_ == failure; }  // after the last meeting

    std::uint64_t held() const { return held_.load(std::memory_order_relaxed); }
    // For the watchdog: whether a worker waits here. What it did before is then visible.
    bool waiting(int thread) const;
    // Wall seconds a worker has waited in total; by itself, or when all is over.
    double waited(int thread) const { return seats_[static_cast<std::size_t>(thread)].waited; }

  private:
    struct alignas(64) Seat {
        Time next = never;
        double waited = 0;
        std::atomic<bool> waiting = false;
    };
    void decide(Seat& seat);
    void release(std::uint32_t round);
    void wait_for_decision(Seat& seat, std::uint32_t round);
    void wait_for_arrivals(Seat& seat);

    std::vector<Seat> seats_;
    transport::Exchange* exchange_;
    bool spin_;
    Time outcome_ = never;
    std::atomic<std::uint64_t> held_ = 0;
    alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
    alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace engine
