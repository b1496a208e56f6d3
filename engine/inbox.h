// Inbox: the messages that have been sent to one logical process and that it has not consumed.
//
// They leave in the order (time, input port, position in the channel) whatever order they came in; nothing else orders
// anything. A binary heap of keys over a pool of slots: both grow to the high-water mark and allocate nothing after.
// Not thread-safe: only the worker that runs the process touches it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/message.h"

namespace engine {

class Inbox {
  public:
    // Arrival time of the first message, `never` if there is none.
    Time next_time() const { return next_time_; }
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }

    // The place for the payload of a new message. Valid until the next call.
    Slot& add(Time time, std::uint64_t order) {
        if (free_.empty()) grow();
        const std::uint32_t place = free_.back();
        free_.pop_back();
        heap_.push_back({time, order, place});
        std::push_heap(heap_.begin(), heap_.end(), later);
        next_time_ = heap_.front().time;
        Slot& slot = slots_[place];
        slot.time = time;
        slot.order = order;
        return slot;
    }
    void add(const Envelope& envelope) {
        std::memcpy(add(envelope.time, envelope.order).payload, envelope.payload, message_capacity);
    }

    // Takes the first message out. The slot stays readable until the next call of add().
    const Slot& take() {
        const std::uint32_t place = heap_.front().place;
        std::pop_heap(heap_.begin(), heap_.end(), later);
        heap_.pop_back();
        next_time_ = heap_.empty() ? never : heap_.front().time;
        free_.push_back(place);
        return slots_[place];
    }

  private:
    struct Key {
        Time time;
        std::uint64_t order;
        std::uint32_t place;
    };
    static bool later(const Key& a, const Key& b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }
    void grow();

    Time next_time_ = never;
    std::vector<Key> heap_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;  // places in slots_
};

}  // namespace engine
