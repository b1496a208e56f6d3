#include "models/functional/texture/layout.h"

#include <bit>
#include <cassert>

namespace models::functional {

namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

std::uint8_t log2_ceiling(std::uint64_t value) {
    return static_cast<std::uint8_t>(std::bit_width(value - 1));
}

}  // namespace

SurfaceLayout surface_layout(const FormatInfo& format, std::uint32_t width, std::uint32_t height,
                             std::uint32_t samples) {
    assert(width > 0 && height > 0 && std::has_single_bit(samples));
    SurfaceLayout layout;
    layout.texel_shift = static_cast<std::uint8_t>(log2_ceiling(format.block_bytes) + std::countr_zero(samples));
    layout.tile_is_texel = format.compressed() ? 1 : 0;
    layout.tile_shift = static_cast<std::uint8_t>(layout.texel_shift + (format.compressed() ? 0 : 4));
    if (format.compressed()) {
        layout.tile_width = format.block_width;
        layout.tile_height = format.block_height;
    }
    const auto in_tiles = [](std::uint32_t texels, std::uint32_t side) {
        return static_cast<std::uint32_t>((std::uint64_t{texels} + side - 1) / side);
    };
    layout.order = MortonSquares(in_tiles(width, layout.tile_width), in_tiles(height, layout.tile_height));
    layout.bytes = round_up(layout.order.count() << layout.tile_shift, block_bytes);
    return layout;
}

SurfaceLayout buffer_layout(const FormatInfo& format, std::uint32_t width) {
    SurfaceLayout layout;
    layout.tiled = false;
    layout.linear_bytes = format.block_bytes;
    layout.bytes = round_up(std::uint64_t{width} * format.block_bytes, block_bytes);
    return layout;
}

}  // namespace models::functional
