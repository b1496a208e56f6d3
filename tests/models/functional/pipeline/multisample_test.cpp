// Four samples a pixel, from the draw to the resolved picture. The samples of a pixel are at (0.375, 0.125), (0.875,
// 0.375), (0.125, 0.625) and (0.625, 0.875) of it.
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::uint32_t samples = 90, sample_depth = 91;  // resources, and 100 more for their surfaces
constexpr std::uint32_t multisample = Scene::plain | 1U << 25;

// A scene of 8x8 pixels that draws to a texture with four samples, cleared to black and depth 1. `asked`: what the
// application asks for.
Scene sampled_scene(std::uint32_t asked = 4) {
    Scene scene(8, 8);
    scene.stream.message(VtestCommand::resource_create, {samples, 2, 1, 10, 8, 8, 1, 1, 0, asked})
        .message(VtestCommand::resource_create, {sample_depth, 2, 16, 1, 8, 8, 1, 1, 0, asked});
    scene.commands.create(ObjectType::surface, {92, samples, 1, 0, 0})
        .create(ObjectType::surface, {93, sample_depth, 16, 0, 0});
    scene.target({92}, 93, 8, 8);
    scene.clear(Scene::clear_all, {0, 0, 0, 1});
    scene.rasterizer(multisample);
    return scene;
}

void resolve(Scene& scene, std::uint32_t flags = 0xf) {
    scene.commands.add(VirglCommand::blit,
                       {flags, 0, 0, Scene::window, 0, 1, 0, 0, 0, 8, 8, 1, samples, 0, 1, 0, 0, 0, 8, 8, 1});
}

RenderedFrame rendered(Scene& scene) {
    resolve(scene);
    scene.end_frame();
    return first_frame(scene);
}

// Two triangles from column `left` (in pixels) to the right border.
SceneVertices from_column(float left, float z, std::array<float, 4> colour) {
    SceneVertices corners = whole_window(z, colour);
    for (SceneVertex& corner : corners)
        if (corner.x < 0) corner.x = left / 4 - 1;
    return corners;
}

TEST(Multisample, AnEdgeThroughAPixelShowsTheShareOfItsSamples) {
    Scene scene = sampled_scene();
    scene.draw(from_column(2.5F, 0, white));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(1, 4), 0x000000ffU);
    EXPECT_EQ(frame.pixel(2, 4), 0x808080ffU);
    EXPECT_EQ(frame.pixel(3, 4), 0xffffffffU);
}

TEST(Multisample, WhoAsksForFewerSamplesGetsFour) {
    for (const std::uint32_t asked : {2U, 3U}) {
        Scene scene = sampled_scene(asked);
        scene.draw(from_column(2.25F, 0, white));
        const RenderedFrame frame = rendered(scene);
        EXPECT_EQ(frame.pixel(2, 4), 0xbfbfbfffU) << asked;  // three of four
        EXPECT_EQ(frame.frame.draws.front().samples, 4) << asked;
    }
}

TEST(Multisample, WithoutItAPixelIsCoveredWhole) {
    Scene scene = sampled_scene();
    scene.rasterizer(Scene::plain);
    scene.draw(from_column(2.25F, 0, white));
    scene.draw(from_column(4.75F, 0, red));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(1, 4), 0x000000ffU);
    EXPECT_EQ(frame.pixel(2, 4), 0xffffffffU);
    EXPECT_EQ(frame.pixel(4, 4), 0xffffffffU);
    EXPECT_EQ(frame.pixel(5, 4), 0xff0000ffU);
}

TEST(Multisample, DepthIsTestedForEverySample) {
    Scene scene = sampled_scene();
    scene.depth_test(Scene::less_and_write);
    scene.draw(from_column(2.5F, -0.5F, red));
    scene.draw(whole_window(0, green));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(1, 4), 0x00ff00ffU);
    EXPECT_EQ(frame.pixel(2, 4), 0x808000ffU);
    EXPECT_EQ(frame.pixel(3, 4), 0xff0000ffU);
}

