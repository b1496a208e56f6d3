#include "models/functional/texture/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using kit::Batch, kit::bits, kit::Rgba, kit::Texture, kit::wrapped;

ResourceDescription plane(Format format, std::uint32_t width, std::uint32_t height, std::uint32_t last_level = 0) {
    return {
        .target = ResourceTarget::t2d, .format = format, .width = width, .height = height, .last_level = last_level};
}

void use_linear(Texture& texture) {
    texture.sampler.min_filter = texture.sampler.mag_filter = ImageFilter::linear;
}

void expect_near(const Rgba& found, const Rgba& expected, double tolerance) {
    for (std::size_t c = 0; c < 4; ++c) ASSERT_NEAR(found[c], expected[c], tolerance) << "component " << c;
}

Rgba mix(float weight, const Rgba& a, const Rgba& b) {
    Rgba result;
    for (std::size_t c = 0; c < 4; ++c) result[c] = a[c] + weight * (b[c] - a[c]);
    return result;
}

// ---- image filters against the specification

struct FilterCase {
    Format format;
    Wrap wrap_s, wrap_t;
};

class Filters : public testing::TestWithParam<FilterCase> {
  protected:
    static constexpr int width = 20, height = 16;
    Filters() : texture_(plane(GetParam().format, width, height)) {
        texture_.fill_noise();
        texture_.sampler.wrap_s = GetParam().wrap_s;
        texture_.sampler.wrap_t = GetParam().wrap_t;
        const float border[4] = {0.9F, 0.1F, 0.6F, 0.3F};
        std::copy_n(border, 4, texture_.sampler.border_colour);
    }
    Rgba texel(int x, int y) {
        const bool border = x < 0 || y < 0 || x >= width || y >= height;
        if (border) return {0.9F, 0.1F, 0.6F, 0.3F};
        return texture_.texel(0, 0, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    }
    // Points over the texture and around it, away from the boundaries where rounding decides.
    void for_each_point(const std::function<void(float, float)>& visit) {
        for (int i = 0; i < 600; ++i) {
            const double u =
                (static_cast<int>(kit::noise(static_cast<std::uint32_t>(i), 1) % 1000U) - 500) / 10.0 + 0.037;
            const double v =
                (static_cast<int>(kit::noise(static_cast<std::uint32_t>(i), 2) % 1000U) - 500) / 10.0 + 0.041;
            visit(static_cast<float>(u / width), static_cast<float>(v / height));
        }
    }
    Texture texture_;
};

TEST_P(Filters, NearestReadsTheTexelUnderThePoint) {
    Batch batch;
    for_each_point([&](float s, float t) {
        const auto texel_at = [](Wrap wrap, float coordinate, int size) {
            return wrapped(wrap, static_cast<int>(std::floor(kit::in_texels(wrap, coordinate, size))), size);
        };
        int x = texel_at(GetParam().wrap_s, s, width), y = texel_at(GetParam().wrap_t, t, height);
        const auto clamps = [](Wrap wrap) { return wrap == Wrap::clamp || wrap == Wrap::mirror_clamp; };
        if (clamps(GetParam().wrap_s)) x = std::clamp(x, 0, width - 1);
        if (clamps(GetParam().wrap_t)) y = std::clamp(y, 0, height - 1);
        expect_near(batch.at(s, t).run(texture_).colour(), texel(x, y), 1e-6);
    });
}

TEST_P(Filters, LinearMixesFourTexels) {
    use_linear(texture_);
    Batch batch;
    const double tolerance = GetParam().format == Format::r32g32b32a32_float ? 1e-4 : 3.0 / 255;
    for_each_point([&](float s, float t) {
        const double u = kit::in_texels(GetParam().wrap_s, s, width) - 0.5;
        const double v = kit::in_texels(GetParam().wrap_t, t, height) - 0.5;
        const int x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
        const auto at = [&](int i, int j) {
            return texel(wrapped(GetParam().wrap_s, i, width), wrapped(GetParam().wrap_t, j, height));
        };
        const auto fx = static_cast<float>(u - x), fy = static_cast<float>(v - y);
        const Rgba expected = mix(fy, mix(fx, at(x, y), at(x + 1, y)), mix(fx, at(x, y + 1), at(x + 1, y + 1)));
        expect_near(batch.at(s, t).run(texture_).colour(), expected, tolerance);
    });
}

std::vector<FilterCase> filter_cases() {
    std::vector<FilterCase> cases;
    for (const Format format : {Format::r8g8b8a8_unorm, Format::r32g32b32a32_float}) {
        for (const Wrap wrap : kit::all_wraps) {
            cases.push_back({format, wrap, Wrap::clamp_to_edge});
            cases.push_back({format, Wrap::repeat, wrap});
        }
    }
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Filters, testing::ValuesIn(filter_cases()), [](const auto& each) {
    return format_name(each.param.format) + "_" + std::to_string(static_cast<int>(each.param.wrap_s)) + "_" +
           std::to_string(static_cast<int>(each.param.wrap_t)) + "_" + std::to_string(each.index);
});

// Formats of every way to read texels, at texel centres, where filters must not change them.
TEST(TextureUnit, AtTexelCentresEveryFormatReadsItsTexels) {
    for (const std::uint32_t number : {1U,  2U,  3U,  7U,  6U,  9U,  10U, 11U, 12U, 64U,  65U,  66U,  67U, 8U,
                                       16U, 17U, 18U, 19U, 20U, 31U, 51U, 94U, 95U, 100U, 104U, 124U, 125U}) {
        Texture texture(plane(static_cast<Format>(number), 8, 8));
        texture.fill_noise();
        for (const ImageFilter filter : {ImageFilter::nearest, ImageFilter::linear}) {
            texture.sampler.min_filter = texture.sampler.mag_filter = filter;
            for (std::uint32_t i = 0; i < 64; ++i) {
                Batch batch;
                batch.at((static_cast<float>(i % 8) + 0.5F) / 8, (static_cast<float>(i / 8) + 0.5F) / 8);
                SCOPED_TRACE(format_name(number));
                expect_near(batch.run(texture).colour(), texture.texel(0, 0, i % 8, i / 8),
                            number == 7 || number == 6 ? 0.5 / 255 : 1e-6);
            }
        }
    }
}

TEST(TextureUnit, CompressedTexelsAreDecoded) {
    for (const Format format : {Format::dxt1_rgba, Format::dxt3_rgba, Format::dxt5_rgba}) {
        Texture texture(plane(format, 16, 8));
        for (std::size_t i = 0; i < texture.resource().bytes().size(); ++i) {
            texture.resource().bytes()[i] = static_cast<std::byte>(kit::noise(static_cast<std::uint32_t>(i)));
        }
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 16; ++x) {
                const Resource::Level& level = texture.resource().level(0);
                const auto block = static_cast<std::size_t>(y / 4) * level.row_bytes +
                                   static_cast<std::size_t>(x / 4) * texture.resource().format().block_bytes;
                float texels[16][4];
                decode_block(texture.resource().format(), texture.resource().bytes().data() + block, texels);
                const float* expected = texels[(y % 4) * 4 + x % 4];
                Batch batch;
                batch.at((static_cast<float>(x) + 0.5F) / 16, (static_cast<float>(y) + 0.5F) / 8).run(texture);
                expect_near(batch.colour(), {expected[0], expected[1], expected[2], expected[3]}, 1e-6);
            }
        }
    }
}

