// Turns the footprint of a batch, which goes instruction by instruction, into the texture accesses of each group of
// lanes (quad or vertex), group by group, as the frame trace wants them.
#pragma once

#include <cstddef>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/footprint.h"

namespace models::functional {

class AccessSplitter {
  public:
    void start(const Footprint& footprint) {
        footprint_ = &footprint;
        cursors_.clear();
        for (const FootprintEntry& entry : footprint.entries) {
            cursors_.push_back(entry.first_block);
        }
    }

    // Appends the accesses of one group; groups come in increasing order. `lanes` are the group's.
    void append(int group, LaneMask lanes, std::vector<TextureAccess>& accesses, std::vector<BlockNumber>& blocks) {
        for (std::size_t i = 0; i < cursors_.size(); ++i) {
            const FootprintEntry& entry = footprint_->entries[i];
            if ((entry.active & lanes) == 0) {
                continue;
            }
            const std::uint16_t count = entry.count[static_cast<std::size_t>(group)];
            accesses.push_back({static_cast<std::uint32_t>(blocks.size()), count});
            const auto first = footprint_->blocks.begin() + cursors_[i];
            blocks.insert(blocks.end(), first, first + count);
            cursors_[i] += count;
        }
    }

  private:
    const Footprint* footprint_ = nullptr;
    std::vector<std::uint32_t> cursors_;  // next block of each entry
};

}  // namespace models::functional
