#include "models/functional/texture/format_etc.h"

#include <vector>

#include <gtest/gtest.h>

#include "models/functional/texture/format.h"
#include "models/functional/texture/srgb.h"

namespace models::functional {
namespace {

// A block from its fields, numbered as in the specification; the bits that are not set are 0.
class Block {
  public:
    Block& set(int low, int count, std::uint64_t value) {
        word_ |= (value & ((1ULL << count) - 1)) << low;
        return *this;
    }
    std::vector<std::byte> bytes() const {
        std::vector<std::byte> bytes;
        for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(word_ >> shift & 0xff));
        return bytes;
    }

  private:
    std::uint64_t word_ = 0;
};

// Texels (0, 0) to (0, 3), down the first column, get the indices 0 to 3.
Block& indices_0_to_3(Block& block) {
    return block.set(16 + 2, 2, 3).set(1, 1, 1).set(3, 1, 1);
}

std::array<ByteTexel, 16> colours(const Block& block, EtcAlpha alpha = EtcAlpha::opaque) {
    std::array<ByteTexel, 16> texels{};
    decode_etc2_colours(block.bytes().data(), alpha, texels);
    return texels;
}

TEST(Etc1, IndividualColoursHaveFourBitsAndATableForEachHalf) {
    Block block;
    block.set(60, 4, 8).set(56, 4, 1).set(52, 4, 0).set(48, 4, 15).set(44, 4, 15).set(40, 4, 2);
    block.set(37, 3, 1).set(34, 3, 7);
    const auto texels = colours(indices_0_to_3(block));
    // Left half: (136, 0, 255) and +5, +17, -5, -17.
    EXPECT_EQ(texels[0], (ByteTexel{141, 5, 255, 255}));
    EXPECT_EQ(texels[4], (ByteTexel{153, 17, 255, 255}));
    EXPECT_EQ(texels[8], (ByteTexel{131, 0, 250, 255}));
    EXPECT_EQ(texels[12], (ByteTexel{119, 0, 238, 255}));
    // Right half: (17, 255, 34) + 47.
    EXPECT_EQ(texels[2], (ByteTexel{64, 255, 81, 255}));
    block.set(32, 1, 1);  // the halves lie above each other
    EXPECT_EQ(colours(block)[2], (ByteTexel{141, 5, 255, 255}));
    EXPECT_EQ(colours(block)[15], (ByteTexel{64, 255, 81, 255}));
}

TEST(Etc1, DifferentialColoursHaveFiveBitsAndASignedDifference) {
    Block block;
    block.set(33, 1, 1).set(59, 5, 16).set(56, 3, 3).set(51, 5, 4).set(48, 3, 4).set(43, 5, 31);
    const auto texels = colours(block);
    EXPECT_EQ(texels[0], (ByteTexel{132 + 2, 33 + 2, 255, 255}));
    EXPECT_EQ(texels[3], (ByteTexel{156 + 2, 0 + 2, 255, 255}));  // 19, 0, 31
}

// Red overflows: 0 - 4.
Block t_block() {
    Block block;
    block.set(33, 1, 1).set(59, 2, 1).set(58, 1, 1).set(56, 2, 2).set(52, 4, 3).set(48, 4, 4);
    return block.set(44, 4, 8).set(40, 4, 9).set(36, 4, 15).set(34, 2, 2).set(32, 1, 1);
}

TEST(Etc2, TheTModeHasAColourAndALineOfThree) {
    Block block = t_block();
    const auto texels = colours(indices_0_to_3(block));
    EXPECT_EQ(texels[0], (ByteTexel{0x66, 0x33, 0x44, 255}));
    EXPECT_EQ(texels[4], (ByteTexel{0x88 + 32, 0x99 + 32, 255, 255}));
    EXPECT_EQ(texels[8], (ByteTexel{0x88, 0x99, 0xff, 255}));
    EXPECT_EQ(texels[12], (ByteTexel{0x88 - 32, 0x99 - 32, 0xff - 32, 255}));
}

// Green overflows: 30 + 2; red does not.
Block h_block(std::uint64_t red, std::uint64_t second_red) {
    Block block;
    block.set(33, 1, 1).set(59, 4, red).set(56, 3, 1).set(53, 3, 7).set(52, 1, 1).set(51, 1, 0).set(47, 3, 5);
    return block.set(43, 4, second_red).set(39, 4, 3).set(35, 4, 5).set(34, 1, 1);
}

TEST(Etc2, TheHModeHasTwoPairsAndTakesADistanceBitFromTheirOrder) {
    Block later = h_block(5, 6);  // 5 3 5 before 6 3 5: distance 4, which is 23
    const auto texels = colours(indices_0_to_3(later));
    EXPECT_EQ(texels[0], (ByteTexel{0x55 + 23, 0x33 + 23, 0x55 + 23, 255}));
    EXPECT_EQ(texels[4], (ByteTexel{0x55 - 23, 0x33 - 23, 0x55 - 23, 255}));
    EXPECT_EQ(texels[8], (ByteTexel{0x66 + 23, 0x33 + 23, 0x55 + 23, 255}));
    EXPECT_EQ(texels[12], (ByteTexel{0x66 - 23, 0x33 - 23, 0x55 - 23, 255}));
    Block same = h_block(5, 5);  // not before: distance 5, which is 32
    EXPECT_EQ(colours(same)[0], (ByteTexel{0x55 + 32, 0x33 + 32, 0x55 + 32, 255}));
}

TEST(Etc2, ThePlanarModeIsAPlaneInEachChannel) {
    Block block;  // blue overflows: 31 + 1
    block.set(33, 1, 1).set(57, 6, 0).set(56, 1, 1).set(49, 6, 0);
    block.set(48, 1, 1).set(45, 3, 7).set(43, 2, 3).set(42, 1, 0).set(39, 3, 7);
    block.set(34, 5, 31).set(32, 1, 1).set(25, 7, 0x40).set(19, 6, 63);  // across: red 63, green and blue as they were
    block.set(13, 6, 0).set(6, 7, 0).set(0, 6, 63);                      // down: red and green 0
    const auto texels = colours(block);
    for (std::size_t y = 0; y < 4; ++y) {
        for (std::size_t x = 0; x < 4; ++x) {
            const ByteTexel& texel = texels[y * 4 + x];
            EXPECT_NEAR(texel[0], 255.0 * static_cast<double>(x) / 4, 0.5) << x << "," << y;
            EXPECT_NEAR(texel[1], 129.0 * static_cast<double>(4 - y) / 4, 0.5) << x << "," << y;
            EXPECT_EQ(texel[2], 255);
        }
    }
}

TEST(Etc2, PunchThroughBlocksHaveAClearIndex) {
    Block block;  // not opaque: index 0 adds nothing, 2 is clear
    block.set(59, 5, 16).set(51, 5, 16).set(43, 5, 16).set(37, 3, 0);
    const auto texels = colours(indices_0_to_3(block), EtcAlpha::punch_through);
    EXPECT_EQ(texels[0], (ByteTexel{132, 132, 132, 255}));
    EXPECT_EQ(texels[4], (ByteTexel{140, 140, 140, 255}));
    EXPECT_EQ(texels[8], (ByteTexel{0, 0, 0, 0}));
    EXPECT_EQ(texels[12], (ByteTexel{124, 124, 124, 255}));
    Block t = t_block();
    const auto opaque = colours(indices_0_to_3(t), EtcAlpha::punch_through);
    EXPECT_EQ(opaque[8], (ByteTexel{0x88, 0x99, 0xff, 255}));
}

TEST(Eac, AlphaIsABaseAndAMultipleOfAModifier) {
    Block block;
    block.set(56, 8, 100).set(52, 4, 3).set(48, 4, 13);
    for (int i = 0; i < 8; ++i) block.set(45 - 3 * i, 3, static_cast<std::uint64_t>(i));
    const auto alphas = decode_eac_alpha(block.bytes().data());
    const int column0[4] = {97, 94, 91, 70}, column1[4] = {100, 103, 106, 127};
    for (std::size_t y = 0; y < 4; ++y) {
        EXPECT_EQ(alphas[y * 4], column0[y]);
        EXPECT_EQ(alphas[y * 4 + 1], column1[y]);
    }
}

TEST(Eac, ElevenBitsOfEitherSign) {
    Block block;
    block.set(56, 8, 255).set(52, 4, 0).set(48, 4, 13).set(45, 3, 4);  // modifier 0, then -1
    EXPECT_FLOAT_EQ(decode_eac_11(block.bytes().data(), false)[0], 2044 / 2047.0F);
    EXPECT_FLOAT_EQ(decode_eac_11(block.bytes().data(), false)[4], 2043 / 2047.0F);  // a multiplier of 0 is 1/8
    EXPECT_FLOAT_EQ(decode_eac_11(block.bytes().data(), true)[0], -8 / 1023.0F);
    Block least;
    least.set(56, 8, 128).set(52, 4, 1).set(48, 4, 13).set(45, 3, 4);  // -128 counts as -127
    EXPECT_FLOAT_EQ(decode_eac_11(least.bytes().data(), true)[0], -1016 / 1023.0F);
    EXPECT_FLOAT_EQ(decode_eac_11(least.bytes().data(), true)[4], -1);
}

TEST(Etc, FormatsNameTheirDecoder) {
    Block colour;
    colour.set(59, 5, 16).set(51, 5, 16).set(43, 5, 16).set(33, 1, 1);
    Block alpha;
    alpha.set(56, 8, 100);
    std::vector<std::byte> both = alpha.bytes();
    const std::vector<std::byte> after = colour.bytes();
    both.insert(both.end(), after.begin(), after.end());
    float rgba[16][4];
    const auto decode = [&](std::uint32_t format, const std::vector<std::byte>& block) {
        decode_block(format_info(format, "test"), block.data(), rgba);
    };
    decode(226, after);  // ETC1_RGB8
    EXPECT_FLOAT_EQ(rgba[5][0], 134 / 255.0F);
    EXPECT_EQ(rgba[5][3], 1);
    decode(273, both);  // ETC2_RGBA8
    EXPECT_FLOAT_EQ(rgba[5][1], 134 / 255.0F);
    EXPECT_FLOAT_EQ(rgba[5][3], 100 / 255.0F);
    decode(274, both);  // sRGB
    EXPECT_FLOAT_EQ(rgba[5][1], srgb_table()[134]);
    EXPECT_FLOAT_EQ(rgba[5][3], 100 / 255.0F);
    decode(277, both);  // ETC2_RG11_UNORM
    EXPECT_FLOAT_EQ(rgba[5][0], (100 * 8 + 4 - 3) / 2047.0F);
    EXPECT_EQ(rgba[5][2], 0);
    EXPECT_EQ(rgba[5][3], 1);
}

}  // namespace
}  // namespace models::functional
