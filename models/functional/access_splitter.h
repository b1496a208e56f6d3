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
        LaneMask answered = 0;  // lanes of the group that have sampled another texture by the same instruction
        for (std::size_t i = 0; i < cursors_.size(); ++i) {
            const FootprintEntry& entry = footprint_->entries[i];
            if (!entry.continues) answered = 0;
            if ((entry.active & lanes) == 0) continue;
            const std::uint16_t count = entry.count[static_cast<std::size_t>(group)];
            const SampleCost& cost = entry.cost[static_cast<std::size_t>(group)];
            const TextureAccess access{.first_block = static_cast<std::uint32_t>(blocks.size()),
                                       .block_count = count,
                                       .samples = cost.samples,
                                       .lod = cost.lod,
                                       .filter = cost.filter,
                                       .texel_bytes = entry.texel_bytes};
            const BlockNumber* const first = footprint_->blocks.data() + cursors_[i];
            if (answered == 0) {
                accesses.push_back(access);
                blocks.insert(blocks.end(), first, first + count);
            } else {
                const bool before = std::countr_zero(entry.active & lanes) < std::countr_zero(answered);
                join(access, before, first, accesses.back(), blocks);
            }
            answered |= entry.active & lanes;
            cursors_[i] += count;
        }
    }

  private:
    // Adds what other lanes of the group did with another texture. `before`: one of them is the group's first.
    static void join(const TextureAccess& part, bool before, const BlockNumber* part_blocks, TextureAccess& access,
                     std::vector<BlockNumber>& blocks) {
        for (std::size_t i = 0; i < part.block_count; ++i) {
            const auto known = blocks.begin() + access.first_block;
            if (std::find(known, blocks.end(), part_blocks[i]) != blocks.end()) continue;
            blocks.push_back(part_blocks[i]);
            ++access.block_count;
        }
        access.samples = static_cast<std::uint16_t>(std::min(access.samples + part.samples, 0xffff));
        if (before) access.lod = part.lod;
        access.filter = std::max(access.filter, part.filter);
        access.texel_bytes = std::max(access.texel_bytes, part.texel_bytes);
    }

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
