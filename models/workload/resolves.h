// Which passes only bring the samples of the pass before them together, so that a tile buffer can do it before the tile
// leaves: the samples never go to memory, and the pass is not rendered.
//
// So it is where a pass with several samples and one colour target is followed by one that consists of a single
// transfer over the whole of a target of the same size, stores no depths and reads nothing but those samples, and no
// later pass of the frame loads or reads them. What a later frame does is not looked at: it is taken to clear them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/pass_order.h"

namespace models {

class Resolves {
  public:
    // `enabled`: false, and there is none.
    void load(const Frame& frame, const PassOrder& order, bool enabled);

    // The pass is not rendered: the one before it stores its target.
    bool is_resolved(std::uint32_t pass) const { return resolved_[pass] != 0; }
    // The pass whose target is stored instead of the samples; none: the pass keeps its own.
    std::uint32_t resolving(std::uint32_t pass) const {
        return pass + 1 < resolved_.size() && is_resolved(pass + 1) ? pass + 1 : none;
    }

  private:
    std::vector<std::uint8_t> resolved_;  // by pass
};

}  // namespace models
