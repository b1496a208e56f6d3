// Which memory the driver writes while a frame runs (Frame::uploads), for those who write it and for caches that hold
// some of it.
//
// An upload belongs to the pass of the draw that it comes before; those behind the last draw to the last pass, and
// those of a frame without passes to pass 0. Caches of cores forget at the beginning of a pass's work all that belongs
// to it: what a pass reads before one of its own uploads and again after it is taken to be the same, as a driver gives
// it new memory then. The L2 cache drops all of them before the frame, when a driver that is ahead of the GPU writes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/structures/page_placement.h"
#include "models/workload/block_runs.h"

namespace models {

class Uploads {
  public:
    // `ring`: where the machine has the ring of constants. `commands`: what the driver writes before the frame, which
    // no cache of a core holds.
    void load(const Frame& frame, Address ring, const std::vector<BlockRun>& commands = {});

    // In the order of commands.
    const std::vector<BlockRun>& runs() const { return runs_; }

    bool any_in(std::uint32_t pass) const { return pass < of_pass_.size() && !of_pass_[pass].empty(); }
    // True if an upload of the pass writes to the block.
    bool written_in(std::uint32_t pass, BlockNumber block) const { return of_pass_[pass].holds(block); }
    // All that is written, as physical blocks.
    BlockRuns placed(const PagePlacement& placement) const;

  private:
    std::vector<BlockRun> runs_;
    std::vector<BlockRuns> of_pass_;  // at least one
};

// The blocks of so many bytes; those of the trace's ring of constants lie where the machine has its ring.
BlockRun run_of(Address address, std::uint64_t bytes, Address ring);

}  // namespace models
