// ASTC blocks of the LDR profile (Khronos Data Format Specification, chapter 23): 16 bytes for 4x4 to 12x12 texels.
// Components have 8 bits, as with the unorm8 decode mode. Blocks that the LDR profile does not define, and
// partitions with HDR colours, are magenta, the specification's error colour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace models::functional {

inline constexpr int most_block_texels = 144;

// width * height texels, row by row. `srgb`: components are interpolated as sRGB formats do.
void decode_astc(const std::byte* block, int width, int height, bool srgb, std::array<std::uint8_t, 4>* texels);

}  // namespace models::functional
