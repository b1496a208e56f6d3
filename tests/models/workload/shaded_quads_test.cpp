#include "models/workload/shaded_quads.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/error.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

struct Shading {
    std::vector<std::uint8_t> lanes;
    std::vector<std::uint32_t> ordinals;
};

// The slow way: lane by lane, with a look at all quads of the tile that come later, or earlier, at its place.
Shading reference(const Frame& frame, Rendering rendering) {
    Shading shading{std::vector<std::uint8_t>(frame.quads.size()), std::vector<std::uint32_t>(frame.quads.size())};
    const auto draw_of = [&](const Quad& quad) { return frame.draws[frame.primitives[quad.primitive].draw]; };
    const auto opaque = [&](const Draw& draw) {
        return draw.early_depth && draw.depth_test && draw.depth_write && !draw.blend;
    };
    for (const Tile& tile : frame.tiles) {
        const std::uint32_t end = tile.first_quad + tile.quad_count;
        for (std::uint32_t q = tile.first_quad; q < end; ++q) {
            const Quad& quad = frame.quads[q];
            const Draw draw = draw_of(quad);
            for (unsigned lane = 0; lane < 4; ++lane) {
                bool is_shaded = (quad.early_pass >> lane & 1U) != 0;
                if (draw.early_depth && draw.colour_targets == 0) is_shaded = false;
                if (rendering == Rendering::tiled_hidden_surface_removal && opaque(draw))
                    for (std::uint32_t later = q + 1; later < end; ++later) {
                        const Quad& other = frame.quads[later];
                        const Draw over = draw_of(other);
                        if (other.x == quad.x && other.y == quad.y && opaque(over) && over.colour_targets > 0 &&
                            (other.early_pass >> lane & 1U) != 0)
                            is_shaded = false;
                    }
                if (is_shaded) shading.lanes[q] = static_cast<std::uint8_t>(shading.lanes[q] | 1U << lane);
            }
            for (std::uint32_t earlier = tile.first_quad; earlier < q; ++earlier)
                if (frame.quads[earlier].x == quad.x && frame.quads[earlier].y == quad.y && shading.lanes[earlier] != 0)
                    ++shading.ordinals[q];
        }
    }
    return shading;
}

RC_GTEST_PROP(ShadedQuads, AreThoseThatTheSlowWayFinds, ()) {
    synthetic::Options options;
    options.seed = *rc::gen::arbitrary<std::uint64_t>();
    options.width = options.height = 64;
    options.draws = *rc::gen::inRange(1U, 7U);
    options.primitives = *rc::gen::inRange(1U, 6U);
    const Frame frame = synthetic::Generator(options).frame();
    for (const Rendering rendering : {Rendering::tiled, Rendering::tiled_hidden_surface_removal}) {
        ShadedQuads quads;
        quads.load(frame, rendering);
        const Shading expected = reference(frame, rendering);
        for (std::uint32_t q = 0; q < frame.quads.size(); ++q) {
            RC_ASSERT(quads.lanes(q) == expected.lanes[q]);
            RC_ASSERT(expected.lanes[q] == 0 || quads.ordinal(q) == expected.ordinals[q]);
        }
    }
}

// One tile; a draw and a primitive for each quad, all at one place.
struct Layers {
    std::uint32_t add(bool opaque, std::uint8_t lanes, std::uint8_t colour_targets = 1) {
        Draw draw;
        draw.early_depth = draw.depth_test = true;
        draw.depth_write = opaque;
        draw.blend = !opaque;
        draw.colour_targets = colour_targets;
        frame.draws.push_back(draw);
        Primitive primitive;
        primitive.draw = static_cast<std::uint32_t>(frame.draws.size() - 1);
        frame.primitives.push_back(primitive);
        Quad quad;
        quad.primitive = static_cast<std::uint32_t>(frame.primitives.size() - 1);
        quad.early_pass = lanes;
        frame.quads.push_back(quad);
        frame.tiles = {{0, static_cast<std::uint32_t>(frame.quads.size())}};
        return quad.primitive;
    }
    ShadedQuads shaded(Rendering rendering = Rendering::tiled_hidden_surface_removal) const {
        ShadedQuads quads;
        quads.load(frame, rendering);
        return quads;
    }
    Frame frame;
};

TEST(ShadedQuads, OfAnOpaqueSurfaceAreThoseLanesThatNoLaterOpaqueOneCovers) {
    Layers layers;
    const auto back = layers.add(true, 0b1111), middle = layers.add(true, 0b0110), front = layers.add(true, 0b0011);
    const ShadedQuads quads = layers.shaded();
    EXPECT_EQ(quads.lanes(back), 0b1000);
    EXPECT_EQ(quads.lanes(middle), 0b0100);
    EXPECT_EQ(quads.lanes(front), 0b0011);
    EXPECT_EQ(layers.shaded(Rendering::tiled).lanes(back), 0b1111);
}

TEST(ShadedQuads, NeitherHideBehindABlendedSurfaceNorHideOne) {
    Layers layers;
    const auto back = layers.add(true, 0b1111), glass = layers.add(false, 0b1111), front = layers.add(true, 0b1111);
    const ShadedQuads quads = layers.shaded();
    EXPECT_EQ(quads.lanes(back), 0);
    EXPECT_EQ(quads.lanes(glass), 0b1111);
    EXPECT_EQ(quads.lanes(front), 0b1111);
    EXPECT_EQ(quads.ordinal(front), 1U);  // behind the glass
}

TEST(ShadedQuads, StayVisibleBehindADrawThatWritesDepthAlone) {
    Layers layers;
    const auto colour = layers.add(true, 0b1111), depth = layers.add(true, 0b1111, 0);
    const ShadedQuads quads = layers.shaded();
    EXPECT_EQ(quads.lanes(colour), 0b1111);
    EXPECT_EQ(quads.lanes(depth), 0);
}

TEST(ShadedQuads, RefuseMoreLayersThanAnOrdinalCounts) {
    Layers layers;
    layers.add(false, 1);
    layers.frame.quads.assign(65537, layers.frame.quads[0]);
    layers.frame.tiles = {{0, 65536}};
    EXPECT_NO_THROW(layers.shaded());
    layers.frame.tiles = {{0, 65537}};
    EXPECT_THROW(layers.shaded(), engine::InputError);
}

}  // namespace
}  // namespace models
