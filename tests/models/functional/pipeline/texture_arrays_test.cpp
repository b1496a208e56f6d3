// Textures that a program chooses by a number: what is drawn and computed, and the accesses in the trace.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/pipeline/compute_scene.h"
#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// The texture of unit 1 + floor(IN[0].x).
constexpr std::string_view choosing_fragments = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[1..2]
DCL SVIEW[1..2], 2D, FLOAT
DCL ADDR[0]
  0: ARL ADDR[0].x, IN[0].xxxx
  1: TEX OUT[0], IN[0].yyyy, SAMP[ADDR[0].x+1], 2D
  2: END
)";
constexpr std::string_view choosing_vertices = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[1..2]
DCL SVIEW[1..2], 2D, FLOAT
DCL ADDR[0]
  0: ARL ADDR[0].x, IN[1].xxxx
  1: TEX OUT[1], IN[1].yyyy, SAMP[ADDR[0].x+1], 2D
  2: MOV OUT[0], IN[0]
  3: END
)";

template <class AnyScene>
void bind(AnyScene& scene, std::uint32_t stage, std::uint32_t unit, std::uint32_t texture, std::uint32_t view,
          std::uint32_t format = 67) {
    scene.commands.create(ObjectType::sampler_view, {view, texture, format, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .create(ObjectType::sampler_state, {view + 1, 2U | 2U << 3 | 2U << 6 | 2U << 11, 0, 0, word(1000), 0, 0, 0, 0})
        .add(VirglCommand::set_sampler_views, {stage, unit, view})
        .add(VirglCommand::bind_sampler_states, {stage, unit, view + 1});
}

Scene scene_of_two_textures(std::uint32_t stage) {
    Scene scene(16, 16);
    bind(scene, stage, 1, scene.texture(4, {WordList(16, 0xff0000ffU)}), 50);  // red
    bind(scene, stage, 2, scene.texture(4, {WordList(16, 0xff00ff00U)}), 60);  // green
    return scene;
}

// The window in two triangles, of which the first one is red, the second green.
RenderedFrame drawn_as_each_triangle_chooses(Scene& scene) {
    SceneVertices corners = whole_window(0);
    for (std::size_t v = 0; v < corners.size(); ++v) corners[v].value = {v < 3 ? 0.5F : 1.5F, 0.5F, 0, 0};
    scene.draw(corners);
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    RenderedFrame f = r.frames.at(0);
    check_laws(f.frame, r.programs);
    EXPECT_EQ(f.pixel(1, 1), 0xff0000ffU);
    EXPECT_EQ(f.pixel(14, 14), 0x00ff00ffU);
    return f;
}

TEST(TextureArrays, OfFragmentsAreSampledAsEachPrimitiveChooses) {
    Scene scene = scene_of_two_textures(1);
    scene.fragment_shader(choosing_fragments);
    const RenderedFrame f = drawn_as_each_triangle_chooses(scene);
    for (const Quad& quad : f.frame.quads) {
        const TextureAccess& access = f.frame.accesses.at(quad.first_access);
        EXPECT_EQ(access.samples, 4);
        EXPECT_EQ(access.block_count, 1);
    }
    EXPECT_EQ(render(scene.stream.bytes(), 3).frames.at(0).frame, f.frame);
}

TEST(TextureArrays, OfFragmentsThatDisagreeWithinAQuadAreRefused) {
    Scene scene = scene_of_two_textures(1);
    scene.fragment_shader(choosing_fragments);
    SceneVertices corners = whole_window(0);
    for (SceneVertex& v : corners) v.value[0] = v.x < 0 ? 0.1F : 2.1F;
    scene.draw(corners);
    scene.end_frame();
    EXPECT_THAT([&] { first_frame(scene); }, testing::ThrowsMessage<engine::InputError>(testing::HasSubstr(
                                                 "textures of an array that differ within a quad are not supported")));
}

TEST(TextureArrays, OfVerticesAreSampledAsEachChooses) {
    Scene scene = scene_of_two_textures(0);
    scene.commands.shader(scene.handle(), 0, choosing_vertices);
    const RenderedFrame f = drawn_as_each_triangle_chooses(scene);
    ASSERT_EQ(f.frame.vertices.size(), 6U);
    const auto block = [&](std::size_t v) {
        return f.frame.vertex_blocks.at(f.frame.vertex_accesses.at(f.frame.vertices[v].first_access).first_block);
    };
    EXPECT_EQ(block(0), block(2));
    EXPECT_EQ(block(3), block(5));
    EXPECT_NE(block(0), block(3));
}

TEST(TextureArrays, ThatMayHoldWhatTheDrawWritesAreRefused) {
    Scene scene(8, 8);
    bind(scene, 1, 2, Scene::window, 50, 1);
    scene.fragment_shader(choosing_fragments);
    scene.draw(whole_window(0, std::array{0.5F, 0.5F, 0.0F, 0.0F}));
    scene.end_frame();
    EXPECT_THAT([&] { first_frame(scene); },
                testing::ThrowsMessage<engine::InputError>(testing::HasSubstr(
                    "sampling the surface that the same draw writes is not supported (texture unit 2)")));
}

// The pixels of a quad gather at offsets of their own: a texel of the red column, or of the green ones beside it.
TEST(TexelOffsets, OfPixelsAreOneAccessOfTheirQuad) {
    Scene scene(8, 8);
    WordList texels(64, 0xff00ff00U);
    for (std::size_t y = 0; y < 8; ++y) texels[8 * y + 2] = 0xff0000ffU;
    bind(scene, 1, 0, scene.texture(8, {texels}), 50);
    scene.fragment_shader(R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], POSITION, LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 2, 0}
IMM[1] FLT32 {0.1875, 0.1875, 0, 0}
  0: F2I TEMP[0].xy, IN[1].xyyy
  1: AND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  2: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  3: MOV TEMP[0].y, IMM[0].xxxx
  4: TG4 OUT[0], IMM[1].xyyy, IMM[0].xxxx, SAMP[0], 2D, TEMP[0].xyz
  5: END
)");
    scene.draw(whole_window(0, red));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const RenderedFrame& f = r.frames.at(0);
    check_laws(f.frame, r.programs);
    // The footprint's left column is 1; pixels of even columns move it to 2, of odd ones to 3. Texels are gathered
    // from the lower left on, against the clock.
    EXPECT_EQ(f.pixel(4, 4), 0xff0000ffU);
    EXPECT_EQ(f.pixel(5, 4), 0x00000000U);
    for (const Quad& quad : f.frame.quads) {
        const TextureAccess& access = f.frame.accesses.at(quad.first_access);
        EXPECT_EQ(access.samples, 4);
        EXPECT_EQ(access.filter, TextureFilter::gather);
        ASSERT_EQ(access.block_count, 2);  // columns 2 and 3, and 3 and 4
        EXPECT_NE(f.frame.blocks.at(access.first_block), f.frame.blocks.at(access.first_block + 1));
    }
}

