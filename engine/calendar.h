// Calendar: the messages that have been sent to the processes of one worker and have not been consumed, by the window
// in which they arrive. Its windows may be shorter than those in which the workers synchronise.
//
// A wheel of windows (an "epoch" of 1024), a wheel of epochs, and one list for what lies beyond both; a message waits
// in a linked list in a pool and moves from the outer wheels to the inner one at most twice. Adding costs no
// comparison; order within a window is made by whoever opens it. A message of few bytes takes half a cache line, as
// there are often so many that they fill the cache. The pool grows to the high-water mark and allocates nothing after.
// Not thread-safe: only its worker touches it.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/message.h"
#include "engine/windows.h"

namespace engine {

// A message in the calendar. Its payload comes behind it: as many bytes as an envelope of its size has.
struct Waiting {
    Time time;
    std::uint64_t order;
    std::int32_t receiver;
    std::uint32_t next;  // of a list: the calendar's, and once the window is open, whoever opened it

    std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
    const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this + 1); }
};

class Calendar {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;  // no place

    // `few`: messages in a window.
    explicit Calendar(const Windows& windows, bool few = false);

    // A new message with so many bytes that arrives at this time, in a window that has not been opened. Its other
    // fields are for the caller to fill. Valid until the next call. Inlined, as the compiler mostly knows the size.
    [[gnu::always_inline]] Waiting& add(Time time, std::size_t size) {
        std::uint32_t& free = is_small(size) ? free_halves_ : free_;
        if (free == none) [[unlikely]]
            is_small(size) ? split() : grow();
        const std::uint32_t place = free;
        Waiting& message = at(place);
        free = message.next;
        message.time = time;
        file(place, windows_.of(time));
        return message;
    }

    // A copy of a message from elsewhere.
    template <std::size_t capacity>
    void add(const BasicEnvelope<capacity>& from) {
        Waiting& to = add(from.time, is_small(capacity) ? capacity : from.size);
        to.order = from.order;
        to.receiver = from.receiver;
        std::memcpy(to.payload(), from.payload, is_small(from.size) ? small : capacity);
    }

    // The first window that holds a message, `never` if there is none.
    Time next_window() const { return next_window_; }
    // Calls f(message, place) for the messages of a window, in no particular order, and takes them from their window.
    // Windows are opened in order; no message may lie in an earlier one. The messages stay in the pool until released.
    template <class F>
    void open(Time window, F f) {
        assert(window <= next_window_);
        if (window >> slot_bits != epoch_) [[unlikely]]
            enter(window);
        const std::size_t slot = slot_of(window);
        const auto walk = [&](std::uint32_t& place) {
            Waiting& message = at(place);
            const std::uint32_t next = message.next;
            f(message, place);
            place = next;
        };
        if (last_strand_ == 0) {
            inner_.clear(slot);
            std::uint32_t place = std::exchange(inner_.first[slot][0], none);
            while (place != none) walk(place);
        } else {
            Strands lists = inner_.take(slot);
            for (bool more = true; more;) {
                more = false;
                for (std::uint32_t& place : lists) {
                    if (place == none) continue;
                    more = true;
                    walk(place);
                }
            }
        }
        next_window_ = find_next(window);
    }
    void prefetch(std::uint32_t place) const { __builtin_prefetch(bytes_ + half * (place == none ? 0 : place)); }
    const Waiting& at(std::uint32_t place) const { return *reinterpret_cast<const Waiting*>(bytes_ + half * place); }
    Waiting& at(std::uint32_t place) { return *reinterpret_cast<Waiting*>(bytes_ + half * place); }
    // The place of a message of so many bytes may be used again: only its link is overwritten.
    void release(std::uint32_t place, std::size_t size) { release(at(place), place, size); }
    void release(Waiting& message, std::uint32_t place, std::size_t size) {
        std::uint32_t& free = is_small(size) ? free_halves_ : free_;
        message.next = std::exchange(free, place);
    }

