#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "models/functional/texture/sample_work.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

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
TEST(SampleFilters, AtTexelCentresEveryFormatReadsItsTexels) {
    for (const std::uint32_t number : {1U,  2U,  3U,  7U,  6U,  9U,  10U, 11U, 12U, 64U,  65U,  66U,  67U, 8U,
                                       16U, 17U, 18U, 19U, 20U, 31U, 51U, 94U, 95U, 100U, 104U, 124U, 125U}) {
        Texture texture(plane(static_cast<Format>(number), 8, 8));
        texture.fill_noise();
        for (const ImageFilter filter : {ImageFilter::nearest, ImageFilter::linear}) {
            texture.sampler.min_filter = texture.sampler.mag_filter = filter;
            for (std::uint32_t i = 0; i < 64; ++i) {
                Batch batch;
                const std::uint32_t x = i % 8, y = i / 8;
                batch.at((static_cast<float>(x) + 0.5F) / 8, (static_cast<float>(y) + 0.5F) / 8);
                SCOPED_TRACE(format_name(number));
                expect_near(batch.run(texture).colour(), texture.texel(0, 0, i % 8, i / 8),
                            number == 7 ? 0.74 / 255 : 1e-6);
            }
        }
    }
}

TEST(SampleFilters, CompressedTexelsAreDecoded) {
    for (const Format format : {Format::dxt1_rgba, Format::dxt3_rgba, Format::dxt5_rgba}) {
        Texture texture(plane(format, 16, 8));
        for (std::size_t i = 0; i < texture.resource().bytes().size(); ++i)
            texture.resource().bytes()[i] = static_cast<std::byte>(kit::noise(static_cast<std::uint32_t>(i)));
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

}  // namespace
}  // namespace models::functional
