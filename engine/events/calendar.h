// Calendar: the messages that have been sent to the processes of one worker and have not been consumed, by the window
// in which they arrive.
//
// A wheel of windows (an "epoch" of 128), a wheel of epochs, and one list for what lies beyond both; a message waits
// in a pool, its place in a list, and moves from the outer wheels to the inner one at most twice. Adding costs no
// comparison; the order within a window is made after it is opened. Lists are arrays of places, so that messages are
// on their way into the cache before their turn comes. Not thread-safe: only its worker touches it.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/events/message.h"
#include "engine/events/message_pool.h"
#include "engine/events/windows.h"

namespace engine {

class Calendar {
  public:
    explicit Calendar(const Windows& windows) : windows_(windows) {}

    // A new message that arrives at this time, in a window that has not been opened. Its other fields are for the
    // caller to fill. Valid until the next call.
    Envelope& add(Time time) {
        const std::uint32_t place = pool_.take();
        Envelope& message = pool_[place];
        message.time = time;
        file(place, windows_.of(time));
        return message;
    }
    // A copy of a message from elsewhere.
    void add(const Envelope& from) {
        Envelope& to = add(from.time);
        const std::uint32_t next = to.next;
        to = from;
        to.next = next;
    }

    // The first window that holds a message, `never` if there is none.
    Time next_window() const { return next_window_; }
    // Calls f(message, place) for the messages of a window, the last one that came first, and takes them from their
    // window: lists that grow at their front are in the order of coming then, mostly that of time.
    // Windows are opened in order; no message may lie in an earlier one. The messages stay in the pool until released.
    template <class F>
    void open(Time window, F f) {
        assert(window <= next_window_);
        if (window >> slot_bits != epoch_) [[unlikely]]
            enter(window);
        List& list = inner_.open(slot_of(window));
        for (std::size_t i = list.size(); i-- > 0;) {
            if (i >= prefetched) __builtin_prefetch(&pool_[list[i - prefetched]], 1);
            f(pool_[list[i]], list[i]);
        }
        list.clear();  // keeps its memory
        next_window_ = find_next(window);
    }
    MessagePool& pool() { return pool_; }
    const MessagePool& pool() const { return pool_; }

    // Takes all messages out, and appends them.
    void take_all(std::vector<Envelope>& to) {
        while (next_window_ != never)
            open(next_window_, [&](const Envelope& message, std::uint32_t place) {
                to.push_back(message);
                pool_.release(place);
            });
    }

  private:
    static constexpr int slot_bits = 7;  // few enough for lists of some messages to stay in the L1 cache
    static constexpr std::size_t slots = std::size_t{1} << slot_bits;
    static constexpr std::size_t prefetched = 8;  // messages ahead

    using List = std::vector<std::uint32_t>;  // of places in the pool
    struct Wheel {
        std::array<List, slots> lists;
        std::array<std::uint64_t, slots / 64> filled{};  // by slot

        bool empty(std::size_t slot) const { return (filled[slot / 64] >> slot % 64 & 1U) == 0; }
        void push(std::size_t slot, std::uint32_t place) {
            lists[slot].push_back(place);
            filled[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
        // The list of a slot, which counts as empty from now on. To be cleared.
        List& open(std::size_t slot) {
            filled[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
            return lists[slot];
        }
        std::size_t next(std::size_t from) const;  // first filled slot from there to the end, `slots` if there is none
    };
    static std::size_t slot_of(Time number) { return static_cast<std::size_t>(number) % slots; }

    void file(std::uint32_t place, Time window) {
        if (window < next_window_) [[unlikely]]
            next_window_ = window;
        if (window >> slot_bits == epoch_) [[likely]]
            inner_.push(slot_of(window), place);
        else
            file_outside(place, window);
    }
    void file_outside(std::uint32_t place, Time window);
    void enter(Time window);
    void file_all(const List& list);
    Time find_next(Time after) const {
        const std::size_t slot = slot_of(after) + 1;
        const std::uint64_t near = slot % 64 == 0 ? 0 : inner_.filled[slot / 64] >> slot % 64;
        return near != 0 ? after + 1 + std::countr_zero(near) : find_far(after);
    }
    Time find_far(Time after) const;

    Windows windows_;
    Time next_window_ = never;
    Time epoch_ = 0;                         // whose windows the inner wheel holds
    Wheel inner_;                            // by window
    Wheel outer_;                            // by epoch: those after epoch_, before epoch_ + slots
    std::array<Time, slots> outer_least_{};  // the first window in each list of the outer wheel
    List beyond_;                            // what is later still
    Time beyond_least_ = never;              // the first window in it
    MessagePool pool_;
};

}  // namespace engine
