// How long blending takes, be it in a tile buffer or in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/frame_trace/frame_trace.h"
#include "models/pipeline/colour_parameters.h"

namespace models {

class BlendCost {
  public:
    explicit BlendCost(const ColourParameters& parameters)
        : old_colour_(static_cast<std::uint32_t>(parameters.blend.count())),
          samples_per_cycle_(static_cast<std::uint32_t>(parameters.samples_per_cycle())) {}

    // Cycles that a quad of the draw takes of the unit: those of writing its colour targets and of reading old colours,
    // so many samples at a time.
    std::uint32_t of(const Draw& draw) const {
        const std::uint32_t rounds = std::max(1U, (draw.samples + samples_per_cycle_ - 1) / samples_per_cycle_);
        const auto read = static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(draw.blend | draw.partial)));
        return std::max<std::uint32_t>(draw.colour_targets, 1) * rounds + read * rounds * old_colour_;
    }

  private:
    std::uint32_t old_colour_, samples_per_cycle_;
};

}  // namespace models
