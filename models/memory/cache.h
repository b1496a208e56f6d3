// A non-blocking cache of a processor: tags, lines in flight with merging, write-back of what was written, prefetching.
// Lines are allocated when their data arrives. A component: it knows time, and sends through the memory port of the
// process that hosts it, which hands it the answers.
#pragma once

#include <span>
#include <vector>

#include "models/memory/cache_parameters.h"
#include "models/memory/memory_port.h"
#include "models/prefetch/prefetcher.h"
#include "models/structures/cache_array.h"
#include "models/structures/mshr_table.h"

namespace models {

class Laws;

class Cache {
  public:
    enum class Outcome : std::uint8_t { hit, waiting, refused };

    // Where it sits: the port to memory, its number among the parts that share the port, and whose data it holds.
    struct Site {
        MemoryPort& memory;
        int part;
        MemoryClient client;
    };
    Cache(const engine::CounterScope& scope, const CacheParameters& parameters, const Site& site, engine::Time period);

    // hit: the data is there one latency() from now. waiting: `waiter` is among those that fill() returns. refused: no
    // MSHR, no room to wait or no credit; to be tried again after the next answer from memory.
    Outcome read(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution) {
        return access(now, block, waiter, attribution, false);
    }
    // Of a part of a line, which is fetched if it is absent and goes back to memory some time.
    Outcome write(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution) {
        return access(now, block, waiter, attribution, true);
    }

    // The answer to a read came. The waiters, valid until the next access.
    std::span<const std::uint32_t> fill(engine::Time now, RequestTag tag);

    // Sends one line that has to go back, if it can. True if there may be more to do in the next cycle.
    bool write_back(engine::Time now);
    // Forgets all lines, and puts those that were written on their way back; done when is_clean(). Not while lines are
    // awaited.
    void begin_flush();
    bool awaits_lines() const { return !mshrs_.empty(); }
    bool is_clean() const { return write_backs_.empty() && flush_.empty() && write_backs_in_flight_ == 0; }
    void on_written() { --write_backs_in_flight_; }

    engine::Time latency() const { return latency_; }
    bool is_idle() const { return mshrs_.empty() && is_clean(); }

    // Forgets lines whose memory has been written by others.
    template <class Predicate>
    void invalidate(Predicate&& predicate) {
        invalidations += array_.invalidate(predicate);
    }

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Counter accesses, hits, merged, misses, fills, refusals, invalidations, written_back, prefetches;

  private:
    Outcome access(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution,
                   bool is_write) {
        CacheArray::Line* const line = array_.access(block);
        if (line == nullptr) return miss(now, block, waiter, attribution, is_write);
        ++accesses;
        ++hits;
        if (is_write) line->dirty = 1;
        if (watches_) watch(now, {block, true, attribution});
        return Outcome::hit;
    }
    Outcome miss(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution,
                 bool is_write);
    void request(engine::Time now, BlockNumber block, int entry, const Attribution& attribution);
    void watch(engine::Time now, const CacheObservation& observation);

    CacheArray array_;
    MshrTable mshrs_;
    std::vector<std::uint8_t> written_;  // by MSHR: somebody who waits writes
    MemoryPort* memory_;
    RequestTag tag_;
    MemoryClient client_;
    engine::Time latency_;
    RingQueue<BlockNumber> write_backs_;
    std::uint32_t write_backs_in_flight_ = 0;
    std::vector<BlockNumber> flush_;  // written lines that are still to go back, last first
    bool watches_;                    // it has a prefetcher
    Prefetcher prefetcher_;
    PrefetchQueue wanted_;  // by the prefetcher
};

}  // namespace models