// ---- levels of detail

// Level n is of the colour n / 8.
void fill_levels(Texture& texture) {
    texture.fill([](std::uint32_t level, auto, auto, auto) {
        const float v = static_cast<float>(level) / 8;
        return Rgba{v, v, v, v};
    });
    texture.sampler.mip_filter = MipFilter::linear;
    texture.sampler.max_lod = 1000;
    use_linear(texture);
}

TEST(TextureUnit, ImplicitLodFollowsTheSlopes) {
    Texture texture(plane(Format::r32g32b32a32_float, 256, 256, 8));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    for (float rho = 0.25F; rho < 200; rho *= 1.3F) {
        for (const float angle : {0.0F, 0.6F, 1.3F}) {
            const float s = rho / 256 * std::cos(angle), t = rho / 256 * std::sin(angle);
            batch.slope(0.3F, 0.4F, s, t, -t * 0.5F, s * 0.5F).run(texture);
            const double lod = std::clamp(std::log2(static_cast<double>(rho)), 0.0, 8.0);
            for (int lane = 0; lane < batch_lanes; ++lane) ASSERT_NEAR(batch.colour(lane)[0] * 8, lod, 0.05);
        }
    }
}

TEST(TextureUnit, TrilinearMixesTwoBilinearLevels) {
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

TEST(TextureUnit, BiasAndGradientsAndExplicitLods) {
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
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_FLOAT_EQ(batch.colour(lane)[0] * 8, static_cast<float>(lane / 16));
}

TEST(TextureUnit, TheMagnifyingFilterTakesOverAtLodZero) {
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

TEST(TextureUnit, LanesWithoutNeighboursReadLevelZero) {
    Texture texture(plane(Format::r32g32b32a32_float, 256, 256, 8));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::sample;
    batch.slope(0.3F, 0.4F, 0.2F, 0, 0, 0.2F).run(texture, LaneGrouping::lanes);
    EXPECT_EQ(batch.colour(0)[0], 0);
    batch.run(texture, LaneGrouping::quads);
    EXPECT_GT(batch.colour(0)[0], 0.5F);
}

// ---- other kinds of textures

TEST(TextureUnit, CubesReadTheFaceInTheDirection) {
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

TEST(TextureUnit, SeamlessCubesAreContinuousOverEdgesAndCorners) {
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
    for (float a = -0.7F; a < 0.75F; a += 0.1F) {
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

TEST(TextureUnit, VolumesAreFilteredInThreeDimensions) {
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

TEST(TextureUnit, ArraysRoundAndClampTheLayer) {
    Texture texture({.target = ResourceTarget::t2d_array,
                     .format = Format::r8g8b8a8_unorm,
                     .width = 4,
                     .height = 4,
                     .array_size = 5});
    texture.fill([](auto, std::uint32_t layer, auto, auto) {
        return Rgba{static_cast<float>(layer) * 10 / 255, 0, 0, 1};
    });
    Batch batch;
    batch.request.target = TextureTarget::t2d_array;
    for (const auto& [r, layer] : {std::pair{0.4F, 0}, {0.6F, 1}, {3.0F, 3}, {9.0F, 4}, {-2.0F, 0}}) {
        EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, r).run(texture).colour()[0], static_cast<float>(layer) * 10 / 255) << r;
    }
    texture.view.first_layer = 2;  // a view of three layers
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, 1).run(texture).colour()[0], 30.0F / 255);
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F, 9).run(texture).colour()[0], 40.0F / 255);
    texture.view.target = ResourceTarget::t2d;
    texture.view.last_layer = 2;
    batch.request.target = TextureTarget::t2d;
    EXPECT_FLOAT_EQ(batch.at(0.5F, 0.5F).run(texture).colour()[0], 20.0F / 255);
}

