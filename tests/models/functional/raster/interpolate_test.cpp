#include "models/functional/raster/interpolate.h"

#include <array>
#include <bit>
#include <memory>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/functional/raster/coverage.h"
#include "tests/models/functional/raster/homogeneous.h"

namespace models::functional {

namespace ref = reference;

namespace {

const Viewport viewport = {{32, -32, 0.5F}, {32, 32, 0.5F}};
constexpr Interpolation modes[] = {Interpolation::perspective, Interpolation::linear, Interpolation::constant};
constexpr int attribute_count = 3;

InputRule attribute_rule(int attribute, int back = -1) {
    InputRule rule;
    rule.interpolation = modes[attribute];
    rule.attribute = static_cast<std::int16_t>(attribute);
    rule.back_attribute = static_cast<std::int16_t>(back);
    return rule;
}

InputRule source_rule(InputSource source, Interpolation interpolation = Interpolation::perspective) {
    InputRule rule;
    rule.source = source;
    rule.interpolation = interpolation;
    return rule;
}

// A primitive of the draw's first vertices, through clipping and setup, and the planes of all its parts.
class Drawing {
  public:
    Drawing(PrimitiveKind kind, const std::vector<ref::Vec4>& places, const std::vector<InputRule>& rules,
            const SetupRules& setup = whole_screen())
        : rules_(rules),
          vertices_(attribute_count, 0) {
        ClipRules clip;
        clip.interpolation = modes;
        vertices_.resize(static_cast<std::uint32_t>(places.size()));
        for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
            std::copy(places[i].begin(), places[i].end(), vertices_.clip(i));
            for (int a = 0; a < attribute_count; ++a)
                for (int c = 0; c < 4; ++c) vertices_.attribute(i, a)[c] = value(i, c, a);
        }
        classify_vertices(vertices_, 0, vertices_.size(), clip, viewport);
        clipped_.made.reset(attribute_count, 0);
        AssembledPrimitive whole;
        for (std::uint32_t i = 0; i < 3; ++i) whole.vertex[i] = std::min(i, vertices_.size() - 1);
        Clipper(vertices_, clip, viewport, Provoking::last).clip(kind, whole, 0, clipped_);
        storage_.resize(clipped_.primitives.size() * 4 * rules.size());
        for (const ClippedPrimitive& part : clipped_.primitives) add_part(kind, part, setup);
    }

    static SetupRules whole_screen() {
        SetupRules rules;
        rules.region = {0, 0, 63, 63};
        return rules;
    }
    // The value of an attribute's component at a vertex of the draw.
    static float value(std::uint32_t vertex, int component, int attribute = 0) {
        constexpr float values[3][4] = {{1, -2, 0.5F, 7}, {3, 5, 0.25F, 7}, {-4, 1, 2, 7}};
        return values[vertex][component] + 100.0F * static_cast<float>(attribute);
    }

    std::size_t parts() const { return planes_.size(); }
    const RasterPrimitive& primitive(std::size_t part) const { return primitives_[part]; }
    const PrimitivePlanes& planes(std::size_t part) const { return planes_[part]; }

    // Calls visit(pixel x, pixel y, inputs, lane) for every covered pixel of every part.
    template <class Visit>
    void for_each_pixel(Visit visit) const {
        auto inputs = std::make_unique<Vec4Lanes[]>(rules_.size());
        for (std::size_t part = 0; part < parts(); ++part) {
            for (int tile = 0; tile < 4; ++tile) {
                TileCoverage coverage;
                cover_tile(primitives_[part], tile % 2, tile / 2, coverage);
                for (int i = 0; i < coverage.count; ++i) {
                    const CoveredQuad& quad = coverage.quads[i];
                    const BatchQuad batch = {&planes_[part], tile % 2 * 32 + 2 * quad.x, tile / 2 * 32 + 2 * quad.y};
                    interpolate_inputs({&batch, 1}, rules_, 0.5F, nullptr, inputs.get());
                    for (int lane = 0; lane < 4; ++lane)
                        if ((quad.coverage >> lane & 1) != 0)
                            visit(batch.x + (lane & 1), batch.y + (lane >> 1), inputs.get(), lane);
                }
            }
        }
    }

