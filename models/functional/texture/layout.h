// Where texels lie in the simulated GPU's memory. A surface (one level and layer) is stored as tiles of 4x4 texels; a
// compressed surface as its compressed blocks, whatever their size; both in the order of
// models/frame_trace/morton_squares.h. Buffers are linear. Pure functions.
//
// A texel takes its size rounded up to a power of two (3 -> 4, 6 -> 8, 12 -> 16 bytes), so a tile of 4-byte texels is
// one 64-byte memory block, smaller texels share a block between tiles, larger ones spread a tile over several, and no
// texel straddles two blocks. Within a tile texels go row by row.
//
// The samples of a pixel lie side by side: a multisampled texel is as large as all of them.
#pragma once

#include <cstdint>

#include "models/frame_trace/frame_trace.h"
#include "models/frame_trace/morton_squares.h"
#include "models/functional/texture/format.h"

namespace models::functional {

struct SurfaceLayout {
    std::uint8_t texel_shift = 2;                  // log2 of the bytes of a texel as stored (uncompressed)
    std::uint8_t tile_shift = 6;                   // log2 of the bytes of a tile of 4x4 texels or of a compressed block
    bool tiled = true;                             // false: linear, texels texel_bytes apart (buffers)
    std::uint8_t linear_bytes = 0;                 // bytes of a texel when linear
    std::uint8_t tile_is_texel = 0;                // compressed: the whole block is one unit
    std::uint8_t tile_width = 4, tile_height = 4;  // texels; other than 4 only in blocks of ASTC
    MortonSquares order;
    std::uint64_t bytes = 0;  // of the surface, a multiple of 64

    // Offset in the surface of the texel (or of the compressed block that holds it).
    std::uint64_t offset(std::uint32_t x, std::uint32_t y) const {
        if (!tiled) return std::uint64_t{x} * linear_bytes;
        const bool usual = tile_width == 4 && tile_height == 4;
        const std::uint32_t tile_x = usual ? x >> 2 : x / tile_width, tile_y = usual ? y >> 2 : y / tile_height;
        const std::uint64_t inside = tile_is_texel != 0 ? 0 : std::uint64_t{(y & 3U) * 4U + (x & 3U)} << texel_shift;
        return (order.position(tile_x, tile_y) << tile_shift) + inside;
    }
};

// `samples` is a power of two.
SurfaceLayout surface_layout(const FormatInfo& format, std::uint32_t width, std::uint32_t height,
                             std::uint32_t samples = 1);
SurfaceLayout buffer_layout(const FormatInfo& format, std::uint32_t width);

}  // namespace models::functional
