#include "models/functional/renderer.h"

#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

TEST(Renderer, AClearFillsTheWindow) {
    Scene scene(5, 3);
    scene.clear(Scene::clear_all, {1, 0.5F, 0, 0.25F});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.image.width, 5U);
    EXPECT_EQ(f.image.height, 3U);
    for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(f.pixel(i % 5, i / 5), 0xff800040U);
}

TEST(Renderer, ComparesTheImageWithTheRecordedOne) {
    Scene scene(2, 2);
    scene.clear(Scene::clear_all, red);
    scene.end_frame(WordList(4, 0xffff0000));  // BGRA in memory
    scene.end_frame({0xffff0000, 0xffff0000, 0xffff0000, 0xfffc0000});
    scene.end_frame({});
    const Rendering r = render(scene.stream.bytes());
    ASSERT_EQ(r.frames.size(), 3U);
    EXPECT_TRUE(r.frames[0].frame.check.present);
    EXPECT_TRUE(std::isinf(r.frames[0].frame.check.psnr));
    EXPECT_EQ(r.frames[1].frame.check.largest_difference, 3U);
    EXPECT_NEAR(r.frames[1].frame.check.psnr, 10 * std::log10(255.0 * 255.0 * 12 / 9), 1e-9);
    EXPECT_FALSE(r.frames[2].frame.check.present);
}

TEST(Renderer, ATriangleCoversThePixelsWhoseCentresItHolds) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    // Corners at pixels (0, 0), (8, 0), (0, 8): the centres of the diagonal lie on its right edge, which is left out.
    scene.draw({{-1, -1, 0, 1, red}, {1, -1, 0, 1, red}, {-1, 1, 0, 1, red}});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 8; ++x) EXPECT_EQ(f.pixel(x, y), x + y < 7 ? 0xff0000ffU : 0U) << x << "," << y;
}

TEST(Renderer, WhatOnlyOtherPrimitivesWouldNeedIsNotRefused) {
    Scene scene(8, 8);
    // Smooth and stippled primitives, interpolation per sample.
    scene.rasterizer(Scene::plain | 1U << 21 | 1U << 23 | 1U << 26 | 1U << 27 | 1U << 31);
    scene.draw(whole_window(0, red));
    scene.rasterizer(Scene::plain | 1U << 10 | 1U << 22);  // polygons as lines, stippled
    scene.draw(whole_window(0, green), Scene::points);
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).pixel(4, 4), 0xff0000ffU);
}

TEST(Renderer, SmoothPointsAndStippledLinesAreDrawnLikeOthers) {
    const auto drawn = [](std::uint32_t rasterizer) {
        Scene scene(8, 8);
        scene.clear(Scene::clear_all);
        scene.rasterizer(Scene::plain | rasterizer);
        scene.draw(whole_window(0, red), Scene::points);
        scene.draw({{-1, 0.1F, 0, 1, green}, {0.9F, 0.1F, 0, 1, green}}, Scene::lines);
        scene.end_frame();
        return first_frame(scene).image.rgba;
    };
    EXPECT_EQ(drawn(1U << 23 | 1U << 27), drawn(0));
}

TEST(Renderer, ASmoothLineFadesTheAlphaThatIsTestedAndBlended) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    scene.rasterizer(Scene::plain | 1U << 26);
    scene.blend(Scene::translucent);
    const auto line = [&](float y, std::array<float, 4> colour) {  // the window's whole width
        scene.draw({{-1, y, 0, 1, colour}, {1, y, 0, 1, colour}}, Scene::lines);
    };
    line(-0.5F, white);                            // between rows 1 and 2
    line(0.125F, red);                             // in the middle of row 4
    scene.depth_test(1U << 8 | 4U << 9, 0, 0.6F);  // alpha greater than 0.6
    line(0.75F, white);                            // between rows 6 and 7
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    const auto rows = [&](std::uint32_t y) { return f.pixel(3, y) >> 24; };
    EXPECT_EQ(rows(0), 0U);
    EXPECT_NEAR(rows(1), 127.5, 1);
    EXPECT_NEAR(rows(2), 127.5, 1);
    EXPECT_EQ(rows(3), 0U);
    EXPECT_EQ(rows(4), 255U);
    EXPECT_EQ(rows(5), 0U);
    EXPECT_EQ(rows(6), 0U);
    EXPECT_EQ(rows(7), 0U);
    EXPECT_EQ(f.frame.draws[1].primitive_count, 2U);
}

