// Conservation in the frame trace: what goes in comes out, and every part refers to the others as the header says.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

TEST(FrameTrace, OfABusySceneObeysTheLaws) {
    Scene scene(70, 50);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0xff8040ff), WordList(4, 0xff00ff00)});
    scene.bind_texture(texture, 1, true);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    scene.fragment_shader(branching);
    scene.draw(whole_window(0));
    scene.fragment_shader(textured);
    scene.draw({{-3, -3, 0, 1, red}, {3, -1, -0.5F, 1, green}, {0, 5, 0.4F, 2, blue}});
    scene.blit(texture, 1, 2, texture, 0, 4);
    scene.fragment_shader(coloured);
    scene.draw(whole_window(0.9F, red));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    check_laws(r.frames.at(0).frame, r.programs);
    EXPECT_EQ(r.frames[0].frame.passes.size(), 3U);
}

TEST(FrameTrace, HasAQuadForEveryTwoByTwoPixelsOfAFullWindow) {
    Scene scene(70, 50);
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const Frame& frame = r.frames.at(0).frame;
    std::uint32_t lanes = 0;
    for (const Quad& quad : frame.quads) lanes += static_cast<std::uint32_t>(__builtin_popcount(quad.written));
    EXPECT_EQ(lanes, 70U * 50U);
    ASSERT_EQ(frame.tiles.size(), 6U);              // 3 x 2
    EXPECT_EQ(frame.tiles[5].quad_count, 3U * 9U);  // 6 x 18 pixels, and the triangles' common edge passes elsewhere
}

TEST(FrameTrace, MarksWhatTheEarlyTestLeaves) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(-0.5F, red));
    scene.draw(whole_window(0.5F, green));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    const std::uint32_t second = frame.draws.at(2).first_primitive;
    for (const Quad& quad : frame.quads) {
        EXPECT_EQ(quad.early_pass, quad.primitive < second ? quad.coverage : 0);
        EXPECT_EQ(quad.written, quad.early_pass);
    }
    EXPECT_TRUE(frame.draws[2].early_depth);
}

TEST(FrameTrace, DiscardedLanesPassTheEarlyTestButAreNotWritten) {
    Scene scene(16, 16);
    scene.bind_texture(scene.texture(1, {{0xffffffff}}));
    scene.fragment_shader(branching);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    for (const Quad& quad : frame.quads) {
        EXPECT_EQ(quad.early_pass, quad.coverage);
        EXPECT_EQ(quad.written == 0, quad.x >= 6) << int{quad.x};  // x > 0.75 of 8 quads
    }
}

// What is discarded has no colour, and depth is told by early_pass: both can be counted.
TEST(FrameTrace, LanesDiscardedAfterTheirDepthWasWrittenEarlyAreNotWritten) {
    Scene scene(16, 16);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    scene.bind_texture(scene.texture(1, {{0xffffffff}}));
    const std::string_view first_line = "FRAG\n";
    scene.fragment_shader(std::string(first_line) + "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n" +
                          std::string(branching.substr(first_line.size())));
    scene.draw(whole_window(0));
    scene.fragment_shader(coloured);
    scene.draw(whole_window(0.5F));  // behind the depth of what was discarded
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    ASSERT_TRUE(frame.draws.at(1).early_depth && frame.draws[1].depth_write && frame.draws[1].discards);
    for (const Quad& quad : frame.quads) {
        const bool first = frame.primitives[quad.primitive].draw == 1;
        EXPECT_EQ(quad.early_pass, first ? quad.coverage : 0);
        EXPECT_EQ(quad.written, first && quad.x < 6 ? quad.coverage : 0);
    }
}

