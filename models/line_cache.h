// A non-blocking read-only cache of one processor: tags, lines in flight with merging, and counters around the
// processor's memory port. Lines are allocated when their data arrives. Not a process: a member of one.
#pragma once

#include <span>

#include "models/cache_array.h"
#include "models/memory_port.h"
#include "models/mshr_table.h"

namespace models {

class LineCache {
  public:
    enum class Outcome { hit, waiting, refused };

    // `client`: its number among the clients of the memory port.
    LineCache(const engine::CounterScope& scope, const CacheParameters& parameters, MemoryPort& memory, int client,
              engine::Time period);

    // hit: the data is there one latency() from now. waiting: `waiter` is among those that fill() returns. refused: no
    // MSHR, no room to wait or no credit; to be tried again after the next answer from memory.
    Outcome read(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution) {
        if (array_.access(block) != nullptr) {
            ++accesses_;
            ++hits_;
            return Outcome::hit;
        }
        return miss(now, block, waiter, attribution);
    }

    // The answer with this tag came. The waiters, valid until the next read().
    std::span<const std::uint32_t> fill(RequestTag tag) {
        assert(tag.client == tag_.client);
        array_.insert(mshrs_.block(tag.entry));
        ++fills_;
        return mshrs_.release(tag.entry);
    }

    engine::Time latency() const { return latency_; }
    bool idle() const { return mshrs_.empty(); }

    // Forgets lines whose memory has been written.
    template <class Predicate>
    void invalidate(Predicate&& predicate) {
        invalidations_ += array_.invalidate(predicate);
    }

  private:
    Outcome miss(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution);

    CacheArray array_;
    MshrTable mshrs_;
    MemoryPort* memory_;
    RequestTag tag_;
    engine::Time latency_;
    engine::Counter accesses_, hits_, merged_, misses_, fills_, refusals_, invalidations_;
};

}  // namespace models
