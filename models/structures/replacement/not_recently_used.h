// Not recently used: one bit a line, set by an access; when all of a set would be set, those of the other lines are
// cleared. The victim is the first way whose bit is clear.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace models {

class NotRecentlyUsed {
  public:
    static constexpr std::string_view name = "nru";

    NotRecentlyUsed(std::uint32_t sets, std::uint32_t ways) : used_(sets, 0), all_(~std::uint64_t{0} >> (64 - ways)) {}

    void hit(std::uint32_t set, std::uint32_t way) {
        const std::uint64_t bit = std::uint64_t{1} << way;
        used_[set] |= bit;
        if (used_[set] == all_) used_[set] = bit;
    }
    void fill(std::uint32_t set, std::uint32_t way) { hit(set, way); }

    // With one way its bit is always set.
    std::uint32_t victim(std::uint32_t set) const {
        const std::uint64_t clear = all_ & ~used_[set];
        return clear == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(clear));
    }

    void serialize(engine::Archive& archive) { archive(used_); }

  private:
    std::vector<std::uint64_t> used_;  // [set]: a bit for each way
    std::uint64_t all_;
};

}  // namespace models
