// How much memory a recording justifies for the vertices and primitives of one of its draws. A draw that needs more is
// damaged, or beyond what this renderer is for: it is refused by name. Textures and buffers may fill the simulated
// memory whatever the size of the recording: one that was cut holds those that its pictures do not use, but not their
// contents.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/functional/texture/address_space.h"

namespace models::functional {

// Bytes.
inline constexpr std::uint64_t memory_of_any_draw = 1ULL << 30;  // 6.8 million vertices of Qt's example hellogles3
inline constexpr std::uint64_t memory_per_recorded_byte = 8;

constexpr std::uint64_t justified_draw_memory(std::uint64_t recording_bytes) {
    return std::min(AddressSpace::largest, memory_of_any_draw + memory_per_recorded_byte * recording_bytes);
}

}  // namespace models::functional
