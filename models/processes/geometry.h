// Logical process: the geometry front end. Executes the passes of a frame in order: command processor, vertex fetcher,
// primitive assembly, list builder. Vertices are shaded by other processes, and come back in the order in which they
// were sent to each. What the driver writes while the frame runs leaves from here.
//
// Tile-based rendering: when a pass's lists are complete in memory it tells the raster front end. There are two
// parameter buffers: geometry is at most one pass ahead. Immediate rendering has no list builder: primitives and clears
// stream to the raster front end, as far as its queue has room.
//
// Which primitives are left after clipping and culling is what the trace says; assembly takes its time over all
// vertices, of those that are culled as well. A vertex has its place in the output queue from when it is sent.
//
// A draw is executed when its commands have been read (command_reader.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/pipeline/command_reader.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/pipeline/list_builder.h"
#include "models/pipeline/uploader.h"
#include "models/pipeline/vertex_fetcher.h"
#include "models/workload/messages.h"

namespace models {

class Laws;

class Geometry : public engine::Clocked<Geometry> {
  public:
    struct Shape {
        const GeometryParameters& geometry;
        const TilingParameters& tiling;
        VertexFetcher::Shape fetcher;
        engine::Time hop;  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
        std::string vertex_shaders = "vertex_processor";  // the kind of unit that shades vertices
        int streamed_primitives = 0;                      // that the raster front end has room for; 0: they go to lists
    };
    Geometry(const Shape& shape, const Workload& workload);

    void begin_frame();  // wake it to start
    void end_frame() { time.settle(now()); }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.3; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    // What the vertex fetcher asks.
    bool send_vertices(int processor, const ShadeVertices& warp, std::uint32_t count);

  private:
    enum State : std::uint8_t {
        idle,
        commands,
        commands_awaited,
        indices_awaited,
        vertices_awaited,
        assembly,
        lists,
        memory_busy,
        raster,
        passes,
        uploads,
        lists_awaited,
        states
    };

    void on_freed(const PassFreed& /*message*/, int /*port*/) { ++buffers_free_; }
    void on_stored(const PassStored& message) { stored_ = message.pass + 1; }
    void on_primitives_taken(const PrimitivesTaken& message, int /*port*/) { stream_room_ += message.count; }
    void on_shaded(const VerticesShaded& message, int processor);
    void on_reply(const MemoryReply& reply);

    bool begin_pass();
    bool issue_draw();
    bool assemble();
    bool assemble_vertex(const Draw& draw);
    bool primitive_ready(const Draw& draw) const;
    bool emit_primitive(const Draw& draw);
    bool end_pass();
    // What assembly hands on to.
    bool streams() const { return builder_ == nullptr; }
    bool has_room() const { return streams() ? stream_room_ > 0 : builder_->has_room(); }
    void stream(const StreamedPrimitive& item);
    const Pass& pass() const { return workload_.frame().passes[pass_]; }
    std::uint32_t draws_of_pass() const { return workload_.draws(pass_); }
    std::uint32_t next_draw() const { return pass().first_draw + issued_; }
    State state(bool assembled, bool built, bool uploaded) const;

    // Shape.
    const Workload& workload_;
    engine::Time draw_cost_, hop_;
    int vertices_per_cycle_;
    std::uint32_t most_outstanding_;  // vertices of a processor

    // State.
    std::uint32_t pass_ = 0, stored_ = 0;
    bool pass_active_ = false;
    std::uint32_t buffers_free_ = 2;
    std::uint32_t issued_ = 0;  // draws of the pass that the command processor has issued
    engine::Time command_free_ = 0;
    std::uint32_t assembling_ = 0;  // draw of the pass in assembly
    std::uint32_t assembled_ = 0;   // its vertices that have been assembled
    std::uint32_t emitted_ = 0;     // its primitives that have been passed on
    std::uint32_t emitted_in_pass_ = 0;
    std::uint32_t stream_room_;
    std::vector<std::uint32_t> outstanding_, shaded_;  // by processor: sent and not assembled; of them, those shaded

  public:
    engine::Row<engine::In<PassFreed>> freed;  // of tile-based rendering
    engine::In<PassStored> stored{this, "stored", engine::handler<&Geometry::on_stored>};
    engine::Row<engine::In<VerticesShaded>> shaded;
    engine::In<MemoryReply> replies;
    engine::Row<engine::In<PrimitivesTaken>> primitives_taken;  // of immediate rendering
    engine::Row<engine::Out<PassReady>> ready;                  // tile-based
    engine::Row<engine::Out<StreamedPrimitive>> primitives;     // immediate
    engine::Row<engine::Out<ShadeVertices>> vertices;
    MemoryPort memory;

    engine::Counter draws{&counters(), "draws", "1", "draws, clears and transfers executed"};
    engine::Counter assembled_primitives{&counters(), "assembled_primitives", "1",
                                         "primitives assembled, before clipping and culling"};
    engine::Counter culled_primitives{&counters(), "culled_primitives", "1", "of them, those that were culled"};
    engine::Counter primitives_out{&counters(), "primitives_out", "1", "primitives handed on by assembly"};
    engine::Counter vertices_assembled{&counters(), "vertices_assembled", "1", "vertices taken by assembly"};
    TimeAccount<states> time;

  private:
    CommandReader command_reader_;
    VertexFetcher fetcher_;
    Uploader uploader_;
    std::unique_ptr<ListBuilder> builder_;  // null where primitives are streamed

  public:
    const CommandReader& command_reader() const { return command_reader_; }
    const VertexFetcher& fetcher() const { return fetcher_; }
    const Uploader& uploader() const { return uploader_; }
    const ListBuilder* builder() const { return builder_.get(); }
};

}  // namespace models