// With GL_RASTERIZER_DISCARD there is the work of the vertices, and no effect on colour or depth.
TEST(FrameTrace, ADrawWhoseRasteriserDiscardsHasItsVerticesAndNoPrimitives) {
    constexpr std::uint32_t discard = 1U << 3, lines_for_faces = 1U << 10, stipple = 1U << 22;
    for (const std::uint32_t mode : {Scene::points, Scene::lines, Scene::triangles}) {
        Scene scene(16, 16);
        scene.clear(Scene::clear_all);
        scene.depth_test(Scene::less_and_write);
        scene.draw(whole_window(0.5F, red));
        scene.rasterizer(Scene::plain | discard | lines_for_faces | stipple);
        scene.draw(whole_window(-0.5F, green), mode);
        scene.rasterizer(Scene::plain);
        scene.draw(whole_window(0, blue));
        scene.end_frame();
        const Rendering r = render(scene.stream.bytes());
        const Frame& frame = r.frames.at(0).frame;
        check_laws(frame, r.programs);
        EXPECT_EQ(r.frames[0].pixel(3, 3), 0x0000ffffU);
        ASSERT_EQ(frame.draws.size(), 4U);
        const Draw& draw = frame.draws[2];
        const std::uint32_t assembled = mode == Scene::points ? 6 : mode == Scene::lines ? 3 : 2;
        EXPECT_EQ(draw.vertex_count, 6U);
        EXPECT_EQ(draw.fetch_count, 6U);
        EXPECT_EQ(draw.attribute_count, 2U);
        EXPECT_EQ(draw.assembled_primitives, assembled);
        EXPECT_EQ(draw.culled_primitives, assembled);
        EXPECT_EQ(draw.primitive_count, 0U);
        EXPECT_EQ(draw.colour_targets, 0U);
        EXPECT_EQ(draw.colour_mask, 0U);
        EXPECT_FALSE(draw.depth_test || draw.depth_write || draw.stencil_test || draw.stencil_write);
    }
}

TEST(FrameTrace, APassOfDrawsWhoseRasteriserDiscardsLoadsAndStoresNothing) {
    Scene scene(8, 8);
    const std::uint32_t texture = scene.texture(8, {WordList(64, 0xffffffff)});
    scene.commands.create(ObjectType::surface, {90, texture, 67, 0, 0});
    scene.target({90}, Scene::depth_surface, 8, 8);
    scene.depth_test(Scene::less_and_write);
    scene.bind_texture(texture);  // as drawing must not: the fragments that would read it do not exist
    scene.fragment_shader(textured);
    scene.rasterizer(Scene::plain | 1U << 3);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const Frame& frame = r.frames.at(0).frame;
    check_laws(frame, r.programs);
    ASSERT_EQ(frame.passes.size(), 1U);
    const Pass& pass = frame.passes[0];
    EXPECT_EQ(pass.draw_count, 1U);
    EXPECT_FALSE(pass.colour_load || pass.colour_store || pass.depth_load || pass.depth_store);
}

TEST(FrameTrace, QuadsThatBranchTakePathsOfTheirOwn) {
    Scene scene(16, 16);
    scene.bind_texture(scene.texture(1, {{0xffffffff}}));
    scene.fragment_shader(branching);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const Frame& frame = r.frames.at(0).frame;
    const Program& program = r.programs.at(frame.draws.at(0).fragment_program);
    ASSERT_EQ(program.paths.size(), 2U);
    std::set<std::uint16_t> left, right;
    for (const Quad& quad : frame.quads) (quad.x < 4 ? left : right).insert(quad.path);
    ASSERT_EQ(left.size(), 1U);
    ASSERT_EQ(right.size(), 1U);
    EXPECT_EQ(textures_on(program, program.paths[*left.begin()]), 1U);
    EXPECT_EQ(textures_on(program, program.paths[*right.begin()]), 0U);
}

TEST(FrameTrace, ATextureAccessTouchesTheBlocksOfItsTexels) {
    // Nearest filter at a scale of one: a quad reads four texels of one 4x4 tile, which is one memory block.
    Scene scene(8, 8);
    scene.bind_texture(scene.texture(8, {WordList(64, 0xffffffff)}));
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    std::set<BlockNumber> blocks;
    for (const TextureAccess& access : frame.accesses) {
        ASSERT_EQ(access.block_count, 1U);
        blocks.insert(frame.blocks[access.first_block]);
    }
    EXPECT_EQ(blocks.size(), 4U);
    EXPECT_EQ(*blocks.rbegin() - *blocks.begin(), 3U);
}

TEST(FrameTrace, CountsWhatIsCulled) {
    Scene scene(8, 8);
    scene.draw({{5, 5, 0, 1, red},
                {6, 5, 0, 1, red},
                {5, 6, 0, 1, red},  // outside
                {0, 0, 0, 1, red},
                {0, 0, 0, 1, red},
                {0, 0, 0, 1, red},  // no area
                {-1, -1, 0, 1, red},
                {1, -1, 0, 1, red},
                {-1, 1, 0, 1, red}});  // visible
    scene.end_frame();
    const Draw draw = first_frame(scene).frame.draws.at(0);
    EXPECT_EQ(draw.assembled_primitives, 3U);
    EXPECT_EQ(draw.culled_primitives, 2U);
    EXPECT_EQ(draw.primitive_count, 1U);
}

}  // namespace
}  // namespace models::functional
