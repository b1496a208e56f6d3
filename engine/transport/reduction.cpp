#include "engine/transport/reduction.h"

#include <algorithm>

namespace engine {

void ReductionMemory::raise_requested(std::uint64_t to) {
    std::uint64_t seen = requested.load(std::memory_order_relaxed);
    while (seen < to && !requested.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
}

void ReductionMemory::lower_last_window(Time to) {
    Time seen = last_window.load(std::memory_order_relaxed);
    while (seen > to && !last_window.compare_exchange_weak(seen, to, std::memory_order_relaxed)) {
    }
}

// No participant writes its slot again before all have read it: that takes another arrive() of all. That holds for
// copies of slots from other nodes as well: one that writes has seen all arrive, and one that has arrived has read all
// slots of the reduction before. A copy that was taken too early is of a participant that has not been counted for the
// second time, and is written once more before it is.
void Reduction::write_slot(const Contribution& mine) {
    ReductionSlot& slot = slots_[seat_];
    slot.next.store(mine.next, std::memory_order_relaxed);
    slot.last_window.store(last_window(), std::memory_order_relaxed);
    slot.last_run.store(mine.last_run, std::memory_order_relaxed);
    slot.stop.store(mine.stop, std::memory_order_relaxed);
    slot.failed.store(mine.failed, std::memory_order_relaxed);
}

Reduction::Result Reduction::read_slots() {
    Result result;
    for (int i = 0; i < participants_; ++i) {
        const ReductionSlot& slot = slots_[i];
        result.next = std::min(result.next, slot.next.load(std::memory_order_relaxed));
        result.last_window = std::min(result.last_window, slot.last_window.load(std::memory_order_relaxed));
        result.last_run = std::max(result.last_run, slot.last_run.load(std::memory_order_relaxed));
        result.stop = std::max(result.stop, slot.stop.load(std::memory_order_relaxed));
        result.failed |= slot.failed.load(std::memory_order_relaxed);
    }
    ++held_;
    return result;
}

}  // namespace engine
