#include "models/functional/raster/coverage.h"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/functional/raster/reference.h"

namespace models::functional {

namespace ref = reference;

namespace {

using Window = std::array<float, 4>;

SetupRules rules_for(const Region& region, bool bottom_edge_rule = false) {
    SetupRules rules;
    rules.region = region;
    rules.bottom_edge_rule = bottom_edge_rule;
    return rules;
}

std::set<ref::Pixel> pixels_of(const Window& a, const Window& b, const Window& c, const SetupRules& rules) {
    RasterPrimitive primitive;
    InterpolationBasis basis;
    const SetupOutcome outcome = setup_triangle(a.data(), b.data(), c.data(), rules, primitive, basis);
    if (outcome != SetupOutcome::visible) return {};
    return ref::rasterised_once(primitive);
}

std::set<ref::Pixel> expected_pixels(const Window& a, const Window& b, const Window& c, const SetupRules& rules) {
    const float offset = rules.half_pixel_center ? 0.5F : 0.0F;
    return ref::covered(
        {ref::snapped(a[0], a[1], offset), ref::snapped(b[0], b[1], offset), ref::snapped(c[0], c[1], offset)},
        rules.region, rules.bottom_edge_rule);
}

constexpr Region screen = {0, 0, 95, 79};

// On the grid of 1/256 pixel, often on pixel centres or corners so that samples lie on edges.
rc::Gen<float> coordinate(int pixels_low, int pixels_high) {
    const auto fine = rc::gen::map(rc::gen::inRange(pixels_low * 256, pixels_high * 256),
                                   [](int fixed) { return static_cast<float>(fixed) / 256.0F; });
    const auto coarse = rc::gen::map(rc::gen::inRange(pixels_low * 2, pixels_high * 2),
                                     [](int half) { return static_cast<float>(half) / 2.0F; });
    return rc::gen::oneOf(fine, coarse);
}

rc::Gen<Window> window(int low, int high) {
    return rc::gen::map(rc::gen::pair(coordinate(low, high), coordinate(low, high)),
                        [](const std::pair<float, float>& p) { return Window{p.first, p.second, 0.5F, 1}; });
}

}  // namespace

RC_GTEST_PROP(Coverage, ATriangleCoversWhatEveryPixelTestedByItselfSays, ()) {
    const auto a = *window(-20, 120), b = *window(-20, 120), c = *window(-20, 120);
    SetupRules rules = rules_for(screen, *rc::gen::arbitrary<bool>());
    rules.half_pixel_center = *rc::gen::arbitrary<bool>();
    RC_ASSERT(pixels_of(a, b, c, rules) == expected_pixels(a, b, c, rules));
}

RC_GTEST_PROP(Coverage, ASmallTriangleCoversWhatEveryPixelTestedByItselfSays, ()) {
    const auto a = *window(28, 36), b = *window(28, 36), c = *window(28, 36);
    const SetupRules rules = rules_for(screen, *rc::gen::arbitrary<bool>());
    RC_ASSERT(pixels_of(a, b, c, rules) == expected_pixels(a, b, c, rules));
}

RC_GTEST_PROP(Coverage, ASliverCoversWhatEveryPixelTestedByItselfSays, ()) {
    const auto a = *window(0, 90), b = *window(0, 90);
    Window c = {(a[0] + 3 * b[0]) / 4, (a[1] + 3 * b[1]) / 4, 0.5F, 1};
    c[0] += static_cast<float>(*rc::gen::inRange(-64, 64)) / 256.0F;
    c[1] += static_cast<float>(*rc::gen::inRange(-64, 64)) / 256.0F;
    const SetupRules rules = rules_for(screen);
    RC_ASSERT(pixels_of(a, b, c, rules) == expected_pixels(a, b, c, rules));
}

RC_GTEST_PROP(Coverage, ATriangleOfTheLargestCoordinatesDoesNotOverflow, ()) {
    const int far = static_cast<int>(window_limit) - 1;
    const auto a = *window(-far, far), b = *window(-far, far), c = *window(-far, far);
    const SetupRules rules = rules_for({0, 0, 39, 39});
    RC_ASSERT(pixels_of(a, b, c, rules) == expected_pixels(a, b, c, rules));
}

RC_GTEST_PROP(Coverage, AnEdgeBetweenTheLargestCoordinatesIsExact, ()) {
    const int far = static_cast<int>(window_limit) - 100;
    const auto a = *window(-far, far), c = *window(-far, far), near = *window(-40, 40);
    const Window b = {near[0] - a[0], near[1] - a[1], 0.5F, 1};  // the edge passes near the origin
    const SetupRules rules = rules_for({0, 0, 39, 39});
    RC_ASSERT(pixels_of(a, b, c, rules) == expected_pixels(a, b, c, rules));
}

RC_GTEST_PROP(Coverage, AMeshCoversEveryPixelInsideExactlyOnce, ()) {
    constexpr std::size_t cells = 6;
    constexpr int pitch = 16, size = 6 * pitch;
    std::array<std::array<Window, cells + 1>, cells + 1> points;
    for (std::size_t y = 0; y <= cells; ++y) {
        for (std::size_t x = 0; x <= cells; ++x) {
            const float dx = static_cast<float>(*rc::gen::inRange(-1000, 1000)) / 256.0F;
            const float dy = static_cast<float>(*rc::gen::inRange(-1000, 1000)) / 256.0F;
            points[y][x] = {static_cast<float>(x * pitch) + dx, static_cast<float>(y * pitch) + dy, 0.5F, 1};
        }
    }
    const SetupRules rules = rules_for({0, 0, size, size}, *rc::gen::arbitrary<bool>());
    std::map<ref::Pixel, int> times;
    const auto draw = [&](const Window& a, const Window& b, const Window& c) {
        for (const ref::Pixel& pixel : pixels_of(a, b, c, rules)) ++times[pixel];
    };
    for (std::size_t y = 0; y < cells; ++y) {
        for (std::size_t x = 0; x < cells; ++x) {
            const Window &a = points[y][x], &b = points[y][x + 1], &c = points[y + 1][x], &d = points[y + 1][x + 1];
            if (*rc::gen::arbitrary<bool>()) {
                draw(a, b, c);
                draw(d, b, c);
            } else {
                draw(b, a, d);
                draw(a, c, d);
            }
        }
    }
    for (int y = 4; y < size - 4; ++y)
        for (int x = 4; x < size - 4; ++x) RC_ASSERT((times[{x, y}] == 1));
    for (const auto& [pixel, count] : times) RC_ASSERT(count == 1);
}

TEST(Coverage, ASampleOnATopOrLeftEdgeIsInAndOnABottomOrRightEdgeIsOut) {
    const Window a = {1.5F, 1.5F, 0, 1}, b = {4.5F, 1.5F, 0, 1}, c = {4.5F, 3.5F, 0, 1}, d = {1.5F, 3.5F, 0, 1};
    const SetupRules rules = rules_for(screen);
    auto square = pixels_of(a, b, c, rules);
    square.merge(pixels_of(a, c, d, rules));
    EXPECT_EQ(square, (std::set<ref::Pixel>{{1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 2}, {3, 2}}));
}

TEST(Coverage, WithTheBottomEdgeRuleTheBottomRowIsInAndTheTopRowIsOut) {
    const Window a = {1.5F, 1.5F, 0, 1}, b = {4.5F, 1.5F, 0, 1}, c = {4.5F, 3.5F, 0, 1}, d = {1.5F, 3.5F, 0, 1};
    const SetupRules rules = rules_for(screen, true);
    auto square = pixels_of(a, b, c, rules);
    square.merge(pixels_of(a, c, d, rules));
    EXPECT_EQ(square, (std::set<ref::Pixel>{{1, 2}, {2, 2}, {3, 2}, {1, 3}, {2, 3}, {3, 3}}));
}

TEST(Coverage, WithoutHalfPixelCentresSamplesLieAtWholeCoordinates) {
    SetupRules rules = rules_for(screen);
    rules.half_pixel_center = false;
    EXPECT_EQ(pixels_of({2, 2, 0, 1}, {3, 2, 0, 1}, {2, 3, 0, 1}, rules), (std::set<ref::Pixel>{{2, 2}}));
}

TEST(Coverage, ATriangleWithoutASampleInsideCoversNothing) {
    EXPECT_TRUE(pixels_of({2.6F, 2.6F, 0, 1}, {3.4F, 2.6F, 0, 1}, {2.6F, 3.4F, 0, 1}, rules_for(screen)).empty());
}

TEST(Coverage, ATileInsideATriangleIsFullAndItsQuadsComeRowByRow) {
    RasterPrimitive primitive;
    InterpolationBasis basis;
    const Window a = {-300, -300, 0, 1}, b = {900, -300, 0, 1}, c = {-300, 900, 0, 1};
    ASSERT_EQ(setup_triangle(a.data(), b.data(), c.data(), rules_for({0, 0, 255, 255}), primitive, basis),
              SetupOutcome::visible);
    TileCoverage coverage;
    cover_tile(primitive, 2, 3, coverage);
    ASSERT_EQ(coverage.count, tile_quads * tile_quads);
    for (int i = 0; i < coverage.count; ++i) {
        EXPECT_EQ(coverage.quads[i], (CoveredQuad{static_cast<std::uint8_t>(i % tile_quads),
                                                  static_cast<std::uint8_t>(i / tile_quads), 15}));
    }
}

RC_GTEST_PROP(Coverage, QuadsAreInRowOrderNeverEmptyAndOnlyInTilesThatSayTheyAreTouched, ()) {
    const auto a = *window(-20, 120), b = *window(-20, 120), c = *window(-20, 120);
    RasterPrimitive primitive;
    InterpolationBasis basis;
    if (setup_triangle(a.data(), b.data(), c.data(), rules_for(screen), primitive, basis) != SetupOutcome::visible)
        return;
    for (std::int32_t tile = 0; tile < 16; ++tile) {
        TileCoverage coverage;
        cover_tile(primitive, tile % 4, tile / 4, coverage);
        int last = -1;
        for (int i = 0; i < coverage.count; ++i) {
            const CoveredQuad& quad = coverage.quads[i];
            RC_ASSERT(quad.coverage != 0 && quad.coverage <= 15);
            RC_ASSERT(quad.y * tile_quads + quad.x > last);
            last = quad.y * tile_quads + quad.x;
        }
        RC_ASSERT(coverage.count == 0 || touches_tile(primitive, tile % 4, tile / 4));
    }
}

TEST(Coverage, ATileThatOnlyTheBoundingBoxReachesIsNotTouched) {
    RasterPrimitive primitive;
    InterpolationBasis basis;
    const Window a = {0, 0, 0, 1}, b = {96, 0, 0, 1}, c = {0, 96, 0, 1};
    ASSERT_EQ(setup_triangle(a.data(), b.data(), c.data(), rules_for({0, 0, 95, 95}), primitive, basis),
              SetupOutcome::visible);
    EXPECT_TRUE(touches_tile(primitive, 1, 1));
    EXPECT_FALSE(touches_tile(primitive, 2, 2));
    EXPECT_FALSE(touches_tile(primitive, 3, 0));
}

}  // namespace models::functional