  private:
    void add_part(PrimitiveKind kind, const ClippedPrimitive& part, const SetupRules& setup) {
        const VertexView view{vertices_, clipped_.made};
        const float* v[3] = {view.window(part.vertex[0]), view.window(part.vertex[1]), view.window(part.vertex[2])};
        RasterPrimitive primitive;
        InterpolationBasis basis;
        SetupOutcome outcome = SetupOutcome::visible;
        if (kind == PrimitiveKind::triangle) outcome = setup_triangle(v[0], v[1], v[2], setup, primitive, basis);
        if (kind == PrimitiveKind::line) outcome = setup_line(v[0], v[1], setup, primitive, basis);
        if (kind == PrimitiveKind::point) outcome = setup_point(v[0], 4, setup, primitive, basis);
        if (outcome != SetupOutcome::visible) return;
        primitives_.push_back(primitive);
        planes_.push_back(
            make_planes(kind, part, view, basis, rules_, storage_.data() + planes_.size() * 4 * rules_.size()));
    }

    std::vector<InputRule> rules_;
    VertexArray vertices_;
    ClipOutput clipped_;
    std::vector<Plane> storage_;
    std::vector<RasterPrimitive> primitives_;
    std::vector<PrimitivePlanes> planes_;
};

std::array<float, 3> component_values(int component, int attribute = 0) {
    return {Drawing::value(0, component, attribute), Drawing::value(1, component, attribute),
            Drawing::value(2, component, attribute)};
}

}  // namespace

RC_GTEST_PROP(Interpolate, PerspectiveInputsEqualTheirClosedFormAlsoAfterClipping, ()) {
    const auto corners = *rc::gen::container<std::array<ref::Vec4, 3>>(ref::any_position());
    const Drawing drawing(PrimitiveKind::triangle, {corners.begin(), corners.end()},
                          {attribute_rule(0), source_rule(InputSource::position)});
    const ref::Homogeneous triangle(corners, viewport);
    drawing.for_each_pixel([&](int x, int y, const Vec4Lanes* inputs, int lane) {
        const auto at = triangle.at(x + 0.5, y + 0.5);
        if (!at) return;  // a pixel on the edge, where snapping decided
        // Seen at a grazing angle, values change without bound within a pixel.
        const double inverse_w = at->interpolate({1, 1, 1});
        if (inverse_w > 50 || std::abs(triangle.determinant()) < 0.05) return;
        for (int c = 0; c < 4; ++c)
            RC_ASSERT(std::abs(inputs[0].c[c][lane] - at->attribute(component_values(c))) < 2e-3);
        const double depth = at->interpolate({corners[0][2], corners[1][2], corners[2][2]}) * 0.5 + 0.5;
        RC_ASSERT(inputs[1].c[0][lane] == static_cast<float>(x) + 0.5F);
        RC_ASSERT(inputs[1].c[1][lane] == static_cast<float>(y) + 0.5F);
        RC_ASSERT(std::abs(inputs[1].c[2][lane] - depth) < 1e-3);
        RC_ASSERT(std::abs(inputs[1].c[3][lane] - inverse_w) < 1e-3 * (1 + inverse_w));
    });
}

TEST(Interpolate, LinearInputsIgnoreW) {
    // Window positions (0, 0), (64, 0), (0, 64) with different w.
    const Drawing drawing(PrimitiveKind::triangle, {{-1, 1, 0, 1}, {4, 4, 0, 4}, {-2, -2, 0, 2}}, {attribute_rule(1)});
    int pixels = 0;
    drawing.for_each_pixel([&](int x, int y, const Vec4Lanes* inputs, int lane) {
        ++pixels;
        const double s = (x + 0.5) / 64, t = (y + 0.5) / 64;
        for (int c = 0; c < 4; ++c) {
            const auto v = component_values(c, 1);
            EXPECT_NEAR(inputs[0].c[c][lane], v[0] + s * (double{v[1]} - v[0]) + t * (double{v[2]} - v[0]), 1e-4);
        }
    });
    EXPECT_EQ(pixels, 64 * 63 / 2);
}

