// What the frame trace says of a texture instruction's cost, of the state of draws and of programs.
#include <utility>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// A texture over the whole window of 8x8 pixels; its levels in white.
Frame textured_window(std::uint32_t size, std::uint32_t levels, bool linear, std::string_view program = textured) {
    Scene scene(8, 8);
    std::vector<WordList> texels;
    for (std::uint32_t level = 0; level < levels; ++level)
        texels.emplace_back((size >> level) * (size >> level), 0xffffffff);
    scene.bind_texture(scene.texture(size, texels), levels - 1, linear);
    scene.fragment_shader(program);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    check_laws(r.frames.at(0).frame, r.programs);
    return r.frames.at(0).frame;
}

struct Cost {
    unsigned samples, lod;
    TextureFilter filter;
    unsigned texel_bytes;
    friend bool operator==(const Cost&, const Cost&) = default;
};
void PrintTo(const Cost& cost, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest looks for it
    *out << cost.samples << " samples, LOD " << cost.lod << "/256, filter " << static_cast<int>(cost.filter) << ", "
         << cost.texel_bytes << " bytes";
}

// Of all accesses of the frame, which are equal.
Cost cost_of(const Frame& frame) {
    const TextureAccess& first = frame.accesses.at(0);
    for (const TextureAccess& access : frame.accesses) {
        EXPECT_EQ(access.samples, first.samples);
        EXPECT_EQ(access.lod, first.lod);
        EXPECT_EQ(access.filter, first.filter);
        EXPECT_EQ(access.bias, 0);
    }
    return {first.samples, first.lod, first.filter, first.texel_bytes};
}

TEST(TextureCost, OfAQuadIsTheSamplesOfItsLanes) {
    EXPECT_EQ(cost_of(textured_window(8, 1, false)), (Cost{4, 0, TextureFilter::nearest, 4}));
    EXPECT_EQ(cost_of(textured_window(16, 1, false)), (Cost{4, 0, TextureFilter::nearest, 4}));
    EXPECT_EQ(cost_of(textured_window(8, 1, true)), (Cost{4, 0, TextureFilter::bilinear, 4}));
    EXPECT_EQ(cost_of(textured_window(16, 2, true)), (Cost{4, 256, TextureFilter::bilinear, 4}));  // just level 1
}

TEST(TextureCost, BetweenTwoLevelsIsTwice) {
    const Cost cost = cost_of(textured_window(12, 2, true));
    EXPECT_EQ(cost.samples, 8U);
    EXPECT_EQ(cost.filter, TextureFilter::trilinear);
    // log2(1.5), with the logarithm of the square that is linear between powers of two: (1 + 0.25 / 2) / 2.
    EXPECT_EQ(cost.lod, 144U);
}

TEST(TextureCost, OfFetchesAndQueries) {
    const auto program = [](std::string_view line) {
        return "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
               "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] UINT32 {0, 1, 0, 1}\n  0: " +
               std::string(line) + "\n  1: END\n";
    };
    EXPECT_EQ(cost_of(textured_window(8, 2, true, program("TXF OUT[0], IMM[0], SAMP[0], 2D"))),
              (Cost{4, 256, TextureFilter::fetch, 4}));  // level w = 1
    EXPECT_EQ(cost_of(textured_window(8, 2, true, program("TXQ OUT[0], IMM[0].xxxx, SAMP[0], 2D"))),
              (Cost{0, 0, TextureFilter::size_query, 4}));
}

TEST(TextureCost, IsNothingWhereNoTextureIsBound) {
    Scene scene(8, 8);
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    EXPECT_EQ(cost_of(first_frame(scene).frame), (Cost{0, 0, TextureFilter::nothing, 0}));
}

TEST(TextureCost, OfACopyIsAFetchForEachLaneOfItsQuads) {
    for (const std::uint32_t size : {8U, 5U}) {  // with helper lanes at the edges
        Scene scene(8, 8);
        const std::uint32_t texture = scene.texture(8, {WordList(64, 0xff00ff00)});
        scene.copy(Scene::window, 0, 0, texture, size);
        scene.end_frame();
        const Frame frame = first_frame(scene).frame;
        EXPECT_EQ(frame.quads.size(), ((size + 1) / 2) * ((size + 1) / 2));
        EXPECT_EQ(cost_of(frame), (Cost{4, 0, TextureFilter::fetch, 4}));
    }
}

