#include <cmath>

#include <gtest/gtest.h>

#include "models/functional/texture/sample_work.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

TEST(SampleAnisotropic, AnisotropicFiltersAverageAlongTheLongerAxis) {
    Texture texture(plane(Format::r32g32b32a32_float, 64, 64, 6));
    // Stripes across s, another constant on each level.
    texture.fill([](std::uint32_t level, auto, std::uint32_t x, auto) {
        return Rgba{static_cast<float>(x % 2), static_cast<float>(level) / 8, 0, 1};
    });
    texture.sampler.mip_filter = MipFilter::linear;
    texture.sampler.max_lod = 1000;
    use_linear(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    batch.slope(0.3F, 0.4F, 8.0F / 64, 0, 0, 1.0F / 64);
    texture.sampler.max_anisotropy = 8;
    batch.run(texture);
    EXPECT_NEAR(batch.colour()[0], 0.5, 0.02);  // eight texels of the first level
    EXPECT_EQ(batch.colour()[1], 0);
    EXPECT_GT(batch.blocks(0).size(), 4U);
    texture.sampler.max_anisotropy = 1;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[1], 3.0F / 8);
}

TEST(SampleAnisotropic, AnisotropicFiltersKeepConstantsForAnySlope) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 64, 64, 6));
    texture.fill([](auto, auto, auto, auto) { return Rgba{0.2F, 0.4F, 0.6F, 0.8F}; });
    texture.sampler.mip_filter = MipFilter::linear;
    texture.sampler.max_lod = 1000;
    texture.sampler.max_anisotropy = 16;
    use_linear(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    for (const float slope : {0.0F, 1e-6F, 0.01F, 0.5F, 3.0F, INFINITY}) {
        batch.slope(0.3F, 0.4F, slope, slope / 3, -slope / 50, slope / 70).run(texture);
        if (std::isfinite(slope)) expect_near(batch.colour(0), {0.2F, 0.4F, 0.6F, 0.8F}, 1e-5);
    }
}

}  // namespace
}  // namespace models::functional
