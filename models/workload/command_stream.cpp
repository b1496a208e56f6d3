#include "models/workload/command_stream.h"

#include <algorithm>

namespace models {

void CommandStream::load(const Frame& frame, const Resolves& resolves, Address ring, std::uint32_t bytes_per_draw) {
    first_ = static_cast<BlockNumber>(ring / block_bytes);
    bytes_ = bytes_per_draw;
    draws_.clear();
    if (bytes_ == 0) return;
    for (std::uint32_t p = 0; p < frame.passes.size(); ++p) {
        if (resolves.is_resolved(p)) continue;
        const Pass& pass = frame.passes[p];
        for (std::uint32_t d = 0; d < pass.draw_count; ++d) draws_.push_back(pass.first_draw + d);
    }
}

std::vector<BlockRun> CommandStream::runs() const {
    std::vector<BlockRun> runs;
    for (std::uint32_t left = lines(); left > 0; left -= runs.back().count)
        runs.push_back({first_, std::min(left, ring_blocks)});
    return runs;
}

}  // namespace models