TEST(TextureUnit, RectanglesTakeCoordinatesInTexels) {
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

// ---- comparison, fetch, gather, queries

TEST(TextureUnit, ShadowsCompareBeforeTheyFilter) {
    Texture texture(plane(Format::z32_float, 2, 1));
    texture.fill([](auto, auto, std::uint32_t x, auto) { return Rgba{x == 0 ? 0.25F : 0.75F, 0, 0, 1}; });
    texture.sampler.compare = true;
    texture.sampler.compare_function = CompareFunction::lequal;
    texture.sampler.wrap_s = texture.sampler.wrap_t = Wrap::clamp_to_edge;
    Batch batch;
    batch.request.target = TextureTarget::shadow2d;
    batch.request.reference = batch.reference;
    std::fill_n(batch.reference, batch_lanes, 0.5F);
    EXPECT_EQ(batch.at(0.25F, 0.5F).run(texture).colour(), (Rgba{0, 0, 0, 0}));
    EXPECT_EQ(batch.at(0.75F, 0.5F).run(texture).colour(), (Rgba{1, 1, 1, 1}));
    use_linear(texture);
    EXPECT_FLOAT_EQ(batch.at(0.6F, 0.5F).run(texture).colour()[0], 0.7F);
    texture.sampler.compare_function = CompareFunction::greater;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0], 0.3F);
    batch.request.reference = nullptr;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0], 0.6F);
}

TEST(TextureUnit, ReferencesOfNormalisedDepthAreClamped) {
    Texture texture(plane(Format::z16_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{1, 0, 0, 1}; });
    texture.sampler.compare = true;
    texture.sampler.compare_function = CompareFunction::lequal;
    Batch batch;
    batch.request.target = TextureTarget::shadow2d;
    batch.request.reference = batch.reference;
    std::fill_n(batch.reference, batch_lanes, 1.5F);
    EXPECT_EQ(batch.at(0.5F, 0.5F).run(texture).colour()[0], 1);
}

