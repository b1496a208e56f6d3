#include "models/functional/texture/layout.h"

#include <algorithm>
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

// The largest square whose padding adds at most a quarter.
std::uint8_t choose_square(std::uint64_t tiles_x, std::uint64_t tiles_y) {
    int shift = static_cast<int>(std::bit_width(std::min(tiles_x, tiles_y))) - 1;
    const auto padded = [&](int s) { return round_up(tiles_x, 1ULL << s) * round_up(tiles_y, 1ULL << s); };
    while (shift > 0 && padded(shift) * 4 > tiles_x * tiles_y * 5) --shift;
    return static_cast<std::uint8_t>(shift);
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
    const std::uint64_t tiles_x = round_up(width, layout.tile_width) / layout.tile_width;
    const std::uint64_t tiles_y = round_up(height, layout.tile_height) / layout.tile_height;
    layout.square_shift = choose_square(tiles_x, tiles_y);
    const std::uint64_t side = 1ULL << layout.square_shift;
    const std::uint64_t squares_x = round_up(tiles_x, side) >> layout.square_shift;
    const std::uint64_t squares_y = round_up(tiles_y, side) >> layout.square_shift;
    layout.squares_x = static_cast<std::uint32_t>(squares_x);
    layout.bytes = round_up((squares_x * squares_y) << (2 * layout.square_shift + layout.tile_shift), block_bytes);
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
