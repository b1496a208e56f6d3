#include "models/functional/texture/level_of_detail.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

class LevelOfDetail : public testing::Test {
  protected:
    LevelOfDetail()
        : texture_({.target = ResourceTarget::t2d,
                    .format = Format::r8g8b8a8_unorm,
                    .width = 256,
                    .height = 64,
                    .last_level = 8}) {
        texture_.sampler.mip_filter = MipFilter::linear;
        texture_.sampler.max_lod = 1000;
    }
    BoundTexture bound() const { return {texture_.view, texture_.sampler}; }
    LevelChoice choose(const LodInput& input) const {
        LevelChoice choice;
        choose_levels(bound(), input, 1, choice);
        return choice;
    }
    LevelChoice at_scale(float texels_per_pixel) const {
        const float scale = texels_per_pixel * texels_per_pixel;
        return choose({.scale = &scale});
    }
    LevelChoice at_lod(float lod) const { return choose({.lod = &lod}); }

    kit::Texture texture_;
};

TEST_F(LevelOfDetail, TheScaleIsTheLongerDirectionInTexels) {
    CoordinateGradient gradient{};
    gradient.d[0][0][0] = 3.0F / 256;  // x: 3 texels in s, 4 in t
    gradient.d[0][1][0] = 4.0F / 64;
    gradient.d[1][0][0] = 2.0F / 256;
    float scale = 0;
    squared_scale(bound(), gradient, 1, &scale);
    EXPECT_FLOAT_EQ(scale, 25);
    texture_.sampler.max_anisotropy = 8;
    squared_scale(bound(), gradient, 1, &scale);
    EXPECT_FLOAT_EQ(scale, 4);
}

TEST_F(LevelOfDetail, ViewsThatStartAtAHigherLevelMeasureInItsTexels) {
    texture_.view.first_level = 1;
    CoordinateGradient gradient{};
    gradient.d[0][0][0] = 4.0F / 256;
    float scale = 0;
    squared_scale(bound(), gradient, 1, &scale);
    EXPECT_FLOAT_EQ(scale, 4);
    EXPECT_EQ(at_scale(2).first[0], 2);
}

TEST_F(LevelOfDetail, TheLogarithmIsExactAtPowersOfTwoAndCloseBetween) {
    for (int e = -20; e <= 20; ++e) EXPECT_EQ(half_log2(std::ldexp(1.0F, 2 * e)), static_cast<float>(e));
    for (int i = 0; i < 136; ++i) {
        const float x = 0.01F * std::pow(1.07F, static_cast<float>(i));
        EXPECT_NEAR(half_log2(x), 0.5 * std::log2(static_cast<double>(x)), 0.0431);
    }
}

TEST_F(LevelOfDetail, LinearMipFiltersMixTwoLevels) {
    const LevelChoice choice = at_lod(2.25F);
    EXPECT_EQ(choice.first[0], 2);
    EXPECT_EQ(choice.second[0], 3);
    EXPECT_FLOAT_EQ(choice.weight[0], 0.25F);
    EXPECT_TRUE(choice.minified[0]);
}

TEST_F(LevelOfDetail, LodsBeyondTheEndsReadOneLevel) {
    for (const float lod : {-3.0F, -0.25F, 8.0F, 8.75F, 1e9F, INFINITY, -INFINITY, std::nanf("")}) {
        const LevelChoice choice = at_lod(lod);
        EXPECT_EQ(choice.first[0], lod > 0 ? 8 : 0) << lod;
        EXPECT_EQ(choice.weight[0], 0) << lod;
        EXPECT_EQ(choice.minified[0], lod > 0) << lod;
    }
}

TEST_F(LevelOfDetail, NearestMipFiltersRound) {
    texture_.sampler.mip_filter = MipFilter::nearest;
    EXPECT_EQ(at_lod(1.49F).first[0], 1);
    EXPECT_EQ(at_lod(1.51F).first[0], 2);
    EXPECT_EQ(at_scale(std::sqrt(8.0F) * 0.999F).first[0], 1);
    EXPECT_EQ(at_scale(std::sqrt(8.0F) * 1.001F).first[0], 2);
    EXPECT_EQ(at_scale(0.1F).first[0], 0);
    EXPECT_EQ(at_lod(1.51F).weight[0], 0);
}

TEST_F(LevelOfDetail, TheSamplerBiasesAndClamps) {
    texture_.sampler.lod_bias = 1;
    EXPECT_EQ(at_lod(2).first[0], 3);
    texture_.sampler.max_lod = 2.5F;
    EXPECT_FLOAT_EQ(at_lod(7).weight[0], 0.5F);
    texture_.sampler.min_lod = 1.5F;
    EXPECT_FLOAT_EQ(at_lod(-7).weight[0], 0.5F);
    EXPECT_EQ(at_lod(-7).first[0], 1);
    texture_.sampler.min_lod = texture_.sampler.max_lod = 4;  // as mipmap generation does
    EXPECT_EQ(at_lod(0).first[0], 4);
}

TEST_F(LevelOfDetail, MagnificationIsALodOfAtMostZero) {
    EXPECT_FALSE(at_scale(1).minified[0]);
    EXPECT_TRUE(at_scale(1.01F).minified[0]);
}

TEST_F(LevelOfDetail, AnisotropicFiltersTruncate) {
    texture_.sampler.max_anisotropy = 8;
    EXPECT_EQ(at_lod(2.9F).first[0], 2);
    EXPECT_EQ(at_lod(2.9F).weight[0], 0);
}

TEST_F(LevelOfDetail, WithoutMipFilterTheFirstLevelIsRead) {
    texture_.sampler.mip_filter = MipFilter::none;
    texture_.view.first_level = 2;
    EXPECT_EQ(at_lod(3).first[0], 2);
}

}  // namespace
}  // namespace models::functional