// A plane that crosses another within pixels: depth z runs from -1 to 1 along 8 pixels, the other is at 0.0625, where z
// is at column 4.25. Samples 0, 1 and 3 of column 4 lie beyond that, sample 2 before it.
TEST(Multisample, DepthIsThatOfTheSample) {
    Scene scene = sampled_scene();
    scene.depth_test(Scene::less_and_write);
    SceneVertices slope = whole_window(0, red);
    for (SceneVertex& corner : slope) corner.z = corner.x;
    scene.draw(slope);
    scene.draw(whole_window(0.0625F, green));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(3, 4), 0xff0000ffU);
    EXPECT_EQ(frame.pixel(4, 4), 0x40bf00ffU);
    EXPECT_EQ(frame.pixel(5, 4), 0x00ff00ffU);
}

TEST(Multisample, APixelIsShadedOnceAtItsCentre) {
    Scene scene = sampled_scene();
    scene.draw(whole_window(0));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(2, 4) >> 24, 80U);  // 2.5 / 8
    // Four of the draw's 16 quads are shared by its two triangles; the resolve has 16.
    EXPECT_EQ(frame.frame.quads.size(), 20U + 16U);
}

TEST(Multisample, CentroidsLieInTheCoveredPartOfAPixel) {
    Scene scene = sampled_scene();
    scene.fragment_shader(
        "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID\n"
        "DCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n");
    // A value that is x / 8 in pixels, from column 2.5 on: samples 1 and 3 of column 2; the first is at 2.875.
    SceneVertices corners = from_column(2.5F, 0, white);
    for (SceneVertex& corner : corners) corner.value = {(corner.x + 1) / 2, 0, 0, 1};
    scene.draw(corners);
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(2, 4) >> 24, 46U);   // half of 2.875 / 8 of 255
    EXPECT_EQ(frame.pixel(3, 4) >> 24, 112U);  // 3.5 / 8 of 255
}

TEST(Multisample, AlphaTurnsIntoCoverage) {
    Scene scene = sampled_scene();
    scene.commands.create(ObjectType::blend, {94, 8, 0, Scene::opaque, 0, 0, 0, 0, 0, 0, 0})
        .bind(ObjectType::blend, 94);
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(0, std::array{1.0F, 1.0F, 1.0F, 0.4F}));  // above 0 and 1/4, not above 1/2 and 3/4
    scene.blend(Scene::opaque);
    scene.draw(whole_window(0.5F, blue));  // behind what is covered
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(4, 4) >> 8, 0x8080ffU);
}

TEST(Multisample, AlphaBecomesOneAfterItsCoverage) {
    Scene scene = sampled_scene();
    scene.commands.create(ObjectType::blend, {94, 8 | 16, 0, Scene::opaque, 0, 0, 0, 0, 0, 0, 0})
        .bind(ObjectType::blend, 94);
    scene.clear(Scene::clear_all, {0, 0, 0, 0});
    scene.draw(whole_window(0, std::array{1.0F, 1.0F, 1.0F, 0.4F}));
    EXPECT_EQ(rendered(scene).pixel(4, 4), 0x80808080U);
}

TEST(Multisample, TheSampleMaskAndTheProgramsMaskChooseSamples) {
    Scene scene = sampled_scene();
    scene.commands.add(VirglCommand::set_sample_mask, {7});
    scene.draw(whole_window(0, green));
    scene.commands.add(VirglCommand::set_sample_mask, {~0U});
    scene.fragment_shader(
        "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
        "DCL OUT[1], SAMPLEMASK\nIMM[0] UINT32 {9, 0, 0, 0}\n"
        "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1].x, IMM[0].xxxx\n  2: END\n");
    scene.draw(from_column(4, 0, red));
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x00bf00ffU);  // samples 0 to 2
    EXPECT_EQ(frame.pixel(6, 4), 0x808000ffU);  // then 0 and 3 are red
}

