// Logical process: a cluster of cores that execute shader programs, with the caches and the texture unit they share.
// Shades vertices, fragments, or both:
//
//   a vertex processor       one core; attributes and vertex textures through the vertex cache
//   a fragment processor     one core or several; textures through the texture cache
//   a unified one            both, on the same cores
//
// Colours of fragments go to a colour stage elsewhere. Or the cluster renders whole tiles on its own: then it has a
// rasteriser and a colour stage, too. Or it blends in memory, in immediate rendering: then it has a pixel cache. With
// decoupled access/execute it is told what its quads will access while they wait, and fetches that into its caches,
// from those of other clusters, too.
//
// Cores that wait for room in the texture unit get it in turn, and so do those whose lookup of constants the constant
// cache does not take in a cycle.
//
// Fragment warps come for a core, vertex warps for the cluster, which gives them to its cores in turn. Colours leave
// each core in the order in which its warps came, shaded vertices leave the cluster so: what follows sees work in
// order.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/core/constant_loader.h"
#include "models/core/export_buffer.h"
#include "models/core/shader_core.h"
#include "models/core/vertex_input.h"
#include "models/memory/cache.h"
#include "models/memory/home_exit.h"
#include "models/memory/memory_port.h"
#include "models/memory/replication.h"
#include "models/memory/snoop_port.h"
#include "models/pipeline/pixel_stage.h"
#include "models/pipeline/tile_renderer.h"
#include "models/structures/credit_return.h"
#include "models/workload/messages.h"

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
        const CacheParameters &instruction_cache, &constant_cache;
        std::vector<int> fragment_entries, colour_entries;  // by core: of its queues, in quads; empty: no fragments
        std::size_t vertex_warps;                           // that may wait
        engine::Time credit_patience, hop;                  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
        const TiledFrontEnd::Shape* front_end = nullptr;  // null: it renders no tiles of its own
        const CacheParameters* pixel_cache = nullptr;     // null: it does not blend in memory
        const ColourParameters* colour = nullptr;         // for either
        int vertices_per_warp = 0;                        // if more than the core's groups
        const HomeExit::Shape* home = nullptr;            // null: its texture cache is its own
        int prefetch_queue = 0;                           // entries; 0: nothing is fetched ahead for its quads
        int peer_requests = 0;                            // of all caches that fetch ahead; 0: no remote L1
    };
    Cluster(const Shape& shape, const Workload& workload);

    void begin_frame();
    void end_frame();  // at now()

    engine::Time step();  // cluster_work.cpp
    std::string unfinished() const override;
    double cost_hint() const override { return has_fragments_ ? 1 : 0.1; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;  // cluster_laws.cpp

    // What its parts tell.
    void start_warp(int core, const FormedWarp& warp, engine::Time ready_at);
    void tile_rasterised(std::uint32_t pass) { rasterised[0].send({pass}, hop_); }
    void tile_stored(std::uint32_t pass) { stored[0].send({pass}, hop_); }
    void test_late(std::uint32_t quad, std::uint32_t pass) { depth_tests[0].send({quad, pass}, hop_); }
    void quad_done(std::uint32_t core);
    void texture_done(std::uint16_t core, std::uint16_t warp, std::uint16_t destination, engine::Time time);

  private:
    struct Work {                   // a warp of quads
        engine::Time ready_at = 0;  // its attributes are interpolated
        std::uint32_t count = 0, buffer = 0, tile = 0, spare = 0;
        std::array<std::uint32_t, ShadeWarp::most> quads = {};  // in Frame::quads
    };
    // A core with its queues.
    struct Core {
        Core(const engine::CounterScope& scope, int number, const Shape& shape, const Workload& workload,
             Cache& instructions, Cache& of_constants);
        ShaderCore core;
        ConstantLoader constants;
        RingQueue<Work> queue;
        std::uint32_t queued_quads = 0;
        std::uint32_t constants_read = 0;  // for so many quads of the first warp that waits
        ExportBuffer<Work> exports;
        std::uint32_t handed_over = 0;  // quads of the oldest warp
        bool exports_full = false;      // for those that have finished, before one is handed over
        std::uint32_t colour_credits;
        CreditReturn taken;
        engine::Counter quads_in, quads_out, queue_quads;
        void serialize(engine::Archive& archive) {
            archive(core, constants, queue, queued_quads, constants_read, exports, handed_over, exports_full,
                    colour_credits, taken);
        }
    };
    struct VertexWork {
        std::uint32_t count = 0;
    };
    static constexpr std::uint32_t vertex_name = 0x80000000U;  // | number of a vertex warp; else of a warp of quads
    static constexpr int texture_part = 0, vertex_part = 1, constant_part = 2, instruction_part = 3;

    void on_quad(const ShadeQuad& message, int core);
    void on_warp(const ShadeWarp& message, int core);
    void on_blended(const QuadsBlended& message, int core);
    void on_tile(const RenderTile& message, int /*port*/) { tile_renderer_->push(message.pass, message.tile); }
    void on_tested(const DepthTested& message, int /*port*/) { pixel_stage_->late_tested(message.count); }
    void on_flush(const FlushPixels& message, int port);
    void on_prefetch(const PrefetchBlock& message, int port);
    void on_peer_request(const MemoryRequest& request, int port);
    void take_vertices(const ShadeVertices& message, int port);
    void on_reply(const MemoryReply& reply);
    void on_home(const HomeMessage& message, int port);
    void step_cores_only();
    void texture_line_came(RequestTag tag);
    void hand_on(std::uint32_t waiter);
    void begin_textures_of(std::uint32_t tile);
    void take_line(const MemoryReply& reply);

    void receive(Core& core, const Work& work);
    void enqueue(Core& core, const Work& work);
    std::uint32_t tile_of(std::uint32_t quad);
    void forget(Cache* cache, std::uint32_t& pass, std::uint32_t entered) const;
    void forget_uploads(Cache* cache, std::uint32_t pass) const;

    // Of step(), in cluster_work.cpp.
    bool step_constants();
    engine::Time step_cores();
    bool step_core(Core& core, int number);
    engine::Time step_queue(Core& core, int number);
    bool finish_warp(Core& core);
    void hand_over(Core& core, int number);
    std::uint32_t program_of(const Work& work) const;
    bool has_constants(Core& core, const Work& work);
    bool start_fragments(Core& core);
    bool start_vertices();
    bool return_vertices();
    engine::Time return_credits(Core& core, int number);
    engine::Time step_pixels();
    engine::Time step_snoop_port();

    Cache& textures() { return texture_cache_ ? *texture_cache_ : *vertex_cache_; }

    // Shape.
    const Workload& workload_;
    std::uint32_t groups_per_warp_;
    bool has_fragments_;
    engine::Time hop_;
    int colour_part_;  // the first of the parts of the memory port behind those of its cores' caches

    // State.
    std::uint32_t texture_pass_ = 0, vertex_pass_ = 0,
                  constant_pass_ = 0;                         // what earlier ones wrote has been forgotten
    std::uint32_t tile_ = 0, tile_first_ = 0, tile_end_ = 0;  // where the last quad was found
    std::size_t vertex_turn_ = 0, constant_turn_ = 0;
    bool flushes_ = false, is_flushing_ = false;  // asked to; its lines are on their way
    std::uint32_t flush_pass_ = 0;                // at whose end
    CreditReturn blended_quads_;
    CreditReturn prefetches_looked_for_;

  public:
    engine::Row<engine::In<ShadeQuad>> quads;  // by core, where a warp is one quad
    engine::Row<engine::In<ShadeWarp>> warps;  // by core, else
    engine::Row<engine::In<QuadsBlended>> blended;
    engine::Row<engine::In<ShadeVertices>> vertices;    // one, or none
    engine::Row<engine::In<RenderTile>> tiles;          // one, or none
    engine::Row<engine::In<DepthTested>> depth_tested;  // one each, or none
    engine::Row<engine::In<FlushPixels>> flushes;
    engine::Row<engine::In<PrefetchBlock>> prefetches;
    engine::Row<engine::In<MemoryRequest>> peer_requests;  // one with remote L1, or none
    engine::In<MemoryReply> replies;
    engine::Row<engine::In<HomeMessage>> home_messages;  // one, or none
    engine::Row<engine::Out<QuadsTaken>> taken;
    engine::Row<engine::Out<ShadedQuad>> shaded;
    engine::Row<engine::Out<VerticesShaded>> vertices_shaded;
    engine::Row<engine::Out<TileRasterised>> rasterised;
    engine::Row<engine::Out<TileStored>> stored;
    engine::Row<engine::Out<TestDepth>> depth_tests;
    engine::Row<engine::Out<QuadsBlended>> quads_blended;
    engine::Row<engine::Out<PixelsFlushed>> flushed;
    engine::Row<engine::Out<PrefetchesTaken>> prefetches_taken;
    MemoryPort memory;

  private:
    std::unique_ptr<HomeExit> home_;  // null: the texture cache is its own
    std::unique_ptr<Cache> texture_cache_, vertex_cache_;
    Cache constant_cache_;
    Census census_;                                           // of the texture cache
    std::vector<std::unique_ptr<Cache>> instruction_caches_;  // by core
    TextureUnit texture_unit_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::unique_ptr<VertexInput> vertex_input_;
    ExportBuffer<VertexWork> vertex_exports_;
    std::unique_ptr<TileRenderer> tile_renderer_;
    std::unique_ptr<PixelStage> pixel_stage_;
    std::unique_ptr<SnoopPort> snoop_port_;

  public:
    engine::Counter vertices_out;
    const engine::Series& census() const { return census_.series; }
    const TextureUnit& texture_unit() const { return texture_unit_; }
    const Cache& texture_cache() const { return texture_cache_ ? *texture_cache_ : *vertex_cache_; }
    HomeExit* home() { return home_.get(); }
    const HomeExit* home() const { return home_.get(); }
    const TileRenderer* tile_renderer() const { return tile_renderer_.get(); }
    const PixelStage* pixel_stage() const { return pixel_stage_.get(); }
    SnoopPort* snoop_port() { return snoop_port_.get(); }
    const SnoopPort* snoop_port() const { return snoop_port_.get(); }
    std::size_t cores() const { return cores_.size(); }
    const ShaderCore& core(std::size_t i) const { return cores_[i]->core; }
    const engine::Counter& quads_in(std::size_t core) const { return cores_[core]->quads_in; }
    const engine::Counter& quads_out(std::size_t core) const { return cores_[core]->quads_out; }
};

}  // namespace models
