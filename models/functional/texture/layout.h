// Where texels lie in the simulated GPU's memory. A surface (one level and layer) is stored as tiles of 4x4 texels in
// Morton order; a compressed surface as its compressed blocks in Morton order, whatever their size. Buffers are linear.
// Pure functions.
//
// A texel takes its size rounded up to a power of two (3 -> 4, 6 -> 8, 12 -> 16 bytes), so a tile of 4-byte texels is
// one 64-byte memory block, smaller texels share a block between tiles, larger ones spread a tile over several, and no
// texel straddles two blocks. Within a tile texels go row by row.
//
// Morton order needs squares of 2^n tiles. A surface is cut into squares of the largest 2^n that is not above its
// shorter side (in tiles) and whose padding adds at most a quarter to its tiles; squares go row by row. For sizes that
// are powers of two that is Morton order over the whole shorter side, without padding.
//
// The samples of a pixel lie side by side: a multisampled texel is as large as all of them.
#pragma once

#include <cstdint>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/texture/format.h"

namespace models::functional {

// Spreads the low 16 bits of v to the even bits.
constexpr std::uint32_t spread_bits(std::uint32_t v) {
    v &= 0xffffU;
    v = (v | (v << 8)) & 0x00ff00ffU;
    v = (v | (v << 4)) & 0x0f0f0f0fU;
    v = (v | (v << 2)) & 0x33333333U;
    return (v | (v << 1)) & 0x55555555U;
}

// x in the even bits, y in the odd ones.
constexpr std::uint32_t morton(std::uint32_t x, std::uint32_t y) {
    return spread_bits(x) | (spread_bits(y) << 1);
}

struct SurfaceLayout {
    std::uint8_t texel_shift = 2;                  // log2 of the bytes of a texel as stored (uncompressed)
    std::uint8_t tile_shift = 6;                   // log2 of the bytes of a tile of 4x4 texels or of a compressed block
    std::uint8_t square_shift = 0;                 // log2 of the side of a Morton square, in tiles
    bool tiled = true;                             // false: linear, texels texel_bytes apart (buffers)
    std::uint8_t linear_bytes = 0;                 // bytes of a texel when linear
    std::uint8_t tile_is_texel = 0;                // compressed: the whole block is one unit
    std::uint8_t tile_width = 4, tile_height = 4;  // texels; other than 4 only in blocks of ASTC
    std::uint32_t squares_x = 1;                   // squares in a row
    std::uint64_t bytes = 0;                       // of the surface, a multiple of 64

    // Offset in the surface of the texel (or of the compressed block that holds it).
    std::uint64_t offset(std::uint32_t x, std::uint32_t y) const {
        if (!tiled) return std::uint64_t{x} * linear_bytes;
        const bool usual = tile_width == 4 && tile_height == 4;
        const std::uint32_t tile_x = usual ? x >> 2 : x / tile_width, tile_y = usual ? y >> 2 : y / tile_height;
        const std::uint32_t square = (tile_y >> square_shift) * squares_x + (tile_x >> square_shift);
        const std::uint32_t within = (1U << square_shift) - 1;
        const std::uint64_t tile =
            (std::uint64_t{square} << (2 * square_shift)) + morton(tile_x & within, tile_y & within);
        const std::uint64_t inside = tile_is_texel != 0 ? 0 : std::uint64_t{(y & 3U) * 4U + (x & 3U)} << texel_shift;
        return (tile << tile_shift) + inside;
    }
};

// `samples` is a power of two.
SurfaceLayout surface_layout(const FormatInfo& format, std::uint32_t width, std::uint32_t height,
                             std::uint32_t samples = 1);
SurfaceLayout buffer_layout(const FormatInfo& format, std::uint32_t width);

}  // namespace models::functional
