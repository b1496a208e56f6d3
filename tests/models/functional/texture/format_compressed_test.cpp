#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "models/functional/texture/format.h"
#include "models/functional/texture/srgb.h"

namespace models::functional {
namespace {

struct Decoded {
    float texels[16][4];
};

Decoded decode(std::uint32_t format, std::vector<std::uint8_t> block) {
    Decoded result{};
    decode_block(format_info(format, "test"), reinterpret_cast<const std::byte*>(block.data()), result.texels);
    return result;
}

void expect_colour(const float* texel, float r, float g, float b, float a) {
    EXPECT_NEAR(texel[0] * 255, r, 1.0);
    EXPECT_NEAR(texel[1] * 255, g, 1.0);
    EXPECT_NEAR(texel[2] * 255, b, 1.0);
    EXPECT_FLOAT_EQ(texel[3] * 255, a);
}

// Ends red (0xf800) and blue (0x001f); the first row's indices are 0, 1, 2, 3.
const std::vector<std::uint8_t> red_to_blue = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
const std::vector<std::uint8_t> blue_to_red = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};

TEST(Dxt1, HasTwoColoursBetweenItsEnds) {
    const Decoded d = decode(106, red_to_blue);
    expect_colour(d.texels[0], 255, 0, 0, 255);
    expect_colour(d.texels[1], 0, 0, 255, 255);
    expect_colour(d.texels[2], 170, 0, 85, 255);
    expect_colour(d.texels[3], 85, 0, 170, 255);
    expect_colour(d.texels[4], 255, 0, 0, 255);
}

TEST(Dxt1, WithTheEndsInOrderHasAMiddleAndClearBlack) {
    const Decoded d = decode(106, blue_to_red);
    expect_colour(d.texels[2], 127, 0, 127, 255);
    expect_colour(d.texels[3], 0, 0, 0, 0);
    expect_colour(decode(105, blue_to_red).texels[3], 0, 0, 0, 255);  // without alpha: opaque
}

std::vector<std::uint8_t> with_alpha(std::vector<std::uint8_t> alpha, const std::vector<std::uint8_t>& colours) {
    alpha.insert(alpha.end(), colours.begin(), colours.end());
    return alpha;
}

TEST(Dxt3, HasFourBitsOfAlphaAndAlwaysFourColours) {
    const Decoded d = decode(107, with_alpha({0x10, 0xf7, 0, 0, 0, 0, 0, 0x80}, blue_to_red));
    expect_colour(d.texels[0], 0, 0, 255, 0);
    expect_colour(d.texels[1], 255, 0, 0, 17);
    expect_colour(d.texels[2], 85, 0, 170, 119);
    expect_colour(d.texels[3], 170, 0, 85, 255);
    expect_colour(d.texels[15], 0, 0, 255, 136);
}

// Indices 0 to 7 in the first two rows.
std::vector<std::uint8_t> ramp(std::uint8_t a0, std::uint8_t a1) {
    return {a0, a1, 0x88, 0xc6, 0xfa, 0, 0, 0};
}

TEST(Dxt5, InterpolatesSixAlphasOrFourAndTheExtremes) {
    const Decoded eight = decode(108, with_alpha(ramp(210, 0), red_to_blue));
    const float expected8[] = {210, 0, 180, 150, 120, 90, 60, 30};
    for (int i = 0; i < 8; ++i) EXPECT_FLOAT_EQ(eight.texels[i][3] * 255, expected8[i]);
    const Decoded six = decode(108, with_alpha(ramp(0, 250), red_to_blue));
    const float expected6[] = {0, 250, 50, 100, 150, 200, 0, 255};
    for (int i = 0; i < 8; ++i) EXPECT_FLOAT_EQ(six.texels[i][3] * 255, expected6[i]);
}

TEST(Dxt, SrgbColoursAreLinearisedAndAlphaIsNot) {
    const Decoded d = decode(112, with_alpha(ramp(210, 0), {0x10, 0x84, 0x10, 0x84, 0, 0, 0, 0}));
    EXPECT_FLOAT_EQ(d.texels[0][0], srgb_table()[132]);
    EXPECT_FLOAT_EQ(d.texels[0][1], srgb_table()[130]);
    EXPECT_FLOAT_EQ(d.texels[0][3], 210 / 255.0F);
}

TEST(Rgtc, HoldsOneOrTwoChannelsOfEitherSign) {
    const Decoded one = decode(113, ramp(210, 0));
    EXPECT_FLOAT_EQ(one.texels[2][0], 180 / 255.0F);
    EXPECT_EQ(one.texels[2][1], 0);
    EXPECT_EQ(one.texels[2][3], 1);
    const Decoded two = decode(115, with_alpha(ramp(210, 0), ramp(0, 250)));
    EXPECT_FLOAT_EQ(two.texels[3][0], 150 / 255.0F);
    EXPECT_FLOAT_EQ(two.texels[3][1], 100 / 255.0F);
    const Decoded negative = decode(114, ramp(0x80, 0x7f));  // -128 to 127: six values
    EXPECT_EQ(negative.texels[0][0], -1);
    EXPECT_EQ(negative.texels[1][0], 1);
    EXPECT_EQ(negative.texels[6][0], -1);
    EXPECT_EQ(negative.texels[7][0], 1);
}

}  // namespace
}  // namespace models::functional
