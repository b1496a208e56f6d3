// Static re-reference interval prediction (Jaleel et al., ISCA 2010, SRRIP-HP with two bits): each line has a
// prediction of how far away its next access is, 0 to 3. A line comes with 2, so that what is never accessed again goes
// before what was; a hit makes it 0. The victim is the first way with 3; where there is none, all of the set grow by
// one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace models {

class ReReferencePrediction {
  public:
    static constexpr std::string_view name = "srrip";

    ReReferencePrediction(std::uint32_t sets, std::uint32_t ways)
        : predictions_(std::size_t{sets} * ways, distant),
          ways_(ways) {}

    void hit(std::uint32_t set, std::uint32_t way) { predictions_[std::size_t{set} * ways_ + way] = 0; }
    void fill(std::uint32_t set, std::uint32_t way) { predictions_[std::size_t{set} * ways_ + way] = distant - 1; }

    std::uint32_t victim(std::uint32_t set) {
        std::uint8_t* const predictions = &predictions_[std::size_t{set} * ways_];
        for (;;) {
            for (std::uint32_t way = 0; way < ways_; ++way)
                if (predictions[way] == distant) return way;
            for (std::uint32_t way = 0; way < ways_; ++way) ++predictions[way];
        }
    }

    void serialize(engine::Archive& archive) { archive(predictions_); }

  private:
    static constexpr std::uint8_t distant = 3;
    std::vector<std::uint8_t> predictions_;  // [set][way]
    std::uint32_t ways_;
};

}  // namespace models
