// Logical process: the colour stage of tile-based rendering, once per GPU (models/pipeline/colour_stage.h).
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/pipeline/colour_stage.h"
#include "models/structures/credit_return.h"
#include "models/structures/pass_tracker.h"
#include "models/workload/messages.h"

namespace models {

class Colour : public engine::Clocked<Colour> {
  public:
    struct Shape {
        const ColourParameters& colour;
        std::vector<int> entries;  // by core: of the queue, in quads
        engine::Time period, credit_patience;
        engine::Time hop;  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
    };
    Colour(const Shape& shape, const Workload& workload);

    void begin_frame() { next_pass_ = 0; }
    void end_frame() { stage_.time.settle(now()); }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1.9; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    // What the stage tells.
    void quad_done(std::uint32_t source);
    void free_tile(std::uint32_t buffer) { free_tiles.send({buffer}, hop_); }
    void tile_stored(std::uint32_t pass) { passes_.store_tile(pass); }

  private:
    void on_start(const TileStart& start);
    void on_end(const TileEnd& end) { stage_.end_tile(end.buffer, end.quads); }
    void on_skipped(const PassSkipped& message);
    void on_quad(const ShadedQuad& quad, int source);
    void on_reply(const MemoryReply& reply);

    engine::Time hop_;
    std::vector<CreditReturn> credits_;  // by core
    PassTracker passes_;
    std::uint32_t next_pass_ = 0;      // the first that has not begun
    std::vector<std::uint32_t> owed_;  // cores that have credits to come, in no order that matters

  public:
    engine::In<TileStart> starts{this, "starts", engine::handler<&Colour::on_start>};
    engine::In<TileEnd> ends{this, "ends", engine::handler<&Colour::on_end>};
    engine::In<PassSkipped> skipped{this, "skipped", engine::handler<&Colour::on_skipped>};
    engine::Row<engine::In<ShadedQuad>> quads;
    engine::In<MemoryReply> replies;
    engine::Row<engine::Out<QuadsBlended>> blended;
    engine::Out<TileFree> free_tiles;
    engine::Out<PassStored> stored, stored_for_geometry;
    MemoryPort memory;

  private:
    ColourStage stage_;

  public:
    const ColourStage& stage() const { return stage_; }
};

}  // namespace models
