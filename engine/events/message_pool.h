// MessagePool: where the messages that wait at one worker lie, each at a place of its own. It grows to the high-water
// mark and allocates nothing after. Not thread-safe: only its worker touches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/events/message.h"

namespace engine {

class MessagePool {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;  // no place

    // Valid until the next take().
    Envelope& operator[](std::uint32_t place) { return envelopes_[place]; }
    const Envelope& operator[](std::uint32_t place) const { return envelopes_[place]; }

    // A free place.
    std::uint32_t take() {
        if (free_ == none) [[unlikely]]
            grow();
        return std::exchange(free_, envelopes_[free_].next);
    }
    // The place may be used again: until then only the link of what lies there is overwritten.
    void release(std::uint32_t place) { envelopes_[place].next = std::exchange(free_, place); }

    std::size_t size() const { return envelopes_.size(); }  // messages there is room for

  private:
    void grow();

    std::vector<Envelope> envelopes_;
    std::uint32_t free_ = none;  // list of the free places
};

}  // namespace engine
