// The front end of tile-based rendering: turns tiles, one after the other, into quads for the cores. Tile fetcher,
// set-up and rasterisation of primitives, early depth test; with hidden-surface removal a second fetcher, rasteriser
// and depth buffer one tile ahead. A component: its host says which tiles come and gives them tile buffers.
//
// Which quads there are, and which lanes of them pass the early depth test and are visible, is what the trace says;
// here they take their time and their place in queues.
//
// A tile is opened as soon as there is a tile buffer for it, ahead of the one being rasterised: old depths are read,
// and the sink is told. The sink has
//     bool take_quad(quad, tile)        a quad that is shaded; false: not now
//     void open_tile(tile)              a tile buffer is its own from now on
//     bool end_tile(tile)               all its quads have been taken; false: not now
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/time_account.h"
#include "models/memory/cache.h"
#include "models/memory/memory_port.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/rasteriser.h"
#include "models/pipeline/tile_fetcher.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class TiledFrontEnd {
  public:
    struct Shape {
        const RasterParameters& raster;
        const TilingParameters& tiling;
        const CacheParameters& tile_cache;
        Rendering rendering;
        int tile_buffers;
        engine::Time period;
    };
    // A tile on its way through the front end.
    struct TileJob {
        std::uint32_t pass = 0;
        std::uint32_t tile = 0;  // in the pass
        std::uint32_t last_of_pass = 0;
        std::uint32_t buffer = none;                              // tile buffer; none: not opened
        std::uint32_t frame_tile = 0;                             // in Frame::tiles
        std::uint32_t quads_taken = 0;                            // by the sink
        std::uint32_t hidden_done = 0;                            // the hidden-surface pass is through with it
        std::uint32_t loads_sent = 0, loads_done = 0, loads = 0;  // lines of old depths
    };
    // Its parts among those that share the memory port of the host: the tile cache, and the loads of old depths.
    TiledFrontEnd(const engine::CounterScope& scope, int index, const Shape& shape, const Workload& workload,
                  MemoryPort& memory, int cache_part, int depth_part);

    void begin_frame();

    bool has_room() const { return !jobs_.full(); }
    void push(std::uint32_t pass, std::uint32_t tile, bool last_of_pass);
    void free_buffer(std::uint32_t buffer) { buffer_free_[buffer] = 1; }
    bool is_idle() const { return jobs_.empty(); }

    // One cycle. Returns the next cycle at which it has something to do by itself, or never.
    template <class Sink>
    engine::Time step(engine::Time now, Sink& sink);

    // Where a quad of the tile goes.
    Dispatch::Place place(std::uint32_t quad, const TileJob& tile) const;

    void on_tile_line(engine::Time now, RequestTag tag);
    void on_depth_line(RequestTag tag);
    // Something was answered.
    void retry();

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Counter tiles, quads_killed, quads_out, hidden_surface_quads, depth_lines_loaded;

  private:
    enum State : std::uint8_t { idle, busy, set_up, fetching, hidden_surfaces, tile_buffer, old_depths, cores, states };
    struct InTest {  // a quad in the early depth test; none: the end of its tile
        engine::Time ready_at = 0;
        std::uint32_t quad = none;
        std::uint32_t spare = 0;
    };

    TileJob& job(std::uint32_t number) { return jobs_.numbered(number); }
    bool feed(TileFetcher& fetcher, std::uint32_t& next);
    bool open_next();
    bool load_depths(engine::Time now);
    bool find_hidden(engine::Time now);
    bool begin_tile();
    bool take_item(engine::Time now);
    State state(bool emitted, bool refused) const;
    engine::Time next_step(engine::Time now, bool active) const;

    // Shape.
    const Workload& workload_;
    MemoryPort* memory_;
    int depth_part_;
    bool hides_;
    std::uint32_t quads_per_cycle_, quads_in_test_, hidden_quads_per_cycle_;
    engine::Time period_, test_latency_, load_delay_;

    // State. Cursors are numbers in jobs_.
    RingQueue<TileJob> jobs_;
    std::vector<std::uint8_t> buffer_free_;
    std::uint32_t opened_ = 0;      // the next to get a tile buffer
    std::uint32_t fetched_ = 0;     // the next for the fetcher
    std::uint32_t rasterised_ = 0;  // being rasterised, or the next
    bool in_tile_ = false;
    RingQueue<InTest> test_;
    std::uint32_t tested_ = 0;          // the tile whose quads leave the test
    std::uint32_t cached_pass_ = none;  // whose parameter buffer the tile cache holds

    // The hidden-surface pass.
    std::uint32_t hidden_fetched_ = 0, hidden_ = 0;
    bool in_hidden_tile_ = false;
    engine::Time hidden_free_at_ = 0;

    std::vector<std::vector<BlockNumber>> depth_blocks_;  // to be loaded, by tile buffer
    Rasteriser rasteriser_;
    Cache cache_;
    TileFetcher fetcher_, hidden_fetcher_;

  public:
    TimeAccount<states> time;
    const Rasteriser& rasteriser() const { return rasteriser_; }
    const Cache& cache() const { return cache_; }
    const TileFetcher& fetcher() const { return fetcher_; }
};

template <class Sink>
engine::Time TiledFrontEnd::step(engine::Time now, Sink& sink) {
    bool moved = false, refused = false;
    // Tested quads go to the sink; those with no lanes left end here.
    for (std::uint32_t i = 0; i < quads_per_cycle_ && !test_.empty(); ++i) {
        const InTest& head = test_.front();
        if (head.ready_at > now) break;
        TileJob& tile = job(tested_);
        if (head.quad == none) {
            refused = !sink.end_tile(tile);
            if (refused) break;
            ++tiles;
            ++tested_;
            jobs_.pop();
        } else if (workload_.quads().lanes(head.quad) == 0) {
            ++quads_killed;
        } else if (sink.take_quad(head.quad, tile)) {
            ++tile.quads_taken;
            ++quads_out;
        } else {
            refused = true;
            break;
        }
        test_.pop();
        moved = true;
    }
    const bool emitted = rasteriser_.step(now, [&](std::uint32_t quad) {
        if (test_.size() >= quads_in_test_) return false;
        test_.push({now + test_latency_, quad});
        return true;
    });
    bool active = moved || emitted;
    active |= take_item(now);
    active |= begin_tile();
    if (hides_) active |= find_hidden(now);
    if (open_next()) {
        sink.open_tile(job(opened_ - 1));
        active = true;
    }
    active |= load_depths(now);
    active |= feed(fetcher_, fetched_);
    if (hides_) active |= feed(hidden_fetcher_, hidden_fetched_);
    active |= fetcher_.step(now);
    if (hides_) active |= hidden_fetcher_.step(now);
    time.enter(now, state(emitted, refused));
    return next_step(now, active);
}

}  // namespace models
