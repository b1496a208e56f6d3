// Outbox: the way of messages from one worker to another one, of this rank (transport/lane.h) or of another rank
// (transport/exchange.h). Messages between processes of one worker do not pass here.
#pragma once

#include <algorithm>
#include <utility>

#include "engine/message.h"

namespace engine {

class Outbox {
  public:
    Outbox() = default;
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    virtual ~Outbox() = default;

    // Never blocks. The receiver may see the message at once, and does see it in the next window.
    void post(const Envelope& envelope) {
        least_ = std::min(least_, envelope.time);
        put(envelope);
    }
    // The earliest arrival among the messages posted since the last call.
    Time take_least() { return std::exchange(least_, never); }

  private:
    virtual void put(const Envelope& envelope) = 0;
    Time least_ = never;
};

}  // namespace engine
