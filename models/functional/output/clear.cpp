#include "models/functional/output/clear.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace models::functional {

namespace {

// Calls row(first texel, count) for each row of the rectangle that lies in the surface.
template <class Row>
void for_each_row(const SurfaceView& surface, const Rectangle& where, Row row) {
    if (where.x >= surface.width || where.y >= surface.height) return;
    const std::uint32_t width = std::min(where.width, surface.width - where.x);
    const std::uint32_t height = std::min(where.height, surface.height - where.y);
    for (std::uint32_t y = 0; y < height; ++y) row(surface.texel(where.x, where.y + y), width);
}

// The word whose bits in `mask` are cleared to `value` in each texel of so many bytes.
template <class Word>
void fill_words(const SurfaceView& surface, const Rectangle& where, Word value, Word mask) {
    for_each_row(surface, where, [&](std::byte* texel, std::uint32_t count) {
        for (std::uint32_t i = 0; mask == static_cast<Word>(~Word{0}) && i < count; ++i)
            std::memcpy(texel + i * sizeof value, &value, sizeof value);
        for (std::uint32_t i = 0; mask != static_cast<Word>(~Word{0}) && i < count; ++i) {
            Word word = 0;
            std::memcpy(&word, texel + i * sizeof word, sizeof word);
            word = static_cast<Word>((word & ~mask) | value);
            std::memcpy(texel + i * sizeof word, &word, sizeof word);
        }
    });
}

void fill_masked(const SurfaceView& surface, const Rectangle& where, std::uint64_t value, std::uint64_t mask) {
    const auto fill = [&]<class Word>(Word) {
        fill_words(surface, where, static_cast<Word>(value & mask), static_cast<Word>(mask));
    };
    switch (surface.format->block_bytes) {
        case 1:
            return fill(std::uint8_t{});
        case 2:
            return fill(std::uint16_t{});
        case 4:
            return fill(std::uint32_t{});
        default:
            assert(surface.format->block_bytes == 8);
            return fill(std::uint64_t{});
    }
}

std::uint64_t field_mask(Channel channel) {
    return channel.bits == 0 ? 0 : (~0ULL >> (64U - channel.bits)) << channel.shift;
}

}  // namespace

void clear_colour(const SurfaceView& surface, const Rectangle& where, const float colour[4]) {
    const std::size_t bytes = surface.format->block_bytes;
    std::byte texel[32] = {};
    assert(bytes <= sizeof texel);
    if (surface.format->integer) {
        std::uint32_t integers[1][4];
        for (std::size_t c = 0; c < 4; ++c) integers[0][c] = std::bit_cast<std::uint32_t>(colour[c]);
        pack_integers(*surface.format, integers, 1, texel);
    } else {
        pack_clear(*surface.format, colour, texel);
    }
    if (bytes == 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, texel, sizeof word);
        return fill_words(surface, where, word, ~0U);
    }
    for_each_row(surface, where, [&](std::byte* row, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) std::memcpy(row + i * bytes, texel, bytes);
    });
}

void clear_depth_stencil(const SurfaceView& surface, const Rectangle& where, bool clear_depth, double depth,
                         bool clear_stencil, std::uint8_t stencil) {
    const FormatInfo& format = *surface.format;
    assert(format.kind == FormatKind::depth_stencil);
    std::uint64_t value = 0, mask = 0;
    if (clear_depth && format.depth) {
        mask |= field_mask(format.channels[0]);
        const float packed[4] = {static_cast<float>(depth), 0, 0, 0};
        std::byte texel[8] = {};
        pack_clear(format, packed, texel);
        std::memcpy(&value, texel, format.block_bytes);
        value &= mask;
    }
    if (clear_stencil && format.stencil) {
        mask |= field_mask(format.channels[1]);
        value |= std::uint64_t{stencil} << format.channels[1].shift;
    }
    fill_masked(surface, where, value, mask);
}

}  // namespace models::functional
