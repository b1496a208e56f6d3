// Logical process: the geometry front end. Executes the passes of a frame in order: command processor, vertex fetcher,
// vertex processors with their caches, primitive assembly, polygon-list builder. When a pass's lists are complete in
// memory it tells the raster front end. There are two parameter buffers: geometry is at most one pass ahead.
//
// Which primitives are left after clipping and culling is what the trace says; assembly takes its time over all
// vertices, of those that are culled as well.
//
// Not modelled: the reading of the command stream and of constants from memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/memory_port.h"
#include "models/messages.h"
#include "models/polygon_list_builder.h"
#include "models/vertex_fetcher.h"
#include "models/vertex_processor.h"
#include "models/workload.h"

namespace models {

class Geometry : public engine::Clocked<Geometry> {
  public:
    Geometry(const MachineParameters& parameters, const Workload& workload);

    void begin_frame();  // and wake it to start

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1; }

  private:
    void on_freed(const PassFreed&) { ++buffers_free_; }
    void on_reply(const MemoryReply& reply, int slice);

    bool begin_pass();
    bool issue_draw();
    bool assemble();
    bool assemble_vertex(const Draw& draw);
    bool primitive_ready(const Draw& draw) const;
    bool emit_primitive(const Draw& draw);
    bool end_pass();
    const Pass& pass() const { return workload_.frame().passes[pass_]; }

    const Workload& workload_;
    engine::Time draw_cost_;
    int vertices_per_cycle_;

    std::uint32_t pass_ = 0;
    bool pass_active_ = false;
    int buffers_free_ = 2;
    std::uint32_t issued_ = 0;  // draws of the pass that the command processor has issued
    engine::Time command_free_ = 0;
    std::uint32_t assembling_ = 0;  // draw of the pass in assembly
    std::uint32_t assembled_ = 0;   // its vertices that have been assembled
    std::uint32_t emitted_ = 0;     // its primitives that have been passed on
    std::uint32_t emitted_in_pass_ = 0;

  public:
    engine::In<PassFreed> freed{this, "freed", engine::handler<&Geometry::on_freed>};
    engine::Row<engine::In<MemoryReply>> replies;
    engine::Out<PassReady> ready;
    MemoryPort memory;

  private:
    engine::Counter draws_{&counters(), "draws", "1", "draws, clears and transfers executed"};
    engine::Counter assembled_primitives_{&counters(), "assembled_primitives", "1",
                                          "primitives assembled, before clipping and culling"};
    engine::Counter culled_primitives_{&counters(), "culled_primitives", "1", "of them, those that were culled"};
    engine::Counter vertices_assembled_{&counters(), "vertices_assembled", "1", "vertices taken by assembly"};
    std::vector<std::unique_ptr<VertexProcessor>> owned_processors_;
    std::vector<VertexProcessor*> processors_;
    VertexFetcher fetcher_;
    PolygonListBuilder builder_;
};

}  // namespace models
