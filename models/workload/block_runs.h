// Blocks of memory as runs: collected in any order, then looked up.
#pragma once

#include <algorithm>
#include <vector>

#include "models/frame_trace/memory.h"

namespace models {

struct BlockRun {
    BlockNumber first = 0, count = 0;
    BlockNumber end() const { return first + count; }
};

class BlockRuns {
  public:
    void add(const BlockRun& run) { runs_.push_back(run); }
    // Before holds(): ascending, those that meet made one.
    void settle() {
        std::sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::size_t kept = 0;
        for (const BlockRun& run : runs_)
            if (kept == 0 || runs_[kept - 1].end() < run.first)
                runs_[kept++] = run;
            else
                runs_[kept - 1].count = std::max(runs_[kept - 1].end(), run.end()) - runs_[kept - 1].first;
        runs_.resize(kept);
    }

    bool empty() const { return runs_.empty(); }
    const std::vector<BlockRun>& all() const { return runs_; }
    bool holds(BlockNumber block) const {
        const auto after = std::upper_bound(runs_.begin(), runs_.end(), block,
                                            [](BlockNumber b, const BlockRun& run) { return b < run.first; });
        return after != runs_.begin() && block < (after - 1)->end();
    }

  private:
    std::vector<BlockRun> runs_;
};

}  // namespace models