// Even threads fetch from one texture, odd ones from another whose texels have four times as many bytes.
TEST(TextureArrays, OfThreadsAreOneAccessOfTheirGroup) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(64, 0));
    const std::uint32_t bytes = scene.texture(67, 4, 4, WordList(16, 0x00000055U));
    const std::uint32_t floats = scene.texture(31, 4, 4, WordList(64, word(2.0F)));
    bind(scene, ComputeScene::stage, 0, bytes, 500);
    bind(scene, ComputeScene::stage, 1, floats, 510, 31);
    scene.program(linear_program(64, "DCL BUFFER[0]\nDCL SAMP[0..1]\nDCL SVIEW[0..1], 2D, FLOAT\n",
                                 R"(AND TEMP[2].x, SV[0].xxxx, IMM[0].yyyy
UARL ADDR[0].x, TEMP[2].xxxx
TXF TEMP[3], IMM[0].zzzz, SAMP[ADDR[0].x], 2D
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx
)"));
    scene.bind_buffer(0, out, 256);
    scene.launch({64, 1, 1}, {1, 1, 1});
    ComputeScene traced = scene;
    const WordList computed = contents(scene, out);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(computed[i], i % 2 == 0 ? word(1.0F / 3) : word(2.0F)) << i;

    traced.read_back(1, {0});
    FunctionalRenderer renderer(traced.stream.bytes(), {.threads = 1});
    Frame frame;
    ASSERT_TRUE(renderer.next_frame(&frame, nullptr, nullptr));
    check_laws(frame, renderer.programs());
    ASSERT_EQ(frame.kernel_accesses.size(), 2U);
    for (const TextureAccess& access : frame.kernel_accesses) {
        EXPECT_EQ(access.samples, 32);
        EXPECT_EQ(access.texel_bytes, 16);
        EXPECT_EQ(access.filter, TextureFilter::fetch);
        ASSERT_EQ(access.block_count, 2);
        EXPECT_NE(frame.kernel_blocks.at(access.first_block), frame.kernel_blocks.at(access.first_block + 1));
    }
}

}  // namespace
}  // namespace models::functional
