#include "models/functional/raster/sample_coverage.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models::functional {

namespace {

using Window = std::array<float, 4>;

SetupRules sampled_screen() {
    SetupRules rules;
    rules.multisample = true;
    rules.region = {0, 0, 63, 63};
    return rules;
}

// Bits of the covered samples of every pixel, 64 by 64.
class Samples {
  public:
    Samples(const Window& a, const Window& b, const Window& c, const SetupRules& rules = sampled_screen())
        : covered_(64 * 64) {
        RasterPrimitive primitive;
        InterpolationBasis basis;
        visible_ = setup_triangle(a.data(), b.data(), c.data(), rules, primitive, basis) == SetupOutcome::visible;
        for (int tile = 0; visible_ && tile < 4; ++tile) {
            TileSamples samples;
            cover_samples(primitive, tile % 2, tile / 2, samples);
            if (samples.count > 0) touched_ = touched_ && touches_tile(primitive, tile % 2, tile / 2);
            for (int i = 0; i < samples.count; ++i) add(samples.quads[i], tile);
        }
    }

    unsigned at(int x, int y) const { return covered_[static_cast<std::size_t>(y * 64 + x)]; }
    bool touched() const { return touched_; }

  private:
    void add(const SampledQuad& quad, int tile) {
        for (int pixel = 0; pixel < 4; ++pixel) {
            const int x = tile % 2 * 32 + quad.x * 2 + pixel % 2, y = tile / 2 * 32 + quad.y * 2 + pixel / 2;
            for (unsigned s = 0; s < multisamples; ++s) {
                covered_[static_cast<std::size_t>(y * 64 + x)] |=
                    (quad.coverage >> (4 * s + static_cast<unsigned>(pixel)) & 1U) << s;
            }
        }
    }

    std::vector<unsigned> covered_;
    bool visible_ = false, touched_ = true;
};

// Positions in 1/256 pixel: exact in the rasteriser and here.
struct Corner {
    std::int64_t x = 0, y = 0;

    Window window() const { return {static_cast<float>(x) / 256, static_cast<float>(y) / 256, 0, 1}; }
};

// Twice the area of a, b and a sample; positive inside triangles that run clockwise.
std::int64_t side(const Corner& a, const Corner& b, std::int64_t x, std::int64_t y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

Corner any_corner() {
    return {*rc::gen::inRange<std::int64_t>(-2000, 18000), *rc::gen::inRange<std::int64_t>(-2000, 18000)};
}

}  // namespace

TEST(SampleCoverage, AHalfPixelCoversTheSamplesOnItsSide) {
    // x from 4.5 on: samples 1 (0.875) and 3 (0.625) of column 4, all of column 5.
    const Samples samples({4.5F, 2, 0, 1}, {40, 2, 0, 1}, {4.5F, 60, 0, 1});
    EXPECT_EQ(samples.at(3, 10), 0U);
    EXPECT_EQ(samples.at(4, 10), 0b1010U);
    EXPECT_EQ(samples.at(5, 10), 0b1111U);
    // y from 2: the row above is not touched.
    EXPECT_EQ(samples.at(6, 1), 0U);
    EXPECT_EQ(samples.at(6, 2), 0b1111U);
}

TEST(SampleCoverage, LevelEdgesCutBetweenSamples) {
    // y from 2.5: samples 2 (0.625) and 3 (0.875) of row 2.
    const Samples below({4, 2.5F, 0, 1}, {60, 2.5F, 0, 1}, {4, 60, 0, 1});
    EXPECT_EQ(below.at(6, 2), 0b1100U);
    // y up to 60.25: sample 0 (0.125) of row 60.
    const Samples above({4, 60.25F, 0, 1}, {4, 2, 0, 1}, {60, 60.25F, 0, 1});
    EXPECT_EQ(above.at(5, 60), 0b0001U);
}

TEST(SampleCoverage, WithoutMultisamplingAPixelIsCoveredWhole) {
    SetupRules rules = sampled_screen();
    rules.multisample = false;
    const Samples samples({4.25F, 2, 0, 1}, {40, 2, 0, 1}, {4.25F, 60, 0, 1}, rules);
    EXPECT_EQ(samples.at(4, 10), 0b1111U);
    EXPECT_EQ(samples.at(3, 10), 0U);
}

RC_GTEST_PROP(SampleCoverage, ASampleInsideAllEdgesIsCoveredAndOneOutsideIsNot, ()) {
    const Corner a = any_corner(), b = any_corner(), c = any_corner();
    const std::int64_t area = side(a, b, c.x, c.y);
    RC_PRE(area != 0);
    const Samples samples(a.window(), b.window(), c.window());
    RC_ASSERT(samples.touched());
    for (int pixel = 0; pixel < 64 * 64; ++pixel) {
        for (unsigned s = 0; s < multisamples; ++s) {
            const std::int64_t x = pixel % 64 * 256 + static_cast<std::int64_t>(sample_positions[s].x * 256);
            const std::int64_t y = pixel / 64 * 256 + static_cast<std::int64_t>(sample_positions[s].y * 256);
            const std::int64_t sign = area > 0 ? 1 : -1;
            const std::int64_t sides[3] = {sign * side(a, b, x, y), sign * side(b, c, x, y), sign * side(c, a, x, y)};
            const bool covered = (samples.at(pixel % 64, pixel / 64) >> s & 1U) != 0;
            if (sides[0] > 0 && sides[1] > 0 && sides[2] > 0) RC_ASSERT(covered);
            if (sides[0] < 0 || sides[1] < 0 || sides[2] < 0) RC_ASSERT(!covered);
        }
    }
}

RC_GTEST_PROP(SampleCoverage, TwoTrianglesThatShareAnEdgeCoverASampleOnce, ()) {
    const Corner a = any_corner(), b = any_corner(), c = any_corner(), d = any_corner();
    RC_PRE(side(a, b, c.x, c.y) > 0 && side(a, b, d.x, d.y) < 0);
    const Samples one(a.window(), b.window(), c.window());
    const Samples other(a.window(), b.window(), d.window());
    for (int pixel = 0; pixel < 64 * 64; ++pixel)
        RC_ASSERT((one.at(pixel % 64, pixel / 64) & other.at(pixel % 64, pixel / 64)) == 0U);
}

}  // namespace models::functional
