// The fragment processor of paper 000, section 2.2: an instruction whose operands are not there is squashed with the
// younger ones of its warp, and fetched again. No forwarding. Three register files (constants, inputs, temporaries)
// that are read in one cycle. There may be fewer functional units than threads in a warp: then its operands stay in a
// buffer before the unit for as many cycles as it takes, and the next instruction for the unit waits before execute.
// The textures of a warp are asked for together, in the last of these cycles.
#pragma once

#include <string_view>

#include "models/core/pipelines/four_stages.h"

namespace models {

class Squash : public FourStages {
  public:
    static constexpr std::string_view name = "squash";
    static constexpr auto slot_choice = ResidentWarps::SlotChoice::lowest;

    explicit Squash(const PipelineSite& site)
        : FourStages(site, {true,
                            0,
                            {static_cast<std::uint32_t>(site.parameters.squash.alu_units()),
                             static_cast<std::uint32_t>(site.parameters.squash.special_units()),
                             static_cast<std::uint32_t>(site.parameters.squash.texture_units())}}) {}
};

}  // namespace models
