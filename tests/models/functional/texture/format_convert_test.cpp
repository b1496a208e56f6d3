#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "models/functional/texture/format.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {
namespace {

using Rgba = std::array<float, 4>;

Rgba unpack(std::uint32_t format, const std::vector<std::uint8_t>& bytes) {
    float rgba[1][4];
    unpack_floats(format_info(format, "test"), reinterpret_cast<const std::byte*>(bytes.data()), 1, rgba);
    return {rgba[0][0], rgba[0][1], rgba[0][2], rgba[0][3]};
}

std::vector<std::uint8_t> pack(std::uint32_t format, Rgba colour) {
    const FormatInfo& info = format_info(format, "test");
    std::vector<std::uint8_t> bytes(info.block_bytes);
    const float rgba[1][4] = {{colour[0], colour[1], colour[2], colour[3]}};
    pack_floats(info, rgba, 1, reinterpret_cast<std::byte*>(bytes.data()));
    return bytes;
}

std::vector<std::uint8_t> cleared(std::uint32_t format, Rgba colour) {
    const FormatInfo& info = format_info(format, "test");
    std::vector<std::uint8_t> bytes(info.block_bytes);
    pack_clear(info, colour.data(), reinterpret_cast<std::byte*>(bytes.data()));
    return bytes;
}

struct Reading {
    std::uint32_t format;
    std::vector<std::uint8_t> bytes;
    Rgba rgba;
};

class Readings : public testing::TestWithParam<Reading> {};

TEST_P(Readings, MatchTheDefinition) {
    const Reading& reading = GetParam();
    const Rgba rgba = unpack(reading.format, reading.bytes);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_FLOAT_EQ(rgba[c], reading.rgba[c]) << "component " << c;
}

constexpr float b(float byte) {
    return byte / 255.0F;
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Readings,
    testing::Values(
        Reading{1, {10, 20, 30, 40}, {b(30), b(20), b(10), b(40)}},                            // B8G8R8A8
        Reading{2, {10, 20, 30, 40}, {b(30), b(20), b(10), 1}},                                // B8G8R8X8
        Reading{3, {10, 20, 30, 40}, {b(20), b(30), b(40), b(10)}},                            // A8R8G8B8
        Reading{4, {10, 20, 30, 40}, {b(20), b(30), b(40), 1}},                                // X8R8G8B8
        Reading{121, {10, 20, 30, 40}, {b(40), b(30), b(20), b(10)}},                          // A8B8G8R8
        Reading{67, {10, 20, 30, 40}, {b(10), b(20), b(30), b(40)}},                           // R8G8B8A8
        Reading{66, {10, 20, 30}, {b(10), b(20), b(30), 1}},                                   // R8G8B8
        Reading{65, {10, 20}, {b(10), b(20), 0, 1}},                                           // R8G8
        Reading{64, {10}, {b(10), 0, 0, 1}},                                                   // R8
        Reading{9, {10}, {b(10), b(10), b(10), 1}},                                            // L8
        Reading{10, {10}, {0, 0, 0, b(10)}},                                                   // A8
        Reading{11, {10}, {b(10), b(10), b(10), b(10)}},                                       // I8
        Reading{12, {10, 20}, {b(10), b(10), b(10), b(20)}},                                   // L8A8
        Reading{7, {0x1f, 0xf8}, {1, 0, 1, 1}},                                                // B5G6R5
        Reading{7, {0xe0, 0x03}, {0, 31.0F / 63, 0, 1}},                                       //
        Reading{5, {0x1f, 0x80}, {0, 0, 1, 1}},                                                // B5G5R5A1
        Reading{6, {0x21, 0x43}, {3 / 15.0F, 2 / 15.0F, 1 / 15.0F, 4 / 15.0F}},                // B4G4R4A4
        Reading{262, {0x3f, 0x00}, {0, 0, 31 / 31.0F, 1}},                                     // A1B5G5R5
        Reading{8, {0xff, 0x03, 0x00, 0xc0}, {1, 0, 0, 1}},                                    // R10G10B10A2
        Reading{131, {0xff, 0x03, 0x00, 0x40}, {0, 0, 1, 1 / 3.0F}},                           // B10G10R10A2
        Reading{16, {0xff, 0x7f}, {32767 / 65535.0F, 32767 / 65535.0F, 32767 / 65535.0F, 1}},  // Z16
        Reading{19, {0xff, 0xff, 0xff, 0x12}, {1, 1, 1, 1}},                                   // Z24S8
        Reading{20, {0x12, 0xff, 0xff, 0xff}, {1, 1, 1, 1}},                                   // S8Z24
        Reading{22, {0xff, 0, 0, 0x80}, {8388608 / 16777215.0F, 8388608 / 16777215.0F, 8388608 / 16777215.0F, 1}},
        Reading{17, {0xff, 0xff, 0xff, 0xff}, {1, 1, 1, 1}},                     // Z32
        Reading{18, {0, 0, 0, 0x3f}, {0.5F, 0.5F, 0.5F, 1}},                     // Z32F
        Reading{126, {0, 0, 0, 0x3f, 9, 9, 9, 9}, {0.5F, 0.5F, 0.5F, 1}},        // Z32F_S8X24
        Reading{74, {0x80}, {-1, 0, 0, 1}},                                      // R8_SNORM
        Reading{74, {0x40}, {64 / 127.0F, 0, 0, 1}},                             //
        Reading{72, {0, 1, 128, 255}, {0, 1, 128, 255}},                         // R8G8B8A8_USCALED
        Reading{82, {0xfe}, {-2, 0, 0, 1}},                                      // R8_SSCALED
        Reading{60, {0x00, 0x80}, {-32768, 0, 0, 1}},                            // R16_SSCALED
        Reading{57, {0xff, 0x7f, 0x01, 0x80}, {1, -1, 0, 1}},                    // R16G16_SNORM
        Reading{91, {0x00, 0x3c}, {1, 0, 0, 1}},                                 // R16_FLOAT
        Reading{91, {0x01, 0x80}, {-0x1p-24F, 0, 0, 1}},                         // its least negative number
        Reading{87, {0x00, 0x80, 0xff, 0xff}, {-0.5F, 0, 0, 1}},                 // R32_FIXED
        Reading{32, {0xff, 0xff, 0xff, 0xff}, {1, 0, 0, 1}},                     // R32_UNORM
        Reading{124, {0xc0, 0x03, 0x1e, 0x78}, {1, 1, 1, 1}},                    // R11G11B10
        Reading{125, {0x01, 0x04, 0x10, 0x88}, {0x1p-7F, 0x1p-6F, 0x1p-5F, 1}},  // R9G9B9E5
        Reading{104, {255, 0, 188, 128}, {1, 0, 0.50288657F, b(128)}},           // R8G8B8A8_SRGB
        Reading{242, {0x7f, 0x81}, {1, 0, 0, -1}}));                             // R8A8_SNORM

// Every texel of 8 and 16 bits, a walk over those of 32: reading what was written gives what was read. A float holds no
// more than the 24 bits of a depth, and both directions multiply: there the last bit may change.
TEST(Convert, EveryFormatSurvivesARoundTrip) {
    for (std::uint32_t number = 0; number < 322; ++number) {
        const FormatInfo* info = find_format(number);
        if (info == nullptr || info->compressed() || info->block_bytes > 4 || info->integer) continue;
        const bool wide = info->block_bytes > 2;
        const std::uint64_t texels = wide ? 20000 : 1ULL << (8U * info->block_bytes);
        for (std::uint64_t i = 0; i < texels; ++i) {
            const auto word = static_cast<std::uint32_t>(wide ? i * 0x9e3779b1U : i);
            float first[1][4], second[1][4];
            std::byte texel[4] = {}, again[4] = {};
            std::memcpy(texel, &word, 4);
            unpack_floats(*info, texel, 1, first);
            if (std::isnan(first[0][0] + first[0][1] + first[0][2] + first[0][3])) continue;
            pack_floats(*info, first, 1, again);
            unpack_floats(*info, again, 1, second);
            for (int c = 0; c < 4; ++c) {
                const bool exact = !(info->srgb && info->type == ChannelType::unorm) && info->channels[0].bits != 24;
                if (!exact) {
                    ASSERT_NEAR(first[0][c], second[0][c], info->srgb ? 1e-6F : 0x1.8p-24F)
                        << format_name(number) << " " << word;
                } else {
                    ASSERT_EQ(first[0][c], second[0][c]) << format_name(number) << " " << word << " " << c;
                }
            }
        }
    }
}

TEST(Convert, IntegerFormatsSurviveARoundTripAndClamp) {
    for (std::uint32_t number = 0; number < 322; ++number) {
        const FormatInfo* info = find_format(number);
        if (info == nullptr || !info->integer || info->depth || info->stencil) continue;
        for (std::uint32_t i = 0; i < 500; ++i) {
            std::byte texel[16], again[16] = {};
            for (std::size_t k = 0; k < 16; ++k) texel[k] = static_cast<std::byte>((i * 2654435761U) >> (k % 4 * 8));
            std::uint32_t first[1][4], second[1][4];
            unpack_integers(*info, texel, 1, first);
            pack_integers(*info, first, 1, again);
            unpack_integers(*info, again, 1, second);
            for (int c = 0; c < 4; ++c) ASSERT_EQ(first[0][c], second[0][c]) << format_name(number);
        }
        const bool is_signed = info->type == ChannelType::sint;
        const std::uint32_t huge[1][4] = {{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}};
        std::byte texel[16] = {};
        pack_integers(*info, huge, 1, texel);
        std::uint32_t read[1][4];
        unpack_integers(*info, texel, 1, read);
        for (int c = 0; c < 4; ++c) {
            const std::uint8_t source = info->source[c];
            if (source >= 4) continue;
            const unsigned bits = info->channels[source].bits - (is_signed ? 1U : 0U);
            const std::uint32_t largest = bits >= 31 ? 0x7fffffffU : (1U << bits) - 1U;
            EXPECT_EQ(read[0][c], largest) << format_name(number);
        }
    }
}

TEST(Convert, PackingRoundsToNearestClampsAndDropsNaN) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(pack(67, {0.5F, -1, 2, nan}), (std::vector<std::uint8_t>{128, 0, 255, 0}));
    EXPECT_EQ(pack(67, {100.4F / 255, 100.6F / 255, 0, 1}), (std::vector<std::uint8_t>{100, 101, 0, 255}));
    EXPECT_EQ(pack(77, {-2, -1, 0.5F, nan}), (std::vector<std::uint8_t>{0x81, 0x81, 64, 0}));
    EXPECT_EQ(pack(16, {1, 0, 0, 0}), (std::vector<std::uint8_t>{0xff, 0xff}));
    EXPECT_EQ(pack(9, {0.2F, 0.4F, 0.6F, 0.8F}), (std::vector<std::uint8_t>{51}));
    EXPECT_EQ(pack(10, {0.2F, 0.4F, 0.6F, 0.8F}), (std::vector<std::uint8_t>{204}));
}

