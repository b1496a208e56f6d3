// Logical process: a cluster of cores that execute shader programs, with the caches and the texture unit they share.
// Shades vertices, fragments, or both:
//
//   a vertex processor       one core; attributes and vertex textures through the vertex cache
//   a fragment processor     one core or several; textures through the texture cache
//   a unified one            both, on the same cores
//
// It may render whole tiles on its own: then it has a rasteriser and a colour stage, too.
//
// Fragment warps come for a core, vertex warps for the cluster, which gives them to its cores in turn. Colours leave
// each core in the order in which its warps came, shaded vertices leave the cluster so: what follows sees work in order.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/core/export_buffer.h"
#include "models/core/shader_core.h"
#include "models/core/vertex_input.h"
#include "models/memory/cache.h"
#include "models/pipeline/colour_stage.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/tiled_front_end.h"
#include "models/workload/messages.h"
#include "models/structures/credit_return.h"

namespace models {

class Cluster : public engine::Clocked<Cluster> {
  public:
    // What a cluster is made of. Absent parts are null.
    struct Shape {
        std::string kind;       // of process: "vertex_processor", "cluster"
        std::string core_kind;  // of counters: "vertex_processor", "fragment_processor"
        int index, cores;
        engine::Time period;
        const ShaderCoreParameters& core;
        const TextureUnitParameters& texture_unit;
        const CacheParameters* texture_cache;  // null: textures through the vertex cache
        const CacheParameters* vertex_cache;   // null: shades no vertices
        const CacheParameters& instruction_cache;
        std::vector<int> fragment_entries, colour_entries;  // by core: of its queues, in quads; empty: no fragments
        std::size_t vertex_warps;                           // that may wait
        engine::Time credit_patience, hop;                  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
        const TiledFrontEnd::Shape* front_end = nullptr;  // null: it renders no tiles of its own
        const ColourParameters* colour = nullptr;
    };
    Cluster(const Shape& shape, const Workload& workload);

    void begin_frame();
    void end_frame();  // at now()

    engine::Time step();
    std::string unfinished() const override;
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    // What its parts tell.
    bool take_quad(std::uint32_t quad, const TiledFrontEnd::TileJob& tile);
    void open_tile(const TiledFrontEnd::TileJob& tile);
    bool end_tile(const TiledFrontEnd::TileJob& tile);
    void send_warp(int core, const FormedWarp& warp);
    void quad_done(std::uint32_t core) { ++cores_[core]->colour_credits; }
    void free_tile(std::uint32_t buffer) { tiles_->front_end.free_buffer(buffer); }
    void tile_stored(std::uint32_t pass) { stored[0].send({pass}, hop_); }
    void texture_done(std::uint16_t core, std::uint16_t warp, std::uint16_t destination, engine::Time time);

  private:
    struct Work {  // a warp of quads
        engine::Time ready_at = 0;  // its attributes are interpolated
        std::uint32_t count = 0, buffer = 0, tile = 0, spare = 0;
        std::array<std::uint32_t, ShadeWarp::most> quads = {};  // in Frame::quads
    };
    // A core with its queues.
    struct Core {
        Core(const engine::CounterScope& scope, int number, const Shape& shape, const Workload& workload,
             Cache& instructions);
        ShaderCore core;
        RingQueue<Work> queue;
        std::uint32_t queued_quads = 0;
        ExportBuffer<Work> exports;
        std::uint32_t handed_over = 0;  // quads of the oldest warp
        std::uint32_t colour_credits;
        CreditReturn taken;
        engine::Counter quads_in, quads_out, queue_quads;
        void serialize(engine::Archive& archive) {
            archive(core, queue, queued_quads, exports, handed_over, colour_credits, taken);
        }
    };
    // With which it renders tiles of its own.
    struct Tiles {
        Tiles(Cluster* cluster, const Shape& shape, const Workload& workload);
        TiledFrontEnd front_end;
        Dispatch dispatch;
        ColourStage stage;
        engine::Time interpolation;
    };
    struct VertexWork {
        std::uint32_t count = 0;
    };
    static constexpr std::uint32_t vertex_name = 0x80000000U;  // | number of a vertex warp; else of a warp of quads
    static constexpr int texture_part = 0, vertex_part = 1, instruction_part = 2;

