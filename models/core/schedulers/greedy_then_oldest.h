// Greedy then oldest: the warp that issued last for as long as it can, then the oldest that is ready (Rogers et al.,
// MICRO 2012).
#pragma once

#include <cstdint>
#include <string_view>

#include "models/core/schedulers/oldest_first.h"

namespace models {

class GreedyThenOldest {
  public:
    static constexpr std::string_view name = "greedy_then_oldest";
    static constexpr bool parks = false;

    explicit GreedyThenOldest(const ShaderCoreParameters& parameters) : others_(parameters) {}

    template <class Issues>
    int pick(std::uint64_t candidates, const ResidentWarps& warps, Issues&& issues) const {
        if (last_ != none && (candidates >> last_ & 1U) != 0) {
            if (issues(last_)) return static_cast<int>(last_);
            candidates &= ~(std::uint64_t{1} << last_);
        }
        return others_.pick(candidates, warps, issues);
    }
    void issued(std::uint32_t slot) { last_ = slot; }
    void began(std::uint32_t /*slot*/) {}
    void left(std::uint32_t slot, const ResidentWarps& /*warps*/) {
        if (last_ == slot) last_ = none;
    }
    void parked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    void unparked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    bool chooses_from(std::uint32_t /*slot*/) const { return true; }
    void serialize(engine::Archive& archive) { archive(last_); }

  private:
    OldestFirst others_;
    std::uint32_t last_ = none;  // slot of the warp that issued last
};

}  // namespace models
