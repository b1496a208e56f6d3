// The colour stage of tile-based rendering: the tile buffers, blending in order, late depth tests, loads of old colours
// and the way of a finished tile to memory. A component; its sink has
//     void quad_done(source)        a quad has left the source's part of the queue
//     void free_tile(buffer)        the last line of a tile has left
//     void tile_stored(pass)        all lines of a tile of the pass have arrived in memory
//
// Quads of one place in a tile are blended in the order in which they were handed out: each has an ordinal, and waits
// in the queue until its turn. As sources deliver in order, the oldest quad of all has always been delivered or has
// room, so finite queues cannot lock up.
//
// When a tile begins whose pass keeps old colours, they are read from memory before its first quad is blended. When all
// quads of a tile are blended, its colours (and depths, if kept) are written as whole lines, one a cycle.
//
// Where its time goes when nothing can be blended or stored: raster says how many quads a tile has when it is through
// with it, and not when it begins. So a tile of which no quad has come is awaited of raster until that has ended it,
// the way of its first quad through a core included; any other quad is awaited of cores. Without a tile it waits for
// memory as long as lines of finished tiles are on their way there, as the end of a pass does.
//
// Not modelled: a depth test after shading takes its time here (colour.late_depth) and holds up no early test of a
// later quad; bringing samples together on chip takes no time of its own beside the stores.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/memory/memory_port.h"
#include "models/pipeline/blend_cost.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class Laws;

class ColourStage {
  public:
    // `part`: its number among those that share the memory port; loads and stores are told apart by the operation.
    ColourStage(const engine::CounterScope& scope, const ColourParameters& parameters, int sources,
                const Workload& workload, MemoryPort& memory, int part, engine::Time period);

    // A tile of a pass gets this tile buffer. / No further quad of it will come; so many came.
    void begin_tile(engine::Time now, std::uint32_t pass, std::uint32_t tile, std::uint32_t buffer);
    void end_tile(std::uint32_t buffer, std::uint32_t quads);
    // A shaded quad; the source has a credit for it.
    void take_quad(engine::Time now, std::uint32_t quad, std::uint32_t buffer, std::uint32_t source);

    // One cycle. Returns the next cycle at which it has something to do by itself, or never.
    template <class Sink>
    engine::Time step(engine::Time now, Sink& sink);

    void on_reply(engine::Time now, const MemoryReply& reply);

    std::string unfinished() const;
    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Counter quads_in, quads_blended, quads_late_depth, lines_loaded, lines_stored, tiles_finished,
        tiles_unchanged;

  private:
    enum State : std::uint8_t {
        idle,
        blend,
        store,
        old_colours,
        same_place,
        order,
        memory_busy,
        quads_awaited,
        first_quad_awaited,
        stores_awaited,
        states
    };
    static constexpr std::uint16_t nobody = 0xffff;

    struct Entry {  // of the queue
        engine::Time ready_at = 0;
        std::uint32_t quad = 0;
        std::uint16_t source = 0, buffer = 0, place = 0;
        std::uint16_t next = nobody;  // that waits at the same place
        std::uint32_t ordinal = 0;
    };
    struct TileBuffer {
        std::uint32_t in_use = 0, ended = 0, pass = 0;
        std::uint32_t expected = 0, blended = 0;  // quads
        std::uint32_t loads_sent = 0, loads_done = 0, stores_sent = 0;
        std::vector<BlockNumber> loads, stores;                  // lines to read before, to write after
        std::uint32_t colour_stores = 0;                         // the first so many; the others are of depth
        std::array<std::uint16_t, places_of_tile> waiting = {};  // entries, by place
        std::array<std::uint16_t, places_of_tile> next_ordinal = {};
        std::array<engine::Time, places_of_tile> place_free = {};  // when the last quad's blending is done
        bool is_loaded() const { return loads_done == loads.size(); }
        bool is_complete() const { return in_use != 0 && ended != 0 && is_loaded() && blended == expected; }
        void serialize(engine::Archive& archive) {
            archive(in_use, ended, pass, expected, blended, loads_sent, loads_done, stores_sent, loads, stores,
                    colour_stores, waiting, next_ordinal, place_free);
        }
    };
    struct Storing {  // a tile whose lines are on their way, or have arrived
        std::uint32_t pass = 0, in_flight = 0, sent = 0;
    };

