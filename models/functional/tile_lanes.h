// The lanes of one quad in a mask of a batch's lanes.
#pragma once

#include <cstdint>

#include "models/functional/shader_batch.h"

namespace models::functional {

constexpr LaneMask quad_lanes(int quad) {
    return LaneMask{0xf} << (4 * quad);
}

constexpr std::uint8_t quad_bits(LaneMask lanes, int quad) {
    return static_cast<std::uint8_t>(lanes >> (4 * quad) & 0xf);
}

}  // namespace models::functional