TEST(Interpolate, ConstantInputsAreTheProvokingVertexsExactlyInEveryPart) {
    const Drawing drawing(PrimitiveKind::triangle, {{-3, -0.5F, 0, 1}, {3, -0.5F, 0, 1}, {0, 3, 0, 1}},
                          {attribute_rule(2)});
    ASSERT_GE(drawing.parts(), 2U);
    drawing.for_each_pixel([&](int, int, const Vec4Lanes* inputs, int lane) {
        for (int c = 0; c < 4; ++c) ASSERT_EQ(inputs[0].c[c][lane], Drawing::value(2, c, 2));
    });
}

TEST(Interpolate, AnInputThatIsEqualAtAllVerticesWithOneWStaysExact) {
    const Drawing drawing(PrimitiveKind::triangle, {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}}, {attribute_rule(0)});
    drawing.for_each_pixel([&](int, int, const Vec4Lanes* inputs, int lane) { ASSERT_EQ(inputs[0].c[3][lane], 7.0F); });
}

TEST(Interpolate, ComponentsThatTheRuleLeavesOutAreNotTouched) {
    InputRule rule = attribute_rule(0);
    rule.components = 5;
    const Drawing drawing(PrimitiveKind::triangle, {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}}, {rule});
    Vec4Lanes input = {};
    input.c[1][0] = input.c[3][0] = 99;
    const BatchQuad quad = {&drawing.planes(0), 0, 0};
    interpolate_inputs({&quad, 1}, {&rule, 1}, 0.5F, nullptr, &input);
    EXPECT_NE(input.c[0][0], 0);
    EXPECT_EQ(input.c[1][0], 99);
    EXPECT_NE(input.c[2][0], 0);
    EXPECT_EQ(input.c[3][0], 99);
}

TEST(Interpolate, BackFacesTakeTheBackAttribute) {
    const std::vector<InputRule> rules = {attribute_rule(2, 1), source_rule(InputSource::facing)};
    SetupRules setup = Drawing::whole_screen();
    for (const bool front_ccw : {false, true}) {
        setup.front_ccw = front_ccw;
        const Drawing drawing(PrimitiveKind::triangle, {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}}, rules, setup);
        const float facing = front_ccw ? -1.0F : 1.0F;
        const float colour = Drawing::value(2, 0, front_ccw ? 1 : 2);
        drawing.for_each_pixel([&](int, int, const Vec4Lanes* inputs, int lane) {
            ASSERT_EQ(inputs[0].c[0][lane], colour);
            ASSERT_EQ(inputs[1].c[0][lane], facing);
            ASSERT_EQ(inputs[1].c[1][lane], 0);
        });
    }
}

TEST(Interpolate, ABatchOfDifferentPrimitivesEqualsOneBatchForEach) {
    const std::vector<InputRule> rules = {attribute_rule(0), attribute_rule(1), attribute_rule(2),
                                          source_rule(InputSource::position), source_rule(InputSource::facing)};
    const Drawing a(PrimitiveKind::triangle, {{-1, 1, 0.5F, 1}, {4, 4, 0, 4}, {-2, -2, 0, 2}}, rules);
    const Drawing b(PrimitiveKind::triangle, {{1, -1, 0, 1}, {-1, 1, 0, 1.5F}, {1, 1, 0.3F, 1}}, rules);
    std::vector<BatchQuad> quads;
    quads.reserve(batch_quads);
    for (int q = 0; q < batch_quads; ++q) quads.push_back({&(q % 3 == 0 ? a : b).planes(0), 2 * q, 4 * (q % 5)});
    auto together = std::make_unique<Vec4Lanes[]>(rules.size());
    auto alone = std::make_unique<Vec4Lanes[]>(rules.size());
    interpolate_inputs(quads, rules, 0.5F, nullptr, together.get());
    alignas(64) float depth[batch_lanes], one_depth[batch_lanes];
    interpolate_depth(quads, 0, 0, depth);
    for (std::size_t q = 0; q < quads.size(); ++q) {
        interpolate_inputs({&quads[q], 1}, rules, 0.5F, nullptr, alone.get());
        interpolate_depth({&quads[q], 1}, 0, 0, one_depth);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            EXPECT_EQ(depth[4 * q + lane], one_depth[lane]);
            EXPECT_EQ(depth[4 * q + lane], together[3].c[2][4 * q + lane]);
            for (std::size_t r = 0; r < rules.size(); ++r)
                for (const auto& c : {0, 1, 2, 3}) EXPECT_EQ(together[r].c[c][4 * q + lane], alone[r].c[c][lane]);
        }
    }
}

