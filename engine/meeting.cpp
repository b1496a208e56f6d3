#include "engine/meeting.h"

#include <algorithm>

namespace engine {

void MeetingMemory::raise_wanted(std::uint64_t to) {
    std::uint64_t seen = wanted.load(std::memory_order_relaxed);
    while (seen < to && !wanted.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
}

void MeetingMemory::lower_last_window(Time to) {
    Time seen = last_window.load(std::memory_order_relaxed);
    while (seen > to && !last_window.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
}

// Nobody writes a seat again before all have read it: that takes another arrive() of all. That holds for copies of
// seats from other nodes as well: who sits down has seen everybody arrive, and who has arrived has read all seats of
// the meeting before. A copy that was taken too early is of a participant that has not been counted for the second
// time, and is written once more before it is.
void Meeting::sit_down(const Contribution& mine) {
    MeetingSeat& seat = seats_[seat_];
    seat.next.store(mine.next, std::memory_order_relaxed);
    seat.last_window.store(last_window(), std::memory_order_relaxed);
    seat.reached.store(mine.reached, std::memory_order_relaxed);
    seat.stop.store(mine.stop, std::memory_order_relaxed);
    seat.failed.store(mine.failed, std::memory_order_relaxed);
    seat.change.store(mine.change, std::memory_order_relaxed);
}

Meeting::Outcome Meeting::read_seats() {
    Outcome outcome;
    for (int i = 0; i < participants_; ++i) {
        const MeetingSeat& seat = seats_[i];
        outcome.next = std::min(outcome.next, seat.next.load(std::memory_order_relaxed));
        outcome.last_window = std::min(outcome.last_window, seat.last_window.load(std::memory_order_relaxed));
        outcome.reached = std::max(outcome.reached, seat.reached.load(std::memory_order_relaxed));
        outcome.stop = std::max(outcome.stop, seat.stop.load(std::memory_order_relaxed));
        outcome.failed |= seat.failed.load(std::memory_order_relaxed);
        outcome.change = std::max(outcome.change, seat.change.load(std::memory_order_relaxed));
    }
    ++held_;
    return outcome;
}

}  // namespace engine
