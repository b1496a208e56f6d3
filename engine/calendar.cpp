#include "engine/calendar.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace engine {

Calendar::Calendar(const Windows& windows, bool few) : windows_(windows), last_strand_(few ? 0 : 3) {}

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
        push(outer_, slot, place);
    } else {
        at(place).next = std::exchange(beyond_, place);
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
    if (in_outer) {
        for (const std::uint32_t list : outer_.take(slot)) file_all(list);
    }
    // What is beyond comes in when its first message does; the rest goes back.
    if (beyond_least_ >> slot_bits < epoch_ + static_cast<Time>(slots)) {
        beyond_least_ = never;
        file_all(std::exchange(beyond_, none));
    }
}

void Calendar::file_all(std::uint32_t list) {
    while (list != none) {
        const std::uint32_t next = at(list).next;
        file(list, windows_.of(at(list).time));
        list = next;
    }
}

Time Calendar::find_far(Time after) const {
    const std::size_t inner = inner_.next(slot_of(after) + 1);
    if (inner < slots) return (epoch_ << slot_bits) + static_cast<Time>(inner);
    const std::size_t here = slot_of(epoch_);
    std::size_t outer = outer_.next(here + 1);
    if (outer == slots) outer = outer_.next(0);
    return std::min(outer < slots ? outer_least_[outer] : never, beyond_least_);
}

void Calendar::grow() {
    const std::size_t before = pool_.size(), after = std::max<std::size_t>(64, 2 * before);
    assert(2 * after < none);
    pool_.resize(after);
    split_.resize(after);
    bytes_ = reinterpret_cast<std::byte*>(pool_.data());
    for (std::size_t line = after; line-- > before;) release(static_cast<std::uint32_t>(2 * line), message_capacity);
}

// Two small places of a whole one.
void Calendar::split() {
    if (free_ == none) grow();
    const std::uint32_t place = std::exchange(free_, at(free_).next);
    split_[place / 2] = true;
    ++lines_split_;
    release(place + 1, small);
    release(place, small);
}

std::size_t Calendar::high_water_mark() const {
    return pool_.size() + lines_split_;
}

Envelope Calendar::copy(const Waiting& message, std::uint32_t place) const {
    const std::size_t size = split_[place / 2] ? small : message_capacity;
    Envelope copy{message.time, message.order, message.receiver, static_cast<std::uint32_t>(size), {}};
    std::memcpy(copy.payload, message.payload(), copy.size);
    return copy;
}

}  // namespace engine
