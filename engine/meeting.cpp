#include "engine/meeting.h"

#include <algorithm>

#include "engine/patience.h"
#include "engine/transport/exchange.h"

namespace engine {

Meeting::Meeting(int threads, transport::Exchange* exchange, bool spin)
    : seats_(static_cast<std::size_t>(threads)),
      exchange_(exchange),
      spin_(spin) {}

// The last worker to arrive decides, so nobody waits for a worker that waits. With several ranks only the main thread
// may call MPI, so it decides.
Time Meeting::agree(int thread, Time next) {
    Seat& seat = seats_[static_cast<std::size_t>(thread)];
    seat.next = next;
    seat.waiting.store(true, std::memory_order_release);
    const auto threads = static_cast<std::uint32_t>(seats_.size());
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    const bool last = threads == 1 || arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads;
    if (exchange_ == nullptr ? last : thread == 0) {
        if (!last) wait_for_arrivals(seat);
        decide(seat);
        if (threads > 1) release(round);
    } else {
        if (last) arrived_.notify_one();
        wait_for_decision(seat, round);
    }
    seat.waiting.store(false, std::memory_order_relaxed);
    return outcome_;
}

void Meeting::decide(Seat& seat) {
    Time least = never;
    for (const Seat& other : seats_) least = std::min(least, other.next);
    if (exchange_ != nullptr) least = exchange_->exchange(least, seat.waited);
    outcome_ = least;
    held_.store(held_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Meeting::release(std::uint32_t round) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    round_.notify_all();
}

void Meeting::wait_for_decision(Seat& seat, std::uint32_t round) {
    Patience patience(spin_);
    while (round_.load(std::memory_order_acquire) == round)
        if (!patience.pause()) round_.wait(round, std::memory_order_acquire);
    seat.waited += patience.seconds();
}

void Meeting::wait_for_arrivals(Seat& seat) {
    const auto threads = static_cast<std::uint32_t>(seats_.size());
    Patience patience(spin_);
    for (;;) {
        const std::uint32_t arrived = arrived_.load(std::memory_order_acquire);
        if (arrived == threads) break;
        if (!patience.pause()) arrived_.wait(arrived, std::memory_order_acquire);
    }
    seat.waited += patience.seconds();
}

bool Meeting::waiting(int thread) const {
    return seats_[static_cast<std::size_t>(thread)].waiting.load(std::memory_order_acquire);
}

}  // namespace engine
