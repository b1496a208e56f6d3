#include "models/functional/tgsi/integer_math.h"

#include <cmath>

#include <gtest/gtest.h>

namespace models::functional::tgsi {
namespace {

// The value of a half float by its definition.
double half_by_definition(std::uint32_t half) {
    const double sign = half & 0x8000 ? -1 : 1;
    const int exponent = static_cast<int>(half >> 10 & 31);
    const double mantissa = half & 0x3ff;
    if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * INFINITY;
    return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(HalfFloats, EveryValueIsWhatItsBitsSayAndPacksBack) {
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        const auto exact = static_cast<float>(half_by_definition(half));
        const float value = integer_math::half_value(half);
        if (std::isnan(exact)) {
            EXPECT_TRUE(std::isnan(value));
            EXPECT_EQ(integer_math::half_bits(value) & 0x7c00U, 0x7c00U);
            EXPECT_NE(integer_math::half_bits(value) & 0x3ffU, 0U);
            continue;
        }
        EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(exact));
        EXPECT_EQ(integer_math::half_bits(value), half);
    }
}

TEST(HalfFloats, BetweenTwoValuesTheNearerIsTakenAndTheEvenOneInTheMiddle) {
    for (std::uint32_t half = 0; half < 0x7bff; ++half) {
        const auto low = static_cast<float>(half_by_definition(half)),
                   high = static_cast<float>(half_by_definition(half + 1));
        const float middle = (low + high) / 2;
        EXPECT_EQ(integer_math::half_bits(middle), half + (half & 1));
        EXPECT_EQ(integer_math::half_bits(std::nextafter(middle, 0.0F)), half);
        EXPECT_EQ(integer_math::half_bits(std::nextafter(middle, 1e9F)), half + 1);
        EXPECT_EQ(integer_math::half_bits(-middle), (half + (half & 1)) | 0x8000U);
    }
    EXPECT_EQ(integer_math::half_bits(65519.996F), 0x7bffU);
    EXPECT_EQ(integer_math::half_bits(65520.0F), 0x7c00U);
    EXPECT_EQ(integer_math::half_bits(1e30F), 0x7c00U);
}

TEST(IntegerMath, DivisionNeverTraps) {
    EXPECT_EQ(integer_math::divide_signed(0x80000000U, 0xffffffffU), 0x80000000U);
    EXPECT_EQ(integer_math::remainder_signed(0x80000000U, 0xffffffffU), 0U);
    EXPECT_EQ(integer_math::divide(7, 0), 0xffffffffU);
    EXPECT_EQ(integer_math::divide_signed(7, 0), 0U);
    EXPECT_EQ(integer_math::divide_signed(0xfffffff9U, 2), 0xfffffffdU);     // -7 / 2 = -3
    EXPECT_EQ(integer_math::remainder_signed(0xfffffff9U, 2), 0xffffffffU);  // -1
}

}  // namespace
}  // namespace models::functional::tgsi
