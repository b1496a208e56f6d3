// Accuracy of the elementary functions against double precision, over the whole range of floats.
#include "models/functional/tgsi/lane_math.h"

#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace models::functional::tgsi {
namespace {

// Error in units in the last place of the result, as a float.
double error_in_ulps(float found, double exact) {
    const auto rounded = static_cast<float>(exact);
    if (found == rounded || (std::isnan(found) && std::isnan(rounded))) return 0;
    if (!std::isfinite(found) || !std::isfinite(rounded)) return 1e9;
    int exponent = 0;
    std::frexp(exact, &exponent);
    return std::abs(static_cast<double>(found) - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

// The largest error over floats spread evenly over the bit patterns between `low` and `high`.
template <class Found, class Exact>
double largest_error(float low, float high, Found found, Exact exact) {
    std::mt19937 random(1);
    double largest = 0;
    const std::uint32_t first = lane_math::bits(low), last = lane_math::bits(high);
    for (int i = 0; i < 200000; ++i) {
        const float x = lane_math::from_bits(first + static_cast<std::uint32_t>(random() % (last - first + 1ULL)));
        for (const float signed_x : {x, -x})
            largest = std::max(largest, error_in_ulps(found(signed_x), exact(static_cast<double>(signed_x))));
    }
    return largest;
}

TEST(LaneMath, OfTwoZerosThePositiveOneIsTheGreater) {
    for (const auto& [a, b] : {std::pair{0.0F, -0.0F}, {-0.0F, 0.0F}}) {
        EXPECT_EQ(lane_math::bits(lane_math::maximum(a, b)), lane_math::bits(0.0F));
        EXPECT_EQ(lane_math::bits(lane_math::minimum(a, b)), lane_math::bits(-0.0F));
    }
}

TEST(LaneMath, TwoToThePowerIsWithinOneUnit) {
    EXPECT_LE(largest_error(
                  1e-10F, 151.0F, [](float x) { return lane_math::exp2(x); }, [](double x) { return std::exp2(x); }),
              0.51);
    EXPECT_EQ(lane_math::exp2(0.0F), 1.0F);
    EXPECT_EQ(lane_math::exp2(10.0F), 1024.0F);
    EXPECT_EQ(lane_math::exp2(-149.0F), 1.401298464324817e-45F);
    EXPECT_EQ(lane_math::exp2(128.0F), std::numeric_limits<float>::infinity());
    EXPECT_EQ(lane_math::exp2(-3e38F), 0.0F);
    EXPECT_EQ(lane_math::exp2(3e38F), std::numeric_limits<float>::infinity());
}

TEST(LaneMath, LogarithmIsWithinOneUnit) {
    const auto exact = [](double x) { return x < 0 ? std::nan("") : std::log2(x); };
    EXPECT_LE(largest_error(1e-45F, 3.4e38F, [](float x) { return lane_math::log2(x); }, exact), 0.51);
    EXPECT_LE(largest_error(0.9F, 1.1F, [](float x) { return lane_math::log2(x); }, exact), 0.51);
    EXPECT_EQ(lane_math::log2(1.0F), 0.0F);
    EXPECT_EQ(lane_math::log2(0.0F), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(lane_math::log2(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
}

TEST(LaneMath, PowerIsWithinOneUnit) {
    std::mt19937 random(2);
    double largest = 0;
    for (int i = 0; i < 300000; ++i) {
        const float x = std::ldexp(static_cast<float>(random() % 16777215 + 1), static_cast<int>(random() % 40) - 44);
        const float y = static_cast<float>(static_cast<int>(random() % 40001) - 20000) / 300.0F;
        largest = std::max(
            largest, error_in_ulps(lane_math::pow(x, y), std::pow(static_cast<double>(x), static_cast<double>(y))));
    }
    EXPECT_LE(largest, 0.75);
    EXPECT_EQ(lane_math::pow(2.0F, 0.5F), std::sqrt(2.0F));
    EXPECT_EQ(lane_math::pow(0.0F, 20.0F), 0.0F);
    EXPECT_EQ(lane_math::pow(0.0F, 0.0F), 0.0F);
    EXPECT_TRUE(std::isnan(lane_math::pow(-2.0F, 2.0F)));
}

TEST(LaneMath, SineAndCosineAreWithinOneUnit) {
    EXPECT_LE(largest_error(
                  1e-20F, lane_math::largest_angle, [](float x) { return lane_math::sin(x); },
                  [](double x) { return std::sin(x); }),
              0.6);
    EXPECT_LE(largest_error(
                  1e-20F, lane_math::largest_angle, [](float x) { return lane_math::cos(x); },
                  [](double x) { return std::cos(x); }),
              0.6);
    EXPECT_EQ(lane_math::sin(0.0F), 0.0F);
    EXPECT_EQ(lane_math::cos(0.0F), 1.0F);
}

TEST(LaneMath, RoundingIsThatOfTheLibrary) {
    std::mt19937 random(3);
    const auto same = [](float a, float b) {
        return lane_math::bits(a) == lane_math::bits(b) || (std::isnan(a) && std::isnan(b));
    };
    for (int i = 0; i < 400000; ++i) {
        const float x = i % 2 == 0 ? lane_math::from_bits(static_cast<std::uint32_t>(random()))
                                   : static_cast<float>(static_cast<int>(random() % 400) - 200) / 4.0F;
        ASSERT_TRUE(same(lane_math::floor(x), std::floor(x))) << x;
        ASSERT_TRUE(same(lane_math::ceil(x), std::ceil(x))) << x;
        ASSERT_TRUE(same(lane_math::trunc(x), std::trunc(x))) << x;
        ASSERT_TRUE(same(lane_math::round_even(x), std::nearbyint(x))) << x;
    }
}

TEST(LaneMath, ClampsNotANumberToZero) {
    EXPECT_EQ(lane_math::saturate(std::nanf("")), 0.0F);
    EXPECT_EQ(lane_math::saturate(2.0F), 1.0F);
    EXPECT_EQ(lane_math::saturate(-2.0F), 0.0F);
    EXPECT_EQ(lane_math::saturate(0.25F), 0.25F);
    EXPECT_EQ(lane_math::to_int(std::nanf("")), 0);
    EXPECT_EQ(lane_math::to_uint(-5.0F), 0U);
    EXPECT_EQ(lane_math::to_uint(4e9F), 4000000000U);
}

}  // namespace
}  // namespace models::functional::tgsi
