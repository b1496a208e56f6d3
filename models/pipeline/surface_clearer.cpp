#include "models/pipeline/surface_clearer.h"

namespace models {

SurfaceClearer::SurfaceClearer(const engine::CounterScope& scope, const Workload& workload, MemoryPort& memory,
                               int part, engine::Time period)
    : lines_cleared(scope, "lines_cleared", "1", "lines of render targets written by clears"),
      workload_(workload),
      memory_(&memory),
      tag_(RequestTag::of(part)),
      period_(period) {}

void SurfaceClearer::begin(std::uint32_t draw_number, std::uint32_t pass) {
    const Draw& draw = workload_.frame().draws[draw_number];
    const Workload::Targets& targets = workload_.targets(pass);
    // Stencils alone leave the depths beside them.
    if (draw.depth_write)
        add(targets.depth, MemoryClient::depth, MemoryOperation::write_line);
    else if (draw.stencil_write)
        add(targets.depth, MemoryClient::depth, MemoryOperation::write_part);
    for (std::size_t target = 0; target < targets.colour.size(); ++target)
        if ((draw.colour_mask >> 4 * target & 15U) != 0)
            add(targets.colour[target], MemoryClient::colour, MemoryOperation::write_line);
}

void SurfaceClearer::add(const SurfaceBlocks& surface, MemoryClient client, MemoryOperation operation) {
    if (surface.count() == 0) return;
    const BlockRuns lines = surface.with_texels();
    for (auto run = lines.all().rbegin(); run != lines.all().rend(); ++run)
        runs_.push_back({run->first, run->end(), operation, client, 0});
}

bool SurfaceClearer::step(engine::Time now) {
    if (runs_.empty()) return false;
    Run& run = runs_.back();
    if (!memory_->can_send(run.next)) return false;
    memory_->send(now, {run.next, tag_, run.operation, run.client, {}}, period_);
    ++in_flight_;
    ++lines_cleared;
    if (++run.next == run.end) runs_.pop_back();
    return true;
}

}  // namespace models