TEST(TextureUnit, FetchesReadOneTexelOrNothing) {
    Texture texture(plane(Format::r8g8b8x8_unorm, 8, 4, 3));
    texture.fill_noise();
    Batch batch;
    batch.request.operation = TextureOperation::fetch;
    const auto fetch = [&](int x, int y, int lod) {
        std::fill_n(batch.lod, batch_lanes, bits(lod));
        return batch.at(bits(x), bits(y)).run(texture).colour();
    };
    EXPECT_EQ(fetch(7, 3, 0), texture.texel(0, 0, 7, 3));
    EXPECT_EQ(fetch(1, 1, 1), texture.texel(1, 0, 1, 1));
    const Rgba nothing = {0, 0, 0, 1};
    EXPECT_EQ(fetch(8, 0, 0), nothing);
    EXPECT_EQ(fetch(-1, 0, 0), nothing);
    EXPECT_EQ(fetch(0, 4, 0), nothing);
    EXPECT_EQ(fetch(0, 0, 4), nothing);
    EXPECT_EQ(fetch(0, 0, -1), nothing);
    EXPECT_TRUE(batch.footprint.blocks.empty());
    batch.request.offset[0] = 2;
    batch.request.offset[1] = -1;
    EXPECT_EQ(fetch(1, 3, 0), texture.texel(0, 0, 3, 2));
}

TEST(TextureUnit, BuffersAreFetchedByElement) {
    Texture texture({.target = ResourceTarget::buffer, .format = Format::r8_unorm, .width = 64});
    for (std::size_t i = 0; i < 64; ++i) texture.resource().bytes()[i] = static_cast<std::byte>(i);
    texture.view.format = Format::r8g8b8a8_unorm;
    texture.view.first_element = 2;
    texture.view.last_element = 9;
    Batch batch;
    batch.request.operation = TextureOperation::fetch;
    batch.request.target = TextureTarget::buffer;
    batch.request.lod = nullptr;
    EXPECT_FLOAT_EQ(batch.at(bits(3)).run(texture).colour()[0], 20.0F / 255);
    EXPECT_EQ(batch.at(bits(8)).run(texture).colour(), (Rgba{0, 0, 0, 0}));
    batch.request.operation = TextureOperation::size_query;
    EXPECT_EQ(std::bit_cast<int>(batch.run(texture).colour()[0]), 8);
    texture.view.last_element = 16;
    EXPECT_THROW(batch.run(texture), engine::InputError);
}

TEST(TextureUnit, GathersGoRoundFromTheLowerLeft) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 8, 8));
    texture.fill_noise();
    Batch batch;
    batch.request.operation = TextureOperation::gather;
    batch.request.gather_component = 2;
    batch.at(0.5F, 0.25F).run(texture);  // texels (3, 1) to (4, 2)
    EXPECT_EQ(batch.colour(), (Rgba{texture.texel(0, 0, 3, 2)[2], texture.texel(0, 0, 4, 2)[2],
                                    texture.texel(0, 0, 4, 1)[2], texture.texel(0, 0, 3, 1)[2]}));
    texture.view.swizzle[2] = Swizzle::one;
    EXPECT_EQ(batch.run(texture).colour(), (Rgba{1, 1, 1, 1}));
}

TEST(TextureUnit, SizesAreThoseOfTheLevel) {
    Texture array({.target = ResourceTarget::t2d_array,
                   .format = Format::r8_unorm,
                   .width = 16,
                   .height = 8,
                   .array_size = 5,
                   .last_level = 4});
    Batch batch;
    batch.request.operation = TextureOperation::size_query;
    batch.request.target = TextureTarget::t2d_array;
    const auto sizes = [&](const Texture& texture, int lod) {
        std::fill_n(batch.lod, batch_lanes, bits(lod));
        const Rgba colour = batch.run(texture).colour();
        std::array<int, 4> result{};
        for (std::size_t c = 0; c < 4; ++c) result[c] = std::bit_cast<int>(colour[c]);
        return result;
    };
    EXPECT_EQ(sizes(array, 1), (std::array{8, 4, 5, 5}));
    EXPECT_EQ(sizes(array, 5), (std::array{0, 0, 0, 5}));
    array.view.first_level = 1;
    EXPECT_EQ(sizes(array, 1), (std::array{4, 2, 5, 4}));
    const Texture volume(
        {.target = ResourceTarget::t3d, .format = Format::r8_unorm, .width = 16, .height = 8, .depth = 4});
    batch.request.target = TextureTarget::t3d;
    EXPECT_EQ(sizes(volume, 0), (std::array{16, 8, 4, 1}));
    const Texture cubes(
        {.target = ResourceTarget::cube_array, .format = Format::r8_unorm, .width = 4, .height = 4, .array_size = 12});
    batch.request.target = TextureTarget::cube_array;
    EXPECT_EQ(sizes(cubes, 0), (std::array{4, 4, 2, 1}));
}

