#include "models/functional/texture/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models::functional {
namespace {

const FormatInfo& rgba8() {
    return format_info(Format::r8g8b8a8_unorm, "test");
}

TEST(Layout, ATileOfFourByteTexelsIsOneMemoryBlock) {
    const SurfaceLayout layout = surface_layout(rgba8(), 64, 64);
    EXPECT_EQ(layout.bytes, 64U * 64 * 4);
    for (std::uint32_t y = 0; y < 64; ++y) {
        for (std::uint32_t x = 0; x < 64; ++x) {
            const std::uint64_t expected = morton(x / 4, y / 4) * 64 + (y % 4) * 16 + (x % 4) * 4;
            ASSERT_EQ(layout.offset(x, y), expected);
        }
    }
}

TEST(Layout, SmallTexelsShareBlocksBetweenNeighbouringTiles) {
    const SurfaceLayout bytes = surface_layout(format_info(Format::r8_unorm, "test"), 64, 64);
    EXPECT_EQ(bytes.bytes, 4096U);
    EXPECT_EQ(bytes.offset(0, 0) / 64, bytes.offset(7, 7) / 64);
    EXPECT_NE(bytes.offset(0, 0) / 64, bytes.offset(8, 0) / 64);
    const SurfaceLayout wide = surface_layout(format_info(Format::r32g32b32a32_float, "test"), 64, 64);
    EXPECT_EQ(wide.offset(0, 1), 64U);
}

TEST(Layout, CompressedBlocksAreTheUnit) {
    const SurfaceLayout dxt1 = surface_layout(format_info(Format::dxt1_rgb, "test"), 64, 64);
    EXPECT_EQ(dxt1.bytes, 64U * 64 / 2);
    EXPECT_EQ(dxt1.offset(3, 3), 0U);
    EXPECT_EQ(dxt1.offset(4, 0), 8U);
    EXPECT_EQ(dxt1.offset(0, 4), 16U);
    const SurfaceLayout dxt5 = surface_layout(format_info(Format::dxt5_rgba, "test"), 64, 64);
    EXPECT_EQ(dxt5.offset(4, 4), 48U);
}

TEST(Layout, OblongPowersOfTwoAreSquaresInARow) {
    const SurfaceLayout layout = surface_layout(rgba8(), 256, 32);
    EXPECT_EQ(layout.bytes, 256U * 32 * 4);
    EXPECT_EQ(layout.offset(32, 0), 32U * 32 * 4);
}

TEST(Layout, BuffersAreLinear) {
    const SurfaceLayout layout = buffer_layout(format_info(Format::r32g32b32_float, "test"), 100);
    EXPECT_EQ(layout.offset(7, 0), 84U);
    EXPECT_EQ(layout.bytes, 1216U);
}

RC_GTEST_PROP(Layout, AddressesAreUniqueInsideAndDense, ()) {
    const auto width = *rc::gen::inRange<std::uint32_t>(1, 200);
    const auto height = *rc::gen::inRange<std::uint32_t>(1, 200);
    const auto number =
        *rc::gen::element(Format::r8_unorm, Format::b5g6r5_unorm, Format::r8g8b8_unorm, Format::r8g8b8a8_unorm,
                          Format::r16g16b16a16_float, Format::r32g32b32a32_float);
    const FormatInfo& format = format_info(number, "test");
    const SurfaceLayout layout = surface_layout(format, width, height);
    std::vector<std::uint64_t> offsets;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint64_t offset = layout.offset(x, y);
            RC_ASSERT(offset + format.block_bytes <= layout.bytes);
            RC_ASSERT(offset / 64 == (offset + format.block_bytes - 1) / 64);
            offsets.push_back(offset);
        }
    }
    std::sort(offsets.begin(), offsets.end());
    for (std::size_t i = 1; i < offsets.size(); ++i) RC_ASSERT(offsets[i] - offsets[i - 1] >= format.block_bytes);
    const std::uint64_t tiles = std::uint64_t{(width + 3) / 4} * ((height + 3) / 4);
    RC_ASSERT(layout.bytes <= (tiles << layout.tile_shift) * 5 / 4 + 63);
}

TEST(SurfaceLayout, BlocksOfAstcAreUnitsWhateverTheirSize) {
    const FormatInfo& format = format_info(287, "test");  // 10x5 texels in 16 bytes
    const SurfaceLayout layout = surface_layout(format, 25, 12);
    std::map<std::uint64_t, std::set<std::pair<std::uint32_t, std::uint32_t>>> blocks;
    for (std::uint32_t y = 0; y < 12; ++y)
        for (std::uint32_t x = 0; x < 25; ++x) blocks[layout.offset(x, y)].insert({x / 10, y / 5});
    EXPECT_EQ(blocks.size(), 9U);
    for (const auto& [offset, of] : blocks) {
        EXPECT_EQ(of.size(), 1U);
        EXPECT_EQ(offset % 16, 0U);
        EXPECT_LT(offset, layout.bytes);
    }
}

}  // namespace
}  // namespace models::functional
