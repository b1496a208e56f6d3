// What a tile's worker adds to the frame trace for a shaded batch.
#include <algorithm>

#include "models/functional/tile_lanes.h"
#include "models/functional/tile_worker.h"

namespace models::functional {

void TileWorker::record_batch(LaneMask written) {
    const bool straight = work_->program->executable.straight_line();
    const bool same = straight || executor_.same_path();
    PathTable* const known = straight ? nullptr : &local_paths();
    std::uint16_t path = straight || !same ? std::uint16_t{0} : local_path(*known, quad_lanes(0));
    splitter_.start(footprint_);
    memory_->make_room_in_tile(trace_->accesses, footprint_.entries.size() * static_cast<std::size_t>(shading_.count));
    memory_->make_room_in_tile(trace_->blocks, footprint_.blocks.size());
    const std::size_t constants = constant_log_.size() * static_cast<std::size_t>(shading_.count);
    memory_->make_room_in_tile(trace_->constant_accesses, constants);
    memory_->make_room_in_tile(trace_->constant_indices, 4 * constants);
    for (int q = 0; q < shading_.count; ++q) {
        if (!same) path = local_path(*known, quad_lanes(q));
        Quad& quad = trace_->quads[shading_.tag[static_cast<std::size_t>(q)]];
        quad.written = quad_bits(written, q);
        quad.path = path;
        if (work_->early_test && !work_->early_depth) quad.early_test = quad.shaded = quad_bits(tested_, q);
        quad.first_access = static_cast<std::uint32_t>(trace_->accesses.size());
        splitter_.append(q, quad_lanes(q), trace_->accesses, trace_->blocks);
        quad.first_constant_access = static_cast<std::uint32_t>(trace_->constant_accesses.size());
        append_constants(constant_log_, quad_lanes(q), trace_->constant_accesses, trace_->constant_indices);
    }
}

PathTable& TileWorker::local_paths() {
    const std::uint32_t program = work_->program->program;
    std::vector<TileTrace::Paths>& lists = trace_->paths;
    auto found = std::find_if(lists.begin(), lists.end(), [&](const auto& list) { return list.program == program; });
    if (found == lists.end()) found = lists.insert(found, {program});
    return found->table;
}

// Its number in the table.
std::uint16_t TileWorker::local_path(PathTable& known, LaneMask group) {
    executor_.path(group, path_);
    const std::uint64_t before = known.bytes();
    const std::uint16_t number = known.intern(path_);
    memory_->take_for_tile(known.bytes() - before);
    trace_->path_bytes += known.bytes() - before;
    return number;
}

}  // namespace models::functional