TEST(TextureUnit, LodQueriesTellTheLevelAndTheRawLod) {
    Texture texture(plane(Format::r8_unorm, 256, 256, 3));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::lod_query;
    batch.slope(0.3F, 0.4F, 64.0F / 256, 0, 0, 1.0F / 256).run(texture);
    EXPECT_EQ(batch.colour(), (Rgba{3, 6, 0, 0}));
    batch.slope(0.3F, 0.4F, 0.5F / 256, 0, 0, 0.25F / 256).run(texture);
    EXPECT_EQ(batch.colour(), (Rgba{0, -1, 0, 0}));
}

// ---- views

TEST(TextureUnit, SwizzlesPickComponentsAndConstants) {
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

TEST(TextureUnit, IntegersKeepTheirBits) {
    Texture texture(plane(Format::r32g32b32a32_uint, 1, 1));
    const std::uint32_t words[4] = {1, 0x80000000U, 0x7f800001U, 4};
    std::memcpy(texture.resource().bytes().data(), words, 16);
    Batch batch;
    batch.at(0.5F, 0.5F).run(texture);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(std::bit_cast<std::uint32_t>(batch.colour()[c]), words[c]);
    texture.view.swizzle[3] = Swizzle::one;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(batch.run(texture).colour()[3]), 1U);
}

TEST(TextureUnit, ViewsMayReadBytesAsSrgb) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{0.5F, 1, 0, 0.5F}; });
    texture.view.format = Format::r8g8b8a8_srgb;
    Batch batch;
    expect_near(batch.at(0.5F, 0.5F).run(texture).colour(), {0.21586F, 1, 0, 128.0F / 255}, 1e-5);
}

TEST(TextureUnit, AUnitWithoutTextureIsBlack) {
    const TextureBindings bindings;
    TextureUnit unit;
    Footprint footprint;
    unit.begin(bindings, LaneGrouping::quads, &footprint);
    Batch batch;
    unit.sample(batch.request, batch.result);
    EXPECT_EQ(batch.colour(63), (Rgba{0, 0, 0, 1}));
    ASSERT_EQ(footprint.entries.size(), 1U);
    EXPECT_EQ(footprint.entries[0].count[0], 0);
}

void expect_refusal(Texture& texture, const std::string& reason) {
    TextureBindings bindings;
    try {
        bindings.bind(3, texture.view, texture.sampler);
        FAIL() << reason;
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    }
}

TEST(TextureUnit, ViewsThatDoNotFitAreRefused) {
    const auto with = [](const std::function<void(SamplerView&)>& change, const std::string& reason) {
        Texture texture({.target = ResourceTarget::t2d_array,
                         .format = Format::r8g8b8a8_unorm,
                         .width = 8,
                         .height = 8,
                         .array_size = 4});
        change(texture.view);
        expect_refusal(texture, reason);
    };
    with([](SamplerView& v) { v.format = static_cast<Format>(226); }, "ETC1_RGB8");
    with([](SamplerView& v) { v.format = Format::r8_unorm; }, "R8G8B8A8_UNORM");
    with([](SamplerView& v) { v.last_level = 1; }, "levels 0 to 1 of 1");
    with([](SamplerView& v) { v.last_layer = 4; }, "layers 0 to 4 of 4");
    with([](SamplerView& v) { v.target = ResourceTarget::cube; }, "cube of 4 faces");
    with([](SamplerView& v) { v.target = ResourceTarget::t3d; }, "3D");
    with([](SamplerView& v) { v.target = ResourceTarget::buffer; }, "buffer");
}

TEST(TextureUnit, ProgramsMustMeanTheKindOfTextureThatIsBound) {
    Texture texture(plane(Format::r8_unorm, 4, 4));
    Batch batch;
    batch.request.target = TextureTarget::cube;
    try {
        batch.run(texture);
        FAIL();
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("samples a cube texture on unit 0, which holds a 2D texture"));
    }
}

// ---- lanes and footprints

