// Logical process: gives the tiles of a frame to clusters that render them whole, each on its own rasteriser and colour
// stage. Takes the passes whose geometry is complete, in order.
//
// A pass begins when those that it depends on have arrived in memory (models/workload/pass_order.h); until then the
// next one overlaps with it. A tile goes to the cluster that has most room, the next in turn of several.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/structures/pass_tracker.h"
#include "models/workload/messages.h"
#include "models/workload/workload.h"

namespace models {

class Laws;

class TileDispatcher : public engine::Clocked<TileDispatcher> {
  public:
    struct Shape {
        int clusters;
        int tiles;  // that a cluster has room for
        engine::Time period;
        engine::Time hop;  // least delay of what it sends to other processes, ticks
    };
    TileDispatcher(const Shape& shape, const Workload& workload);

    void begin_frame() { ready_passes_ = stored_ = pass_ = tile_ = 0; }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.05; }
    void serialize(engine::Archive& archive) override;

  private:
    void on_pass(const PassReady& message) { ready_passes_ = message.pass + 1; }
    void on_rasterised(const TileRasterised& message, int cluster);
    void on_stored(const TileStored& message, int /*cluster*/) { storing_.store_tile(message.pass); }

    bool begin_pass();
    bool give_tile();
    int choose() const;
    void tell_passes();

    // Shape.
    const Workload& workload_;
    engine::Time hop_;
    std::uint32_t room_of_all_;

    // State.
    std::uint32_t ready_passes_ = 0, stored_ = 0;  // so many, the first ones of the frame
    std::uint32_t pass_ = 0;                       // whose tiles are given
    std::uint32_t tile_ = 0;                       // the next, in the pass's order
    bool pass_begun_ = false;
    std::vector<std::uint32_t> room_;  // by cluster, in tiles
    std::size_t turn_ = 0;
    PassTracker rasterising_, storing_;

  public:
    engine::In<PassReady> ready{this, "ready", engine::handler<&TileDispatcher::on_pass>};
    engine::Row<engine::In<TileRasterised>> rasterised;
    engine::Row<engine::In<TileStored>> stored;
    engine::Out<PassFreed> freed;
    engine::Out<PassStored> stored_for_geometry;
    engine::Row<engine::Out<RenderTile>> tiles;
    engine::Counter passes{&counters(), "passes", "1", "passes done, those with nothing to render included"};
    engine::Counter tiles_given{&counters(), "tiles", "1", "tiles given to clusters"};
};

}  // namespace models
