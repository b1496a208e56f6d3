// How much memory a recording justifies. What it uploads it holds itself; beyond that it may ask for render targets and
// buffers that are only written while drawing, and for the vertices of its draws. A recording that asks for more is
// damaged, or beyond what this renderer is for: it is refused by name.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/functional/texture/address_space.h"

namespace models::functional {

// Bytes. Engines make targets of a few hundred MiB before they upload anything.
inline constexpr std::uint64_t memory_of_any_recording = 1ULL << 30;
inline constexpr std::uint64_t memory_of_any_draw = 256ULL << 20;
inline constexpr std::uint64_t memory_per_recorded_byte = 8;

// For all textures and buffers at once. A size for an AddressSpace.
constexpr std::uint64_t justified_memory(std::uint64_t recording_bytes) {
    const std::uint64_t bytes = memory_of_any_recording + memory_per_recorded_byte * recording_bytes;
    return std::min(AddressSpace::largest, bytes / AddressSpace::alignment * AddressSpace::alignment);
}

// For the vertices and primitives of one draw.
constexpr std::uint64_t justified_draw_memory(std::uint64_t recording_bytes) {
    return std::min(AddressSpace::largest, memory_of_any_draw + memory_per_recorded_byte * recording_bytes);
}

}  // namespace models::functional
