#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/raster/setup.h"
#include "tests/models/functional/raster/reference.h"

namespace models::functional {

namespace ref = reference;

namespace {

using Window = std::array<float, 4>;

SetupRules line_rules(float width = 1) {
    SetupRules rules;
    rules.region = {0, 0, 63, 63};
    rules.line_width = width;
    return rules;
}

struct Result {
    SetupOutcome outcome = SetupOutcome::visible;
    RasterPrimitive primitive;
    InterpolationBasis basis;
};

Result set_up(float x0, float y0, float x1, float y1, const SetupRules& rules) {
    const Window a = {x0, y0, 0, 1}, b = {x1, y1, 0, 1};
    Result result;
    result.outcome = setup_line(a.data(), b.data(), rules, result.primitive, result.basis);
    return result;
}

std::set<ref::Pixel> pixels(float x0, float y0, float x1, float y1, const SetupRules& rules = line_rules()) {
    const Result result = set_up(x0, y0, x1, y1, rules);
    return result.outcome == SetupOutcome::visible ? ref::rasterised_once(result.primitive) : std::set<ref::Pixel>{};
}

std::set<ref::Pixel> row(int x0, int x1, int y) {
    std::set<ref::Pixel> result;
    for (int x = x0; x <= x1; ++x) result.emplace(x, y);
    return result;
}

std::set<ref::Pixel> column(int x, int y0, int y1) {
    std::set<ref::Pixel> result;
    for (int y = y0; y <= y1; ++y) result.emplace(x, y);
    return result;
}

}  // namespace

TEST(SetupLine, DrawsThePixelItStartsInAndNotTheOneItEndsIn) {
    EXPECT_EQ(pixels(2.5F, 5.5F, 7.5F, 5.5F), row(2, 6, 5));
    EXPECT_EQ(pixels(7.5F, 5.5F, 2.5F, 5.5F), row(3, 7, 5));
    EXPECT_EQ(pixels(5.5F, 2.5F, 5.5F, 7.5F), column(5, 2, 6));
    EXPECT_EQ(pixels(5.5F, 7.5F, 5.5F, 2.5F), column(5, 3, 7));
}

TEST(SetupLine, AnEndInsideTheDiamondCountsFromAnyPlaceInIt) {
    EXPECT_EQ(pixels(2.7F, 5.6F, 7.3F, 5.6F), row(2, 6, 5));
    EXPECT_EQ(pixels(2.3F, 5.6F, 7.7F, 5.6F), row(2, 6, 5));
    EXPECT_EQ(pixels(5.6F, 2.7F, 5.6F, 7.3F), column(5, 2, 6));
}

// In fixed point |x| + |y| would be 1/2.
TEST(SetupLine, TheDiamondIsThatOfTheEndAsGiven) {
    const float y = 5.75F - 1.0F / 1024;
    EXPECT_EQ(pixels(2.75F, y, 7.5F, y), row(2, 6, 5));
}

// The line is at y = 6.0005 in the middle of column 4. From the start in fixed point, 1/512 above where it is given, it
// would pass at 5.9991.
TEST(SetupLine, AnEndIsMovedToTheBorderOfItsColumnBeforeItIsSnapped) {
    const float y = 5.5F + 1.0F / 512;
    const std::set<ref::Pixel> drawn = pixels(2.75F, y, 6.5F, y + 547.0F / 512);
    EXPECT_EQ(drawn, (std::set<ref::Pixel>{{2, 5}, {3, 5}, {4, 6}, {5, 6}}));
}

TEST(SetupLine, TheLastPixelIsDrawnOnceTheLineHasLeftItsDiamond) {
    EXPECT_EQ(pixels(2.5F, 5.5F, 7.99F, 5.52F), row(2, 7, 5));
    EXPECT_EQ(pixels(5.5F, 2.5F, 5.52F, 7.99F), column(5, 2, 7));
}

TEST(SetupLine, ADiagonalDrawsOnePixelPerStep) {
    const std::set<ref::Pixel> expected = {{2, 2}, {3, 3}, {4, 4}, {5, 5}};
    EXPECT_EQ(pixels(2.5F, 2.5F, 6.5F, 6.5F), expected);
}

RC_GTEST_PROP(SetupLine, AStripThroughPixelCentresDrawsEveryStepOfItsLongerAxisOnce, ()) {
    // From centre to centre the pixels drawn are one per step along the longer axis.
    const auto pixel = [] { return *rc::gen::inRange(1, 62); };
    const int x0 = pixel(), y0 = pixel(), x1 = pixel(), y1 = pixel();
    RC_PRE(x0 != x1 || y0 != y1);
    const auto centre = [](int n) { return static_cast<float>(n) + 0.5F; };
    const auto drawn = pixels(centre(x0), centre(y0), centre(x1), centre(y1));
    RC_ASSERT(static_cast<int>(drawn.size()) == std::max(std::abs(x1 - x0), std::abs(y1 - y0)));
    RC_ASSERT(drawn.contains({x0, y0}));
    RC_ASSERT(!drawn.contains({x1, y1}));
}

RC_GTEST_PROP(SetupLine, JoinedLinesDrawEveryColumnOnce, ()) {
    SetupRules rules = line_rules();
    rules.bottom_edge_rule = *rc::gen::arbitrary<bool>();
    const bool along_y = *rc::gen::arbitrary<bool>(), backwards = *rc::gen::arbitrary<bool>();
    std::vector<std::pair<float, float>> joints;
    int x = 256, y = 32 * 256;
    for (int i = 0; i < 8; ++i) {
        joints.emplace_back(static_cast<float>(x) / 256.0F, static_cast<float>(y) / 256.0F);
        const int step = *rc::gen::inRange(1, 7 * 256);
        x += step;
        y = std::clamp(y + *rc::gen::inRange(-step, step + 1), 256, 62 * 256);
    }
    if (backwards) std::reverse(joints.begin(), joints.end());
    std::map<int, int> columns;
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
        const auto [x0, y0] = joints[i];
        const auto [x1, y1] = joints[i + 1];
        const auto drawn = along_y ? pixels(y0, x0, y1, x1, rules) : pixels(x0, y0, x1, y1, rules);
        for (const auto& pixel : drawn) ++columns[along_y ? pixel.second : pixel.first];
    }
    for (const auto& [column, times] : columns) RC_ASSERT(times == 1);
    if (!columns.empty()) {
        const int spread = columns.rbegin()->first - columns.begin()->first + 1;
        RC_ASSERT(spread == static_cast<int>(columns.size()));
    }
    const float length = std::abs(joints.back().first - joints.front().first);
    RC_ASSERT(std::abs(static_cast<float>(columns.size()) - length) <= 1);
}

