// The tile fetcher: walks the tiles of a pass in order, reads each tile's list and the primitives on it from the
// parameter buffer through the tile cache, and queues them for the rasteriser. It runs ahead, across tiles, as far as
// its queue goes. One lookup a cycle. Not a process: a member of the raster front end.
#pragma once

#include <array>

#include "models/line_cache.h"
#include "models/polygon_lists.h"
#include "models/ring_queue.h"

namespace models {

class TileFetcher {
  public:
    enum class Kind : std::uint8_t { tile_begin, primitive, tile_end };
    struct Item {
        Kind kind = Kind::tile_begin;
        bool last_of_pass = false;      // tile_end
        std::uint32_t tile = 0;         // in the pass
        std::uint32_t primitive = 0;    // in Frame::primitives
        BlockNumber next = 0, end = 0;  // lines of the primitive that are still to be looked up
        std::uint32_t outstanding = 0;  // lines on the way
        engine::Time ready_at = 0;
        bool ready(engine::Time now) const { return next == end && outstanding == 0 && ready_at <= now; }
    };

    TileFetcher(const engine::CounterScope& scope, const TilingParameters& parameters, LineCache& cache);

    void begin_pass(const PolygonLists& lists, std::uint32_t first_tile);

    // One cycle. True if there may be something to do in the next one.
    bool step(engine::Time now);

    // A line that `waiter` asked for has arrived. Something was answered: what was refused may go now.
    void fill(std::uint32_t waiter);
    void retry() { refused_ = false; }

    bool empty() const { return items_.empty(); }
    const Item& front() const { return items_.front(); }
    void pop() { items_.pop(); }

    // After a step that did nothing: the next time at which a line that is there becomes usable, or never.
    engine::Time next_event(engine::Time now) const;

  private:
    enum class Phase : std::uint8_t { begin, list, end };

    bool look_up(engine::Time now, BlockNumber block, std::uint32_t waiter, engine::Time& ready_at, bool& waiting);
    bool request_chunk(engine::Time now);
    bool request_record(engine::Time now);
    bool queue_item(engine::Time now);
    void begin_tile();

    LineCache* cache_;
    const PolygonLists* lists_ = nullptr;
    std::uint32_t first_tile_ = 0;  // of the pass, in Frame::tiles; for attribution
    RingQueue<Item> items_;
    std::size_t at_ = 0;  // in lists_->order
    Phase phase_ = Phase::begin;
    std::uint32_t entry_ = 0;  // next in the tile's list
    std::uint32_t chunks_requested_ = 0;
    struct Chunk {
        bool waiting = false;
        engine::Time ready_at = 0;
    };
    std::array<Chunk, 2> chunks_;  // the one being read and the next, by the last bit of their number
    bool refused_ = false;
    engine::Counter primitives_, chunks_read_;
};

}  // namespace models
