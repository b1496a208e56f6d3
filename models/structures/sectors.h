// Sectors: pieces of 32 bytes, the finest that caches and messages to memory tell apart. A line has one, two or four.
#pragma once

#include <bit>
#include <cstdint>

#include "models/frame_trace/memory.h"

namespace models {

inline constexpr std::uint32_t sector_bytes = 32;
inline constexpr std::uint32_t most_line_bytes = 128;

// Which sectors of a block or line: bit i is that of bytes 32 i to 32 i + 31. With a block number that is even a mask
// may reach into the block after it.
using SectorMask = std::uint8_t;

inline constexpr SectorMask block_sectors = 0b11;

constexpr std::uint32_t bytes_of(SectorMask sectors) {
    return static_cast<std::uint32_t>(std::popcount(sectors)) * sector_bytes;
}

// The sectors of a block that the bytes from `first` to `last` of memory touch.
constexpr SectorMask sectors_between(BlockNumber block, Address first, Address last) {
    const Address start = Address{block} * block_bytes, middle = start + sector_bytes;
    return static_cast<SectorMask>((first < middle && last >= start ? 1U : 0U) | (last >= middle ? 2U : 0U));
}

}  // namespace models
