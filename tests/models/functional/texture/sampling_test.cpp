#include "models/functional/texture/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

TEST(Samplings, ImplicitLodFollowsTheSlopes) {
    Texture texture(plane(Format::r32g32b32a32_float, 256, 256, 8));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    for (int i = 0; i < 26; ++i) {
        const float rho = 0.25F * std::pow(1.3F, static_cast<float>(i));
        for (const float angle : {0.0F, 0.6F, 1.3F}) {
            const float s = rho / 256 * std::cos(angle), t = rho / 256 * std::sin(angle);
            batch.slope(0.3F, 0.4F, s, t, -t * 0.5F, s * 0.5F).run(texture);
            const double lod = std::clamp(std::log2(static_cast<double>(rho)), 0.0, 8.0);
            for (int lane = 0; lane < batch_lanes; ++lane) ASSERT_NEAR(batch.colour(lane)[0] * 8, lod, 0.05);
        }
    }
}

TEST(Samplings, TrilinearMixesTwoBilinearLevels) {
    for (const Format format : {Format::r32g32b32a32_float, Format::b8g8r8a8_unorm}) {
        Texture texture(plane(format, 64, 64, 6)), single(plane(format, 64, 64, 6));
        texture.fill_noise();
        single.fill_noise();
        use_linear(texture);
        use_linear(single);
        texture.sampler.mip_filter = MipFilter::linear;
        texture.sampler.max_lod = single.sampler.max_lod = 1000;
        single.sampler.mip_filter = MipFilter::nearest;
        for (int i = 0; i < 100; ++i) {
            const float s = static_cast<float>(kit::noise(static_cast<std::uint32_t>(i), 7) % 997U) / 997;
            const float t = static_cast<float>(kit::noise(static_cast<std::uint32_t>(i), 9) % 997U) / 997;
            const float lod = static_cast<float>(i % 47) / 9;
            Batch both, low, high;
            std::fill_n(both.lod, batch_lanes, lod);
            std::fill_n(low.lod, batch_lanes, std::floor(lod));
            std::fill_n(high.lod, batch_lanes, std::floor(lod) + 1);
            const Rgba expected =
                mix(lod - std::floor(lod), low.at(s, t).run(single).colour(), high.at(s, t).run(single).colour());
            expect_near(both.at(s, t).run(texture).colour(), expected,
                        format == Format::b8g8r8a8_unorm ? 1.6 / 255 : 1e-6);
        }
    }
}

TEST(Samplings, BiasAndGradientsAndExplicitLods) {
    Texture texture(plane(Format::r32g32b32a32_float, 256, 256, 8));
    fill_levels(texture);
    Batch batch;
    batch.slope(0.3F, 0.4F, 4.0F / 256, 0, 0, 1.0F / 256);
    std::fill_n(batch.lod, batch_lanes, 1.5F);
    batch.request.operation = TextureOperation::sample_bias;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0] * 8, 3.5F);
    batch.request.operation = TextureOperation::sample_lod;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0] * 8, 1.5F);
    batch.request.operation = TextureOperation::sample_gradient;
    for (int lane = 0; lane < batch_lanes; ++lane) batch.ddy[1][lane] = std::ldexp(1.0F, lane / 16) / 256;
    batch.run(texture);
    for (int lane = 0; lane < batch_lanes; ++lane) {
        const int level = lane / 16;
        EXPECT_FLOAT_EQ(batch.colour(lane)[0] * 8, static_cast<float>(level));
    }
}

TEST(Samplings, TheMagnifyingFilterTakesOverAtLodZero) {
    Texture texture(plane(Format::r32g32b32a32_float, 4, 4));
    texture.fill_noise();
    texture.sampler.mag_filter = ImageFilter::linear;
    texture.sampler.max_lod = 1000;
    Batch batch;
    batch.at(0.45F, 0.6F);
    const Rgba near = texture.texel(0, 0, 1, 2);
    std::fill_n(batch.lod, batch_lanes, 0.5F);
    for (int lane = 32; lane < 64; ++lane) batch.lod[lane] = -0.5F;
    batch.run(texture);
    EXPECT_EQ(batch.colour(0), near);
    EXPECT_NE(batch.colour(40), near);
    texture.sampler.min_filter = ImageFilter::linear;
    Batch linear;
    expect_near(batch.colour(40), linear.at(0.45F, 0.6F).run(texture).colour(), 1e-6);
}

