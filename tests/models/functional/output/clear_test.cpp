#include "models/functional/output/clear.h"

#include <bit>
#include <cstring>

#include <gtest/gtest.h>

namespace models::functional {
namespace {

std::uint32_t word_at(const SurfaceView& view, std::uint32_t x, std::uint32_t y) {
    std::uint32_t word = 0;
    std::memcpy(&word, view.texel(x, y), 4);
    return word;
}

TEST(Clear, FillsTheRectangleOnly) {
    AddressSpace space;
    Resource resource({.format = Format::b8g8r8a8_unorm, .width = 5, .height = 4}, space);
    const SurfaceView view = resource.surface(0, 0);
    const float colour[4] = {1, 0.5F, 0, 1};
    clear_colour(view, {.x = 1, .y = 1, .width = 100, .height = 2}, colour);
    for (std::uint32_t y = 0; y < 4; ++y) {
        for (std::uint32_t x = 0; x < 5; ++x) {
            const bool inside = x >= 1 && y >= 1 && y < 3;
            EXPECT_EQ(word_at(view, x, y), inside ? 0xffff8000U : 0U) << x << "," << y;
        }
    }
    clear_colour(view, {.x = 5, .y = 0, .width = 1, .height = 1}, colour);
    EXPECT_EQ(word_at(view, 4, 0), 0U);
}

TEST(Clear, IntegerFormatsTakeBits) {
    AddressSpace space;
    Resource resource({.format = Format::r32g32b32a32_uint, .width = 1, .height = 1}, space);
    const SurfaceView view = resource.surface(0, 0);
    const float colour[4] = {std::bit_cast<float>(7U), std::bit_cast<float>(~0U), 0, std::bit_cast<float>(9U)};
    clear_colour(view, {.x = 0, .y = 0, .width = 1, .height = 1}, colour);
    std::uint32_t words[4];
    std::memcpy(words, view.texels, 16);
    EXPECT_EQ(words[0], 7U);
    EXPECT_EQ(words[1], ~0U);
    EXPECT_EQ(words[3], 9U);
}

TEST(Clear, DepthAndStencilAreClearedApart) {
    AddressSpace space;
    Resource resource({.format = Format::z24_unorm_s8_uint, .width = 5, .height = 4}, space);
    const SurfaceView view = resource.surface(0, 0);
    const Rectangle all{.x = 0, .y = 0, .width = 5, .height = 4};
    clear_depth_stencil(view, all, true, 1.0, true, 0x5a);
    EXPECT_EQ(word_at(view, 4, 3), 0x5affffffU);
    clear_depth_stencil(view, all, true, 0.0, false, 0x11);
    EXPECT_EQ(word_at(view, 4, 3), 0x5a000000U);
    clear_depth_stencil(view, all, false, 1.0, true, 0x11);
    EXPECT_EQ(word_at(view, 0, 0), 0x11000000U);
}

TEST(Clear, EveryDepthFormatReadsBackTheDepth) {
    for (const Format format : {Format::z16_unorm, Format::z32_unorm, Format::z32_float, Format::z24x8_unorm,
                                Format::x8z24_unorm, Format::s8_uint_z24_unorm, Format::z32_float_s8x24_uint}) {
        AddressSpace space;
        Resource resource({.format = format, .width = 5, .height = 4}, space);
        const SurfaceView view = resource.surface(0, 0);
        clear_depth_stencil(view, {.x = 0, .y = 0, .width = 5, .height = 4}, true, 0.75, true, 3);
        float rgba[1][4];
        unpack_floats(*view.format, view.texel(2, 2), 1, rgba);
        EXPECT_NEAR(rgba[0][0], 0.75, 1.0 / 65535) << format_name(format);
    }
}

}  // namespace
}  // namespace models::functional
