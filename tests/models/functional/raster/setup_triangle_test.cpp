#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "models/functional/raster/setup.h"

namespace models::functional {

namespace {

using Window = std::array<float, 4>;

struct Result {
    SetupOutcome outcome = SetupOutcome::visible;
    RasterPrimitive primitive;
    InterpolationBasis basis;
};

Result set_up(const Window& a, const Window& b, const Window& c, const SetupRules& rules) {
    Result result;
    result.outcome = setup_triangle(a.data(), b.data(), c.data(), rules, result.primitive, result.basis);
    return result;
}

SetupRules rules_for(const Region& region) {
    SetupRules rules;
    rules.region = region;
    return rules;
}

constexpr Region screen = {0, 0, 63, 63};
// Clockwise as seen with row 0 on top.
constexpr Window corner = {10, 10, 0.25F, 1}, right = {30, 10, 0.5F, 1}, below = {10, 30, 0.75F, 1};

}  // namespace

TEST(SetupTriangle, FrontIsCounterClockwiseWithRowZeroOnTopWhenTheStateSaysSo) {
    SetupRules rules = rules_for(screen);
    EXPECT_TRUE(set_up(corner, right, below, rules).basis.front_facing);
    EXPECT_FALSE(set_up(corner, below, right, rules).basis.front_facing);
    rules.front_ccw = true;
    EXPECT_FALSE(set_up(corner, right, below, rules).basis.front_facing);
    EXPECT_TRUE(set_up(corner, below, right, rules).basis.front_facing);
}

TEST(SetupTriangle, CullingDropsTheFaceThatIsNamed) {
    SetupRules rules = rules_for(screen);
    for (const bool ccw : {false, true}) {
        rules.front_ccw = ccw;
        const auto front = [&] {
            return ccw ? set_up(corner, below, right, rules) : set_up(corner, right, below, rules);
        };
        const auto back = [&] {
            return ccw ? set_up(corner, right, below, rules) : set_up(corner, below, right, rules);
        };
        rules.cull = CullFace::front;
        EXPECT_EQ(front().outcome, SetupOutcome::culled);
        EXPECT_EQ(back().outcome, SetupOutcome::visible);
        rules.cull = CullFace::back;
        EXPECT_EQ(front().outcome, SetupOutcome::visible);
        EXPECT_EQ(back().outcome, SetupOutcome::culled);
        rules.cull = CullFace::both;
        EXPECT_EQ(front().outcome, SetupOutcome::culled);
        EXPECT_EQ(back().outcome, SetupOutcome::culled);
    }
}

TEST(SetupTriangle, ATriangleWithoutAreaOnTheSubpixelGridIsDropped) {
    const SetupRules rules = rules_for(screen);
    EXPECT_EQ(set_up({1, 1, 0, 1}, {2, 2, 0, 1}, {3, 3, 0, 1}, rules).outcome, SetupOutcome::no_area);
    EXPECT_EQ(set_up({1, 1, 0, 1}, {1.001F, 1, 0, 1}, {1, 1.001F, 0, 1}, rules).outcome, SetupOutcome::no_area);
}

TEST(SetupTriangle, ATriangleThatReachesNoPixelOfTheRegionIsDropped) {
    EXPECT_EQ(set_up(corner, right, below, rules_for({40, 0, 63, 63})).outcome, SetupOutcome::outside);
    EXPECT_EQ(set_up(corner, right, below, rules_for({})).outcome, SetupOutcome::outside);
    EXPECT_EQ(set_up({5.6F, 5.6F, 0, 1}, {6.4F, 5.6F, 0, 1}, {5.6F, 6.4F, 0, 1}, rules_for(screen)).outcome,
              SetupOutcome::outside);
}

TEST(SetupTriangle, CoordinatesThatAreNoNumbersOrTooLargeAreDropped) {
    const SetupRules rules = rules_for(screen);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinity, -infinity, 2 * window_limit, -2 * window_limit}) {
        EXPECT_EQ(set_up({bad, 1, 0, 1}, right, below, rules).outcome, SetupOutcome::unbounded);
        EXPECT_EQ(set_up(corner, {1, bad, 0, 1}, below, rules).outcome, SetupOutcome::unbounded);
    }
    EXPECT_EQ(set_up(corner, right, {10, 30, nan, 1}, rules).outcome, SetupOutcome::unbounded);
    EXPECT_EQ(set_up(corner, right, {10, 30, 0, infinity}, rules).outcome, SetupOutcome::unbounded);
}

TEST(SetupTriangle, TheBoxHoldsThePixelsWhoseSamplesCanBeInsideAndNoOthers) {
    EXPECT_EQ(
        set_up({10.5F, 10.5F, 0, 1}, {20.5F, 10.5F, 0, 1}, {10.5F, 15.75F, 0, 1}, rules_for(screen)).primitive.box,
        (Region{10, 10, 19, 15}));
    EXPECT_EQ(set_up(corner, right, below, rules_for({12, 0, 63, 20})).primitive.box, (Region{12, 10, 29, 20}));
}

