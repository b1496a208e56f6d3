// What a tile's worker adds to the frame trace for a shaded batch.
#include <algorithm>

#include "models/functional/tile_lanes.h"
#include "models/functional/tile_worker.h"

namespace models::functional {

void TileWorker::record_batch(LaneMask written) {
    const bool straight = work_->program->executable.straight_line();
    const bool same = straight || executor_.same_path();
    std::vector<Path>* const known = straight ? nullptr : &local_paths();
    std::uint16_t path = straight || !same ? std::uint16_t{0} : local_path(*known, quad_lanes(0));
    splitter_.start(footprint_);
    memory_->make_room_in_tile(trace_->accesses, footprint_.entries.size() * static_cast<std::size_t>(shading_.count));
    memory_->make_room_in_tile(trace_->blocks, footprint_.blocks.size());
    for (int q = 0; q < shading_.count; ++q) {
        if (!same) {
            path = local_path(*known, quad_lanes(q));
        }
        Quad& quad = trace_->quads[shading_.tag[static_cast<std::size_t>(q)]];
        quad.written = quad_bits(written, q);
        quad.path = path;
        quad.first_access = static_cast<std::uint32_t>(trace_->accesses.size());
        splitter_.append(q, quad_lanes(q), trace_->accesses, trace_->blocks);
    }
}

std::vector<Path>& TileWorker::local_paths() {
    const std::uint32_t program = work_->program->program;
    std::vector<TileTrace::Paths>& lists = trace_->paths;
    auto found = std::find_if(lists.begin(), lists.end(), [&](const auto& list) { return list.program == program; });
    if (found == lists.end()) {
        found = lists.insert(found, {program, {}});
    }
    return found->paths;
}

// Its number in the list. There may be more paths than numbers: ProgramLibrary::intern() then refuses the last of them.
std::uint16_t TileWorker::local_path(std::vector<Path>& known, LaneMask group) {
    executor_.path(group, path_);
    // The newest first: neighbouring quads mostly take the same path.
    for (std::size_t i = known.size(); i-- > 0;) {
        if (known[i] == path_) {
            return static_cast<std::uint16_t>(i);
        }
    }
    memory_->take_for_tile(memory_of(path_));
    trace_->path_bytes += memory_of(path_);
    known.push_back(path_);
    return static_cast<std::uint16_t>(known.size() - 1);
}

}  // namespace models::functional
