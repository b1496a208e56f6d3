#include "models/workload/shaded_quads.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/error.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

RC_GTEST_PROP(ShadedQuads, AreCountedWhereTheyMeet, ()) {
    synthetic::Options options;
    options.seed = *rc::gen::arbitrary<std::uint64_t>();
    options.width = options.height = 64;
    options.draws = *rc::gen::inRange(1U, 7U);
    options.primitives = *rc::gen::inRange(1U, 6U);
    const Frame frame = synthetic::Generator(options).frame();
    for (const Rendering rendering : {Rendering::tiled, Rendering::tiled_hidden_surface_removal}) {
        ShadedQuads quads;
        quads.load(frame, rendering);
        for (const Tile& tile : frame.tiles)
            for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q) {
                std::uint32_t before = 0;
                for (std::uint32_t earlier = tile.first_quad; earlier < q; ++earlier)
                    before += frame.quads[earlier].x == frame.quads[q].x &&
                                      frame.quads[earlier].y == frame.quads[q].y && quads.lanes(earlier) != 0
                                  ? 1
                                  : 0;
                RC_ASSERT(quads.lanes(q) == 0 || quads.ordinal(q) == before);
            }
    }
}

// One tile; a draw and a primitive for each quad, all at one place.
struct Layers {
    Layers() {
        Pass pass;
        pass.colour = {{0, 32, 32, 4}};
        pass.tiles_x = pass.tiles_y = 1;
        frame.passes = {pass};
    }
    std::uint32_t add(const Draw& draw, std::uint8_t visible = 15, std::uint8_t shaded = 15) {
        frame.draws.push_back(draw);
        ++frame.passes[0].draw_count;
        Primitive primitive;
        primitive.draw = static_cast<std::uint32_t>(frame.draws.size() - 1);
        frame.primitives.push_back(primitive);
        Quad quad;
        quad.primitive = static_cast<std::uint32_t>(frame.primitives.size() - 1);
        quad.coverage = quad.early_pass = 15;
        quad.shaded = shaded;
        quad.visible = visible;
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

Draw opaque() {
    Draw draw;
    draw.early_depth = draw.early_test = draw.depth_test = draw.depth_write = true;
    draw.colour_targets = 1;
    draw.colour_mask = 15;
    return draw;
}

TEST(ShadedQuads, AreTheVisibleOnesWhereHiddenSurfacesAreRemoved) {
    Layers layers;
    const auto quad = layers.add(opaque(), 0b0110);
    EXPECT_EQ(layers.shaded().lanes(quad), 0b0110);
    EXPECT_EQ(layers.shaded(Rendering::tiled).lanes(quad), 0b1111);
    EXPECT_EQ(layers.shaded(Rendering::immediate).lanes(quad), 0b1111);
}

TEST(ShadedQuads, HaveTheLanesThatATestBeforeShadingLeaves) {
    Layers layers;
    const auto quad = layers.add(opaque(), 0b1110, 0b0111);
    EXPECT_EQ(layers.shaded(Rendering::tiled).lanes(quad), 0b0111);
    EXPECT_EQ(layers.shaded().lanes(quad), 0b0110);
}

TEST(ShadedQuads, AreNoneOfADrawThatWritesDepthAlone) {
    Layers layers;
    Draw depth = opaque();
    depth.colour_mask = 0;
    const auto alone = layers.add(depth);
    depth.early_depth = false;
    const auto late = layers.add(depth);
    EXPECT_EQ(layers.shaded(Rendering::tiled).lanes(alone), 0);
    EXPECT_EQ(layers.shaded(Rendering::tiled).lanes(late), 0b1111);
}

TEST(ShadedQuads, GoThroughTheHiddenSurfacePassIfTheyReplaceAllBehindThem) {
    Layers layers;
    Draw draws[7] = {opaque(), opaque(), opaque(), opaque(), opaque(), opaque(), opaque()};
    draws[1].blend = 1;
    draws[2].partial = 1;
    draws[3].early_depth = false;
    draws[4].discards = true;
    draws[5].stencil_write = true;
    draws[6].colour_mask = 0;
    for (const Draw& draw : draws) layers.add(draw);
    const ShadedQuads quads = layers.shaded();
    for (std::uint32_t draw = 0; draw < 7; ++draw) EXPECT_EQ(quads.hides(draw), draw == 0 || draw == 6) << draw;
}

TEST(ShadedQuads, RefuseMoreLayersThanAnOrdinalCounts) {
    Layers layers;
    layers.add(opaque());
    layers.frame.quads.assign(65537, layers.frame.quads[0]);
    layers.frame.tiles = {{0, 65536}};
    EXPECT_NO_THROW(layers.shaded());
    layers.frame.tiles = {{0, 65537}};
    EXPECT_THROW(layers.shaded(), engine::InputError);
}

}  // namespace
}  // namespace models
