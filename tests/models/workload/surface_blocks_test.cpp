#include "models/workload/surface_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/texture/format.h"
#include "models/functional/texture/layout.h"

namespace models {
namespace {

const functional::FormatInfo& format_of(std::uint32_t bytes) {
    using functional::Format;
    switch (bytes) {
        case 1:
            return *functional::find_format(Format::l8_unorm);
        case 2:
            return *functional::find_format(Format::b5g6r5_unorm);
        case 4:
            return *functional::find_format(Format::b8g8r8a8_unorm);
        case 8:
            return *functional::find_format(Format::r16g16b16a16_float);
        default:
            return *functional::find_format(Format::r32g32b32a32_float);
    }
}

RC_GTEST_PROP(SurfaceBlocks, AreThoseWhereTheRendererKeepsTheTexels, ()) {
    const auto bytes = 1U << *rc::gen::inRange(0, 5);
    const auto width = static_cast<std::uint32_t>(*rc::gen::inRange(1, 300));
    const auto height = static_cast<std::uint32_t>(*rc::gen::inRange(1, 300));
    const auto tile_x = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (width + 31) / 32));
    const auto tile_y = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (height + 31) / 32));
    const Address address = 0x40000;
    const functional::SurfaceLayout layout = functional::surface_layout(format_of(bytes), width, height);
    const std::uint32_t padded_x = (width + 3) / 4 * 4, padded_y = (height + 3) / 4 * 4;  // whole 4x4 texels
    std::set<BlockNumber> expected;
    for (std::uint32_t y = tile_y * 32; y < std::min(padded_y, tile_y * 32 + 32); ++y)
        for (std::uint32_t x = tile_x * 32; x < std::min(padded_x, tile_x * 32 + 32); ++x)
            expected.insert(static_cast<BlockNumber>((address + layout.offset(x, y)) / block_bytes));

    const SurfaceBlocks blocks({address, width, height, bytes});
    std::vector<BlockNumber> found;
    blocks.append(tile_x, tile_y, found);
    RC_ASSERT(std::set<BlockNumber>(found.begin(), found.end()) == expected);
    RC_ASSERT(found.size() == expected.size());
    RC_ASSERT(blocks.first() == address / block_bytes);
    RC_ASSERT(blocks.count() == layout.bytes / block_bytes);
}

RC_GTEST_PROP(SurfaceBlocks, OfAQuadAreThoseOfItsFourTexels, ()) {
    const auto bytes = 1U << *rc::gen::inRange(0, 5);
    const auto width = static_cast<std::uint32_t>(*rc::gen::inRange(1, 300));
    const auto height = static_cast<std::uint32_t>(*rc::gen::inRange(1, 300));
    const auto x = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (width + 1) / 2));
    const auto y = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (height + 1) / 2));
    const Address address = 0x40000;
    const functional::SurfaceLayout layout = functional::surface_layout(format_of(bytes), width, height);
    std::set<BlockNumber> expected, found;
    for (std::uint32_t lane = 0; lane < 4; ++lane)
        expected.insert(
            static_cast<BlockNumber>((address + layout.offset(2 * x + lane % 2, 2 * y + lane / 2)) / block_bytes));
    const SurfaceBlocks::Run run = SurfaceBlocks({address, width, height, bytes}).of_quad(x, y);
    for (std::uint32_t i = 0; i < run.count; ++i) found.insert(run.block(i));
    RC_ASSERT(found == expected);
}

// Whose texels are those blocks, of 4x4 texels of the texture here.
RC_GTEST_PROP(SurfaceBlocks, OfACompressedSurfaceAreThoseOfItsCompressedBlocks, ()) {
    const bool large = *rc::gen::arbitrary<bool>();
    const auto width = static_cast<std::uint32_t>(*rc::gen::inRange(1, 100));
    const auto height = static_cast<std::uint32_t>(*rc::gen::inRange(1, 100));
    const Address address = 0x40000;
    const functional::SurfaceLayout layout = functional::surface_layout(
        *functional::find_format(large ? functional::Format::dxt5_rgba : functional::Format::dxt1_rgba), 4 * width,
        4 * height);
    const auto blocks_of = [&](std::uint32_t x0, std::uint32_t y0, std::uint32_t side) {
        std::set<BlockNumber> numbers;
        for (std::uint32_t y = y0; y < std::min(height, y0 + side); ++y)
            for (std::uint32_t x = x0; x < std::min(width, x0 + side); ++x)
                numbers.insert(static_cast<BlockNumber>((address + layout.offset(4 * x, 4 * y)) / block_bytes));
        return numbers;
    };
    const SurfaceBlocks blocks({address, width, height, large ? 16U : 8U, true});
    RC_ASSERT(blocks.count() == layout.bytes / block_bytes);
    const auto tile_x = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (width + 31) / 32));
    const auto tile_y = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (height + 31) / 32));
    std::vector<BlockNumber> of_tile;
    blocks.append(tile_x, tile_y, of_tile);
    const std::set<BlockNumber> expected = blocks_of(32 * tile_x, 32 * tile_y, 32);
    RC_ASSERT(of_tile == std::vector<BlockNumber>(expected.begin(), expected.end()));
    const auto x = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (width + 1) / 2));
    const auto y = static_cast<std::uint32_t>(*rc::gen::inRange(0U, (height + 1) / 2));
    const SurfaceBlocks::Run run = blocks.of_quad(x, y);
    std::set<BlockNumber> of_quad;
    for (std::uint32_t i = 0; i < run.count; ++i) RC_ASSERT(of_quad.insert(run.block(i)).second);
    RC_ASSERT(of_quad == blocks_of(2 * x, 2 * y, 2));
}