TEST(Samplings, LanesWithoutNeighboursReadLevelZero) {
    Texture texture(plane(Format::r32g32b32a32_float, 256, 256, 8));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    batch.slope(0.3F, 0.4F, 0.2F, 0, 0, 0.2F).run(texture, LaneGrouping::lanes);
    EXPECT_EQ(batch.colour(0)[0], 0);
    batch.run(texture, LaneGrouping::quads);
    EXPECT_GT(batch.colour(0)[0], 0.5F);
}

TEST(Samplings, CubesReadTheFaceInTheDirection) {
    Texture texture(
        {.target = ResourceTarget::cube, .format = Format::r8g8b8a8_unorm, .width = 4, .height = 4, .array_size = 6});
    texture.fill([](auto, std::uint32_t layer, auto, auto) { return Rgba{static_cast<float>(layer) / 5, 0, 0, 1}; });
    Batch batch;
    batch.request.target = TextureTarget::cube;
    const float directions[6][3] = {{3, 1, -1}, {-3, 1, -1}, {1, 3, -1}, {1, -3, 1}, {1, -1, 3}, {1, 1, -3}};
    for (int face = 0; face < 6; ++face) {
        for (const bool linear : {false, true}) {
            if (linear) use_linear(texture);
            const float* d = directions[face];
            EXPECT_FLOAT_EQ(batch.at(d[0], d[1], d[2]).run(texture).colour()[0], static_cast<float>(face) / 5);
        }
    }
}

TEST(Samplings, SeamlessCubesAreContinuousOverEdgesAndCorners) {
    Texture texture({.target = ResourceTarget::cube,
                     .format = Format::r32g32b32a32_float,
                     .width = 4,
                     .height = 4,
                     .array_size = 6});
    texture.fill_noise();
    use_linear(texture);
    texture.sampler.seamless_cube = true;
    const auto look = [&](float x, float y, float z) {
        Batch batch;
        batch.request.target = TextureTarget::cube;
        return batch.at(x, y, z).run(texture).colour();
    };
    constexpr float e = 1e-5F;
    for (int i = -7; i <= 7; ++i) {
        const float a = static_cast<float>(i) / 10;
        for (const float p : {-1.0F, 1.0F}) {
            for (const float q : {-1.0F, 1.0F}) {
                expect_near(look(p, q * (1 - e), a), look(p * (1 - e), q, a), 1e-3);
                expect_near(look(p, a, q * (1 - e)), look(p * (1 - e), a, q), 1e-3);
                expect_near(look(a, p, q * (1 - e)), look(a, p * (1 - e), q), 1e-3);
            }
        }
    }
    // In a corner: the mean of the three texels that meet.
    const Rgba x = texture.texel(0, 0, 0, 0), y = texture.texel(0, 2, 3, 3), z = texture.texel(0, 4, 3, 0);
    Rgba mean;
    for (std::size_t c = 0; c < 4; ++c) mean[c] = (x[c] + y[c] + z[c]) / 3;
    expect_near(look(1, 1, 1), mean, 1e-5);
    expect_near(look(1, 1 - e, 1 - 2 * e), mean, 1e-3);
}

TEST(Samplings, VolumesAreFilteredInThreeDimensions) {
    for (const Format format : {Format::r32g32b32a32_float, Format::r8g8b8a8_unorm}) {
        Texture texture({.target = ResourceTarget::t3d, .format = format, .width = 4, .height = 4, .depth = 4});
        texture.fill_noise();
        use_linear(texture);
        Batch batch;
        batch.request.target = TextureTarget::t3d;
        batch.at(0.5F, 0.4F, 0.65F).run(texture);  // texels 1.5, 1.1, 2.1
        Rgba expected{};
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t x = i & 1U, y = (i >> 1) & 1U, z = i >> 2;
            const float weight = 0.5F * (y != 0 ? 0.1F : 0.9F) * (z != 0 ? 0.1F : 0.9F);
            const Rgba texel = texture.texel(0, 2 + z, 1 + x, 1 + y);
            for (std::size_t c = 0; c < 4; ++c) expected[c] += weight * texel[c];
        }
        expect_near(batch.colour(), expected, format == Format::r8g8b8a8_unorm ? 2.5 / 255 : 1e-5);
    }
}

