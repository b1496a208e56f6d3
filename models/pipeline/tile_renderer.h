// What a cluster needs to render whole tiles on its own cores: a front end, a dispatch and a colour stage of tile-based
// rendering, put together. A component; its sink has
//     void start_warp(core, warp, ready_at)    quads for a core, whose attributes are there at that time
//     void quad_done(core)                     a quad of the core has left its part of the colour queue
//     void tile_rasterised(pass)               all quads of a tile have gone to cores
//     void tile_stored(pass)                   all lines of a tile have arrived in memory
#pragma once

#include <algorithm>
#include <string>

#include "models/pipeline/colour_stage.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/tiled_front_end.h"

namespace models {

class TileRenderer {
  public:
    static constexpr int parts = 3;  // of the memory port: lists, old depths, colours

    struct Shape {
        const TiledFrontEnd::Shape& front_end;
        const ColourParameters& colour;
        Dispatch::Shape dispatch;
        int index;       // of the cluster
        int first_part;  // of its parts among those that share the memory port
    };
    TileRenderer(engine::CounterList* counters, const Shape& shape, const Workload& workload, MemoryPort& memory);

    void begin_frame(engine::Time now) { front_end_.begin_frame(now); }
    void end_frame(engine::Time now);

    void push(std::uint32_t pass, std::uint32_t tile) { front_end_.push(pass, tile, false); }
    // A core has taken quads out of its queue. / It hands a shaded one on; it has a credit for it.
    void give_back(int core, std::uint32_t quads) { dispatch_.give_back(core, quads); }
    void take_shaded(engine::Time now, std::uint32_t quad, std::uint32_t buffer, std::uint32_t core) {
        stage_.take_quad(now, quad, buffer, core);
    }

    // One cycle. Returns the next cycle at which it has something to do by itself, or never.
    template <class Sink>
    engine::Time step(engine::Time now, Sink& sink) {
        Inside<Sink> inside{*this, sink, now};
        dispatch_.send_forming(now, false, inside);
        const engine::Time next = front_end_.step(now, inside, [](engine::Time /*t*/) { return false; });
        const engine::Time timeout = dispatch_.next_timeout(now);
        const engine::Time stage_next = stage_.step(now, inside);
        if (inside.freed) return now + period_;  // the front end may go on
        return std::min({next, std::max(timeout, now + period_), stage_next});
    }
    // `part`: counted from its first.
    void on_reply(engine::Time now, const MemoryReply& reply, int part);
    void retry() { front_end_.retry(); }

    std::string unfinished() const;
    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive) { archive(front_end_, dispatch_, stage_); }

    const TiledFrontEnd& front_end() const { return front_end_; }
    const Dispatch& dispatch() const { return dispatch_; }
    const ColourStage& stage() const { return stage_; }

  private:
    // What the three parts tell, while they step.
    template <class Sink>
    struct Inside {
        TileRenderer& renderer;
        Sink& sink;
        engine::Time now;
        bool freed = false;  // a tile buffer

        bool take_quad(std::uint32_t quad, std::uint32_t program, const Dispatch::Place& place) {
            return renderer.dispatch_.take(now, quad, program, place, *this);
        }
        void open_tile(const TiledFrontEnd::TileJob& tile) {
            renderer.stage_.begin_tile(now, tile.pass, tile.tile, tile.buffer);
        }
        bool end_tile(const TiledFrontEnd::TileJob& tile) {
            if (!renderer.dispatch_.send_forming(now, true, *this)) return false;
            renderer.stage_.end_tile(tile.buffer, tile.quads_taken);
            sink.tile_rasterised(tile.pass);
            return true;
        }
        void send_warp(int core, const FormedWarp& warp) { sink.start_warp(core, warp, now + renderer.interpolation_); }
        void quad_done(std::uint32_t core) { sink.quad_done(core); }
        void free_tile(std::uint32_t buffer) {
            renderer.front_end_.free_buffer(buffer);
            freed = true;
        }
        void tile_stored(std::uint32_t pass) { sink.tile_stored(pass); }
    };

    engine::Time period_, interpolation_;
    TiledFrontEnd front_end_;
    Dispatch dispatch_;
    ColourStage stage_;
};

}  // namespace models