namespace {

// A value in the window by the formula of InterpolationBasis.
double value_at(const InterpolationBasis& basis, const double* value, double x, double y) {
    const double a0 = value[basis.order[0]], a1 = value[basis.order[1]], a2 = value[basis.order[2]];
    const double dx = (a0 - a1) * basis.dy20 - (a2 - a0) * basis.dy01;
    const double dy = (a2 - a0) * basis.dx01 - (a0 - a1) * basis.dx20;
    return a0 + dx * (x - basis.x) + dy * (y - basis.y);
}

}  // namespace

TEST(SetupTriangle, GradientsGiveBackTheValuesAtTheVertices) {
    const Window v[3] = {{10.25F, 11, 0, 1}, {31, 14.5F, 0, 1}, {17, 40.125F, 0, 1}};
    const double value[3] = {3, -2, 7};
    for (const bool first : {false, true}) {
        for (const bool turned : {false, true}) {
            SetupRules rules = rules_for(screen);
            rules.first_provokes = first;
            const Window& b = v[turned ? 2 : 1];
            const Window& c = v[turned ? 1 : 2];
            const InterpolationBasis basis = set_up(v[0], b, c, rules).basis;
            const double values[3] = {value[0], value[turned ? 2 : 1], value[turned ? 1 : 2]};
            EXPECT_EQ(basis.order[first ? 0 : 2], first ? 0 : 2) << "the provoking vertex keeps its place";
            for (int i = 0; i < 3; ++i)
                EXPECT_NEAR(value_at(basis, values, v[i][0] - 0.5, v[i][1] - 0.5), value[i], 1e-5);
        }
    }
}

TEST(SetupTriangle, AnAreaThatIsLostInRoundingIsThatOfTheSnappedPositions) {
    // On one line as given, off it by less than 1/256 pixel after snapping.
    const Window v[3] = {{0.5F, 0.5F, 0, 1}, {10.5011F, 5.50055F, 0, 1}, {7.503F, 4.0015F, 0, 1}};
    const InterpolationBasis basis = set_up(v[0], v[1], v[2], rules_for(screen)).basis;
    for (const float gradient : {basis.dx01, basis.dy01, basis.dx20, basis.dy20}) {
        EXPECT_TRUE(std::isfinite(gradient));
        EXPECT_NE(gradient, 0);
    }
}

TEST(SetupTriangle, WithSeveralSamplesPositionsCountFromThePixelsCorner) {
    SetupRules rules = rules_for(screen);
    rules.multisample = true;
    const Result result = set_up({10.75F, 10.75F, 0, 1}, {20.25F, 10.75F, 0, 1}, {10.75F, 15.25F, 0, 1}, rules);
    EXPECT_EQ(result.primitive.box, (Region{10, 10, 20, 15})) << "every pixel that is touched";
    EXPECT_TRUE(result.primitive.multisample);
    EXPECT_EQ(result.basis.x, result.basis.order[0] == 0 ? 10.75F : 20.25F);
    EXPECT_EQ(result.basis.origin, 0.5F);
}

TEST(SetupTriangle, PolygonOffsetAddsTwoStepsOfAFixedPointFormatPerUnit) {
    SetupRules rules = rules_for(screen);
    rules.offset.units = 3;
    rules.offset.resolution = 1.0 / 65535;
    EXPECT_FLOAT_EQ(set_up(corner, right, below, rules).basis.depth_offset, 6.0F / 65535);
    EXPECT_EQ(set_up(corner, right, below, rules_for(screen)).basis.depth_offset, 0);
}

TEST(SetupTriangle, PolygonOffsetScalesWithTheSteeperGradient) {
    SetupRules rules = rules_for(screen);
    rules.offset.scale = 2;
    // dz/dx = 0.25 / 20, dz/dy = 0.5 / 20.
    EXPECT_NEAR(set_up(corner, right, below, rules).basis.depth_offset, 2 * 0.5 / 20, 1e-7);
    EXPECT_NEAR(set_up(corner, below, right, rules).basis.depth_offset, 2 * 0.5 / 20, 1e-7);
}

TEST(SetupTriangle, PolygonOffsetIsClampedFromTheSideOfTheClampsSign) {
    SetupRules rules = rules_for(screen);
    rules.offset.scale = 2;
    rules.offset.clamp = 0.01F;
    EXPECT_FLOAT_EQ(set_up(corner, right, below, rules).basis.depth_offset, 0.01F);
    rules.offset.scale = -2;
    EXPECT_NEAR(set_up(corner, right, below, rules).basis.depth_offset, -0.05, 1e-7);
    rules.offset.clamp = -0.01F;
    EXPECT_FLOAT_EQ(set_up(corner, right, below, rules).basis.depth_offset, -0.01F);
}

TEST(SetupTriangle, PolygonOffsetOfAFloatingFormatFollowsTheExponentOfTheLargestDepth) {
    SetupRules rules = rules_for(screen);
    rules.offset.units = 1;
    rules.offset.floating_depth = true;
    EXPECT_EQ(set_up(corner, right, below, rules).basis.depth_offset, std::ldexp(1.0F, -1 - 23));
    const Window nearer = {10, 30, -0.125F, 1}, flat = {30, 10, 0.1F, 1}, start = {10, 10, 0.1F, 1};
    EXPECT_EQ(set_up(start, flat, nearer, rules).basis.depth_offset, std::ldexp(1.0F, -3 - 23));
}

}  // namespace models::functional
