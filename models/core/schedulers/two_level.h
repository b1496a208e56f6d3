// Two levels: a few active warps issue in turn. One that needs a texture it does not have yet, or has no instructions
// left, makes room for the oldest of the others that does not wait either (Gebhart et al., ISCA 2011, section 3; active
// warps as many as `active_warps`). So warps come to their textures one group after the other, not all at once.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "models/core/resident_warps.h"
#include "models/core/shader_core_parameters.h"
#include "models/structures/round_robin.h"

namespace models {

class TwoLevel {
  public:
    static constexpr std::string_view name = "two_level";
    static constexpr bool parks = true;

    explicit TwoLevel(const ShaderCoreParameters& parameters)
        : most_active_(static_cast<std::uint32_t>(parameters.active_warps())) {}

    template <class Issues>
    int pick(std::uint64_t candidates, const ResidentWarps& /*warps*/, Issues&& issues) const {
        for (candidates &= active_; candidates != 0;) {
            const std::uint32_t slot = first_in_turn(candidates, turn_);
            if (issues(slot)) return static_cast<int>(slot);
            candidates &= ~bit(slot);
        }
        return -1;
    }
    void issued(std::uint32_t slot) { turn_ = slot + 1; }
    void began(std::uint32_t slot) {
        waiting_ &= ~bit(slot);
        if (has_room()) active_ |= bit(slot);
    }
    void left(std::uint32_t slot, const ResidentWarps& warps) { parked(slot, warps); }
    void parked(std::uint32_t slot, const ResidentWarps& warps) {
        waiting_ |= bit(slot);
        active_ &= ~bit(slot);
        fill(warps);
    }
    void unparked(std::uint32_t slot, const ResidentWarps& warps) {
        waiting_ &= ~bit(slot);
        fill(warps);
    }
    bool chooses_from(std::uint32_t slot) const { return (active_ & bit(slot)) != 0; }
    void serialize(engine::Archive& archive) { archive(active_, waiting_, turn_); }

  private:
    static std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }
    bool has_room() const { return static_cast<std::uint32_t>(std::popcount(active_)) < most_active_; }
    void fill(const ResidentWarps& warps) {
        for (std::uint32_t age = 0; age < warps.count() && has_room(); ++age)
            active_ |= bit(warps.by_age(age)) & ~waiting_;
    }

    std::uint32_t most_active_;
    std::uint64_t active_ = 0, waiting_ = 0;  // masks of slots; no warp is in both
    std::uint32_t turn_ = 0;                  // slot
};

}  // namespace models
