// What a prefetcher sees of a cache, and where it puts what it wants: the two ends that all prefetchers share.
#pragma once

#include <utility>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/memory/requests.h"
#include "models/structures/ring_queue.h"

namespace models {

// A lookup that a cache served. Blocks are those of the cache, one after the other: a slice of a cache that has every
// n-th line sees its own lines as neighbours.
struct CacheObservation {
    enum class Result : std::uint8_t {
        hit,
        joined,  // others, or a prefetch, in waiting for a line in flight
        missed,
    };
    BlockNumber block = 0;
    Result result = Result::hit;
    bool prefetched = false;     // the first access of a line that a prefetch has brought, or is bringing
    bool evicted_early = false;  // a miss of a line that a prefetch had brought, and that went before it was accessed
    Attribution attribution = {};
    engine::Time now = 0;

    // Without prefetches it would have been a miss.
    bool is_new() const { return result == Result::missed || prefetched; }
};

// Blocks that the cache is to bring when it can. One for which there is no room is dropped.
class PrefetchQueue {
  public:
    struct Wish {
        BlockNumber block = 0;
        Attribution attribution = {};  // of the access that gave rise to it
    };
    struct Counts {
        std::uint32_t wanted = 0, dropped = 0;
    };

    explicit PrefetchQueue(std::size_t capacity) : wishes_(capacity) {}

    void want(BlockNumber block, const Attribution& attribution) {
        ++counts_.wanted;
        if (wishes_.full())
            ++counts_.dropped;
        else
            wishes_.push({block, attribution});
    }

    bool empty() const { return wishes_.empty(); }
    std::uint32_t size() const { return wishes_.size(); }
    const Wish& front() const { return wishes_.front(); }
    void pop() { wishes_.pop(); }
    // Since it was asked last.
    Counts take_counts() { return std::exchange(counts_, {}); }

    void serialize(engine::Archive& archive) { archive(wishes_, counts_); }

  private:
    RingQueue<Wish> wishes_;
    Counts counts_;
};

}  // namespace models