// One pixel: its helper lanes fetch the texels beside it, in other blocks, unless there are none.
TEST(TextureCost, OfACopyHasTheBlocksOfHelperLanes) {
    for (const auto& [place, blocks] : {std::pair{3U, 4U}, std::pair{7U, 1U}}) {
        Scene scene(8, 8);
        const std::uint32_t texture = scene.texture(8, {WordList(64, 0xff00ff00)});
        scene.commands.add(VirglCommand::resource_copy_region,
                           {Scene::window, 0, 0, 0, 0, texture, 0, place, place, 0, 1, 1, 1});
        scene.end_frame();
        const Frame frame = first_frame(scene).frame;
        ASSERT_EQ(frame.quads.size(), 1U);
        EXPECT_EQ(frame.quads[0].written, 1);
        EXPECT_EQ(frame.accesses.at(0).block_count, blocks);
        EXPECT_EQ(frame.accesses[0].samples, 4);
    }
}

TEST(DrawState, SaysWhatIsTestedWrittenAndRead) {
    Scene scene(16, 16, 19);  // depth and stencil
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_only);
    scene.draw(whole_window(0, red));
    scene.depth_test(Scene::less_and_write | 1U << 8 | 4U << 9, 0, 0.5F);  // alpha greater than one half
    scene.blend(Scene::translucent);
    scene.draw(whole_window(0, green));
    scene.depth_test(0, 1 | 7U << 1 | 0xffU << 13 | 0xffU << 21);  // stencil: always, keep
    scene.blend(0x5U << 27);
    scene.draw(whole_window(0, blue));
    scene.end_frame();
    const std::vector<Draw> draws = first_frame(scene).frame.draws;
    ASSERT_EQ(draws.size(), 4U);
    EXPECT_TRUE(draws[0].kind == DrawKind::clear && draws[0].depth_write && draws[0].stencil_write);
    EXPECT_EQ(draws[0].colour_mask, 15U);
    EXPECT_TRUE(draws[1].depth_test && !draws[1].depth_write && !draws[1].stencil_test && !draws[1].stencil_write);
    EXPECT_TRUE(draws[1].early_depth && draws[1].early_test && !draws[1].discards);
    EXPECT_EQ(draws[1].blend, 0);
    EXPECT_EQ(draws[1].partial, 0);
    EXPECT_EQ(draws[1].colour_mask, 15U);
    EXPECT_EQ(draws[1].samples, 1);
    EXPECT_TRUE(draws[2].depth_write && draws[2].discards && !draws[2].early_depth && draws[2].early_test);
    EXPECT_EQ(draws[2].blend, 1);
    EXPECT_TRUE(!draws[3].depth_test && draws[3].stencil_test && !draws[3].stencil_write);
    EXPECT_EQ(draws[3].blend, 0);
    EXPECT_EQ(draws[3].partial, 1);
    EXPECT_EQ(draws[3].colour_mask, 5U);
}

TEST(ProgramTrace, HasClassesSwizzlesAndDependentTextures) {
    const tgsi::Shader shader = tgsi::parse(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\nDCL SVIEW[0..1], 2D, FLOAT\n"
        "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 2, 3}\n  0: TEX TEMP[0], IN[0].yxzw, SAMP[0], 2D\n"
        "  1: UADD TEMP[1].x, IMM[0].zzzz, IMM[0].wwww\n  2: F2I TEMP[1].y, IN[0].xxxx\n  3: RCP TEMP[1].z, "
        "IN[0].xxxx\n"
        "  4: TEX OUT[0], TEMP[0], SAMP[1], 2D\n  5: END\n");
    const std::vector<Instruction>& code = shader.program.instructions;
    const auto kinds = {InstructionClass::texture, InstructionClass::integer, InstructionClass::conversion,
                        InstructionClass::special, InstructionClass::texture, InstructionClass::control};
    std::size_t pc = 0;
    for (const InstructionClass kind : kinds) {
        EXPECT_EQ(code.at(pc).kind, kind) << pc;
        ++pc;
    }
    EXPECT_FALSE(code[0].dependent);
    EXPECT_TRUE(code[4].dependent);
    EXPECT_EQ(code[0].sources[0].swizzle, 0b11'10'00'01);  // w z x y, from the top
    EXPECT_EQ(code[1].sources[0].swizzle, 0b10'10'10'10);
    EXPECT_EQ(code[4].sources[0].swizzle, Operand::plain_swizzle);
}

}  // namespace
}  // namespace models::functional
