#include "models/functional/texture/format_astc.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "models/functional/texture/format.h"
#include "models/functional/texture/srgb.h"

namespace models::functional {
namespace {

using Texel = std::array<std::uint8_t, 4>;
constexpr Texel magenta{255, 0, 255, 255};

class Block {
  public:
    Block& set(int low, int count, std::uint32_t value) {
        for (int i = 0; i < count; ++i)
            if ((value >> i & 1U) != 0) flip(low + i);
        return *this;
    }
    // Two bits each, from the top of the block downwards, the low bit first.
    Block& weights(const std::vector<unsigned>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if ((values[i] & 1U) != 0) flip(127 - 2 * static_cast<int>(i));
            if ((values[i] & 2U) != 0) flip(126 - 2 * static_cast<int>(i));
        }
        return *this;
    }
    const std::byte* data() const { return bytes_.data(); }
    std::vector<std::byte> bytes() const { return {bytes_.begin(), bytes_.end()}; }
    std::vector<Texel> decode(int width, int height, bool srgb = false) const {
        std::vector<Texel> texels(static_cast<std::size_t>(width * height));
        decode_astc(data(), width, height, srgb, texels.data());
        return texels;
    }

  private:
    void flip(int bit) { bytes_[static_cast<std::size_t>(bit / 8)] ^= std::byte{1} << bit % 8; }

