// Which memory holds the constants that a program of a draw may read: whole blocks, as many as the program declares.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/workload/uploads.h"

namespace models {

class DrawConstants {
  public:
    // `ring`: where the machine has the ring of constants.
    void load(const Frame& frame, Address ring);

    // Of the vertex program of a draw or of its fragment program, in the order of their buffers.
    std::span<const BlockRun> runs(std::uint32_t draw, bool vertex) const {
        const std::size_t at = std::size_t{draw} * 2 + (vertex ? 0 : 1);
        return {runs_.data() + first_[at], runs_.data() + first_[at + 1]};
    }

  private:
    std::vector<BlockRun> runs_;
    std::vector<std::uint32_t> first_;  // by draw and stage; one more at the end
};

}  // namespace models
