#include "engine/events/calendar.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace engine {

std::size_t Calendar::Wheel::next(std::size_t from) const {
    std::size_t word = from / 64;
    if (from >= slots) return slots;
    std::uint64_t bits = filled[word] & ~std::uint64_t{0} << from % 64;
    while (bits == 0) {
        if (++word == filled.size()) return slots;
        bits = filled[word];
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

void Calendar::file_outside(std::uint32_t place, Time window) {
    const Time epoch = window >> slot_bits;
    assert(epoch > epoch_);
    if (epoch - epoch_ < static_cast<Time>(slots)) {
        const std::size_t slot = slot_of(epoch);
        outer_least_[slot] = outer_.empty(slot) ? window : std::min(outer_least_[slot], window);
        outer_.push(slot, place);
    } else {
        beyond_.push_back(place);
        beyond_least_ = std::min(beyond_least_, window);
    }
}

// Makes the inner wheel that of the window's epoch.
void Calendar::enter(Time window) {
    const Time epoch = window >> slot_bits;
    assert(epoch > epoch_ && inner_.next(0) == slots);
    const std::size_t slot = slot_of(epoch);
    const bool in_outer = epoch - epoch_ < static_cast<Time>(slots);
    epoch_ = epoch;
    if (in_outer) file_all(std::exchange(outer_.open(slot), {}));
    // What is beyond comes in when its first message does; the rest goes back.
    if (beyond_least_ >> slot_bits < epoch_ + static_cast<Time>(slots)) {
        beyond_least_ = never;
        file_all(std::exchange(beyond_, {}));
    }
}

void Calendar::file_all(const List& list) {
    for (const std::uint32_t place : list) file(place, windows_.of(pool_[place].time));
}

Time Calendar::find_far(Time after) const {
    const std::size_t inner = inner_.next(slot_of(after) + 1);
    if (inner < slots) return (epoch_ << slot_bits) + static_cast<Time>(inner);
    const std::size_t here = slot_of(epoch_);
    std::size_t outer = outer_.next(here + 1);
    if (outer == slots) outer = outer_.next(0);
    return std::min(outer < slots ? outer_least_[outer] : never, beyond_least_);
}

}  // namespace engine
