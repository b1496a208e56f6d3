#include "models/workload/uploads.h"

#include <algorithm>

namespace models {

BlockRun run_of(Address address, std::uint64_t bytes, Address ring) {
    if (address >= constant_ring && address - constant_ring < constant_ring_bytes) address += ring - constant_ring;
    const auto first = static_cast<BlockNumber>(address / block_bytes);
    return {first, static_cast<BlockNumber>((address + bytes + block_bytes - 1) / block_bytes) - first};
}

void Uploads::load(const Frame& frame, Address ring, const std::vector<BlockRun>& commands) {
    runs_ = commands;
    of_pass_.assign(std::max<std::size_t>(frame.passes.size(), 1), {});
    std::size_t pass = 0;
    for (const Upload& upload : frame.uploads) {
        if (upload.bytes == 0) continue;
        runs_.push_back(run_of(upload.address, upload.bytes, ring));
        while (pass + 1 < of_pass_.size() && upload.before_draw >= frame.passes[pass + 1].first_draw) ++pass;
        of_pass_[pass].add(runs_.back());
    }
    for (BlockRuns& runs : of_pass_) runs.settle();
}

BlockRuns Uploads::placed(const PagePlacement& placement) const {
    BlockRuns all;
    for (BlockRun run : runs_)
        while (run.count > 0) {
            const BlockNumber count = std::min(run.count, page_blocks - run.first % page_blocks);  // of a page
            all.add({placement.physical(run.first), count});
            run = {run.first + count, run.count - count};
        }
    all.settle();
    return all;
}

}  // namespace models
