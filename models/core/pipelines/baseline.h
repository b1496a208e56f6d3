// The shader core that TEAPOT had before (paper 002, section 3.1): an instruction that depends on another one stalls
// decode and fetch; any number of functional units, none of them pipelined, which with a unit for each instruction
// under way comes to their latency alone; one write port, so one result is written a cycle.
//
// A warp gets 80 registers, whatever its program needs, and the lowest free slot.
#pragma once

#include <string_view>

#include "models/core/pipelines/four_stages.h"

namespace models {

class Baseline : public FourStages {
  public:
    static constexpr std::string_view name = "baseline";
    static constexpr auto slot_choice = ResidentWarps::SlotChoice::lowest;
    static constexpr std::uint32_t registers = 80;  // section 3.1

    explicit Baseline(const PipelineSite& site) : FourStages(site, {false, 1, {0, 0, 0}}) {}
};

}  // namespace models