    std::array<std::byte, 16> bytes_{};
};

// A grid of 4x4 weights of 4 levels (32 bits): R = 4, W = 4, H = 2 + 2.
constexpr std::uint32_t grid_4x4 = 0x42;

// One partition with an endpoint mode and values of 8 bits.
Block one_partition(std::uint32_t mode, const std::vector<std::uint32_t>& values) {
    Block block;
    block.set(0, 11, grid_4x4).set(13, 4, mode);
    for (std::size_t i = 0; i < values.size(); ++i) block.set(17 + 8 * static_cast<int>(i), 8, values[i]);
    return block;
}

TEST(Astc, WeightsGoFromOneEndpointToTheOther) {
    Block block = one_partition(0, {0, 255});
    const std::vector<Texel> texels = block.weights({0, 1, 2, 3, 3, 2, 1, 0}).decode(4, 4);
    const int expected[8] = {0, 84, 171, 255, 255, 171, 84, 0};  // 0, 21, 43 and 64 of 64
    for (std::size_t i = 0; i < 8; ++i) {
        const auto grey = static_cast<std::uint8_t>(expected[i]);
        EXPECT_EQ(texels[i], (Texel{grey, grey, grey, 255})) << i;
    }
}

TEST(Astc, EndpointModesOfTheLdrProfile) {
    struct Case {
        std::uint32_t mode;
        std::vector<std::uint32_t> values;
        Texel first, second;
    };
    const std::vector<Case> cases = {
        {0, {10, 20}, {10, 10, 10, 255}, {20, 20, 20, 255}},
        {1, {0x28, 0x45}, {74, 74, 74, 255}, {79, 79, 79, 255}},  // (0x28 >> 2 | 0x40), + 5
        {4, {10, 20, 30, 40}, {10, 10, 10, 30}, {20, 20, 20, 40}},
        {5, {40, 8, 80, 0x78}, {20, 20, 20, 40}, {24, 24, 24, 36}},  // offsets +4 and -4
        {6, {100, 200, 40, 128}, {50, 100, 20, 255}, {100, 200, 40, 255}},
        {8, {1, 11, 2, 12, 3, 13}, {1, 2, 3, 255}, {11, 12, 13, 255}},
        {8, {11, 1, 12, 2, 13, 3}, {2, 2, 3, 255}, {12, 12, 13, 255}},  // contracted towards blue
        {9, {40, 8, 60, 8, 80, 8}, {20, 30, 40, 255}, {24, 34, 44, 255}},
        {10, {100, 200, 40, 128, 7, 9}, {50, 100, 20, 7}, {100, 200, 40, 9}},
        {12, {1, 11, 2, 12, 3, 13, 4, 14}, {1, 2, 3, 4}, {11, 12, 13, 14}},
    };
    for (const Case& c : cases) {
        Block block = one_partition(c.mode, c.values);
        const std::vector<Texel> texels = block.weights({0, 3}).decode(4, 4);
        EXPECT_EQ(texels[0], c.first) << "mode " << c.mode;
        EXPECT_EQ(texels[1], c.second) << "mode " << c.mode;
    }
}

TEST(Astc, AVoidExtentIsOneColour) {
    Block block;
    block.set(0, 9, 0x1fc).set(10, 2, 3).set(12, 32, ~0U).set(44, 20, ~0U);
    block.set(64, 16, 0x1234).set(80, 16, 0xffff).set(96, 16, 0x80ff).set(112, 16, 0x4000);
    for (const Texel& texel : block.decode(12, 12)) EXPECT_EQ(texel, (Texel{0x12, 0xff, 0x80, 0x40}));
    block.set(9, 1, 1);  // HDR
    EXPECT_EQ(block.decode(12, 12)[7], magenta);
}

TEST(Astc, ASmallGridIsStretchedOverTheBlock) {
    // 2x2 weights of 32 levels would be 20 bits, too few; 2x3 of 32: 30 bits. R = 7, precise, W = 0 + 2, H = 1 + 2...
    // as bits 2 and 3 set and bit 8: W = (B & 1) + 2, H = A + 2.
    Block block;
    block.set(0, 2, 3).set(2, 2, 3).set(4, 1, 1).set(5, 2, 1).set(7, 2, 2).set(9, 1, 1).set(13, 4, 0);
    block.set(17, 8, 0).set(25, 8, 255);
    for (const int weight : {1, 3, 5})  // the right column: 31
        for (int b = 0; b < 5; ++b) block.set(127 - 5 * weight - b, 1, 1);
    const std::vector<Texel> texels = block.decode(8, 8);
    for (std::size_t y = 0; y < 8; ++y) {
        for (std::size_t x = 0; x < 8; ++x) {
            EXPECT_NEAR(texels[y * 8 + x][0], 255.0 * static_cast<double>(x) / 7, 10.0) << x << "," << y;
            EXPECT_EQ(texels[y * 8 + x], texels[x]) << "rows are alike";
        }
        EXPECT_EQ(texels[y * 8][0], 0);
        EXPECT_EQ(texels[y * 8 + 7][0], 255);
    }
}

// The specification's selection of a partition, word for word.
int select_partition(std::uint32_t seed, std::uint32_t x, std::uint32_t y, std::uint32_t partitions, bool small) {
    if (small) x <<= 1, y <<= 1;
    seed += (partitions - 1) * 1024;
    std::uint32_t p = seed;
    p ^= p >> 15, p -= p << 17, p += p << 7, p += p << 4, p ^= p >> 5, p += p << 16, p ^= p >> 7, p ^= p >> 3;
    p ^= p << 6, p ^= p >> 17;
    std::uint32_t s[9];
    for (std::uint32_t i = 1; i <= 8; ++i) s[i] = p >> (4 * (i - 1)) & 0xf, s[i] *= s[i];
    std::uint32_t sh1 = 0, sh2 = 0;
    if ((seed & 1) != 0)
        sh1 = (seed & 2) != 0 ? 4 : 5, sh2 = partitions == 3 ? 6 : 5;
    else
        sh1 = partitions == 3 ? 6 : 5, sh2 = (seed & 2) != 0 ? 4 : 5;
    for (std::uint32_t i = 1; i <= 8; ++i) s[i] >>= i % 2 == 1 ? sh1 : sh2;
    const std::uint32_t a = (s[1] * x + s[2] * y + (p >> 14)) & 0x3f;
    const std::uint32_t b = (s[3] * x + s[4] * y + (p >> 10)) & 0x3f;
    const std::uint32_t c = partitions < 3 ? 0 : (s[5] * x + s[6] * y + (p >> 6)) & 0x3f;
    const std::uint32_t d = partitions < 4 ? 0 : (s[7] * x + s[8] * y + (p >> 2)) & 0x3f;
    if (a >= b && a >= c && a >= d) return 0;
    if (b >= c && b >= d) return 1;
    return c >= d ? 2 : 3;
}

TEST(Astc, PartitionsHaveColoursOfTheirOwn) {
    for (const int side : {5, 6}) {  // blocks of less than 31 texels are cut finer
        for (std::uint32_t seed = 0; seed < 1024; seed += 5) {
            for (std::uint32_t partitions = 2; partitions <= 4; ++partitions) {
                Block block;  // mode 0 for all; 67 bits of colour: 8 values of 8 bits fit
                block.set(0, 11, grid_4x4).set(11, 2, partitions - 1).set(13, 10, seed).set(23, 6, 0);
                for (std::uint32_t i = 0; i < 2 * partitions; ++i)
                    block.set(29 + 8 * static_cast<int>(i), 8, 10 + i / 2);
                const std::vector<Texel> texels = block.decode(side, side);
                for (std::uint32_t i = 0; i < texels.size(); ++i) {
                    const auto width = static_cast<std::uint32_t>(side);
                    const int expected = select_partition(seed, i % width, i / width, partitions, side == 5);
                    ASSERT_EQ(texels[i][0], 10 + expected) << "seed " << seed << ", " << partitions << ", texel " << i;
                }
            }
        }
    }
}

TEST(Astc, ASecondPlaneWeighsOneComponent) {
    Block block;  // mode 12 and bit 10: two planes; 32 weights of 4 levels are 64 bits, 45 are left for 8 values
    block.set(0, 11, grid_4x4 | 1U << 10).set(13, 4, 0).set(17, 8, 0).set(25, 8, 255);
    block.set(128 - 64 - 2, 2, 1);  // green
    const std::vector<Texel> texels = block.weights({0, 3, 3, 0}).decode(4, 4);
    EXPECT_EQ(texels[0], (Texel{0, 255, 0, 255}));
    EXPECT_EQ(texels[1], (Texel{255, 0, 255, 255}));
    EXPECT_EQ(texels[2], (Texel{0, 0, 0, 255}));
}

TEST(Astc, WhatTheLdrProfileDoesNotDefineIsMagenta) {
    EXPECT_EQ(Block().decode(4, 4)[0], magenta);                     // reserved
    EXPECT_EQ(one_partition(2, {10, 20}).decode(4, 4)[0], magenta);  // an HDR endpoint mode
    Block large = one_partition(0, {10, 20});
    large.set(7, 2, 1);  // a grid of 5x4
    EXPECT_EQ(large.decode(4, 4)[0], magenta);
    EXPECT_NE(large.decode(5, 4)[0], magenta);
}

TEST(Astc, FormatsHaveBlocksOfTheirNames) {
    const FormatInfo& wide = format_info(287, "test");  // ASTC_10x5
    EXPECT_EQ(format_name(287), "ASTC_10x5");
    EXPECT_EQ(wide.block_width, 10);
    EXPECT_EQ(wide.block_height, 5);
    EXPECT_EQ(wide.block_bytes, 16);
    EXPECT_FALSE(wide.srgb);
    const FormatInfo& large = format_info(306, "test");
    EXPECT_EQ(format_name(306), "ASTC_12x12_SRGB");
    EXPECT_EQ(large.block_texels(), 144U);
    EXPECT_TRUE(large.srgb);
    Block block;
    block.set(0, 9, 0x1fc).set(10, 2, 3).set(12, 32, ~0U).set(44, 20, ~0U).set(64, 16, 0x8000).set(112, 16, 0x4000);
    float rgba[most_block_texels][4];
    decode_block(large, block.data(), rgba);
    EXPECT_FLOAT_EQ(rgba[143][0], srgb_table()[0x80]);
    EXPECT_FLOAT_EQ(rgba[143][3], 0x40 / 255.0F);
}

}  // namespace
}  // namespace models::functional