RC_GTEST_PROP(SetupLine, ALineStaysWithinAPixelOfItsMathematicalSelf, ()) {
    const auto number = [] { return static_cast<float>(*rc::gen::inRange(256, 62 * 256)) / 256.0F; };
    const float x0 = number(), y0 = number(), x1 = number(), y1 = number();
    const double dx = x1 - x0, dy = y1 - y0;
    const double length = std::hypot(dx, dy);
    for (const auto& [x, y] : pixels(x0, y0, x1, y1)) {
        const double px = x + 0.5 - x0, py = y + 0.5 - y0;
        RC_ASSERT(std::abs(px * dy - py * dx) / length <= 0.51);
        const double along = (px * dx + py * dy) / length;
        RC_ASSERT(along >= -1 && along <= length + 1);
    }
}

TEST(SetupLine, AWideLineIsThatManyPixelsAcrossItsShorterAxis) {
    std::set<ref::Pixel> expected = row(2, 6, 4);
    expected.merge(row(2, 6, 5));
    expected.merge(row(2, 6, 6));
    EXPECT_EQ(pixels(2.5F, 5.5F, 7.5F, 5.5F, line_rules(3)), expected);
    EXPECT_EQ(pixels(2.5F, 5.5F, 7.5F, 5.5F, line_rules(3.4F)), expected);
    std::set<ref::Pixel> upright = column(4, 2, 6);
    upright.merge(column(5, 2, 6));
    upright.merge(column(6, 2, 6));
    EXPECT_EQ(pixels(5.5F, 2.5F, 5.5F, 7.5F, line_rules(3)), upright);
}

TEST(SetupLine, AWidthBelowOneIsOne) {
    EXPECT_EQ(pixels(2.5F, 5.5F, 7.5F, 5.5F, line_rules(0.1F)), row(2, 6, 5));
}

TEST(SetupLine, ALineWithoutLengthIsDropped) {
    EXPECT_EQ(set_up(3, 3, 3, 3, line_rules()).outcome, SetupOutcome::no_area);
}

TEST(SetupLine, ALineThatDrawsNoPixelIsDropped) {
    EXPECT_NE(set_up(3.4F, 3.5F, 3.6F, 3.5F, line_rules()).outcome, SetupOutcome::visible);
    EXPECT_EQ(set_up(-9, 3.5F, -2, 3.5F, line_rules()).outcome, SetupOutcome::outside);
    EXPECT_EQ(set_up(std::numeric_limits<float>::infinity(), 3.5F, 2, 3.5F, line_rules()).outcome,
              SetupOutcome::unbounded);
}

TEST(SetupLine, WithSeveralSamplesALineIsARectangleAroundIt) {
    SetupRules rules = line_rules();
    rules.multisample = true;
    rules.line_width = 4;
    const Result result = set_up(10, 10, 20, 20, rules);
    ASSERT_EQ(result.outcome, SetupOutcome::visible);
    // Corners at (10 +- sqrt(2), 10 -+ sqrt(2)) and (20 +- sqrt(2), 20 -+ sqrt(2)).
    EXPECT_EQ(result.primitive.box, (Region{8, 8, 21, 21}));
    EXPECT_FLOAT_EQ(result.basis.dx01 * result.basis.scale, -0.05F);
    EXPECT_FLOAT_EQ(result.basis.dy01 * result.basis.scale, -0.05F);
    EXPECT_EQ(result.basis.origin, 0.5F);
}

TEST(SetupLine, ValuesVaryAlongTheLongerAxisFromEndToEnd) {
    for (const bool along_x : {true, false}) {
        const Result result =
            along_x ? set_up(4.5F, 8.5F, 24.5F, 12.5F, line_rules()) : set_up(8.5F, 4.5F, 12.5F, 24.5F, line_rules());
        ASSERT_EQ(result.outcome, SetupOutcome::visible);
        const InterpolationBasis& basis = result.basis;
        EXPECT_FLOAT_EQ((along_x ? basis.dx01 : basis.dy01) * basis.scale, -1.0F / 20);
        EXPECT_EQ(along_x ? basis.dy01 : basis.dx01, 0);
        EXPECT_EQ(along_x ? basis.x : basis.y, 4.0F);
    }
}

}  // namespace models::functional
