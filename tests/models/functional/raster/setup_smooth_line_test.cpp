#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/raster/interpolate.h"
#include "models/functional/raster/setup.h"
#include "tests/models/functional/raster/reference.h"

namespace models::functional {

namespace ref = reference;

namespace {

using Window = std::array<float, 4>;
using Shares = std::map<ref::Pixel, float>;

SetupRules line_rules(float width = 1) {
    SetupRules rules;
    rules.region = {0, 0, 63, 63};
    rules.line_width = width;
    return rules;
}

PrimitivePlanes planes_of(const Window (&ends)[2], const InterpolationBasis& basis) {
    VertexArray vertices(0, 0);
    vertices.resize(2);
    for (std::uint32_t i = 0; i < 2; ++i) std::copy(ends[i].begin(), ends[i].end(), vertices.window(i));
    ClippedPrimitive half;
    for (int i = 0; i < 3; ++i) half.vertex[i] = smooth_line_corners[basis.smooth.second ? 1 : 0][i] / 2;
    const VertexArray none(0, 0);
    return make_planes(PrimitiveKind::triangle, half, {vertices, none}, basis, {}, nullptr);
}

// What share of each pixel a smooth line covers. No pixel may be drawn twice.
Shares shares(const Window& v0, const Window& v1, const SetupRules& rules = line_rules()) {
    Shares result;
    for (const bool second : {false, true}) {
        RasterPrimitive primitive;
        InterpolationBasis basis;
        if (setup_smooth_line(v0.data(), v1.data(), second, rules, primitive, basis) != SetupOutcome::visible) continue;
        const PrimitivePlanes planes = planes_of({v0, v1}, basis);
        for (const auto& [x, y] : ref::rasterised_once(primitive)) {
            const BatchQuad quad = {&planes, x & ~1, y & ~1};
            float coverage[4];
            interpolate_line_coverage({&quad, 1}, coverage);
            EXPECT_TRUE(result.emplace(ref::Pixel{x, y}, coverage[(x & 1) + 2 * (y & 1)]).second) << x << "," << y;
        }
    }
    return result;
}

float at(const Shares& found, int x, int y) {
    const auto pixel = found.find({x, y});
    return pixel == found.end() ? 0.0F : pixel->second;
}

Window place(float x, float y) {
    return {x, y, 0, 1};
}

}  // namespace

TEST(SetupSmoothLine, OneAlongTheCentresOfARowCoversItAlone) {
    const Shares found = shares(place(10, 20.5F), place(30, 20.5F));
    for (int x = 10; x < 30; ++x) {
        EXPECT_NEAR(at(found, x, 20), 1, 1e-4) << x;
        EXPECT_NEAR(at(found, x, 19), 0, 1e-4) << x;
        EXPECT_NEAR(at(found, x, 21), 0, 1e-4) << x;
    }
    EXPECT_EQ(at(found, 8, 20), 0);
    EXPECT_EQ(at(found, 31, 20), 0);
}

TEST(SetupSmoothLine, OneBetweenTwoRowsCoversHalfOfEach) {
    const Shares found = shares(place(10, 20), place(30, 20));
    for (int x = 10; x < 30; ++x) {
        EXPECT_NEAR(at(found, x, 19), 0.5, 1e-4) << x;
        EXPECT_NEAR(at(found, x, 20), 0.5, 1e-4) << x;
    }
}

TEST(SetupSmoothLine, HalfOfThePixelThatItEndsInTheMiddleOf) {
    const Shares found = shares(place(10.5F, 20.5F), place(30.5F, 20.5F));
    EXPECT_NEAR(at(found, 10, 20), 0.5, 1e-4);
    EXPECT_NEAR(at(found, 11, 20), 1, 1e-4);
    EXPECT_NEAR(at(found, 30, 20), 0.5, 1e-4);
}

TEST(SetupSmoothLine, AWideOneCoversItsWidth) {
    const Shares found = shares(place(20.5F, 10), place(20.5F, 50), line_rules(4));
    const float expected[] = {0, 0.5F, 1, 1, 1, 0.5F, 0};
    for (int x = 17; x < 24; ++x) EXPECT_NEAR(at(found, x, 30), expected[x - 17], 1e-4) << x;
}

// 1/w falls from 1 to 1/4 along a rectangle from x = 9.5 to 30.5 and from y = 18 to 23, so at x = 20.5 it is 17/28. The
// distance from the axis times 1/w is a plane of each triangle: at (20.5, 22.5) -57/56 in the one with both corners at
// the near end, at (20.5, 18.5) 39/28 in the other. What is left of the half width of 2.5 is covered.
TEST(SetupSmoothLine, DistancesAreInterpolatedWithPerspectiveInEachTriangle) {
    const Shares found = shares({10, 20.5F, 0, 1}, {30, 20.5F, 0, 0.25F}, line_rules(4));
    EXPECT_NEAR(at(found, 20, 22), 2.5 - 57.0 / 34, 1e-4);
    EXPECT_NEAR(at(found, 20, 18), 2.5 - 39.0 / 17, 1e-4);
    EXPECT_EQ(at(found, 20, 20), 1);
}

TEST(SetupSmoothLine, AShortOneFadesAndOneWithoutLengthIsInvisible) {
    const Shares half = shares(place(20.25F, 20.5F), place(20.75F, 20.5F));
    EXPECT_NEAR(at(half, 20, 20), 0.5, 1e-4);
    for (const auto& [pixel, share] : shares(place(20.5F, 20.5F), place(20.5F, 20.5F))) EXPECT_EQ(share, 0);
}

TEST(SetupSmoothLine, IsNotCulled) {
    SetupRules rules = line_rules(3);
    rules.cull = CullFace::both;
    EXPECT_EQ(shares(place(10, 10), place(40, 30), rules), shares(place(10, 10), place(40, 30), line_rules(3)));
}

TEST(SetupSmoothLine, BeyondTheWindowsLimitIsUnbounded) {
    const Window far = place(1e9F, 0), near = place(0, 0);
    RasterPrimitive primitive;
    InterpolationBasis basis;
    EXPECT_EQ(setup_smooth_line(near.data(), far.data(), false, line_rules(), primitive, basis),
              SetupOutcome::unbounded);
}

RC_GTEST_PROP(SetupSmoothLine, CoversAsMuchAsItsLengthTimesItsWidth, ()) {
    const auto between = [](float low, float high) {
        return low + (high - low) * static_cast<float>(*rc::gen::inRange(0, 10000)) / 10000.0F;
    };
    const Window v0 = place(between(20, 44), between(20, 44));
    const float angle = between(0, 6.2831853F), length = between(4, 12), width = between(1, 5);
    const Window v1 = place(v0[0] + length * std::cos(angle), v0[1] + length * std::sin(angle));
    float sum = 0;
    for (const auto& [pixel, share] : shares(v0, v1, line_rules(width))) {
        RC_ASSERT(share >= 0.0F && share <= 1.0F);
        sum += share;
    }
    RC_ASSERT(std::abs(sum - length * width) < 0.08F * length * width + 0.3F);
}

}  // namespace models::functional
