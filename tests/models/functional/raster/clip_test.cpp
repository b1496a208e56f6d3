#include "models/functional/raster/clip.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/raster/setup.h"
#include "tests/models/functional/raster/homogeneous.h"
#include "tests/models/functional/raster/reference.h"

namespace models::functional {

namespace ref = reference;

namespace {

constexpr Interpolation perspective_only[] = {Interpolation::perspective};
const Viewport viewport = {{32, 32, 0.5F}, {32, 32, 0.5F}};

ClipRules default_rules() {
    ClipRules rules;
    rules.interpolation = perspective_only;
    return rules;
}

// Vertices with one attribute, ready to be clipped.
VertexArray vertex_array(const std::vector<ref::Vec4>& clip, const ClipRules& rules, int distances = 0,
                         const std::vector<std::vector<float>>& distance_values = {}) {
    VertexArray vertices(1, distances);
    vertices.resize(static_cast<std::uint32_t>(clip.size()));
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        std::copy(clip[i].begin(), clip[i].end(), vertices.clip(i));
        for (int c = 0; c < 4; ++c) vertices.attribute(i, 0)[c] = static_cast<float>(10 * i + static_cast<unsigned>(c));
        if (distances > 0) std::copy(distance_values[i].begin(), distance_values[i].end(), vertices.distances(i));
    }
    classify_vertices(vertices, 0, vertices.size(), rules, viewport);
    return vertices;
}

ClipOutput clipped(PrimitiveKind kind, const VertexArray& vertices, const AssembledPrimitive& primitive,
                   const ClipRules& rules, Provoking provoking = Provoking::last) {
    ClipOutput out;
    out.made.reset(vertices.attributes(), vertices.clip_distances());
    Clipper(vertices, rules, viewport, provoking).clip(kind, primitive, 7, out);
    return out;
}

std::map<ref::Pixel, int> drawn(const VertexArray& vertices, const ClipOutput& out) {
    SetupRules rules;
    rules.region = {-8, -8, 71, 71};  // more than the viewport: clipping alone must keep to it
    std::map<ref::Pixel, int> pixels;
    const VertexView view{vertices, out.made};
    for (const ClippedPrimitive& part : out.primitives) {
        RasterPrimitive primitive;
        InterpolationBasis basis;
        const SetupOutcome outcome = setup_triangle(view.window(part.vertex[0]), view.window(part.vertex[1]),
                                                    view.window(part.vertex[2]), rules, primitive, basis);
        RC_ASSERT(outcome != SetupOutcome::unbounded);
        if (outcome != SetupOutcome::visible) continue;
        RC_ASSERT(primitive.box.x0 >= 0 && primitive.box.y0 >= 0 && primitive.box.x1 < 64 && primitive.box.y1 < 64);
        for (const auto& [pixel, times] : ref::rasterised(primitive)) pixels[pixel] += times;
    }
    return pixels;
}

}  // namespace

RC_GTEST_PROP(Clip, ATriangleCoversWhatItsUnclippedSelfCoversInsideTheVolume, ()) {
    const auto corners = *rc::gen::container<std::array<ref::Vec4, 3>>(ref::any_position());
    ClipRules rules = default_rules();
    rules.half_z = *rc::gen::arbitrary<bool>();
    rules.depth_clip = *rc::gen::arbitrary<bool>();
    const VertexArray vertices = vertex_array({corners.begin(), corners.end()}, rules);
    const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules);
    const auto pixels = drawn(vertices, out);

    const ref::Homogeneous triangle(corners, viewport);
    const auto inside = [&](double x, double y) {
        const auto at = triangle.at(x, y);
        if (!at) return false;
        const double z = at->interpolate({corners[0][2], corners[1][2], corners[2][2]});
        return !rules.depth_clip || ((rules.half_z ? z >= 0 : z >= -1) && z <= 1);
    };
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
            const auto found = pixels.find({x, y});
            const int times = found == pixels.end() ? 0 : found->second;
            RC_ASSERT(times <= 1);
            if (const auto decided = ref::decided(inside, x, y)) RC_ASSERT(times == static_cast<int>(*decided));
        }
    }
}

