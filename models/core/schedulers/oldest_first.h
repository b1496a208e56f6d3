// Oldest first: of the warps that are ready, the one that began first.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/core/resident_warps.h"
#include "models/core/shader_core_parameters.h"

namespace models {

class OldestFirst {
  public:
    static constexpr std::string_view name = "oldest_first";
    static constexpr bool parks = false;

    explicit OldestFirst(const ShaderCoreParameters& /*parameters*/) {}

    template <class Issues>
    int pick(std::uint64_t candidates, const ResidentWarps& warps, Issues&& issues) const {
        for (std::uint32_t age = 0; age < warps.count(); ++age) {
            const std::uint32_t slot = warps.by_age(age);
            if ((candidates >> slot & 1U) != 0 && issues(slot)) return static_cast<int>(slot);
        }
        return -1;
    }
    void issued(std::uint32_t /*slot*/) {}
    void began(std::uint32_t /*slot*/) {}
    void left(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    void parked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    void unparked(std::uint32_t /*slot*/, const ResidentWarps& /*warps*/) {}
    bool chooses_from(std::uint32_t /*slot*/) const { return true; }
    void serialize(engine::Archive& /*archive*/) {}
};

}  // namespace models
