// What declarations, properties and immediates say ends up in the Shader.
#include <gtest/gtest.h>

#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {
namespace {

TEST(Declarations, OfFragmentInputsHaveSemanticInterpolationAndLocation) {
    const Shader shader = parse(
        "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL IN[1].xy, GENERIC[12], PERSPECTIVE, CENTROID\nDCL IN[2], COLOR, COLOR\n"
        "DCL IN[4], TEXCOORD[3], CONSTANT\nDCL IN[5], FACE, CONSTANT\nEND\n");
    ASSERT_EQ(shader.inputs.size(), 6U);
    EXPECT_EQ(shader.program.stage, ShaderStage::fragment);
    EXPECT_EQ(shader.inputs[0].semantic, Semantic::position);
    EXPECT_EQ(shader.inputs[0].interpolation, Interpolation::linear);
    EXPECT_EQ(shader.inputs[1].semantic, Semantic::generic);
    EXPECT_EQ(shader.inputs[1].semantic_index, 12);
    EXPECT_EQ(shader.inputs[1].components, 0b0011);
    EXPECT_EQ(shader.inputs[1].location, InterpolationLocation::centroid);
    EXPECT_EQ(shader.inputs[2].semantic, Semantic::color);
    EXPECT_EQ(shader.inputs[2].interpolation, Interpolation::color);
    EXPECT_FALSE(shader.inputs[3].declared);
    EXPECT_EQ(shader.inputs[4].interpolation, Interpolation::constant);
    EXPECT_EQ(Shader::find(shader.inputs, Semantic::texcoord, 3), 4);
    EXPECT_EQ(Shader::find(shader.inputs, Semantic::texcoord, 0), -1);
}

TEST(Declarations, OfARangeCountTheSemanticIndexOn) {
    const Shader shader = parse(
        "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1..3], ARRAY(1), GENERIC[5]\n"
        "DCL OUT[4].x, PSIZE\nEND\n");
    EXPECT_EQ(shader.program.stage, ShaderStage::vertex);
    EXPECT_EQ(shader.program.inputs, 3);
    EXPECT_EQ(shader.program.outputs, 5);
    EXPECT_EQ(Shader::find(shader.outputs, Semantic::generic, 7), 3);
    EXPECT_EQ(Shader::find(shader.outputs, Semantic::psize), 4);
    EXPECT_EQ(shader.inputs[1].semantic, Semantic::none);
}

TEST(Declarations, OfConstantsAreByBuffer) {
    const Shader shader = parse("VERT\nDCL CONST[0..3]\nDCL CONST[2][0..9]\nDCL CONST[2][20]\nEND\n");
    EXPECT_EQ(shader.constant_sizes, (std::vector<std::uint32_t>{4, 0, 21}));
    EXPECT_EQ(shader.program.constants, 25);
}

TEST(Declarations, OfSamplerViewsGiveTargetAndType) {
    const Shader shader = parse(
        "FRAG\nDCL SAMP[0]\nDCL SAMP[2]\nDCL SVIEW[0], SHADOW2D_ARRAY, FLOAT\n"
        "DCL SVIEW[2], 3D, UINT, UINT, UINT, UINT\nEND\n");
    ASSERT_EQ(shader.samplers.size(), 3U);
    EXPECT_EQ(shader.samplers[0].target, TextureTarget::shadow2d_array);
    EXPECT_FALSE(shader.samplers[1].declared);
    EXPECT_EQ(shader.samplers[2].target, TextureTarget::t3d);
    EXPECT_EQ(shader.samplers[2].type, TexelType::uint);
}

TEST(Declarations, OfImmediatesAreBits) {
    const Shader shader = parse(
        "FRAG\nIMM[0] FLT32 {    1.0000,    -0.5, 1e3, 0x7fc00000}\nIMM[1] UINT32 {4294967295, 7, 0, 0}\n"
        "IMM[2] INT32 {-1, 5, -2147483648, 0}\nIMM FLT32 {2.0}\nEND\n");
    using Bits = std::array<std::uint32_t, 4>;
    EXPECT_EQ(shader.immediates[0], (Bits{0x3f800000, 0xbf000000, 0x447a0000, 0x7fc00000}));
    EXPECT_EQ(shader.immediates[1], (Bits{0xffffffff, 7, 0, 0}));
    EXPECT_EQ(shader.immediates[2], (Bits{0xffffffff, 5, 0x80000000, 0}));
    EXPECT_EQ(shader.immediates[3], (Bits{0x40000000, 0, 0, 0}));
}

TEST(Properties, AreKept) {
    const Shader plain = parse("FRAG\nEND\n");
    EXPECT_FALSE(plain.origin_lower_left || plain.pixel_center_integer || plain.color0_writes_all);
    const Shader shader = parse(
        "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\n"
        "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\n"
        "PROPERTY FS_DEPTH_LAYOUT 2\nPROPERTY SEPARABLE_PROGRAM 1\nEND\n");
    EXPECT_TRUE(shader.origin_lower_left && shader.pixel_center_integer && shader.color0_writes_all);
    EXPECT_TRUE(shader.early_depth_stencil);
    const Shader vertex = parse(
        "VERT\nPROPERTY VS_PROHIBIT_UCPS 1\nPROPERTY NUM_CLIPDIST_ENABLED 3\n"
        "PROPERTY VS_WINDOW_SPACE_POSITION 1\nEND\n");
    EXPECT_TRUE(vertex.prohibit_user_clip && vertex.window_space_position);
    EXPECT_EQ(vertex.clip_distances, 3U);
}

}  // namespace
}  // namespace models::functional::tgsi