    // Takes all messages out, calls f(envelope) for each, and makes ready for windows from this one on.
    template <class F>
    void hand_on(Time window, F f) {
        std::vector<Envelope> all;
        std::vector<std::uint32_t> places;
        while (next_window_ != never)
            open(next_window_, [&](const Waiting& message, std::uint32_t place) {
                all.push_back(copy(message, place));
                places.push_back(place);
            });
        for (std::size_t i = 0; i < all.size(); ++i) release(places[i], all[i].size);
        epoch_ = window >> slot_bits;
        for (const Envelope& envelope : all) f(envelope);
    }

    std::size_t high_water_mark() const;  // messages there is room for

  private:
    static constexpr int slot_bits = 10;
    static constexpr std::size_t slots = std::size_t{1} << slot_bits;
    static constexpr std::size_t half = sizeof(SmallEnvelope), small = sizeof SmallEnvelope::payload;  // bytes
    static_assert(half == sizeof(Waiting) + small && sizeof(Envelope) == 2 * half);

    // A slot has several lists, which are walked side by side: the processor waits for several messages at a time.
    using Strands = std::array<std::uint32_t, 4>;
    static constexpr Strands no_lists{none, none, none, none};

    struct Wheel {
        std::array<Strands, slots> first;                // of each list
        std::array<std::uint64_t, slots / 64> filled{};  // by slot

        Wheel() { first.fill(no_lists); }
        bool empty(std::size_t slot) const { return (filled[slot / 64] >> slot % 64 & 1U) == 0; }
        void clear(std::size_t slot) { filled[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }
        Strands take(std::size_t slot) {
            clear(slot);
            return std::exchange(first[slot], no_lists);
        }
        std::size_t next(std::size_t from) const;  // first filled slot from there to the end, `slots` if there is none
    };
    static std::size_t slot_of(Time number) { return static_cast<std::size_t>(number) % slots; }

    void file(std::uint32_t place, Time window) {
        if (window < next_window_) [[unlikely]]
            next_window_ = window;
        if (window >> slot_bits == epoch_) [[likely]] {
            push(inner_, slot_of(window), place);
        } else {
            file_outside(place, window);
        }
    }
    void push(Wheel& wheel, std::size_t slot, std::uint32_t place) {
        at(place).next = std::exchange(wheel.first[slot][place & last_strand_], place);
        wheel.filled[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    void file_outside(std::uint32_t place, Time window);
    void enter(Time window);
    void file_all(std::uint32_t list);
    Time find_next(Time after) const {
        const std::size_t slot = slot_of(after) + 1;
        const std::uint64_t near = slot % 64 == 0 ? 0 : inner_.filled[slot / 64] >> slot % 64;
        return near != 0 ? after + 1 + std::countr_zero(near) : find_far(after);
    }
    Time find_far(Time after) const;
    Envelope copy(const Waiting& message, std::uint32_t place) const;
    void grow();
    void split();

    Windows windows_;
    std::uint32_t last_strand_;
    Time next_window_ = never;
    Time epoch_ = 0;              // whose windows the inner wheel holds
    std::byte* bytes_ = nullptr;  // of the pool
    std::uint32_t free_ = none, free_halves_ = none;
    Wheel inner_;                            // by window
    Wheel outer_;                            // by epoch: those after epoch_, before epoch_ + slots
    std::array<Time, slots> outer_least_{};  // the first window in each list of the outer wheel
    std::uint32_t beyond_ = none;            // list of what is later still
    Time beyond_least_ = never;              // the first window in it
    // A place is half a cache line, or a whole one and then of an even number. A line that was split remains so.
    struct alignas(2 * half) Line {
        std::byte bytes[2 * half];
    };
    std::vector<Line> pool_;
    std::vector<bool> split_;  // by line
    std::size_t lines_split_ = 0;
};

}  // namespace engine
