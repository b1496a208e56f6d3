// The front end of tile-based rendering: turns tiles, one after the other, into quads for the cores. Tile fetcher,
// set-up and rasterisation of primitives, early depth test; with hidden-surface removal a second fetcher, rasteriser
// and depth buffer one tile ahead. A component: its host says which tiles come and gives them tile buffers.
//
// Which quads there are, and which lanes of them pass the early depth test and are visible, is what the trace says;
// here they take their time and their place in queues.
//
// A tile is opened as soon as there is a tile buffer for it, ahead of the one being rasterised: old depths are read,
// and the sink is told. The sink has
//     bool take_quad(quad, program, place)    one that is shaded, its program, and where it goes (as Dispatch::take);
//                                             false: not now
//     void open_tile(tile)                    a tile buffer is its own from now on
//     bool end_tile(tile)                     all its quads have been taken; false: not now
//
// Not modelled: a quad does not wait for depths that a quad before it writes after shading (the colour stage tests
// those, and says nothing back); four samples are tested in the time of one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/base/time_account.h"
#include "models/memory/cache.h"
#include "models/memory/memory_port.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/rasteriser.h"
#include "models/pipeline/tested_quads.h"
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
        std::string_view fed_by = "geometry";  // the kind of unit that has the next tile
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

    void begin_frame(engine::Time now);
    void end_frame(engine::Time now) {
        time.settle(now);
        cache_.end_frame();
    }

    bool has_room() const { return !jobs_.full(); }
    void push(std::uint32_t pass, std::uint32_t tile, bool last_of_pass);
    void free_buffer(std::uint32_t buffer) { buffer_free_[buffer] = 1; }
    bool is_idle() const { return jobs_.empty(); }
    // What it waits for when it has no tile; before step().
    enum class Coming : std::uint8_t {
        tiles,
        held,     // tiles of a pass that waits until others are in memory
        nothing,  // of this frame
    };
    void set_coming(Coming coming) { coming_ = coming; }

    // One cycle. Returns the next cycle at which it has something to do by itself, or never. While quads of one
    // primitive are all that moves it goes on with the next cycles: go_on_at(t) moves the time of the host to t, or is
    // false. When a tile has ended the host is asked first, as it may have another one.
    template <class Sink, class GoOnAt>
    engine::Time step(engine::Time now, Sink& sink, GoOnAt&& go_on_at);

    void on_tile_line(engine::Time now, RequestTag tag);
    void on_depth_line(RequestTag tag);
    // Something was answered.
    void retry();

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    TestedQuads quads;
    engine::Counter tiles, hidden_surface_quads, hidden_surface_cycles, depth_lines_loaded;

  private:
    enum State : std::uint8_t {
        tiles_awaited,
        idle,
        passes_awaited,
        busy,
        set_up,
        fetching,
        hidden_surfaces,
        tile_buffer,
        old_depths,
        cores,
        states
    };
    struct InTest {  // a quad in the early depth test; none: the end of its tile
        engine::Time ready_at = 0;
        std::uint32_t quad = none;
        std::uint32_t primitive = none;
    };

    TileJob& job(std::uint32_t number) { return jobs_.numbered(number); }
    std::uint32_t program_of(std::uint32_t primitive) const {
        const Frame& frame = workload_.frame();
        return frame.draws[frame.primitives[primitive].draw].fragment_program;
    }
    Dispatch::Place place(std::uint32_t quad, const TileJob& tile) const;
    // Tested quads go to the sink; those with no lanes left end here. True if some did.
    template <class Sink>
    bool hand_out(engine::Time now, Sink& sink);
    bool feed(TileFetcher& fetcher, std::uint32_t& next);
    bool open_next();
    bool load_depths(engine::Time now);
    bool find_hidden(engine::Time now);
    bool begin_tile();
    bool take_item(engine::Time now);
    State state(engine::Time now, bool emitted, bool refused) const;
    State without_tiles() const;
    State of_next_tile(engine::Time now) const;
    engine::Time next_step(engine::Time now, bool active) const;
    engine::Time next_of_others(engine::Time now) const;

    // Shape.
    const Workload& workload_;
    MemoryPort* memory_;
    int depth_part_;
    bool hides_, deals_by_position_;
    std::uint32_t quads_per_cycle_, quads_in_test_, hidden_quads_per_cycle_;
    engine::Time period_, test_latency_, load_delay_;

    // State. Cursors are numbers in jobs_.
    RingQueue<TileJob> jobs_;
    std::vector<std::uint8_t> buffer_free_;
    std::uint32_t opened_ = 0;      // the next to get a tile buffer
    std::uint32_t loading_ = 0;     // of those that have one, some lines of old depths are still to be asked for
    std::uint32_t fetched_ = 0;     // the next for the fetcher
    std::uint32_t rasterised_ = 0;  // being rasterised, or the next
    bool in_tile_ = false;
    RingQueue<InTest> test_;
    std::uint32_t tested_ = 0;          // the tile whose quads leave the test
    std::uint32_t cached_pass_ = none;  // whose parameter buffer the tile cache holds

    Coming coming_ = Coming::tiles;

    // Within a step.
    bool refused_ = false;          // by the sink
    bool has_new_room_ = false;     // for a tile: the host may have one
    bool only_quads_move_ = false;  // and nothing else can before others_at_
    engine::Time others_at_ = 0;

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
bool TiledFrontEnd::hand_out(engine::Time now, Sink& sink) {
    refused_ = false;
    bool moved = false;
    for (std::uint32_t i = 0; i < quads_per_cycle_ && !test_.empty(); ++i) {
        const InTest& head = test_.front();
        if (head.ready_at > now) break;
        TileJob& tile = job(tested_);
        if (head.quad == none) {
            refused_ = !sink.end_tile(tile);
            if (refused_) break;
            ++tiles;
            ++tested_;
            jobs_.pop();
            only_quads_move_ = false;
            has_new_room_ = true;
        } else if (workload_.quads().lanes(head.quad) == 0) {
            quads.end(workload_, head.quad);
        } else if (sink.take_quad(head.quad, program_of(head.primitive), place(head.quad, tile))) {
            ++tile.quads_taken;
            ++quads.out;
        } else {
            refused_ = true;
            break;
        }
        test_.pop();
        moved = true;
    }
    return moved;
}