TEST(Interpolate, UniformComponentsAreExactWhateverTheirW) {
    InputRule rule = attribute_rule(0);
    rule.uniform = 8;
    const Drawing drawing(PrimitiveKind::triangle, {{-1, 1, 0, 1}, {4, 4, 0, 4.3F}, {-2, -2, 0, 2.7F}}, {rule});
    drawing.for_each_pixel([&](int, int, const Vec4Lanes* inputs, int lane) { ASSERT_EQ(inputs[0].c[3][lane], 7.0F); });
}

// Window positions (0, 0), (64, 0), (0, 64), and a value that is x.
TEST(Interpolate, CentroidsAndSamplesAreThatFarFromTheCentre) {
    SetupRules setup = Drawing::whole_screen();
    setup.multisample = true;
    const std::vector<ref::Vec4> places = {{-1, 1, -1, 1}, {1, 1, 1, 1}, {-1, -1, -1, 1}};
    InputRule centroid = source_rule(InputSource::attribute, Interpolation::linear);
    centroid.attribute = 1;
    centroid.centroid = true;
    InputRule centre = centroid;
    centre.centroid = false;
    const std::vector<InputRule> rules = {centroid, centre};
    const Drawing drawing(PrimitiveKind::triangle, places, rules, setup);
    const BatchQuad quad = {&drawing.planes(0), 8, 4};
    LaneOffsets offsets;
    offsets.x[2] = 0.375F;
    auto inputs = std::make_unique<Vec4Lanes[]>(2);
    interpolate_inputs({&quad, 1}, rules, 0.5F, &offsets, inputs.get());
    // Component 0 goes from 101 to 103 along 64 pixels and from 101 to 96 down 64 rows.
    const auto value = [](double x, double y) { return 101 + x / 32 - y * 5 / 64; };
    EXPECT_NEAR(inputs[0].c[0][0], value(8.5, 4.5), 1e-4);
    EXPECT_NEAR(inputs[0].c[0][2], value(8.875, 5.5), 1e-4);
    EXPECT_NEAR(inputs[1].c[0][2], value(8.5, 5.5), 1e-4);
    float depth[batch_lanes];
    interpolate_depth({&quad, 1}, -0.375F, 0.25F, depth);
    EXPECT_NEAR(depth[0], (8.5 - 0.375) / 64, 1e-6) << "depth runs from 0 to 1 along x";
}

TEST(Interpolate, PolygonOffsetMovesDepthOnly) {
    SetupRules setup = Drawing::whole_screen();
    const std::vector<ref::Vec4> places = {{-1, 1, 0.5F, 1}, {1, 1, 0.25F, 1}, {-1, -1, 0, 1}};
    const Drawing plain(PrimitiveKind::triangle, places, {attribute_rule(0)}, setup);
    setup.offset.units = 1;
    setup.offset.resolution = 0.125;
    const Drawing moved(PrimitiveKind::triangle, places, {attribute_rule(0)}, setup);
    EXPECT_EQ(moved.planes(0).depth.value, plain.planes(0).depth.value);
    const BatchQuad plain_quad = {&plain.planes(0), 8, 4}, moved_quad = {&moved.planes(0), 8, 4};
    float before[batch_lanes], after[batch_lanes];
    interpolate_depth({&plain_quad, 1}, 0, 0, before);
    interpolate_depth({&moved_quad, 1}, 0, 0, after);
    EXPECT_FLOAT_EQ(after[3], before[3] + 0.25F);
    EXPECT_EQ(moved.planes(0).depth.dx, plain.planes(0).depth.dx);
    EXPECT_EQ(moved.planes(0).inverse_w.value, plain.planes(0).inverse_w.value);
}

TEST(Interpolate, ALineVariesFromEndToEnd) {
    // From (8, 32.5) to (56, 32.5) in the window, w 1.
    const float y = -1.0F / 64;
    const Drawing drawing(PrimitiveKind::line, {{-0.75F, y, 0, 1}, {0.75F, y, 0, 1}}, {attribute_rule(0)});
    int pixels = 0;
    drawing.for_each_pixel([&](int x, int, const Vec4Lanes* inputs, int lane) {
        ++pixels;
        EXPECT_NEAR(inputs[0].c[0][lane], 1 + 2 * (x + 0.5 - 8) / 48, 1e-5);
    });
    EXPECT_GE(pixels, 47);
}

