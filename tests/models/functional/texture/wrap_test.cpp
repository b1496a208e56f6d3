#include "models/functional/texture/wrap.h"

#include <gtest/gtest.h>

#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using kit::wrapped;

// Values of texels and of the border, so that results of filters can be compared however texels are named.
float value(int texel, int size) {
    return texel < 0 || texel >= size
               ? -3.0F
               : static_cast<float>(kit::noise(static_cast<std::uint32_t>(texel)) % 1000U) / 100.0F;
}

struct Case {
    Wrap wrap;
    int size;
    bool normalised;
    int offset;
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Wrap wrap : kit::all_wraps) {
        for (const int size : {1, 4, 7, 64, 100}) {
            cases.push_back({wrap, size, true, 0});
            cases.push_back({wrap, size, true, 3});
            if (wrap != Wrap::repeat && wrap != Wrap::mirror_repeat) cases.push_back({wrap, size, false, 0});
        }
    }
    return cases;
}

class WrapModes : public testing::TestWithParam<Case> {
  protected:
    AxisRule rule() const {
        const Case& c = GetParam();
        return {c.wrap, c.normalised, (c.size & (c.size - 1)) == 0, c.offset};
    }
    // Coordinates from -2.7 to 2.7 textures, none of them near a boundary between texels or half texels.
    std::vector<float> coordinates() const {
        std::vector<float> list;
        const int size = GetParam().size;
        for (int i = -27 * size; i < 27 * size; i += 1 + size / 16) {
            const double texels = (i + 0.37) / 10.0;
            list.push_back(static_cast<float>(GetParam().normalised ? texels / size : texels));
        }
        return list;
    }
    double texels(float coordinate) const {
        const Case& c = GetParam();
        const double shift = static_cast<double>(c.offset) / c.size;
        return kit::in_texels(c.wrap, (c.normalised ? coordinate : double{coordinate} / c.size) + shift, c.size);
    }
};

TEST_P(WrapModes, NearestIsTheSpecificationsTexel) {
    const Case& c = GetParam();
    for (const float coordinate : coordinates()) {
        int texel = 0;
        wrap_nearest(rule(), &coordinate, &c.size, 1, &texel);
        // The nearest filter never meets the border in the modes that clamp first.
        int expected = wrapped(c.wrap, static_cast<int>(std::floor(texels(coordinate))), c.size);
        if (c.wrap == Wrap::clamp || c.wrap == Wrap::mirror_clamp) expected = std::clamp(expected, 0, c.size - 1);
        EXPECT_EQ(value(texel, c.size), value(expected, c.size)) << coordinate;
    }
}

TEST_P(WrapModes, LinearFiltersAsTheSpecificationDoes) {
    const Case& c = GetParam();
    for (const float coordinate : coordinates()) {
        LinearAxis axis;
        wrap_linear(rule(), &coordinate, &c.size, 1, axis);
        const double position = texels(coordinate) - 0.5;
        const int first = static_cast<int>(std::floor(position));
        const auto fraction = static_cast<float>(position - first);
        const float expected = (1 - fraction) * value(wrapped(c.wrap, first, c.size), c.size) +
                               fraction * value(wrapped(c.wrap, first + 1, c.size), c.size);
        const float found =
            (1 - axis.weight[0]) * value(axis.first[0], c.size) + axis.weight[0] * value(axis.second[0], c.size);
        EXPECT_NEAR(found, expected, 0.01) << coordinate;
    }
}

TEST_P(WrapModes, GatherTakesTheLinearFiltersTexels) {
    const Case& c = GetParam();
    for (const float coordinate : coordinates()) {
        LinearAxis axis;
        wrap_gather(rule(), &coordinate, &c.size, 1, axis);
        const int first = static_cast<int>(std::floor(texels(coordinate) - 0.5));
        EXPECT_EQ(value(axis.first[0], c.size), value(wrapped(c.wrap, first, c.size), c.size)) << coordinate;
        EXPECT_EQ(value(axis.second[0], c.size), value(wrapped(c.wrap, first + 1, c.size), c.size)) << coordinate;
    }
}

TEST_P(WrapModes, ByteWeightsAreTheLinearOnesToEightBits) {
    const Case& c = GetParam();
    if (c.wrap != Wrap::repeat && c.wrap != Wrap::clamp_to_edge) return;  // never filtered in bytes
    for (const float coordinate : coordinates()) {
        LinearAxis exact;
        ByteAxis axis;
        wrap_linear(rule(), &coordinate, &c.size, 1, exact);
        wrap_linear_bytes(rule(), &coordinate, &c.size, 1, axis);
        const float weight = static_cast<float>(axis.weight[0]) / 256.0F;
        const float expected =
            (1 - exact.weight[0]) * value(exact.first[0], c.size) + exact.weight[0] * value(exact.second[0], c.size);
        const float found = (1 - weight) * value(axis.first[0], c.size) + weight * value(axis.second[0], c.size);
        EXPECT_NEAR(found, expected, 10.0 / 256) << coordinate;
    }
}

INSTANTIATE_TEST_SUITE_P(All, WrapModes, testing::ValuesIn(all_cases()), [](const auto& each) {
    return "mode" + std::to_string(static_cast<int>(each.param.wrap)) + "_size" + std::to_string(each.param.size) +
           (each.param.normalised ? "" : "_texels") + (each.param.offset != 0 ? "_offset" : "") + "_" +
           std::to_string(each.index);
});

TEST(Wrap, WildCoordinatesStayInTheTexture) {
    for (const float wild : {std::nanf(""), INFINITY, -INFINITY, 1e30F, -1e30F, 3e9F}) {
        for (const Wrap wrap : {Wrap::repeat, Wrap::clamp_to_edge, Wrap::mirror_repeat, Wrap::mirror_clamp_to_edge}) {
            for (const int size : {8, 100}) {
                const AxisRule rule{wrap, true, size == 8, 0};
                int texel = -1;
                LinearAxis axis, gathered;
                wrap_nearest(rule, &wild, &size, 1, &texel);
                wrap_linear(rule, &wild, &size, 1, axis);
                wrap_gather(rule, &wild, &size, 1, gathered);
                for (const int i : {texel, axis.first[0], axis.second[0], gathered.first[0], gathered.second[0]}) {
                    EXPECT_GE(i, 0);
                    EXPECT_LT(i, size);
                }
                EXPECT_TRUE(axis.weight[0] >= 0 && axis.weight[0] <= 1);
                if (wrap != Wrap::repeat && wrap != Wrap::clamp_to_edge) continue;
                ByteAxis bytes;
                wrap_linear_bytes(rule, &wild, &size, 1, bytes);
                EXPECT_TRUE(bytes.first[0] >= 0 && bytes.first[0] < size);
                EXPECT_TRUE(bytes.second[0] >= 0 && bytes.second[0] < size);
            }
        }
    }
}

}  // namespace
}  // namespace models::functional
