// Logical process: the raster front end of tile-based rendering, once per GPU. Takes the passes whose geometry is
// complete, in order, and turns their tiles into warps for the cores.
//
// A pass begins when those that it depends on have arrived in memory (models/workload/pass_order.h); until then the
// next one overlaps with it. Tiles that are neither drawn to nor cleared are left alone.
#pragma once

#include <memory>
#include <string>

#include "engine/block.h"
#include "models/pipeline/access_processor.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/tiled_front_end.h"
#include "models/workload/messages.h"

namespace models {

class Raster : public engine::Clocked<Raster> {
  public:
    struct Shape {
        TiledFrontEnd::Shape front_end;
        Dispatch::Shape dispatch;
        engine::Time hop;  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
        const AccessProcessor::Shape* access = nullptr;  // null: nothing is fetched ahead for quads
        int clusters = 0;                                // that fetch it
    };
    Raster(const Shape& shape, const Workload& workload);

    void begin_frame();
    void end_frame() { front_end_.end_frame(now()); }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 3.3; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    // What the front end and the dispatch tell.
    bool take_quad(std::uint32_t quad, std::uint32_t program, const Dispatch::Place& place) {
        return dispatch_.take(now(), quad, program, place, *this);
    }
    void open_tile(const TiledFrontEnd::TileJob& tile);
    bool end_tile(const TiledFrontEnd::TileJob& tile);
    void send_warp(int core, const FormedWarp& warp);
    void send_prefetch(int cluster, const PrefetchBlock& message) { prefetches[cluster].send(message, hop_); }

  private:
    void on_pass(const PassReady& ready);
    void on_taken(const QuadsTaken& message, int core);
    void on_tile_free(const TileFree& message) { front_end_.free_buffer(message.buffer); }
    void on_stored(const PassStored& message) { stored_ = message.pass + 1; }
    void on_prefetched(const PrefetchesTaken& message, int /*cluster*/) { access_->looked_for(message.count); }
    void on_reply(const MemoryReply& reply);

    bool feed();

    // Shape.
    const Workload& workload_;
    engine::Time hop_, interpolation_;

    // State.
    std::uint32_t ready_passes_ = 0, stored_ = 0;  // so many, the first ones of the frame
    std::uint32_t pass_ = 0;                       // whose tiles are fed
    std::uint32_t tile_ = 0;                       // the next, in the pass's order

  public:
    engine::In<PassReady> ready{this, "ready", engine::handler<&Raster::on_pass>};
    engine::Row<engine::In<QuadsTaken>> taken;
    engine::In<TileFree> free_tiles{this, "free_tiles", engine::handler<&Raster::on_tile_free>};
    engine::In<PassStored> stored{this, "stored", engine::handler<&Raster::on_stored>};
    engine::Row<engine::In<PrefetchesTaken>> prefetched;
    engine::In<MemoryReply> replies;
    engine::Out<PassFreed> freed;
    engine::Row<engine::Out<ShadeQuad>> quads;
    engine::Row<engine::Out<ShadeWarp>> warps;
    engine::Row<engine::Out<PrefetchBlock>> prefetches;
    engine::Out<TileStart> starts;
    engine::Out<TileEnd> ends;
    engine::Out<PassSkipped> skipped;
    MemoryPort memory;
    engine::Counter passes{&counters(), "passes", "1", "passes done, those with nothing to render included"};

  private:
    TiledFrontEnd front_end_;
    Dispatch dispatch_;
    std::unique_ptr<AccessProcessor> access_;

  public:
    const TiledFrontEnd& front_end() const { return front_end_; }
    const Dispatch& dispatch() const { return dispatch_; }
    const AccessProcessor* access_processor() const { return access_.get(); }
};

}  // namespace models
