#include "models/functional/raster/setup_polygon.h"

#include <limits>

#include <gtest/gtest.h>

namespace models::functional {

TEST(SetupPolygon, SnapsToTheNearestOf256StepsAndTiesToEven) {
    EXPECT_EQ(snap(1.0F), 256);
    EXPECT_EQ(snap(0.5F / 256), 0);
    EXPECT_EQ(snap(1.5F / 256), 2);
    EXPECT_EQ(snap(-0.5F / 256), 0);
    EXPECT_EQ(snap(-1.6F / 256), -2);
}

TEST(SetupPolygon, AreaIsPositiveClockwiseWithRowZeroOnTop) {
    EXPECT_EQ(doubled_area({0, 0}, {10, 0}, {0, 10}), 100);
    EXPECT_EQ(doubled_area({0, 0}, {0, 10}, {10, 0}), -100);
}

TEST(SetupPolygon, AreaOfTheLargestTriangleDoesNotOverflow) {
    const std::int32_t far = snap(window_limit);
    EXPECT_EQ(doubled_area({-far, -far}, {far, -far}, {-far, far}), 4 * std::int64_t{far} * far);
}

TEST(SetupPolygon, EdgesAreTheSameInEitherDirection) {
    FixedPoint forward[3] = {{0, 0}, {5000, 700}, {300, 6000}};
    FixedPoint backward[3] = {{300, 6000}, {5000, 700}, {0, 0}};
    SetupRules rules;
    rules.region = {0, 0, 63, 63};
    RasterPrimitive a, b;
    ASSERT_EQ(setup_polygon(forward, 3, rules, a), SetupOutcome::visible);
    ASSERT_EQ(setup_polygon(backward, 3, rules, b), SetupOutcome::visible);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(a.edges[i].a, b.edges[i].a);
        EXPECT_EQ(a.edges[i].b, b.edges[i].b);
        EXPECT_EQ(a.edges[i].c, b.edges[i].c);
    }
    EXPECT_EQ(a.box, b.box);
}

TEST(SetupPolygon, ARegionIsTheOverlapOfTwo) {
    EXPECT_EQ(intersection({0, 0, 9, 9}, {5, -3, 20, 4}), (Region{5, 0, 9, 4}));
    EXPECT_TRUE(intersection({0, 0, 3, 3}, {4, 0, 9, 9}).empty());
    EXPECT_FALSE(intersection({0, 0, 4, 4}, {4, 4, 9, 9}).empty());
}

TEST(SetupPolygon, PositionsWithinTheLimitAreBounded) {
    const float inside[4] = {window_limit, -window_limit, 0.5F, 1};
    EXPECT_TRUE(bounded(inside));
    const float beyond[4] = {window_limit * 1.01F, 0, 0.5F, 1};
    EXPECT_FALSE(bounded(beyond));
    const float no_number[4] = {0, 0, std::numeric_limits<float>::quiet_NaN(), 1};
    EXPECT_FALSE(bounded(no_number));
}

}  // namespace models::functional