// A viewport in the middle of the window, with a point and a line near its upper right corner, 6 pixels wide.
TEST(Renderer, WidePointsAndLinesEndAtTheViewportWhereVerticesHaveSizes) {
    for (const bool sizes : {false, true}) {
        Scene scene(16, 16);
        scene.clear(Scene::clear_all);
        const std::uint32_t size = word(6);
        scene.commands
            .create(ObjectType::rasterizer,
                    {90, Scene::plain | (sizes ? 1U << 24 : 0U) | 1U << 7, size, 0, 0, size, 0, 0, 0})
            .bind(ObjectType::rasterizer, 90)
            .add(VirglCommand::set_viewport_state, {0, word(4), word(4), word(0.5F), word(8), word(8), word(0.5F)});
        scene.draw({{0.9F, -0.4F, 0, 1, green}}, Scene::points);
        scene.draw({{-1, 0.9F, 0, 1, green}, {1, 0.9F, 0, 1, green}}, Scene::lines);
        scene.end_frame();
        const RenderedFrame f = first_frame(scene);
        const auto drawn = [&](std::uint32_t x, std::uint32_t y) { return (f.pixel(x, y) & 0xffffff00U) != 0; };
        EXPECT_TRUE(drawn(11, 6));
        EXPECT_EQ(drawn(12, 6), !sizes);
        EXPECT_TRUE(drawn(8, 11));
        EXPECT_EQ(drawn(8, 12), !sizes);
    }
}

TEST(Renderer, TrianglesThatShareAnEdgeNeverDrawAPixelTwice) {
    Scene scene(33, 17);
    scene.clear(Scene::clear_all);
    scene.blend(Scene::opaque | 1 | 1U << 4 | 1U << 9 | 1U << 17 | 1U << 22);  // source + target
    scene.draw(whole_window(0, std::array{0.5F, 0.0F, 0.0F, 0.5F}));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t i = 0; i < 33 * 17; ++i) ASSERT_EQ(f.pixel(i % 33, i / 33), 0x80000080U) << i;
}

TEST(Renderer, TheNearerOfTwoSurfacesShowsInEitherOrder) {
    for (const bool near_first : {false, true}) {
        Scene scene(4, 4);
        scene.clear(Scene::clear_all);
        scene.depth_test(Scene::less_and_write);
        scene.draw(whole_window(near_first ? -0.5F : 0.5F, near_first ? green : red));
        scene.draw(whole_window(near_first ? 0.5F : -0.5F, near_first ? red : green));
        scene.end_frame();
        EXPECT_EQ(first_frame(scene).pixel(1, 2), 0x00ff00ffU);
    }
}

TEST(Renderer, AVisiblePrimitiveKeepsItsValuesHoweverManyHiddenOnesFollow) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    SceneVertices list = whole_window(-0.5F, red);
    for (int i = 0; i < 200; ++i) {
        const SceneVertices hidden = whole_window(0.5F, blue);
        list.insert(list.end(), hidden.begin(), hidden.end());
    }
    scene.draw(list);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(f.pixel(i % 4, i / 4), 0xff0000ffU) << i;
}

TEST(Renderer, DepthIsClampedToTheViewportWhereNothingIsClippedToIt) {
    // The viewport's depths are 0.25 to 0.75 in a float depth buffer; the first draw lies beyond the far plane.
    for (const bool clip : {true, false}) {
        Scene scene(4, 4, 18);
        scene.clear(Scene::clear_all);
        scene.commands.add(VirglCommand::set_viewport_state,
                           {0, word(2), word(2), word(0.25F), word(2), word(2), word(0.5F)});
        scene.depth_test(Scene::less_and_write);
        scene.rasterizer(clip ? Scene::plain : Scene::plain & ~(1U << 1));
        scene.draw(whole_window(1.5F, red));  // depth 0.875, or 0.75
        scene.rasterizer(Scene::plain);
        scene.commands.add(VirglCommand::set_viewport_state,
                           {0, word(2), word(2), word(0.5F), word(2), word(2), word(0.5F)});
        scene.draw(whole_window(0.625F, green));  // depth 0.8125: behind 0.75, before 0.875
        scene.end_frame();
        EXPECT_EQ(first_frame(scene).pixel(1, 1), clip ? 0x00ff00ffU : 0xff0000ffU);
    }
}

TEST(Renderer, TheScissorCutsDraws) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all);
    scene.rasterizer(Scene::scissored);
    scene.commands.add(VirglCommand::set_scissor_state, {0, 2 | 3U << 16, 5 | 8U << 16});
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t i = 0; i < 64; ++i) {
        const bool inside = i % 8 >= 2 && i % 8 < 5 && i / 8 >= 3;
        EXPECT_EQ(f.pixel(i % 8, i / 8), inside ? 0xff0000ffU : 0U) << i;
    }
}

