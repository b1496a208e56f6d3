// What a tile's worker adds to the frame trace for a shaded batch.
#include "engine/error.h"
#include "models/functional/tile_lanes.h"
#include "models/functional/tile_worker.h"

namespace models::functional {

void TileWorker::record_batch(LaneMask written) {
    const bool straight = work_->program->executable.straight_line();
    const bool same = straight || executor_.same_path();
    std::uint16_t path = straight || !same ? std::uint16_t{0} : local_path(quad_lanes(0));
    splitter_.start(footprint_);
    for (int q = 0; q < shading_.count; ++q) {
        if (!same) {
            path = local_path(quad_lanes(q));
        }
        Quad& quad = trace_->quads[shading_.tag[static_cast<std::size_t>(q)]];
        quad.written = quad_bits(written, q);
        quad.path = path;
        quad.first_access = static_cast<std::uint32_t>(trace_->accesses.size());
        splitter_.append(q, quad_lanes(q), trace_->accesses, trace_->blocks);
    }
}

std::uint16_t TileWorker::local_path(LaneMask group) {
    executor_.path(group, path_);
    std::vector<ProgramPath>& known = trace_->paths;
    // The newest first: neighbouring quads mostly take the same path.
    for (std::size_t i = known.size(); i-- > 0;) {
        if (known[i].program == work_->program->program && known[i].path == path_) {
            return static_cast<std::uint16_t>(i);
        }
    }
    if (known.size() > 0xffff) {
        throw engine::InputError("a tile whose warps take more than 65536 different paths is not supported");
    }
    known.push_back({work_->program->program, path_});
    return static_cast<std::uint16_t>(known.size() - 1);
}

}  // namespace models::functional