TEST(TextureUnit, OnlyQuadsWithAnActiveLaneAreWritten) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{1, 1, 1, 1}; });
    Batch batch;
    batch.request.active = 0b0000'0010'0000;
    batch.at(0.5F, 0.5F).run(texture);
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(batch.colour(lane)[0], lane >= 4 && lane < 8 ? 1 : 0) << lane;
}

// All texels of the filters, straight from the definition.
TEST(TextureUnit, FootprintsAreTheBlocksOfTheFilteredTexels) {
    for (const Format format :
         {Format::r8g8b8a8_unorm, Format::r8_unorm, Format::r32g32b32a32_float, Format::dxt1_rgb}) {
        Texture texture(plane(format, 64, 32, 5));
        use_linear(texture);
        texture.sampler.mip_filter = MipFilter::linear;
        texture.sampler.max_lod = 1000;
        Batch batch;
        batch.request.active = 0xfedcba9876543210ULL;
        for (std::uint32_t lane = 0; lane < batch_lanes; ++lane) {
            batch.coordinates[0][lane] = (static_cast<float>(kit::noise(lane, 1) % 2048U) + 0.3F) / 1024 - 0.5F;
            batch.coordinates[1][lane] = (static_cast<float>(kit::noise(lane, 2) % 2048U) + 0.3F) / 1024 - 0.5F;
            batch.lod[lane] = static_cast<float>(lane % 8) / 2;
        }
        batch.run(texture);
        for (int quad = 0; quad < batch_quads; ++quad) {
            std::vector<BlockNumber> expected;
            for (int lane = 4 * quad; lane < 4 * quad + 4; ++lane) {
                if (((batch.request.active >> lane) & 1U) == 0) continue;
                const auto low = static_cast<std::uint32_t>(batch.lod[lane]);
                const bool two = batch.lod[lane] > static_cast<float>(low);
                for (std::uint32_t number = low; number <= low + (two ? 1 : 0); ++number) {
                    const Resource::Level& level = texture.resource().level(number);
                    const int w = static_cast<int>(level.width), h = static_cast<int>(level.height);
                    const int x = static_cast<int>(std::floor(double{batch.coordinates[0][lane]} * w - 0.5));
                    const int y = static_cast<int>(std::floor(double{batch.coordinates[1][lane]} * h - 0.5));
                    for (int j = y; j <= y + 1; ++j) {
                        for (int i = x; i <= x + 1; ++i) {
                            const Address address =
                                level.address +
                                level.layout.offset(static_cast<std::uint32_t>(wrapped(Wrap::repeat, i, w)),
                                                    static_cast<std::uint32_t>(wrapped(Wrap::repeat, j, h)));
                            const auto block = static_cast<BlockNumber>(address / 64);
                            if (std::find(expected.begin(), expected.end(), block) == expected.end())
                                expected.push_back(block);
                        }
                    }
                }
            }
            ASSERT_EQ(batch.blocks(quad), expected) << format_name(format) << " quad " << quad;
        }
    }
}

TEST(TextureUnit, VertexFootprintsAreThoseOfSingleLanes) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 64, 64));
    Batch batch;
    batch.request.instruction = 17;
    batch.request.active = 0b1011;
    for (int lane = 0; lane < 4; ++lane) batch.coordinates[0][lane] = static_cast<float>(lane) * 4.5F / 64;
    batch.run(texture, LaneGrouping::lanes);
    EXPECT_EQ(batch.footprint.entries.back().instruction, 17);
    for (int lane = 0; lane < 4; ++lane) {
        const std::size_t expected = lane == 2 ? 0 : 1;
        ASSERT_EQ(batch.blocks(lane).size(), expected);
    }
    EXPECT_NE(batch.blocks(0), batch.blocks(1));
}

TEST(TextureUnit, BordersTouchNoMemory) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 8, 8));
    texture.sampler.wrap_s = texture.sampler.wrap_t = Wrap::clamp_to_border;
    use_linear(texture);
    Batch batch;
    batch.at(3, 3).run(texture);
    EXPECT_TRUE(batch.blocks(0).empty());
    batch.at(0, 0).run(texture);
    EXPECT_EQ(batch.blocks(0).size(), 1U);
}

// ---- anisotropic filters

TEST(TextureUnit, AnisotropicFiltersAverageAlongTheLongerAxis) {
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

TEST(TextureUnit, AnisotropicFiltersKeepConstantsForAnySlope) {
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
