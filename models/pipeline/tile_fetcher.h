// The tile fetcher: reads the list of primitives of one tile after the other, and the primitives themselves, through
// the tile cache. A component: its host says which tile comes next, and takes the items as they are ready.
#pragma once

#include <array>
#include <vector>

#include "models/memory/cache.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class TileFetcher {
  public:
    struct Item {
        std::uint32_t primitive = none;               // in Frame::primitives; none: the end of a tile
        std::uint32_t first_quad = 0, quads_end = 0;  // its quads in the tile, in Frame::quads
        BlockNumber next = 0, end = 0;                // lines of the primitive that are still to be looked up
        std::uint32_t outstanding = 0;                // lines on the way
        engine::Time ready_at = 0;
        bool is_ready(engine::Time now) const { return next == end && outstanding == 0 && ready_at <= now; }
        bool ends_tile() const { return primitive == none; }
    };
    static constexpr int most_fetchers = 2;  // of one cache

    // `prefix` of its counters; `number`: among the fetchers of the cache.
    TileFetcher(const engine::CounterScope& scope, const std::string& prefix, int number,
                const TilingParameters& parameters, const Workload& workload, Cache& cache);

    // This tile of the pass comes next.
    void begin_tile(std::uint32_t pass, std::uint32_t tile);
    bool wants_tile() const { return phase_ == Phase::idle; }

    // One cycle. True if there may be something to do in the next one.
    bool step(engine::Time now);

    // The waiter of a line that arrived is one of this fetcher's.
    bool owns(std::uint32_t waiter) const { return (waiter & fetcher_bit) == number_ * fetcher_bit; }
    void fill(std::uint32_t waiter);
    // Something was answered: what was refused may go now.
    void retry() { refused_ = false; }

    bool is_empty() const { return items_.empty(); }
    const Item& front() const { return items_.front(); }
    void pop() { items_.pop(); }

    // After a step that did nothing: the next time at which a line that is there becomes usable, or never.
    engine::Time next_event(engine::Time now) const;

    void serialize(engine::Archive& archive);

    engine::Counter primitives, chunks_read;

  private:
    enum class Phase : std::uint8_t { idle, list, end };
    static constexpr std::uint32_t chunk_bit = 0x80000000U;  // | last bit of the chunk's number; else the item's number
    static constexpr std::uint32_t fetcher_bit = 0x40000000U;

    bool look_up(engine::Time now, BlockNumber block, std::uint32_t waiter, engine::Time& ready_at,
                 std::uint32_t& waiting);
    bool request_chunk(engine::Time now);
    bool request_record(engine::Time now);
    bool queue_item(engine::Time now);

    const Workload& workload_;
    Cache* cache_;
    std::uint32_t number_;
    RingQueue<Item> items_;
    Phase phase_ = Phase::idle;
    std::uint32_t pass_ = 0, tile_ = 0;
    std::uint32_t entry_ = 0, entries_end_ = 0;       // in PolygonLists::entries: next of the tile's list
    std::uint32_t chunk_ = 0, entries_of_chunk_ = 0;  // of the list: that of the next entry; how many follow
    std::uint32_t first_chunk_ = 0, chunks_ = 0;      // in PolygonLists::chunks, of the list
    std::uint32_t chunks_requested_ = 0;
    std::uint32_t next_quad_ = 0;  // the first of the next entry's primitive
    struct Chunk {
        engine::Time ready_at = 0;
        std::uint64_t waiting = 0;
    };
    std::array<Chunk, 2> buffers_;  // the one being read and the next, by the last bit of their number
    bool refused_ = false;
    bool busy_ = false;  // within a step: a lookup has to be tried again in the next cycle
};

}  // namespace models
