// Lane: messages from one worker to another worker of the same rank.
//
// A lock-free ring for one writer and one reader. What does not fit goes to a list under a lock, so the writer never
// waits for the reader; the list keeps its high-water mark and the lock is not touched while the ring suffices.
// Messages may overtake each other here: the receiver's inbox orders them.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include <boost/lockfree/spsc_queue.hpp>

#include "engine/outbox.h"

namespace engine::transport {

class Lane final : public Outbox {
  public:
    explicit Lane(std::size_t capacity) : ring_(capacity) {}

    // Calls f with every message; by the reader.
    template <class F>
    void drain(F f) {
        ring_.consume_all(f);
        if (!overflowed_.load(std::memory_order_acquire)) return;
        {
            const std::lock_guard lock(mutex_);
            drained_.swap(overflow_);
            overflowed_.store(false, std::memory_order_relaxed);
        }
        for (const Envelope& envelope : drained_) f(envelope);
        drained_.clear();
    }

  private:
    void put(const Envelope& envelope) override {
        if (ring_.push(envelope)) return;
        const std::lock_guard lock(mutex_);
        overflow_.push_back(envelope);
        overflowed_.store(true, std::memory_order_release);
    }

    boost::lockfree::spsc_queue<Envelope> ring_;
    std::atomic<bool> overflowed_ = false;
    std::mutex mutex_;
    std::vector<Envelope> overflow_, drained_;
};

}  // namespace engine::transport
