#include "models/functional/texture/astc_integers.h"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace models::functional {
namespace {

int levels_of(AstcRange range) {
    return (range.trits ? 3 : range.quints ? 5 : 1) << range.bits;
}

TEST(AstcIntegers, RangesGrow) {
    EXPECT_EQ(levels_of(astc_range(0)), 2);
    for (int i = 1; i < astc_range_count; ++i) EXPECT_GT(levels_of(astc_range(i)), levels_of(astc_range(i - 1)));
    EXPECT_EQ(levels_of(astc_range(astc_range_count - 1)), 256);
}

TEST(AstcIntegers, FieldsCrossTheMiddleAndEndInZeros) {
    const Bits128 bits{0xf000000000000000ULL, 0x8000000000000005ULL};
    EXPECT_EQ(bits.field(60, 8), 0x5fU);
    EXPECT_EQ(bits.field(127, 1), 1U);
    EXPECT_EQ(bits.field(126, 4), 2U);
    EXPECT_EQ(bits.field(128, 4), 0U);
    EXPECT_EQ(bits.reversed().field(0, 1), 1U);
    EXPECT_EQ(bits.reversed().field(60, 8), 0xfaU);
}

// Every combination of five trits has a code, and so has every one of three quints.
TEST(AstcIntegers, CodesReachEveryCombinationOfDigits) {
    std::set<std::array<std::uint8_t, 5>> trits;
    for (std::uint64_t code = 0; code < 256; ++code) {
        std::array<std::uint8_t, 5> values{};
        decode_sequence({code, 0}, 0, 8, {0, true, false}, values);
        for (const std::uint8_t v : values) EXPECT_LE(v, 2);
        trits.insert(values);
    }
    EXPECT_EQ(trits.size(), 243U);
    std::set<std::array<std::uint8_t, 3>> quints;
    for (std::uint64_t code = 0; code < 128; ++code) {
        std::array<std::uint8_t, 3> values{};
        decode_sequence({code, 0}, 0, 7, {0, false, true}, values);
        for (const std::uint8_t v : values) EXPECT_LE(v, 4);
        quints.insert(values);
    }
    EXPECT_EQ(quints.size(), 125U);
}

TEST(AstcIntegers, LowBitsLieBetweenTheDigits) {
    // Two low bits each, and a code of 0: m0 T T m1 T T m2 T m3 T T m4 T.
    std::array<std::uint8_t, 5> values{};
    decode_sequence({0b11U | 0b01U << 4 | 0b10U << 8 | 0b11U << 11 | 0b01U << 15, 0}, 0, 18, {2, true, false}, values);
    EXPECT_EQ(values, (std::array<std::uint8_t, 5>{3, 1, 2, 3, 1}));
}

TEST(AstcIntegers, WeightsAndColoursAreSpreadEvenlyAndSymmetrically) {
    for (int number = 0; number < astc_range_count; ++number) {
        const AstcRange range = astc_range(number);
        const int levels = levels_of(range);
        const auto check = [&](const std::set<int>& values, int most, double tolerance) {
            ASSERT_EQ(values.size(), static_cast<std::size_t>(levels)) << "of " << most;
            int i = 0;
            for (const int v : values) {
                EXPECT_NEAR(v, static_cast<double>(i++) * most / (levels - 1), tolerance) << levels << " levels";
                EXPECT_TRUE(values.contains(most - v)) << levels << " levels, " << v;
            }
        };
        std::set<int> weights, colours;
        for (int v = 0; v < levels; ++v) {
            if (levels <= 32) weights.insert(astc_weight(range, static_cast<std::uint8_t>(v)));
            if (levels >= 6) colours.insert(astc_colour(range, static_cast<std::uint8_t>(v)));
        }
        if (levels <= 32) check(weights, 64, 1.5);
        if (levels >= 6) check(colours, 255, 1.5);
    }
}

}  // namespace
}  // namespace models::functional