    void collect_blocks(std::uint32_t pass, std::uint32_t tile, TileBuffer& buffer);
    void release(engine::Time now, TileBuffer& buffer, std::uint32_t place);
    bool send_loads(engine::Time now);
    std::uint32_t blend_cost(const Entry& entry);
    bool store_line(engine::Time now);
    State waits_for() const;

    // Shape.
    const Workload& workload_;
    MemoryPort* memory_;
    int part_;
    std::uint32_t quads_per_cycle_, late_depth_;
    BlendCost cost_;
    MemoryOperation store_;
    engine::Time period_, latency_;

    // State.
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> free_;  // of entries_
    RingQueue<std::uint16_t> ready_;   // of entries_, whose turn it is
    std::uint32_t queued_ = 0;
    engine::Time blend_free_ = 0;
    std::vector<TileBuffer> buffers_;
    RingQueue<std::uint32_t> tiles_;  // buffers in the order of their tiles
    RingQueue<Storing> storing_;      // from the first line that leaves, in order
    bool is_storing_ = false;         // the last of them is that of the oldest tile

  public:
    TimeAccount<states> time;
};

template <class Sink>
engine::Time ColourStage::step(engine::Time now, Sink& sink) {
    const bool loading = send_loads(now);
    bool blended = false;
    std::uint32_t spent = 0;  // quads that could have been blended at a cost of 1
    while (spent < quads_per_cycle_ && !ready_.empty() && blend_free_ <= now) {
        const std::uint16_t index = ready_.front();
        const Entry entry = entries_[index];
        if (entry.ready_at > now) break;
        spent += blend_cost(entry);
        TileBuffer& buffer = buffers_[entry.buffer];
        ++buffer.next_ordinal[entry.place];
        buffer.place_free[entry.place] = now + latency_;
        ++buffer.blended;
        ++quads_blended;
        --queued_;
        ready_.pop();
        free_.push_back(index);
        release(now, buffer, entry.place);
        sink.quad_done(entry.source);
        blended = true;
    }
    if (spent > quads_per_cycle_) blend_free_ = now + (spent + quads_per_cycle_ - 1) / quads_per_cycle_ * period_;
    const bool stored = store_line(now);
    bool freed = false;
    if (!tiles_.empty()) {
        const std::uint32_t index = tiles_.front();
        TileBuffer& buffer = buffers_[index];
        if (buffer.is_complete() && buffer.stores_sent == buffer.stores.size() && (is_storing_ || !storing_.full())) {
            if (!is_storing_) storing_.push({buffer.pass, 0, 0});
            storing_.back().sent = 1;
            is_storing_ = false;
            buffer.in_use = 0;
            tiles_.pop();
            ++tiles_finished;
            sink.free_tile(index);
            freed = true;  // the next tile may be complete already
        }
    }
    const bool was_full = storing_.full();
    while (!storing_.empty() && storing_.front().sent != 0 && storing_.front().in_flight == 0) {
        sink.tile_stored(storing_.front().pass);
        storing_.pop();
        freed |= was_full;  // of which store_line() could know nothing yet
    }
    const engine::Time blends_until = std::max(blended ? now + period_ : now, blend_free_);
    time.enter(now, State::blend, blends_until, blends_until == now && stored ? State::store : waits_for());
    if (loading || blended || stored || freed) return now + period_;
    if (ready_.empty()) return engine::never;
    return std::max({entries_[ready_.front()].ready_at, blend_free_, now + period_});
}

}  // namespace models
