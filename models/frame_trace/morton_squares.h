// MortonSquares: where in memory the tiles of a surface lie (4x4 texels, or compressed blocks): in squares of 2^n
// tiles, row by row, and in each square in Morton order.
//
// A square is the largest that is not above the shorter side of the surface (in tiles) and whose padding adds at most a
// quarter to its tiles. For sizes that are powers of two that is Morton order over the whole shorter side, without
// padding.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace models {

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

struct MortonSquares {
    std::uint32_t squares_x = 1, squares_y = 1;
    std::uint32_t square_shift = 0;  // log2 of the side of a square, in tiles

    MortonSquares() = default;
    // Of a surface of so many tiles, at least one.
    MortonSquares(std::uint32_t tiles_x, std::uint32_t tiles_y)
        : square_shift(static_cast<std::uint32_t>(std::bit_width(std::min(tiles_x, tiles_y))) - 1) {
        const auto cut = [&] {
            const std::uint32_t side = 1U << square_shift;
            squares_x = (tiles_x + side - 1) >> square_shift;
            squares_y = (tiles_y + side - 1) >> square_shift;
        };
        for (cut(); square_shift > 0 && count() * 4 > std::uint64_t{tiles_x} * tiles_y * 5; cut()) --square_shift;
    }

    std::uint64_t count() const { return std::uint64_t{squares_x} * squares_y << (2 * square_shift); }  // with padding
    std::uint64_t position(std::uint32_t tile_x, std::uint32_t tile_y) const {
        const std::uint64_t square = std::uint64_t{tile_y >> square_shift} * squares_x + (tile_x >> square_shift);
        const std::uint32_t within = (1U << square_shift) - 1;
        return (square << (2 * square_shift)) + morton(tile_x & within, tile_y & within);
    }
};

}  // namespace models