RC_GTEST_PROP(Clip, TrianglesThatShareAnEdgeStayWatertight, ()) {
    const auto corners = *rc::gen::container<std::array<ref::Vec4, 4>>(ref::any_position());
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({corners.begin(), corners.end()}, rules);
    const ref::Homogeneous first({corners[0], corners[1], corners[2]}, viewport);
    const ref::Homogeneous second({corners[2], corners[1], corners[3]}, viewport);
    // Only when they lie on both sides of the shared edge, as in a mesh.
    RC_PRE(first.front() == second.front());
    // The second triangle runs along the edge in the other direction.
    auto pixels = drawn(vertices, clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules));
    for (const auto& [pixel, times] : drawn(vertices, clipped(PrimitiveKind::triangle, vertices, {{2, 1, 3}}, rules)))
        pixels[pixel] += times;
    const auto inside_of = [](const ref::Homogeneous& triangle, const std::array<ref::Vec4, 3>& c, double x, double y) {
        const auto at = triangle.at(x, y);
        return at && std::abs(at->interpolate({c[0][2], c[1][2], c[2][2]})) <= 1;
    };
    const auto inside = [&](double x, double y) {
        return inside_of(first, {corners[0], corners[1], corners[2]}, x, y) ||
               inside_of(second, {corners[2], corners[1], corners[3]}, x, y);
    };
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
            const auto found = pixels.find({x, y});
            const int times = found == pixels.end() ? 0 : found->second;
            const auto decided = ref::decided(inside, x, y);
            if (decided && *decided) RC_ASSERT(times == 1);
            if (decided && !*decided) RC_ASSERT(times == 0);
        }
    }
}

TEST(Clip, AVertexWithAnInfiniteWIsInTheMiddleOfTheViewport) {
    const float infinity = std::numeric_limits<float>::infinity();
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-0.5F, -0.5F, 0, 1}, {0.5F, -0.5F, 0, 1}, {7, -9, 3, infinity}}, rules);
    const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules);
    ASSERT_EQ(out.primitives.size(), 1U);
    EXPECT_EQ(out.made.size(), 0U);
    EXPECT_EQ(std::vector<float>(vertices.window(2), vertices.window(2) + 4), (std::vector<float>{32, 32, 0.5F, 0}));
    EXPECT_EQ(clipped(PrimitiveKind::line, vertices, {{1, 2, 2}}, rules).primitives.size(), 1U);
    EXPECT_EQ(clipped(PrimitiveKind::point, vertices, {{2, 2, 2}}, rules).primitives.size(), 1U);
}

TEST(Clip, DistancesThatOverflowAreInside) {
    const float most = std::numeric_limits<float>::max();
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-most, 0, 0, most}, {0, most, 0, most}, {most, -most, 0, most}}, rules);
    EXPECT_EQ(vertices.code(0) | vertices.code(1) | vertices.code(2), 0);
    // 1 / w is denormal, so it is zero.
    EXPECT_EQ(std::vector<float>(vertices.window(0), vertices.window(0) + 4), (std::vector<float>{32, 32, 0.5F, 0}));
}

TEST(Clip, APrimitiveThatIsClippedAndHasAnInfiniteVertexIsDropped) {
    const float infinity = std::numeric_limits<float>::infinity();
    ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-0.5F, -0.5F, 0, 1}, {2, -0.5F, 0, 1}, {0, 0, 0, infinity}}, rules);
    EXPECT_TRUE(clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::line, vertices, {{1, 2, 2}}, rules).primitives.empty());
    rules.depth_clip = false;  // what no plane looks at may still be infinite
    for (const ref::Vec4& outside : {ref::Vec4{infinity, 0, 0, 1}, ref::Vec4{-infinity, 0, 0, 1},
                                     ref::Vec4{0, -infinity, 0, infinity}, ref::Vec4{0, 0, 0, -infinity}}) {
        const VertexArray more = vertex_array({{-0.5F, -0.5F, 0, 1}, {0.5F, -0.5F, 0, 1}, outside}, rules);
        EXPECT_NE(more.code(2), 0);
        EXPECT_TRUE(clipped(PrimitiveKind::triangle, more, {{0, 1, 2}}, rules).primitives.empty());
    }
}

