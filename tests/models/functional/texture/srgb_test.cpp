#include "models/functional/texture/srgb.h"

#include <cmath>

#include <gtest/gtest.h>

namespace models::functional {
namespace {

TEST(Srgb, HasTheStandardsPoints) {
    EXPECT_EQ(srgb_to_linear(0), 0);
    EXPECT_FLOAT_EQ(srgb_to_linear(1), 1);
    EXPECT_NEAR(srgb_to_linear(0.5F), 0.21404114, 1e-6);
    EXPECT_NEAR(srgb_to_linear(0.04F), 0.04 / 12.92, 1e-7);
    EXPECT_NEAR(linear_to_srgb(0.18F), 0.46135613, 1e-6);
    EXPECT_NEAR(linear_to_srgb(0.002F), 0.02584, 1e-6);
}

TEST(Srgb, TheCurvesAreInverse) {
    for (int i = 0; i < 256; ++i)
        EXPECT_EQ(std::lrint(linear_to_srgb(srgb_table()[static_cast<std::size_t>(i)]) * 255), i);
}

TEST(Srgb, EncodingClamps) {
    EXPECT_EQ(linear_to_srgb(-1), 0);
    EXPECT_EQ(linear_to_srgb(2), 1);
    EXPECT_EQ(linear_to_srgb(std::nanf("")), 0);
}

}  // namespace
}  // namespace models::functional