template <class Sink, class GoOnAt>
engine::Time TiledFrontEnd::step(engine::Time now, Sink& sink, GoOnAt&& go_on_at) {
    only_quads_move_ = false;
    has_new_room_ = false;
    for (;;) {
        const bool moved = hand_out(now, sink), could_set_up = rasteriser_.can_set_up();
        const bool emitted = rasteriser_.step(now, [&](std::uint32_t quad) {
            if (test_.size() >= quads_in_test_) return false;
            test_.push({now + test_latency_, quad, rasteriser_.emitting()});
            return true;
        });
        only_quads_move_ &=
            emitted && !refused_ && rasteriser_.is_emitting() && rasteriser_.can_set_up() == could_set_up;
        bool active = moved || emitted;
        if (!only_quads_move_) {
            bool others = take_item(now);
            others |= begin_tile();
            if (hides_) others |= find_hidden(now);
            if (open_next()) {
                sink.open_tile(job(opened_ - 1));
                others = true;
            }
            if (loading_ > 0) others |= load_depths(now);
            others |= feed(fetcher_, fetched_);
            if (hides_) others |= feed(hidden_fetcher_, hidden_fetched_);
            others |= fetcher_.step(now);
            if (hides_) others |= hidden_fetcher_.step(now);
            active |= others;
            time.enter(now, state(now, emitted, refused_));
            only_quads_move_ = emitted && !refused_ && rasteriser_.is_emitting() && !others;
            if (only_quads_move_) others_at_ = next_of_others(now);
        }
        if (!only_quads_move_ || has_new_room_ || now + period_ >= others_at_ || !go_on_at(now + period_))
            return next_step(now, active);
        now += period_;
    }
}

}  // namespace models