TEST(Interpolate, APointIsConstantButForItsPointCoordinate) {
    for (const Interpolation interpolation : {Interpolation::perspective, Interpolation::linear}) {
        const std::vector<InputRule> rules = {attribute_rule(0), source_rule(InputSource::sprite, interpolation)};
        // At (32, 32) in the window, 4 pixels wide.
        const Drawing drawing(PrimitiveKind::point, {{0, 0, 0, 2}}, rules);
        int pixels = 0;
        drawing.for_each_pixel([&](int x, int y, const Vec4Lanes* inputs, int lane) {
            ++pixels;
            for (int c = 0; c < 4; ++c) EXPECT_FLOAT_EQ(inputs[0].c[c][lane], Drawing::value(0, c));
            EXPECT_FLOAT_EQ(inputs[1].c[0][lane], (static_cast<float>(x) + 0.5F - 30) / 4);
            EXPECT_FLOAT_EQ(inputs[1].c[1][lane], (static_cast<float>(y) + 0.5F - 30) / 4);
            EXPECT_EQ(inputs[1].c[2][lane], 0);
            EXPECT_EQ(inputs[1].c[3][lane], 1);
        });
        EXPECT_EQ(pixels, 16);
    }
}

// Integers travel as the bits of floats: some look like signalling NaNs or -0, which no arithmetic leaves alone.
TEST(Interpolate, FlatInputsKeepEveryBit) {
    const std::uint32_t patterns[4] = {0x7f800001, 0xff812345, 0x80000000, 0xffffffff};
    Plane inputs[4];
    for (int c = 0; c < 4; ++c) inputs[c].value = std::bit_cast<float>(patterns[c]);
    PrimitivePlanes planes;
    planes.origin = 0.5F;
    planes.inverse_w = {1, 0, 0};
    planes.inputs = inputs;
    const BatchQuad quad = {&planes, 8, 4};
    auto out = std::make_unique<Vec4Lanes[]>(1);
    const LaneOffsets offsets;
    for (const LaneOffsets* centroids : {static_cast<const LaneOffsets*>(nullptr), &offsets}) {
        const InputRule rules[1] = {{.interpolation = Interpolation::constant, .centroid = true}};
        interpolate_inputs({&quad, 1}, rules, 0.5F, centroids, out.get());
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < 4; ++lane)
                EXPECT_EQ(std::bit_cast<std::uint32_t>(out[0].c[c][lane]), patterns[c]) << c << " " << lane;
    }
}

TEST(Interpolate, FlatInputsComeFromTheProvokingVertexBitByBit) {
    for (const std::uint32_t bits : {0x7f800001U, 0xff812345U, 0x7fc00001U, 0xffffffffU, 0x80000000U}) {
        const Interpolation flat[] = {Interpolation::constant};
        ClipRules rules;
        rules.interpolation = flat;
        VertexArray vertices(1, 0);
        vertices.resize(3);
        const ref::Vec4 places[3] = {{-3, 3, 0, 1}, {3, 3, 0, 1}, {0, -3, 0, 1}};  // clipped on every side
        for (std::uint32_t i = 0; i < 3; ++i) {
            std::copy(places[i].begin(), places[i].end(), vertices.clip(i));
            std::fill_n(vertices.attribute(i, 0), 4, i == 2 ? std::bit_cast<float>(bits) : 1.0F);
        }
        classify_vertices(vertices, 0, 3, rules, viewport);
        ClipOutput out;
        out.made.reset(1, 0);
        Clipper(vertices, rules, viewport, Provoking::last).clip(PrimitiveKind::triangle, {{0, 1, 2}}, 0, out);
        ASSERT_GT(out.primitives.size(), 1U);
        const InputRule rule[1] = {{.interpolation = Interpolation::constant}};
        for (const ClippedPrimitive& part : out.primitives) {
            Plane planes[4];
            make_planes(PrimitiveKind::triangle, part, {vertices, out.made}, {}, rule, planes);
            for (const Plane& plane : planes) EXPECT_EQ(std::bit_cast<std::uint32_t>(plane.value), bits);
        }
    }
}

}  // namespace models::functional
