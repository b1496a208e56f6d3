#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/raster/setup.h"
#include "tests/models/functional/raster/reference.h"

namespace models::functional {

namespace ref = reference;

namespace {

SetupRules point_rules() {
    SetupRules rules;
    rules.region = {0, 0, 63, 63};
    return rules;
}

struct Result {
    SetupOutcome outcome = SetupOutcome::visible;
    RasterPrimitive primitive;
    InterpolationBasis basis;
};

Result set_up(float x, float y, float size, const SetupRules& rules) {
    const std::array<float, 4> v = {x, y, 0, 1};
    Result result;
    result.outcome = setup_point(v.data(), size, rules, result.primitive, result.basis);
    return result;
}

std::set<ref::Pixel> pixels(float x, float y, float size, const SetupRules& rules) {
    const Result result = set_up(x, y, size, rules);
    return result.outcome == SetupOutcome::visible ? ref::rasterised_once(result.primitive) : std::set<ref::Pixel>{};
}

std::set<ref::Pixel> square(int x0, int y0, int x1, int y1) {
    std::set<ref::Pixel> result;
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) result.emplace(x, y);
    return result;
}

}  // namespace

TEST(SetupPoint, ASquareOfItsSizeAroundItsCentre) {
    EXPECT_EQ(pixels(10.5F, 20.5F, 1, point_rules()), square(10, 20, 10, 20));
    EXPECT_EQ(pixels(10.5F, 20.5F, 3, point_rules()), square(9, 19, 11, 21));
    EXPECT_EQ(pixels(10, 20, 4, point_rules()), square(8, 18, 11, 21));
}

TEST(SetupPoint, IsNeverSmallerThanAPixel) {
    EXPECT_EQ(pixels(10.9F, 20.1F, 0, point_rules()).size(), 1U);
    EXPECT_EQ(pixels(10.9F, 20.1F, 0.3F, point_rules()).size(), 1U);
}

TEST(SetupPoint, TheLargestSizeIsTheLimit) {
    SetupRules rules = point_rules();
    rules.region = {0, 0, 999, 999};
    EXPECT_EQ(pixels(500.5F, 500.5F, 700, rules).size(), 255U * 255U);
}

RC_GTEST_PROP(SetupPoint, CoversTheSamplesInItsSquareWithTheFillRuleOfItsEdges, ()) {
    const int x = *rc::gen::inRange(-5 * 256, 70 * 256), y = *rc::gen::inRange(-5 * 256, 70 * 256);
    const int size = *rc::gen::inRange(256, 20 * 256);
    SetupRules rules = point_rules();
    rules.bottom_edge_rule = *rc::gen::arbitrary<bool>();
    const auto value = [](int fixed) { return static_cast<float>(fixed) / 256.0F; };
    const std::int64_t left = x - 128 - size / 2, top = y - 128 - size / 2;
    const std::vector<ref::Point> corners = {
        {left, top}, {left + size, top}, {left + size, top + size}, {left, top + size}};
    RC_ASSERT(pixels(value(x), value(y), value(size), rules) ==
              ref::covered(corners, rules.region, rules.bottom_edge_rule));
}

TEST(SetupPoint, TheLegacyRuleAlignsPointsToPixels) {
    SetupRules rules = point_rules();
    rules.square_points = false;
    EXPECT_EQ(pixels(10.9F, 20.1F, 1, rules), square(10, 20, 10, 20));
    EXPECT_EQ(pixels(10.9F, 20.1F, 3, rules), square(9, 19, 11, 21));
    EXPECT_EQ(pixels(10.9F, 20.1F, 2, rules), square(10, 19, 11, 20));
    EXPECT_EQ(pixels(10.9F, 20.1F, 2.4F, rules).size(), 4U);
}

TEST(SetupPoint, APointOutsideTheRegionOrOfNoNumberIsDropped) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(set_up(-10, 5, 3, point_rules()).outcome, SetupOutcome::outside);
    EXPECT_EQ(set_up(nan, 5, 3, point_rules()).outcome, SetupOutcome::unbounded);
}

TEST(SetupPoint, ASizeThatIsNoNumberIsTheLeastOne) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    SetupRules rules = point_rules();
    EXPECT_EQ(pixels(5.5F, 7.5F, nan, rules), square(5, 7, 5, 7));
    EXPECT_EQ(pixels(5.5F, 7.5F, -nan, rules), square(5, 7, 5, 7));
    rules.square_points = false;
    EXPECT_EQ(pixels(5.5F, 7.5F, nan, rules), square(5, 7, 5, 7));
}

TEST(SetupPoint, ThePointCoordinateRunsOverTheSizeOfThePoint) {
    SetupRules rules = point_rules();
    EXPECT_DOUBLE_EQ(set_up(10, 20, 4, rules).basis.sprite_s, 0.25);
    EXPECT_DOUBLE_EQ(set_up(10, 20, 4, rules).basis.sprite_t, 0.25);
    rules.sprite_origin_lower_left = true;
    EXPECT_DOUBLE_EQ(set_up(10, 20, 4, rules).basis.sprite_t, -0.25);
}

}  // namespace models::functional
