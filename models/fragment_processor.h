// Logical process: a fragment processor with its texture unit, texture cache and instruction cache.
//
// Takes quads from the raster front end (a queue with credits), makes warps of them, executes their paths, and hands
// finished quads to blending in the order in which they came (a queue with credits). Quads of one warp belong to one
// draw. Textures that a finished pass has rendered to are forgotten when the first quad of a later pass arrives.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/line_cache.h"
#include "models/memory_port.h"
#include "models/messages.h"
#include "models/ring_queue.h"
#include "models/shader_core.h"
#include "models/workload.h"

namespace models {

class FragmentProcessor : public engine::Clocked<FragmentProcessor> {
  public:
    FragmentProcessor(int index, const MachineParameters& parameters, const Workload& workload);

    void begin_frame();
    void end_frame();

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1; }

  private:
    void on_quad(const ShadeQuad& quad);
    void on_blended(const QuadBlended&) { ++colour_credits_; }
    void on_reply(const MemoryReply& reply, int slice);

    void finish_quad();
    void start_warp();
    void enter_pass(std::uint32_t pass);

    const Workload& workload_;
    std::uint32_t groups_per_warp_;
    RingQueue<ShadeQuad> queue_;
    std::uint32_t colour_credits_, all_colour_credits_;
    std::vector<ShadeQuad> quads_;       // [warp slot][group]
    std::vector<std::uint32_t> counts_;  // [warp slot]: groups
    std::uint32_t handed_over_ = 0;      // quads of the oldest warp that are with blending already
    std::uint32_t pass_ = 0;

  public:
    engine::In<ShadeQuad> quads{this, "quads", engine::handler<&FragmentProcessor::on_quad>};
    engine::In<QuadBlended> blended{this, "blended", engine::handler<&FragmentProcessor::on_blended>};
    engine::Row<engine::In<MemoryReply>> replies;
    engine::Out<QuadsTaken> taken;
    engine::Out<ShadedQuad> shaded;
    MemoryPort memory;

  private:
    engine::Counter quads_in_{&counters(), "quads_in", "1", "quads received"};
    engine::Counter quads_out_{&counters(), "quads_out", "1", "quads handed to blending"};
    engine::Counter queue_quads_{&counters(), "queue_quads", "1",
                                 "quads found in the queue by arriving ones; divided by quads_in: mean occupancy"};
    LineCache texture_cache_, instruction_cache_;
    ShaderCore core_;
};

}  // namespace models
