// How much memory a recording justifies. What it uploads it holds itself, and a window's reference image is as large as
// the window; beyond that it may ask for render targets and for the vertices of its draws. A recording that asks for
// more is damaged, or beyond what this renderer is for: it is refused by name.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/functional/texture/address_space.h"

namespace models::functional {

inline constexpr std::uint64_t memory_of_any_recording = 256ULL << 20;  // bytes
inline constexpr std::uint64_t memory_per_recorded_byte = 8;

// Bytes, for resources and again for the vertices and primitives of one draw. A size for an AddressSpace.
constexpr std::uint64_t justified_memory(std::uint64_t recording_bytes) {
    const std::uint64_t bytes = memory_of_any_recording + memory_per_recorded_byte * recording_bytes;
    return std::min(AddressSpace::largest, bytes / AddressSpace::alignment * AddressSpace::alignment);
}

}  // namespace models::functional
