// Blits of depth and stencil: seen through a draw that is tested against their result.
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::uint32_t z24s8 = 19, other = 90;  // format, resource; 92 is its surface
constexpr std::uint32_t where_stencil_equals = 1U | 2U << 1 | 0xffU << 13 | 0xffU << 21;  // the reference value

// 8x8 pixels, depth 1 and stencil 0 in the window's buffer; another of the same kind with depth 0 in its left half, 1
// in its right half, and stencil 7.
Scene two_buffers() {
    Scene scene(8, 8, z24s8);
    scene.clear(Scene::clear_all, {0, 0, 0, 1});
    scene.stream.resource(other, 2, z24s8, 1, 8, 8);
    scene.commands.create(ObjectType::surface, {92, other, z24s8, 0, 0});
    scene.target({}, 92, 8, 8);
    scene.commands.add(VirglCommand::clear, {3, 0, 0, 0, 0, 0, 0x3ff00000, 7});
    scene.depth_test(Scene::less_and_write);
    SceneVertices left = whole_window(-1, white);
    for (SceneVertex& corner : left) corner.x = corner.x > 0 ? 0.0F : -1.0F;
    scene.draw(left);
    return scene;
}

void blit(Scene& scene, std::uint32_t flags, std::uint32_t source_x, std::uint32_t source_width,
          std::array<std::uint32_t, 2> scissor = {}) {
    scene.commands.add(VirglCommand::blit,
                       {flags,    scissor[0], scissor[1], Scene::depth, 0, z24s8, 0, 0, 0, 8, 8, 1, other, 0, z24s8,
                        source_x, 0,          0,          source_width, 8, 1});
    scene.target({Scene::window_surface}, Scene::depth_surface, 8, 8);
}

TEST(DepthBlit, OfDepthKeepsTheStencil) {
    Scene scene = two_buffers();
    blit(scene, 0x10, 0, 8);
    // Green where depth 0.5 is nearer; passes where the stencil is 0.
    scene.depth_test(Scene::less_and_write, where_stencil_equals);
    scene.draw(whole_window(0, green));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x000000ffU);
    EXPECT_EQ(frame.pixel(6, 4), 0x00ff00ffU);
}

TEST(DepthBlit, OfStencilKeepsTheDepth) {
    Scene scene = two_buffers();
    blit(scene, 0x20, 0, 8);
    scene.depth_test(Scene::less_and_write, where_stencil_equals);
    scene.commands.add(VirglCommand::set_stencil_ref, {7});
    scene.draw(whole_window(0, green));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x00ff00ffU);
    EXPECT_EQ(frame.pixel(6, 4), 0x00ff00ffU);
}

TEST(DepthBlit, ScalesToTheNearestPixel) {
    Scene scene = two_buffers();
    blit(scene, 0x30, 2, 4);  // columns 2 to 5, each twice
    scene.draw(whole_window(0, green));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(3, 4), 0x000000ffU);
    EXPECT_EQ(frame.pixel(4, 4), 0x00ff00ffU);
}

TEST(DepthBlit, LeavesOutWhatLiesOutsideItsSource) {
    Scene scene = two_buffers();
    blit(scene, 0x30 | 1U << 10, static_cast<std::uint32_t>(-4), 8, {4, 8 | 8 << 16});  // columns 4 to 7
    scene.draw(whole_window(0, green));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x00ff00ffU);
    EXPECT_EQ(frame.pixel(6, 4), 0x000000ffU);
}

// The passes: a clear of the window's depth, the other buffer, the blit, which loads what it leaves as it is.
TEST(DepthBlit, LoadsWhatThePassBeforeHasToStore) {
    for (const std::uint32_t mask : {0x10U, 0x20U, 0x30U}) {
        Scene scene = two_buffers();
        blit(scene, mask, 0, 8);
        scene.end_frame();
        const std::vector<Pass> passes = first_frame(scene).frame.passes;
        ASSERT_EQ(passes.size(), 3U);
        EXPECT_EQ(passes[2].colour_load, mask != 0x30U);
        EXPECT_EQ(passes[0].depth_store, passes[2].colour_load) << mask;
        EXPECT_TRUE(passes[1].depth_store);
    }
}

TEST(DepthBlit, Mirrors) {
    Scene scene = two_buffers();
    blit(scene, 0x30, 8, static_cast<std::uint32_t>(-8));
    scene.draw(whole_window(0, green));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x00ff00ffU);
    EXPECT_EQ(frame.pixel(6, 4), 0x000000ffU);
}

}  // namespace
}  // namespace models::functional
