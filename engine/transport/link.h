// Link: what one worker tells another one, of its own rank or of another rank of the node: messages, and how far it has
// come. The part that both touch is plain memory without pointers, so it may lie in memory that two programs share.
//
// The one rule: a sender sets its clock when all messages have been handed over that may arrive earlier than this time
// and the lookahead of the link.
#pragma once

#include <atomic>

#include <boost/lockfree/spsc_queue.hpp>

#include "engine/events/calendar.h"
#include "engine/events/message.h"

namespace engine::transport {

struct LinkMemory {
    alignas(64) std::atomic<Time> clock = 0;  // nothing that is sent later arrives before it and the lookahead
    alignas(64) boost::lockfree::spsc_queue<Envelope, boost::lockfree::capacity<1024>> ring;
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
        memory_->ring.consume_all([&calendar](const Envelope& envelope) { calendar.add(envelope); });
    }

  private:
    LinkMemory* memory_;
    int sender_;
    Time lookahead_;
};

}  // namespace engine::transport