    void on_quad(const ShadeQuad& message, int core);
    void on_warp(const ShadeWarp& message, int core);
    void on_blended(const QuadsBlended& message, int core);
    void on_tile(const RenderTile& message, int port);
    void take_vertices(const ShadeVertices& message, int port);
    void on_reply(const MemoryReply& reply, int slice);

    void enqueue(Core& core, const Work& work);
    engine::Time step_tiles();
    void take_tile_reply(const MemoryReply& reply);
    bool step_core(Core& core, int number);
    bool finish_warp(Core& core);
    bool hand_over(Core& core, int number);
    bool start_fragments(Core& core);
    bool start_vertices();
    bool return_vertices();
    engine::Time return_credits(Core& core, int number);
    std::uint32_t tile_of(std::uint32_t quad);
    void forget(Cache* cache, std::uint32_t& pass, std::uint32_t entered) const;
    Cache& textures() { return texture_cache_ ? *texture_cache_ : *vertex_cache_; }

    // Shape.
    const Workload& workload_;
    std::uint32_t groups_per_warp_;
    bool has_fragments_;
    bool has_tiles_;
    engine::Time hop_;
    int tile_part_;  // the first of the parts of the memory port that are for tiles: lists, old depths, colours

    // State.
    std::uint32_t texture_pass_ = 0, vertex_pass_ = 0;        // what earlier ones wrote has been forgotten
    std::uint32_t tile_ = 0, tile_first_ = 0, tile_end_ = 0;  // where the last quad was found
    std::size_t vertex_turn_ = 0;

  public:
    engine::Row<engine::In<ShadeQuad>> quads;  // by core, where a warp is one quad
    engine::Row<engine::In<ShadeWarp>> warps;  // by core, else
    engine::Row<engine::In<QuadsBlended>> blended;
    engine::Row<engine::In<ShadeVertices>> vertices;  // one, or none
    engine::Row<engine::In<RenderTile>> tiles;        // one, or none
    engine::Row<engine::In<MemoryReply>> replies;
    engine::Row<engine::Out<QuadsTaken>> taken;
    engine::Row<engine::Out<ShadedQuad>> shaded;
    engine::Row<engine::Out<VerticesShaded>> vertices_shaded;
    engine::Row<engine::Out<TileRasterised>> rasterised;
    engine::Row<engine::Out<TileStored>> stored;
    MemoryPort memory;

  private:
    std::unique_ptr<Cache> texture_cache_, vertex_cache_;
    std::vector<std::unique_ptr<Cache>> instruction_caches_;  // by core
    TextureUnit texture_unit_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::unique_ptr<VertexInput> vertex_input_;
    ExportBuffer<VertexWork> vertex_exports_;
    std::unique_ptr<Tiles> tiles_;

  public:
    engine::Counter vertices_out;
    const TextureUnit& texture_unit() const { return texture_unit_; }
    const Cache& texture_cache() const { return texture_cache_ ? *texture_cache_ : *vertex_cache_; }
    const TiledFrontEnd* front_end() const { return tiles_ ? &tiles_->front_end : nullptr; }
    const Dispatch* dispatch() const { return tiles_ ? &tiles_->dispatch : nullptr; }
    const ColourStage* stage() const { return tiles_ ? &tiles_->stage : nullptr; }
    std::size_t cores() const { return cores_.size(); }
    const ShaderCore& core(std::size_t i) const { return cores_[i]->core; }
    const engine::Counter& quads_in(std::size_t core) const { return cores_[core]->quads_in; }
    const engine::Counter& quads_out(std::size_t core) const { return cores_[core]->quads_out; }
};

}  // namespace models