TEST(Multisample, ProgramsFetchSingleSamples) {
    Scene scene = sampled_scene();
    scene.draw(from_column(2.5F, 0, white));
    scene.target({Scene::window_surface}, 0, 8, 8);
    scene.rasterizer(Scene::plain);
    scene.commands.create(ObjectType::sampler_view, {95, samples, 1, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .add(VirglCommand::set_sampler_views, {1, 0, 95});
    scene.fragment_shader(
        "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
        "DCL SVIEW[0], 2D_MSAA, FLOAT\nDCL TEMP[0]\nIMM[0] UINT32 {3, 0, 0, 0}\n"
        "  0: F2I TEMP[0].xy, IN[0].xyyy\n  1: MOV TEMP[0].w, IMM[0].xxxx\n"
        "  2: TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA\n  3: END\n");
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(1, 4), 0x000000ffU);
    EXPECT_EQ(frame.pixel(2, 4), 0xffffffffU) << "sample 3 is at 0.625";
}

TEST(Multisample, CopiesKeepEverySample) {
    Scene scene = sampled_scene();
    scene.draw(from_column(2.5F, 0, white));
    scene.stream.message(VtestCommand::resource_create, {96, 2, 1, 10, 8, 8, 1, 1, 0, 4});
    scene.copy(96, 0, 0, samples, 8);
    scene.clear(Scene::clear_all, {1, 0, 0, 1});
    scene.copy(samples, 0, 0, 96, 8);
    const RenderedFrame frame = rendered(scene);
    EXPECT_EQ(frame.pixel(2, 4), 0x808080ffU);
    std::vector<int> of_targets;  // the last one is the window's
    for (const Draw& draw : frame.frame.draws)
        if (draw.kind == DrawKind::transfer) of_targets.push_back(draw.samples);
    EXPECT_EQ(of_targets, (std::vector<int>{4, 4, 1}));
}

TEST(Multisample, PlainPixelsAreGivenToAllSamples) {
    Scene scene = sampled_scene();
    scene.target({Scene::window_surface}, 0, 8, 8);
    scene.clear(Scene::clear_all, {0, 0, 1, 1});
    scene.commands.add(VirglCommand::blit,
                       {0xf, 0, 0, samples, 0, 1, 0, 0, 0, 8, 8, 1, Scene::window, 0, 1, 0, 0, 0, 8, 8, 1});
    scene.target({92}, 93, 8, 8);
    scene.draw(from_column(2.5F, 0, white));
    EXPECT_EQ(rendered(scene).pixel(2, 4), 0x8080ffffU);
}

TEST(Multisample, ResolvesMayTurnThePictureOver) {
    Scene scene = sampled_scene();
    SceneVertices top = whole_window(0, white);
    for (SceneVertex& corner : top) corner.y = corner.y > 0 ? 0.0F : -1.0F;  // rows 0 to 3
    scene.draw(top);
    const std::uint32_t up = static_cast<std::uint32_t>(-8);
    scene.commands.add(VirglCommand::blit,
                       {0xf, 0, 0, Scene::window, 0, 1, 0, 0, 0, 8, 8, 1, samples, 0, 1, 0, 8, 0, 8, up, 1});
    scene.end_frame();
    const RenderedFrame frame = first_frame(scene);
    EXPECT_EQ(frame.pixel(4, 1), 0x000000ffU);
    EXPECT_EQ(frame.pixel(4, 6), 0xffffffffU);
}

TEST(Multisample, TheTraceTellsTheBytesOfAllSamples) {
    Scene scene = sampled_scene();
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(0, white));
    const RenderedFrame frame = rendered(scene);
    ASSERT_EQ(frame.frame.passes.size(), 2U);
    EXPECT_EQ(frame.frame.passes[0].colour.at(0).bytes_per_texel, 16U);
    EXPECT_EQ(frame.frame.passes[0].depth.bytes_per_texel, 8U);  // 16 bits
    EXPECT_EQ(frame.frame.passes[1].colour.at(0).bytes_per_texel, 4U);
}

}  // namespace
}  // namespace models::functional
