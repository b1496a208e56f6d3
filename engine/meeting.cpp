#include "engine/meeting.h"

#include <algorithm>

namespace engine {

void Meeting::raise(std::atomic<std::uint64_t>& value, std::uint64_t to) {
    std::uint64_t seen = value.load(std::memory_order_relaxed);
    while (seen < to && !value.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
}

void Meeting::stop_after(Time window) {
    Time seen = last_window();
    while (seen > window && !memory_->last_window.compare_exchange_weak(seen, window, std::memory_order_relaxed)) {
    }
}

// Nobody writes a seat again before all have read it: that takes another arrive() of all.
Meeting::Outcome Meeting::agree(Time next, bool alone, double& waited) {
    seats_[seat_].next.store(next, std::memory_order_relaxed);
    seats_[seat_].last_window.store(last_window(), std::memory_order_relaxed);
    seats_[seat_].alone.store(alone, std::memory_order_relaxed);
    arrive([] {}, waited);
    Outcome outcome{never, never, false};
    for (int i = 0; i < participants_; ++i) {
        outcome.next = std::min(outcome.next, seats_[i].next.load(std::memory_order_relaxed));
        outcome.last_window = std::min(outcome.last_window, seats_[i].last_window.load(std::memory_order_relaxed));
        outcome.alone |= seats_[i].alone.load(std::memory_order_relaxed);
    }
    ++held_;
    return outcome;
}

}  // namespace engine