TEST(Renderer, BlendsWithTheSecondColourOfTheProgram) {
    Scene scene(8, 8);
    scene.clear(Scene::clear_all, {0, 0, 1, 1});
    // source * second colour + target * (1 - second colour)
    scene.blend(Scene::opaque | 1 | 9U << 4 | 0x19U << 9 | 9U << 17 | 0x19U << 22);
    scene.fragment_shader(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n"
        "IMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IMM[0]\n  2: END\n");
    scene.draw(whole_window(0, std::array{0.2F, 1.0F, 0.4F, 1.0F}));
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).pixel(4, 4), 0x3300ffffU);
}

TEST(Renderer, BlendsInTheOrderOfTheDraws) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all, white);
    scene.blend(Scene::translucent);
    scene.draw(whole_window(0, std::array{1.0F, 0.0F, 0.0F, 0.5F}));
    scene.draw(whole_window(0, std::array{0.0F, 0.0F, 1.0F, 0.5F}));
    scene.end_frame();
    // (1, 1, 1), (1, .5, .5), (.5, .25, .75), each time rounded to 8 bits.
    const std::uint32_t pixel = first_frame(scene).pixel(0, 0);
    EXPECT_NEAR(pixel >> 24, 127.5, 1);
    EXPECT_NEAR(pixel >> 16 & 0xff, 63.75, 1);
    EXPECT_NEAR(pixel >> 8 & 0xff, 191.25, 1);
}

TEST(Renderer, AlphaTestDiscardsFragmentsAndTheirDepth) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write | 1U << 8 | 4U << 9, 0, 0.5F);  // alpha greater than one half
    scene.draw(whole_window(-0.5F, std::array{1.0F, 0.0F, 0.0F, 0.25F}));
    scene.draw(whole_window(0.5F, green));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(0, 0), 0x00ff00ffU);
    EXPECT_FALSE(f.frame.draws[1].early_depth);
}

TEST(Renderer, IndicesBiasAndRestartSelectVertices) {
    const SceneVertices square{{-1, -1, 0, 1, red}, {1, -1, 0, 1, red}, {-1, 1, 0, 1, red}, {1, 1, 0, 1, red}};
    SceneVertices padded(3);
    padded.insert(padded.end(), square.begin(), square.end());

    Scene scene(6, 6);
    scene.clear(Scene::clear_all);
    scene.vertices(padded);
    scene.draw_indexed({0, 1, 2, 9, 2, 1, 3}, Scene::triangle_strip, 3, 9);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t i = 0; i < 36; ++i) EXPECT_EQ(f.pixel(i % 6, i / 6), 0xff0000ffU);
    const Draw& draw = f.frame.draws.at(1);
    EXPECT_EQ(draw.vertex_count, 4U);  // each vertex is shaded once
    EXPECT_EQ(draw.fetch_count, 6U);
    EXPECT_EQ(draw.assembled_primitives, 2U);
    EXPECT_EQ(f.frame.vertices[draw.first_vertex].id, 3U);
}

TEST(Renderer, InstancesTakeTheirAttributesByDivisor) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all);
    // Positions per vertex, colours per instance: the second instance draws over the first.
    scene.commands.create(ObjectType::vertex_elements, {13, 0, 0, 0, 31, 16, 1, 0, 31})
        .bind(ObjectType::vertex_elements, 13);
    SceneVertices list = whole_window(0, red);
    list[1].value = blue;
    scene.vertices(list);
    scene.draw_call(6, Scene::triangles, 0, 2);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(2, 2), 0x0000ffffU);
    EXPECT_EQ(f.frame.draws.at(1).vertex_count, 12U);
    EXPECT_EQ(f.frame.vertices[f.frame.draws[1].first_vertex + 6].instance, 1U);
    EXPECT_EQ(f.frame.attributes[f.frame.draws[1].first_attribute + 1].instance_divisor, 1U);
}