// Packed by clears. Near each half between two levels: nearest to the exact product (a double holds it), halves up, and
// up as well where single precision cannot tell the product from the half.
TEST(Convert, ShortChannelsRoundTheExactProductWithHalvesUp) {
    for (const unsigned bits : {1U, 2U, 3U, 4U, 5U, 6U, 10U}) {
        const std::uint32_t most = (1U << bits) - 1U;
        for (std::uint32_t level = 0; level < most; ++level) {
            const double half = level + 0.5;
            auto value = static_cast<float>(half / most);
            for (int step = 0; step < 500; ++step) value = std::nextafter(value, 0.0F);
            for (int step = 0; step < 1000; ++step, value = std::nextafter(value, 2.0F)) {
                const double product = double{value} * most;
                const double rounding = (level + 1.0) * 0x1p-23;
                const std::uint32_t raw = to_unorm_halves_up(value, bits);
                if (product >= half || product < half - rounding)
                    ASSERT_EQ(raw, level + (product >= half ? 1U : 0U)) << bits << " bits, " << value;
                else
                    ASSERT_TRUE(raw == level || raw == level + 1) << bits << " bits, " << value;
            }
        }
    }
}

TEST(Convert, ClearsOfShortChannelsAreThoseOfTheReference) {
    // As llvmpipe cleared them: 0.3 of 15 is 4.50000018, 0.0333333299 of 15 and 0.49999997 of 1 are less than a half.
    EXPECT_EQ(cleared(6, {0.3F, 0.0333333299F, 0.566666663F, 1}), (std::vector<std::uint8_t>{0x19, 0xf5}));
    EXPECT_EQ(cleared(5, {0, 0.0161290318F, 0, 0.49999997F}), (std::vector<std::uint8_t>{0x20, 0x80}));
    EXPECT_EQ(cleared(7, {0, 0.00793650746F, 0, 0}), (std::vector<std::uint8_t>{0x20, 0x00}));
    EXPECT_EQ(cleared(8, {0, 0, 0, 0.166666657F}), (std::vector<std::uint8_t>{0, 0, 0, 0x40}));
    EXPECT_EQ(cleared(67, {1 / 510.0F, 0.3F, 0, 1}), (std::vector<std::uint8_t>{0, 76, 0, 255}));  // as drawing does
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(cleared(6, {nan, -1, 2, 1}), (std::vector<std::uint8_t>{0x0f, 0xf0}));
}

