#include "engine/exponential.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/counter_rng.h"

namespace engine {
namespace {

TEST(Exponential, IsTheNegativeLogarithmOfAUniformNumber) {
    CounterRng draws(1, 1);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t bits = draws.next() >> static_cast<unsigned>(i % 50);
        const double uniform = static_cast<double>(bits | 1) * 0x1p-64;
        ASSERT_NEAR(static_cast<double>(exponential(bits)) * 0x1p-32, -std::log(uniform), 1.3e-7) << bits;
    }
    EXPECT_LE(exponential(~std::uint64_t{0}), 1U);
    EXPECT_NEAR(static_cast<double>(exponential(0)) * 0x1p-32, 64 * std::log(2), 1.3e-7);
}

TEST(Exponential, GrowsWhereTheUniformNumberFalls) {
    for (unsigned shift = 0; shift < 64; ++shift) {
        const std::uint64_t power = std::uint64_t{1} << shift;
        EXPECT_GE(exponential(power - 1), exponential(power)) << shift;
        EXPECT_GE(exponential(power), exponential(power + power / 512)) << shift;
    }
}

TEST(Exponential, IsOfMeanOne) {
    CounterRng draws(7, 3);
    double sum = 0, squares = 0;
    constexpr int count = 200'000;
    for (int i = 0; i < count; ++i) {
        const double number = static_cast<double>(exponential(draws.next())) * 0x1p-32;
        sum += number;
        squares += number * number;
    }
    EXPECT_NEAR(sum / count, 1, 0.01);
    EXPECT_NEAR(squares / count, 2, 0.05);
}

}  // namespace
}  // namespace engine
