// Link: what one worker tells another one, of its own rank or of another rank of the node: messages, and how far it has
// come. The part that both touch is plain memory without pointers, so it may lie in memory that two programs share.
//
// The one rule: a sender promises a time when all messages have been handed over that may arrive earlier than this time
// and the lookahead of the link.
#pragma once

#include <atomic>
#include <type_traits>

#include <boost/lockfree/spsc_queue.hpp>

#include "engine/calendar.h"
#include "engine/message.h"

namespace engine::transport {

// Of envelopes of one size.
template <class E>
struct alignas(64) Ring : boost::lockfree::spsc_queue<E, boost::lockfree::capacity<1024>> {};

struct LinkMemory {
    alignas(64) std::atomic<Time> clock = 0;  // what the sender has promised
    Ring<Envelope> ring;
    Ring<SmallEnvelope> small_ring;

    template <class E>
    Ring<E>& ring_of() {
        if constexpr (std::is_same_v<E, Envelope>)
            return ring;
        else
            return small_ring;
    }
    bool has_messages() const { return ring.read_available() + small_ring.read_available() > 0; }
    // Takes all messages out.
    template <class F>
    void consume_all(F f) {
        ring.consume_all(f);
        small_ring.consume_all(f);
    }
};

// The reader's end.
class Incoming {
  public:
    // `lookahead`: the least of the channels that lead over this link.
    Incoming(LinkMemory& memory, int sender, Time lookahead)
        : memory_(&memory),
          sender_(sender),
          lookahead_(lookahead) {}

    int sender() const { return sender_; }  // its number in the plan
    Time lookahead() const { return lookahead_; }

    Time clock() const { return memory_->clock.load(std::memory_order_acquire); }
    void drain(Calendar& calendar) {
        memory_->consume_all([&calendar](const auto& envelope) { calendar.add(envelope); });
    }

  private:
    LinkMemory* memory_;
    int sender_;
    Time lookahead_;
};

}  // namespace engine::transport