TEST(Renderer, ADrawBeforeAnUploadSeesTheOldTexture) {
    Scene scene(4, 4);
    const std::uint32_t texture = scene.texture(1, {{0xff0000ff}});  // red
    scene.bind_texture(texture);
    scene.fragment_shader(textured);
    scene.rasterizer(Scene::scissored);
    scene.commands.add(VirglCommand::set_scissor_state, {0, 0, 2 | 4U << 16});
    scene.draw(whole_window(0));
    scene.submit();
    scene.stream.put(texture, 0, 1, 1, {0xff00ff00});
    scene.commands.add(VirglCommand::set_scissor_state, {0, 2, 4 | 4U << 16});
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(0, 0), 0xff0000ffU);
    EXPECT_EQ(f.pixel(3, 0), 0x00ff00ffU);
    EXPECT_EQ(f.frame.passes.size(), 1U);  // a GPU keeps the old texture instead of flushing
}

TEST(Renderer, ATextureThatIsNotBoundReadsAsBlack) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all, white);
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).pixel(1, 1), 0x000000ffU);
}

TEST(Renderer, APassSeesWhatTheOneBeforeItDrew) {
    Scene scene(4, 4);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0)});
    const std::uint32_t surface = scene.handle();
    scene.commands.create(ObjectType::surface, {surface, texture, 67, 0, 0});
    scene.target({surface}, 0, 4, 4);
    scene.draw(whole_window(0));
    scene.target({Scene::window_surface}, 0, 4, 4);
    scene.bind_texture(texture);
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(3, 0) >> 24, 223U);  // (3.5 / 4) * 255
    ASSERT_EQ(f.frame.passes.size(), 2U);
    EXPECT_NE(f.frame.passes[0].colour[0].address, f.frame.passes[1].colour[0].address);
}

TEST(Renderer, SamplesBlocksOfAnySize) {
    // ASTC_8x5: four blocks of one colour each; the window shows the texture texel by texel.
    constexpr std::uint32_t astc_8x5 = 284;
    Scene scene(16, 10);
    const std::uint32_t texture = scene.handle();
    WordList blocks;
    for (const std::uint32_t red_and_green : {0x0000ffffU, 0xffff0000U, 0x80008000U, 0xffffffffU}) {
        const WordList block{0xfffffdfc, 0xffffffff, red_and_green, 0xffff0000};
        blocks.insert(blocks.end(), block.begin(), block.end());
    }
    scene.stream.resource(texture, 2, astc_8x5, 10, 16, 10).put(texture, 0, 16, 10, blocks);
    scene.commands.create(ObjectType::sampler_view, {90, texture, astc_8x5, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .create(ObjectType::sampler_state, {91, 2U | 2U << 3 | 2U << 6 | 2U << 11, 0, 0, word(1000), 0, 0, 0, 0})
        .add(VirglCommand::set_sampler_views, {1, 0, 90})
        .add(VirglCommand::bind_sampler_states, {1, 0, 91});
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t i = 0; i < 160; ++i) {
        const std::uint32_t x = i % 16, y = i / 16;
        const std::uint32_t expected[2][2] = {{0xff0000ff, 0x00ff00ff}, {0x808000ff, 0xffff00ff}};
        ASSERT_EQ(f.pixel(x, y), expected[y / 5][x / 8]) << x << "," << y;
    }
    // Four blocks of 16 bytes share one block of memory.
    EXPECT_EQ(std::set<BlockNumber>(f.frame.blocks.begin(), f.frame.blocks.end()).size(), 1U);
}

TEST(Renderer, DrawsTheSameWithoutATrace) {
    Scene scene(40, 40);
    for (int frame = 0; frame < 2; ++frame) {
        scene.clear(Scene::clear_all);
        scene.draw(whole_window(0));
        scene.end_frame();
    }
    const Rendering traced = render(scene.stream.bytes());
    const Rendering plain = render(scene.stream.bytes(), 1, false);
    ASSERT_EQ(traced.frames.size(), 2U);
    ASSERT_EQ(plain.frames.size(), 2U);
    EXPECT_EQ(traced.frames[1].image.rgba, plain.frames[1].image.rgba);
    EXPECT_EQ(traced.frames[1].frame.number, 1U);
}

TEST(Renderer, HasNoFrameUnlessTheWindowIsReadBackAndWaitedFor) {
    Scene scene(4, 4);
    scene.clear(Scene::clear_all);
    scene.submit();
    EXPECT_TRUE(render(scene.stream.bytes()).frames.empty());
    scene.stream.message(VtestCommand::transfer_get, {1, 0, 16, 0, 0, 0, 0, 4, 4, 1, 64});
    EXPECT_TRUE(render(scene.stream.bytes()).frames.empty());
    scene.stream.message(VtestCommand::resource_busy_wait, {2, 1});  // another resource
    EXPECT_TRUE(render(scene.stream.bytes()).frames.empty());
}

}  // namespace
}  // namespace models::functional
