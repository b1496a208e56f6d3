// Turns what a batch read, which goes instruction by instruction, into the accesses of each group of lanes (quad or
// vertex), group by group, as the frame trace wants them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/footprint.h"
#include "models/functional/tgsi/executor.h"

namespace models::functional {

class AccessSplitter {
  public:
    void start(const Footprint& footprint) {
        footprint_ = &footprint;
        cursors_.clear();
        for (const FootprintEntry& entry : footprint.entries) cursors_.push_back(entry.first_block);
    }

    // Appends the accesses of one group; groups come in increasing order. `lanes` are the group's.
    void append(int group, LaneMask lanes, std::vector<TextureAccess>& accesses, std::vector<BlockNumber>& blocks) {
        for (std::size_t i = 0; i < cursors_.size(); ++i) {
            const FootprintEntry& entry = footprint_->entries[i];
            if ((entry.active & lanes) == 0) continue;
            const std::uint16_t count = entry.count[static_cast<std::size_t>(group)];
            const SampleCost& cost = entry.cost[static_cast<std::size_t>(group)];
            accesses.push_back({.first_block = static_cast<std::uint32_t>(blocks.size()),
                                .block_count = count,
                                .samples = cost.samples,
                                .lod = cost.lod,
                                .filter = cost.filter,
                                .texel_bytes = entry.texel_bytes});
            const auto first = footprint_->blocks.begin() + cursors_[i];
            blocks.insert(blocks.end(), first, first + count);
            cursors_[i] += count;
        }
    }

  private:
    const Footprint* footprint_ = nullptr;
    std::vector<std::uint32_t> cursors_;  // next block of each entry
};

// The same of indirect constants; indices without repetition, in the order of the lanes.
inline void append_constants(const std::vector<tgsi::ConstantIndices>& log, LaneMask lanes,
                             std::vector<ConstantAccess>& accesses, std::vector<std::uint16_t>& indices) {
    for (const tgsi::ConstantIndices& read : log) {
        if ((read.active & lanes) == 0) continue;
        const std::size_t first = indices.size();
        for (LaneMask rest = read.active & lanes; rest != 0; rest &= rest - 1) {
            const auto index = static_cast<std::uint16_t>(read.index[static_cast<std::size_t>(std::countr_zero(rest))]);
            const auto known = indices.begin() + static_cast<std::ptrdiff_t>(first);
            if (std::find(known, indices.end(), index) == indices.end()) indices.push_back(index);
        }
        accesses.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint8_t>(indices.size() - first)});
    }
}

}  // namespace models::functional
