// Logical process: blending, the tile buffers, and the way of a finished tile to memory.
//
// Quads of one place in a tile are blended in the order in which they were handed out: each carries an ordinal, and
// waits at the head of its processor's queue until its turn. As processors deliver in order, the oldest quad of all
// is always at a head, so finite queues cannot lock up.
//
// When a tile begins whose pass keeps old colours, they are read from memory before its first quad is blended. When all
// quads of a tile are blended, its colours (and depths, if kept) are written as whole lines, one a cycle; the tile
// buffer is free when the last has left, and the pass is stored when the last write is acknowledged.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/memory_port.h"
#include "models/messages.h"
#include "models/ring_queue.h"
#include "models/surface_blocks.h"
#include "models/workload.h"

namespace models {

inline constexpr std::size_t places_of_tile = std::size_t{trace_tile_pixels / 2} * (trace_tile_pixels / 2);

class Blending : public engine::Clocked<Blending> {
  public:
    Blending(const MachineParameters& parameters, const Workload& workload);

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1; }

  private:
    struct TileBuffer {
        bool in_use = false, ended = false, last_of_pass = false;
        std::uint32_t expected = 0, blended = 0;  // quads
        std::vector<BlockNumber> loads, stores;   // lines to read before, to write after
        std::size_t loads_sent = 0, loads_done = 0, stores_sent = 0;
        std::array<std::uint16_t, places_of_tile> next_ordinal = {};
        std::array<engine::Time, places_of_tile> place_free = {};  // when the last quad's blending is done
        bool loaded() const { return loads_done == loads.size(); }
        bool complete() const { return in_use && ended && loaded() && blended == expected; }
    };
    void on_start(const TileStart& start);
    void on_end(const TileEnd& end);
    void on_quad(const ShadedQuad& quad, int processor);
    void on_reply(const MemoryReply& reply, int slice);

    void collect_blocks(const Pass& pass, std::uint32_t tile, TileBuffer& buffer) const;
    bool send_loads();
    bool blend_quads();
    bool blend_head(std::size_t processor);
    bool store_tile();
    void finish_tile(std::uint32_t index);

    const Workload& workload_;
    int quads_per_cycle_;
    engine::Time latency_;
    std::vector<RingQueue<ShadedQuad>> queues_;  // per processor
    std::uint32_t queued_ = 0;                   // in all queues
    std::size_t turn_ = 0;                       // processor to begin with
    engine::Time blend_free_ = 0;
    engine::Time next_place_free_ = engine::never;
    std::vector<TileBuffer> buffers_;
    RingQueue<std::uint32_t> tiles_;  // buffers in the order of their tiles
    std::uint32_t stores_in_flight_ = 0;
    bool pass_ending_ = false;

  public:
    engine::In<TileStart> starts{this, "starts", engine::handler<&Blending::on_start>};
    engine::In<TileEnd> ends{this, "ends", engine::handler<&Blending::on_end>};
    engine::Row<engine::In<ShadedQuad>> quads;
    engine::Row<engine::In<MemoryReply>> replies;
    engine::Row<engine::Out<QuadBlended>> blended;
    engine::Out<TileFree> free_tiles;
    engine::Out<PassStored> stored;
    MemoryPort memory;

  private:
    engine::Counter quads_in_{&counters(), "quads_in", "1", "quads received"};
    engine::Counter quads_blended_{&counters(), "quads_blended", "1", "quads blended"};
    engine::Counter cycles_blend_{&counters(), "cycles_blend", "cycle", "cycles that blended"};
    engine::Counter cycles_store_{&counters(), "cycles_store", "cycle", "cycles that wrote a line of a finished tile"};
    engine::Counter lines_loaded_{&counters(), "lines_loaded", "1", "lines of old colours read"};
    engine::Counter lines_stored_{&counters(), "lines_stored", "1", "lines of finished tiles written"};
    engine::Counter queue_quads_{&counters(), "queue_quads", "1",
                                 "quads found in all queues by arriving ones; divided by quads_in: mean occupancy"};
    engine::Counter tiles_finished_{&counters(), "tiles", "1", "tiles finished"};
};

}  // namespace models
