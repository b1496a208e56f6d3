// Round robin: of those who ask, the first one after who was served last has its turn. So whoever asks is served after
// at most all the others once. Plain data: no time, no ports.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace models {

// Of at most 64, given as bits, the first one that is at least `from`, or else the first of all. Somebody asks.
constexpr std::uint32_t first_in_turn(std::uint64_t asking, std::uint32_t from) {
    assert(asking != 0 && from <= 64);
    const std::uint64_t later = from < 64 ? asking & ~std::uint64_t{0} << from : 0;
    return static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : asking));
}

}  // namespace models