// 0.2256733 of 65535 is 14789.4999: less than a half, which single precision cannot tell. Depths are rounded exactly.
TEST(Convert, ClearsOfSixteenBitsAreThoseOfTheReference) {
    EXPECT_EQ(cleared(48, {0.2256733F, 0, 0, 0}), (std::vector<std::uint8_t>{0xc6, 0x39}));  // R16_UNORM
    EXPECT_EQ(cleared(16, {0.2256733F, 0, 0, 0}), (std::vector<std::uint8_t>{0xc5, 0x39}));  // Z16_UNORM
    for (std::uint32_t i = 0; i < 65535; i += 7) {
        const double half = i + 0.5;
        float value = std::nextafter(std::nextafter(static_cast<float>(half / 65535), 0.0F), 0.0F);
        for (int step = 0; step < 5; ++step, value = std::nextafter(value, 2.0F)) {
            const auto nearest = static_cast<std::uint32_t>(std::llrint(double{value} * 65535));
            const std::vector<std::uint8_t> depth = cleared(16, {value, 0, 0, 0});
            ASSERT_EQ(depth[0] + 256U * depth[1], nearest) << value;
        }
    }
}

TEST(Convert, SmallFloatsTruncateAndSaturate) {
    EXPECT_EQ(pack(91, {65519.0F, 0, 0, 0}), (std::vector<std::uint8_t>{0xff, 0x7b}));
    EXPECT_EQ(pack(91, {1e9F, 0, 0, 0}), (std::vector<std::uint8_t>{0xff, 0x7b}));
    EXPECT_EQ(pack(91, {std::numeric_limits<float>::infinity(), 0, 0, 0}), (std::vector<std::uint8_t>{0x00, 0x7c}));
    EXPECT_EQ(pack(91, {1.0F + 0.9F / 1024, 0, 0, 0}), (std::vector<std::uint8_t>{0x00, 0x3c}));
    EXPECT_EQ(pack(124, {-1, 0, 0, 0}), (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

TEST(Convert, DepthWritesLeaveStencilAlone) {
    std::byte texel[4] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{0xab}};
    const float depth[1][4] = {{1, 0, 0, 0}};
    pack_floats(format_info(Format::z24_unorm_s8_uint, "test"), depth, 1, texel);
    EXPECT_EQ(texel[0], std::byte{0xff});
    EXPECT_EQ(texel[3], std::byte{0xab});
    std::uint32_t stencil[1][4];
    unpack_integers(format_info(Format::z24_unorm_s8_uint, "test"), texel, 1, stencil);
    EXPECT_EQ(stencil[0][0], 0xabU);
}

TEST(Convert, SharedExponentsKeepRatiosToNineBits) {
    for (const Rgba colour : {Rgba{1, 0.5F, 0.25F, 1}, Rgba{1000, 1, 0.1F, 1}, Rgba{1e-5F, 2e-5F, 0, 1},
                              Rgba{65408, 1, 0, 1}, Rgba{1e9F, 0, 0, 1}}) {
        const Rgba read = unpack(125, pack(125, colour));
        const float most = std::min(std::max({colour[0], colour[1], colour[2]}), 65408.0F);
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(read[c], std::min(colour[c], 65408.0F), most / 511 + 0x1p-25F);
    }
}

TEST(Convert, SpansStepByTheTexel) {
    const std::uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    float rgba[2][4];
    unpack_floats(format_info(66, "test"), reinterpret_cast<const std::byte*>(bytes), 2, rgba);
    EXPECT_FLOAT_EQ(rgba[1][0], b(4));
    EXPECT_FLOAT_EQ(rgba[1][2], b(6));
}

}  // namespace
}  // namespace models::functional