// Every block belongs to one square of the screen, of which the side is a power of two.
RC_GTEST_PROP(SurfaceBlocks, AreNotSharedBetweenSquares, ()) {
    const auto bytes = 1U << *rc::gen::inRange(0, 5);
    const auto width = static_cast<std::uint32_t>(*rc::gen::inRange(1, 100));
    const auto height = static_cast<std::uint32_t>(*rc::gen::inRange(1, 100));
    const SurfaceBlocks blocks({0x40000, width, height, bytes, bytes >= 8 && *rc::gen::arbitrary<bool>()});
    const std::uint32_t square = blocks.square_quads();
    RC_ASSERT((square & (square - 1)) == 0U);
    std::map<BlockNumber, std::pair<std::uint32_t, std::uint32_t>> owners;
    for (std::uint32_t y = 0; y < (height + 1) / 2; ++y)
        for (std::uint32_t x = 0; x < (width + 1) / 2; ++x) {
            const SurfaceBlocks::Run run = blocks.of_quad(x, y);
            for (std::uint32_t i = 0; i < run.count; ++i) {
                const auto owner = owners.try_emplace(run.block(i), x / square, y / square).first->second;
                RC_ASSERT(owner == std::pair(x / square, y / square));
            }
        }
}

TEST(SurfaceBlocks, LieInSquaresThatAreAsSmallAsCanBeWhereTheSurfaceIsLarge) {
    const std::uint32_t expected[] = {4, 4, 2, 2, 2};
    for (std::uint32_t shift = 0; shift < 5; ++shift)
        EXPECT_EQ(SurfaceBlocks({0, 256, 256, 1U << shift}).square_quads(), expected[shift]) << (1U << shift);
    EXPECT_EQ(SurfaceBlocks({0, 256, 256, 8, true}).square_quads(), 2U);
    EXPECT_EQ(SurfaceBlocks({0, 9, 9, 8, true}).square_quads(), 8U);  // row by row
    EXPECT_EQ(SurfaceBlocks({0, 12, 12, 2}).square_quads(), 8U);      // nine times 4x4 texels, row by row: one square
    EXPECT_EQ(SurfaceBlocks({0, 0, 0, 0}).square_quads(), 2U);
}

// Of samples, or of wide formats with some: a row of four texels is several blocks, of which a quad has half.
TEST(SurfaceBlocks, OfAQuadOfLargeTexelsAreNoneOfItsNeighbours) {
    const auto blocks = [](std::uint32_t bytes, std::uint32_t x) {
        const SurfaceBlocks::Run run = SurfaceBlocks({0, 64, 64, bytes}).of_quad(x, 0);
        std::vector<BlockNumber> all;
        for (std::uint32_t i = 0; i < run.count; ++i) all.push_back(run.block(i));
        return all;
    };
    EXPECT_EQ(blocks(16, 0), (std::vector<BlockNumber>{0, 1}));
    EXPECT_EQ(blocks(32, 0), (std::vector<BlockNumber>{0, 2}));
    EXPECT_EQ(blocks(32, 1), (std::vector<BlockNumber>{1, 3}));
    EXPECT_EQ(blocks(64, 0), (std::vector<BlockNumber>{0, 1, 4, 5}));
    EXPECT_EQ(blocks(64, 1), (std::vector<BlockNumber>{2, 3, 6, 7}));
}

TEST(SurfaceBlocks, WithTexelsAreThoseOfAllTiles) {
    const SurfaceBlocks blocks({0x10000, 100, 52, 4});
    std::vector<BlockNumber> of_tiles, found;
    for (std::uint32_t y = 0; y < 2; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) blocks.append(x, y, of_tiles);
    std::sort(of_tiles.begin(), of_tiles.end());
    const BlockRuns runs = blocks.with_texels();
    for (const BlockRun& run : runs.all())
        for (BlockNumber block = run.first; block < run.end(); ++block) found.push_back(block);
    EXPECT_EQ(found, of_tiles);
    EXPECT_EQ(found.size(), 25U * 13);
    EXPECT_GT(blocks.count(), 25U * 13);
}

TEST(SurfaceBlocks, OfAWholeTileOfFourByteTexelsAreSixtyFourNeighbours) {
    const SurfaceBlocks blocks({0x10000, 64, 64, 4});
    std::vector<BlockNumber> found;
    blocks.append(1, 0, found);
    ASSERT_EQ(found.size(), 64U);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(found[i], 0x10000 / 64 + 64 + i);
}

TEST(SurfaceBlocks, OfAnAbsentSurfaceAreNone) {
    const SurfaceBlocks blocks({0, 0, 0, 0});
    std::vector<BlockNumber> found;
    blocks.append(0, 0, found);
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(blocks.count(), 0U);
    EXPECT_EQ(blocks.of_quad(0, 0).count, 0U);
}

}  // namespace
}  // namespace models
