// For how many cycles a texture access takes the filter of its unit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/core/texture_unit_parameters.h"
#include "models/frame_trace/frame_trace.h"

namespace models {

class FilterCost {
  public:
    explicit FilterCost(const TextureUnitParameters& parameters)
        : samples_per_cycle_(static_cast<std::uint32_t>(parameters.samples_per_cycle())),
          texel_bytes_(static_cast<std::uint32_t>(parameters.texel_bytes_per_cycle())) {}

    std::uint32_t operator()(const TextureAccess& access) const {
        const std::uint32_t passes = (access.texel_bytes + texel_bytes_ - 1) / texel_bytes_;
        return std::max(1U, (access.samples * passes + samples_per_cycle_ - 1) / samples_per_cycle_);
    }

  private:
    std::uint32_t samples_per_cycle_, texel_bytes_;
};

}  // namespace models
