// Outgoing: the sender's end of a link to another worker. Messages are gathered and handed over together, so that the
// reader is not disturbed for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/message.h"

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
    // What is sent from now on arrives no earlier than this time and the lookahead of the link. Everything must have
    // been handed over.
    void promise(Time clock) {
        if (clock > promised_) publish(clock);
    }

    bool leads_to(const LinkMemory& memory) const { return memory_ == &memory; }
    // While the reader does not look: others send over the link from now on.
    void forget_promises();

    // For tests: promises of this time and later are lost on the way.
    void lose_promises_from(Time time) { lost_from_ = time; }

    std::uint64_t messages() const { return messages_; }
    std::uint64_t promises() const { return promises_; }
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
    Time promised_ = 0, lost_from_ = never + 1;
    std::uint64_t messages_ = 0, promises_ = 0;
};

}  // namespace engine::transport