RC_GTEST_PROP(Clip, ATriangleTurnedOverMakesTheSameVerticesToTheLastBit, ()) {
    const auto corners = *rc::gen::container<std::array<ref::Vec4, 3>>(ref::any_position());
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({corners.begin(), corners.end()}, rules);
    const auto made = [&](const AssembledPrimitive& primitive) {
        const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, primitive, rules);
        std::multiset<std::pair<std::vector<float>, std::vector<float>>> made_there;
        for (std::uint32_t i = 0; i < out.made.size(); ++i) {
            const float *place = out.made.clip(i), *value = out.made.attribute(i, 0);
            made_there.insert({{place, place + 4}, {value, value + 4}});
        }
        return made_there;
    };
    RC_ASSERT(made({{0, 1, 2}}) == made({{2, 1, 0}}));
}

TEST(Clip, ATriangleInsideIsPassedOnAsItIs) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{0, 0, 0, 1}, {0.5F, 0, 0, 1}, {0, 0.5F, 0, 1}}, rules);
    const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules);
    ASSERT_EQ(out.primitives.size(), 1U);
    EXPECT_EQ(out.made.size(), 0U);
    EXPECT_EQ(out.primitives[0].vertex[1], 1U);
    EXPECT_EQ(out.primitives[0].source, 7U);
}

TEST(Clip, ATriangleOutsideOnePlaneIsDropped) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{2, 0, 0, 1}, {3, 0, 0, 1}, {2, 9, 0, 1}}, rules);
    EXPECT_TRUE(clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules).primitives.empty());
}

TEST(Clip, APositionThatIsNoNumberDropsItsPrimitives) {
    const ClipRules rules = default_rules();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const VertexArray vertices =
        vertex_array({{nan, 0, 0, 1}, {0.5F, 0, 0, 1}, {0, 0.5F, 0, 1}, {0, 0, 0, nan}}, rules);
    EXPECT_TRUE(clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::triangle, vertices, {{1, 2, 3}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::line, vertices, {{0, 1, 1}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::point, vertices, {{0, 0, 0}}, rules).primitives.empty());
}

TEST(Clip, AVertexInTheEyeDropsItsPrimitives) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{0, 0, 0, 0}, {0.5F, 0, 0, 1}, {0, 0.5F, 0, 1}}, rules);
    EXPECT_TRUE(clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::line, vertices, {{0, 1, 1}}, rules).primitives.empty());
    EXPECT_TRUE(clipped(PrimitiveKind::point, vertices, {{0, 0, 0}}, rules).primitives.empty());
}

TEST(Clip, NewVerticesTakePerspectiveAttributesInSpaceAndLinearOnesInTheWindow) {
    constexpr Interpolation modes[] = {Interpolation::perspective, Interpolation::linear};
    ClipRules rules;
    rules.interpolation = modes;
    // x / w runs from 0 to 3; the plane x = w is met at t = 1/4 in space and at 1/3 in the window.
    VertexArray vertices(2, 0);
    vertices.resize(3);
    const ref::Vec4 places[3] = {{0, 0, 0, 2}, {3, 0, 0, 1}, {0, 1, 0, 2}};
    for (std::uint32_t i = 0; i < 3; ++i) {
        std::copy(places[i].begin(), places[i].end(), vertices.clip(i));
        vertices.attribute(i, 0)[0] = vertices.attribute(i, 1)[0] = i == 1 ? 12.0F : 0.0F;
    }
    classify_vertices(vertices, 0, 3, rules, viewport);
    const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules);
    ASSERT_EQ(out.made.size(), 2U);
    bool found = false;
    for (std::uint32_t i = 0; i < 2; ++i) {
        if (out.made.clip(i)[1] != 0) continue;
        found = true;
        EXPECT_FLOAT_EQ(out.made.clip(i)[0], out.made.clip(i)[3]);
        EXPECT_FLOAT_EQ(out.made.clip(i)[3], 1.5F);
        EXPECT_FLOAT_EQ(out.made.attribute(i, 0)[0], 6.0F);
        EXPECT_FLOAT_EQ(out.made.attribute(i, 1)[0], 4.0F);
        EXPECT_FLOAT_EQ(out.made.window(i)[0], 64.0F);
    }
    EXPECT_TRUE(found);
}

