// Outgoing: the sender's end of a link to another worker. Messages are gathered and handed over together, so that the
// reader is not disturbed for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/events/message.h"

namespace engine::transport {

struct LinkMemory;

class Outgoing {
  public:
    explicit Outgoing(LinkMemory& memory) : memory_(&memory) {}

    // The place for a new message; its time is set. Valid until the next call.
    Envelope& add(Time time) {
        if (count_ % batch == 0) [[unlikely]]
            relieve();
        Envelope& envelope = gathered_[count_++];
        envelope.time = time;
        return envelope;
    }
    // Hands over what there is room for; false if something is left, until the reader has made room.
    bool flush() { return count_ == 0 || hand_over(); }
    // A null message: what is sent from now on arrives no earlier than this time and the lookahead of the link.
    // Everything must have been handed over.
    void set_clock(Time clock) {
        if (clock > clock_) publish(clock);
    }

    // For tests: clocks of this time and later are lost on the way.
    void lose_clocks_from(Time time) { lost_from_ = time; }

    std::uint64_t messages() const { return messages_; }
    std::uint64_t null_messages() const { return null_messages_; }
    std::size_t most_gathered() const { return most_gathered_; }  // at once

  private:
    // So many are handed over while the worker still runs its window: the processor then fetches the ring's lines from
    // the reader's cache meanwhile, and the reader may take them while it waits.
    static constexpr std::size_t batch = 8;

    void relieve();
    bool hand_over();
    void publish(Time clock);

    LinkMemory* memory_;
    std::size_t count_ = 0, handed_over_ = 0, most_gathered_ = 0;
    std::vector<Envelope> gathered_ = std::vector<Envelope>(64);
    Time clock_ = 0, lost_from_ = never + 1;
    std::uint64_t messages_ = 0, null_messages_ = 0;
};

}  // namespace engine::transport
