// Logical process: the raster front end. Takes the passes whose geometry is complete, one after the other, and turns
// their tiles into quads for the fragment processors: tile fetcher, set-up and rasterisation of primitives, early depth
// test, hand-out.
//
// Which quads there are and which of them pass the early depth test is what the trace says; here they take their time
// and their place in queues. A pass begins when all tiles of the one before have arrived in memory, so that it may read
// what that one drew. Tiles that are neither drawn to nor cleared are left alone.
//
// A tile is opened as soon as there is a tile buffer for it, ahead of the one being rasterised: blending is told, and
// old depths are read.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/blending.h"
#include "models/line_cache.h"
#include "models/memory_port.h"
#include "models/messages.h"
#include "models/quad_distribution.h"
#include "models/ring_queue.h"
#include "models/tile_fetcher.h"
#include "models/workload.h"

namespace models {

class Raster : public engine::Clocked<Raster> {
  public:
    Raster(const MachineParameters& parameters, const Workload& workload);

    void begin_frame();

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1; }

  private:
    struct TileState {
        std::uint32_t tile = 0;  // in Frame::tiles
        std::uint8_t buffer = 0;
        std::uint32_t next_quad = 0, end_quad = 0;  // in Frame::quads
    };
    struct InTest {  // a quad in the early depth test, or the end of a tile
        std::uint32_t quad = none;
        std::uint32_t tile = 0;
        std::uint8_t buffer = 0;
        bool last_of_pass = false;
        engine::Time ready_at = 0;
    };
    struct BufferState {
        bool free = true;
        std::uint32_t tile = 0;  // in the pass
        std::uint32_t handed_out = 0;
        std::array<std::uint16_t, places_of_tile> ordinals = {};
        std::vector<BlockNumber> depth_loads;  // lines of old depths
        std::size_t loads_sent = 0, loads_done = 0;
    };
    void on_pass(const PassReady& ready);
    void on_taken(const QuadsTaken& taken, int processor);
    void on_tile_free(const TileFree& message);
    void on_stored(const PassStored&);
    void on_reply(const MemoryReply& reply, int slice);

    bool begin_pass();
    bool hand_out();
    bool hand_out_one(const InTest& head);
    bool emit_quads();
    bool take_item();
    bool open_tile();
    bool load_depths();
    bool begin_tile();
    bool end_tile(const TileFetcher::Item& item);
    void set_up(const TileFetcher::Item& item);
    engine::Time next_step(bool active) const;

    // Shape.
    const Workload& workload_;
    std::uint32_t attributes_per_cycle_, quads_per_cycle_, quads_in_test_;
    engine::Time test_latency_, load_delay_;

    // State.
    std::uint32_t pass_ = 0, passes_ready_ = 0;
    bool pass_active_ = false;
    std::size_t tiles_opened_ = 0;                       // of the pass: they have a tile buffer
    TileState tile_;                                     // being rasterised
    std::uint32_t setting_up_ = none, emitting_ = none;  // primitives
    engine::Time set_up_at_ = 0;
    RingQueue<InTest> test_;
    std::vector<BufferState> buffers_;
    RingQueue<std::uint8_t> open_;  // buffers of the tiles that are open and not yet rasterised, in order
    QuadDistribution distribution_;

  public:
    engine::In<PassReady> ready{this, "ready", engine::handler<&Raster::on_pass>};
    engine::Row<engine::In<QuadsTaken>> taken;
    engine::In<TileFree> free_tiles{this, "free_tiles", engine::handler<&Raster::on_tile_free>};
    engine::In<PassStored> stored{this, "stored", engine::handler<&Raster::on_stored>};
    engine::Row<engine::In<MemoryReply>> replies;
    engine::Out<PassFreed> freed;
    engine::Row<engine::Out<ShadeQuad>> quads;
    engine::Out<TileStart> starts;
    engine::Out<TileEnd> ends;
    MemoryPort memory;

  private:
    engine::Counter passes_{&counters(), "passes", "1", "passes rendered"};
    engine::Counter tiles_{&counters(), "tiles", "1", "tiles rendered"};
    engine::Counter primitives_set_up_{&counters(), "primitives", "1", "primitives set up, once for each tile"};
    engine::Counter quads_rasterised_{&counters(), "quads", "1", "quads rasterised"};
    engine::Counter quads_killed_{&counters(), "quads_killed", "1", "quads that failed the early depth test whole"};
    engine::Counter quads_out_{&counters(), "quads_out", "1", "quads handed to fragment processors"};
    engine::Counter depth_lines_loaded_{&counters(), "depth_lines_loaded", "1", "lines of old depths read"};
    engine::Counter waits_for_processor_{&counters(), "waits_for_processor", "1",
                                         "times a tested quad found no free entry in its fragment queue"};
    LineCache tile_cache_;
    TileFetcher fetcher_;
};

}  // namespace models