TEST(Clip, EveryPartKnowsTheProvokingVertexOfTheWhole) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-3, -0.5F, 0, 1}, {3, -0.5F, 0, 1}, {0, 3, 0, 1}}, rules);
    for (const Provoking provoking : {Provoking::first, Provoking::last}) {
        const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{2, 0, 1}}, rules, provoking);
        ASSERT_GE(out.primitives.size(), 2U);
        for (const ClippedPrimitive& part : out.primitives) {
            EXPECT_EQ(part.provoking, provoking == Provoking::first ? 2U : 1U);
            EXPECT_EQ(part.source, 7U);
        }
    }
}

TEST(Clip, ClipDistancesCutAtZero) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-0.5F, -0.5F, 0, 1}, {0.5F, -0.5F, 0, 1}, {-0.5F, 0.5F, 0, 1}}, rules,
                                              2, {{1, 1}, {-1, 1}, {1, 1}});
    const ClipOutput out = clipped(PrimitiveKind::triangle, vertices, {{0, 1, 2}}, rules);
    ASSERT_EQ(out.primitives.size(), 2U);
    ASSERT_EQ(out.made.size(), 2U);
    for (std::uint32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(out.made.distances(i)[0], 0.0F);
        EXPECT_EQ(out.made.distances(i)[1], 1.0F);
        EXPECT_EQ(out.made.clip(i)[0], 0.0F);
    }
}

TEST(Clip, ALineIsCutAtBothEndsAndKeepsItsDirection) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-4, 0, 0, 1}, {4, 0, 0, 1}}, rules);
    const ClipOutput out = clipped(PrimitiveKind::line, vertices, {{0, 1, 1}}, rules);
    ASSERT_EQ(out.primitives.size(), 1U);
    const VertexView view{vertices, out.made};
    EXPECT_FLOAT_EQ(view.clip(out.primitives[0].vertex[0])[0], -1.0F);
    EXPECT_FLOAT_EQ(view.clip(out.primitives[0].vertex[1])[0], 1.0F);
    EXPECT_EQ(out.primitives[0].vertex[2], out.primitives[0].vertex[1]);
    EXPECT_FLOAT_EQ(view.attribute(out.primitives[0].vertex[0], 0)[0], 10 * 3.0F / 8);
}

TEST(Clip, ALineThatMissesACornerIsDropped) {
    const ClipRules rules = default_rules();
    const VertexArray vertices = vertex_array({{-3, 0, 0, 1}, {0, 3, 0, 1}}, rules);
    EXPECT_TRUE(clipped(PrimitiveKind::line, vertices, {{0, 1, 1}}, rules).primitives.empty());
}

TEST(Clip, APointIsKeptOrDroppedByItsCentre) {
    const ClipRules rules = default_rules();
    const std::vector<ref::Vec4> places = {{1.5F, 0, 0, 1}, {0, 0, 2, 1}, {0.5F, 0, 0, 1}};
    const auto kept = [&](std::uint32_t vertex) {
        const VertexArray vertices = vertex_array(places, rules);
        return clipped(PrimitiveKind::point, vertices, {{vertex, vertex, vertex}}, rules).primitives.size() == 1;
    };
    EXPECT_FALSE(kept(0));
    EXPECT_FALSE(kept(1));
    EXPECT_TRUE(kept(2));
}

TEST(Clip, WindowPositionsAreProjectedThroughTheViewport) {
    const Viewport flipped = {{100, -50, 0.5F}, {100, 50, 0.5F}};
    VertexArray vertices(0, 0);
    vertices.resize(1);
    const ref::Vec4 place = {1, 1, 1, 2};
    std::copy(place.begin(), place.end(), vertices.clip(0));
    project(vertices, 0, flipped);
    EXPECT_EQ(vertices.window(0)[0], 150.0F);
    EXPECT_EQ(vertices.window(0)[1], 25.0F);
    EXPECT_EQ(vertices.window(0)[2], 0.75F);
    EXPECT_EQ(vertices.window(0)[3], 0.5F);
}

}  // namespace models::functional
