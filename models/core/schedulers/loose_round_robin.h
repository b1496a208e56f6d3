// Loose round robin: every warp in turn, by its slot, and those that are not ready miss theirs (paper 002, section
// 3.2.3; GPGPU-Sim calls it so).
#pragma once

#include <cstdint>
#include <string_view>

#include "models/core/resident_warps.h"
#include "models/core/shader_core_parameters.h"
#include "models/structures/round_robin.h"

namespace models {

class LooseRoundRobin {
  public:
    static constexpr std::string_view name = "loose_round_robin";
    static constexpr bool parks = false;

    explicit LooseRoundRobin(const ShaderCoreParameters& /*parameters*/) {}

    template <class Issues>
    int pick(std::uint64_t candidates, const ResidentWarps& /*warps*/, Issues&& issues) const {
        while (candidates != 0) {
            const std::uint32_t slot = first_in_turn(candidates, turn_);
            if (issues(slot)) return static_cast<int>(slot);
            candidates &= ~(std::uint64_t{1} << slot);
        }
        return -1;
    }
    void issued(std::uint32_t slot) { turn_ = slot + 1; }
    void began(std::uint32_t /*slot*/) {}
    void left(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    void parked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    void unparked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    bool chooses_from(std::uint32_t /*slot*/) const { return true; }
    void serialize(engine::Archive& archive) { archive(turn_); }

  private:
    std::uint32_t turn_ = 0;  // slot
};

}  // namespace models