TEST(Samplings, ArraysRoundAndClampTheLayer) {
    Texture texture({.target = ResourceTarget::t2d_array,
                     .format = Format::r8g8b8a8_unorm,
                     .width = 4,
                     .height = 4,
                     .array_size = 5});
    texture.fill(
        [](auto, std::uint32_t layer, auto, auto) { return Rgba{static_cast<float>(layer) * 10 / 255, 0, 0, 1}; });
    Batch batch;
    batch.request.target = TextureTarget::t2d_array;
    for (const auto& [r, layer] : {std::pair{0.4F, 0}, {0.6F, 1}, {3.0F, 3}, {9.0F, 4}, {-2.0F, 0}})
        EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, r).run(texture).colour()[0], static_cast<float>(layer) * 10 / 255) << r;
    texture.view.first_layer = 2;  // a view of three layers
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, 1).run(texture).colour()[0], 30.0F / 255);
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, 9).run(texture).colour()[0], 40.0F / 255);
    texture.view.target = ResourceTarget::t2d;
    texture.view.last_layer = 2;
    batch.request.target = TextureTarget::t2d;
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F).run(texture).colour()[0], 20.0F / 255);
}

TEST(Samplings, RectanglesTakeCoordinatesInTexels) {
    Texture texture({.target = ResourceTarget::rect, .format = Format::r8g8b8a8_unorm, .width = 5, .height = 3});
    texture.fill_noise();
    texture.sampler.wrap_s = texture.sampler.wrap_t = Wrap::clamp_to_edge;
    Batch batch;
    batch.request.target = TextureTarget::rect;
    EXPECT_EQ(batch.at(3.2F, 1.9F).run(texture).colour(), texture.texel(0, 0, 3, 1));
    EXPECT_EQ(batch.at(30, -2).run(texture).colour(), texture.texel(0, 0, 4, 0));
    texture.sampler.wrap_s = Wrap::repeat;
    EXPECT_THROW(batch.run(texture), engine::InputError);
}

TEST(Samplings, SwizzlesPickComponentsAndConstants) {
    for (const Format format : {Format::r8g8b8a8_unorm, Format::r16g16b16a16_float, Format::b5g6r5_unorm}) {
        Texture texture(plane(format, 1, 1));
        texture.fill([](auto, auto, auto, auto) { return Rgba{1, 0, 1, 0}; });
        texture.view.swizzle[0] = Swizzle::y;
        texture.view.swizzle[1] = Swizzle::x;
        texture.view.swizzle[2] = Swizzle::zero;
        texture.view.swizzle[3] = Swizzle::one;
        Batch batch;
        EXPECT_EQ(batch.at(0.5F, 0.5F).run(texture).colour(), (Rgba{0, 1, 0, 1})) << format_name(format);
    }
}

TEST(Samplings, ShortChannelsRepeatTheirBitsInBytes) {
    Texture texture(plane(Format::b5g6r5_unorm, 1, 1));
    const std::uint16_t texel = 3U << 11 | 15U << 5 | 28U;
    std::memcpy(texture.resource().bytes().data(), &texel, 2);
    Batch batch;
    const Rgba colour = batch.at(0.5F, 0.5F).run(texture).colour();
    EXPECT_FLOAT_EQ(colour[0], 24.0F / 255) << "not 24.7";
    EXPECT_FLOAT_EQ(colour[1], 60.0F / 255) << "not 60.7";
    EXPECT_FLOAT_EQ(colour[2], 231.0F / 255) << "not 230.3";
}

TEST(Samplings, IntegersKeepTheirBits) {
    Texture texture(plane(Format::r32g32b32a32_uint, 1, 1));
    const std::uint32_t words[4] = {1, 0x80000000U, 0x7f800001U, 4};
    std::memcpy(texture.resource().bytes().data(), words, 16);
    Batch batch;
    batch.at(0.5F, 0.5F).run(texture);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(std::bit_cast<std::uint32_t>(batch.colour()[c]), words[c]);
    texture.view.swizzle[3] = Swizzle::one;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(batch.run(texture).colour()[3]), 1U);
}

TEST(Samplings, ViewsMayReadBytesAsSrgb) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{0.5F, 1, 0, 0.5F}; });
    texture.view.format = Format::r8g8b8a8_srgb;
    Batch batch;
    expect_near(batch.at(0.5F, 0.5F).run(texture).colour(), {0.21586F, 1, 0, 128.0F / 255}, 1e-5);
}

}  // namespace
}  // namespace models::functional
