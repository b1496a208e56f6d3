// What the texture unit is asked for each texture instruction.
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

// Keeps the values of the last request for one lane, and answers with numbers that tell component and lane.
class Recorder : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        last = request;
        ++calls;
        const auto at = [](const float* row) { return row != nullptr ? row[lane] : -1.0F; };
        for (std::size_t c = 0; c < 4; ++c) coordinates[c] = at(request.coordinates[c]);
        for (std::size_t c = 0; c < 3; ++c) ddx[c] = at(request.ddx[c]);
        for (std::size_t c = 0; c < 3; ++c) ddy[c] = at(request.ddy[c]);
        lod = at(request.lod);
        reference = at(request.reference);
        for (int c = 0; c < 4; ++c)
            for (int i = 0; i < batch_lanes; ++i) result.c[c][i] = static_cast<float>(100 * c + i);
    }

    static constexpr int lane = 6;
    TextureRequest last;
    int calls = 0;
    Vec4 coordinates = {};
    std::array<float, 3> ddx = {}, ddy = {};
    float lod = 0, reference = 0;
};

struct Sampled {
    explicit Sampled(const std::string& instruction, const std::string& stage = "FRAG")
        : run(stage +
              (stage == "FRAG" ? "\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                               : "\nDCL IN[0]\nDCL OUT[0], POSITION\n") +
              "DCL SAMP[0..3]\nDCL TEMP[0..3]\nIMM[0] FLT32 {0.5, 0.25, 4.0, 8.0}\nIMM[1] INT32 {-1, 2, 3, 0}\n" +
              instruction + "\nEND\n") {
        run.textures = &texture;
        run.set_input(0, [](int lane) {
            const auto l = static_cast<float>(lane);
            return Vec4{l, l + 10, l + 20, 2};
        });
        run.run();
    }
    Recorder texture;
    ShaderRun run;
};

constexpr float none = -1.0F;

TEST(TextureRequest, OfTexHasCoordinatesByTargetAndImplicitLevel) {
    const Sampled plane("TEX OUT[0], IN[0], SAMP[2], 2D");
    EXPECT_EQ(plane.texture.last.operation, TextureOperation::sample);
    EXPECT_EQ(plane.texture.last.unit, 2);
    EXPECT_EQ(plane.texture.last.target, TextureTarget::t2d);
    EXPECT_EQ(plane.texture.last.instruction, 0);
    EXPECT_EQ(plane.texture.last.active, ~LaneMask{0});
    EXPECT_EQ(plane.texture.coordinates, (Vec4{6, 16, none, none}));
    EXPECT_EQ(plane.texture.reference, none);
    EXPECT_EQ(plane.run.output(0, 7), (Vec4{7, 107, 207, 307}));
    EXPECT_EQ(Sampled("TEX OUT[0], IN[0].zyxx, SAMP[0], CUBE").texture.coordinates, (Vec4{26, 16, 6, none}));
    EXPECT_EQ(Sampled("TEX OUT[0], IN[0], SAMP[0], 1D").texture.coordinates, (Vec4{6, none, none, none}));
    EXPECT_EQ(Sampled("TEX OUT[0], -IN[0], SAMP[0], 2D_ARRAY").texture.coordinates, (Vec4{-6, -16, -26, none}));
    EXPECT_EQ(Sampled("TEX OUT[0], IMM[0].yyyy, SAMP[0], 2D").texture.coordinates, (Vec4{0.25F, 0.25F, none, none}));
}

TEST(TextureRequest, OfShadowTargetsHasTheReferenceApart) {
    EXPECT_EQ(Sampled("TEX OUT[0], IN[0], SAMP[0], SHADOW2D").texture.reference, 26);
    EXPECT_EQ(Sampled("TEX OUT[0], IN[0], SAMP[0], SHADOW2D_ARRAY").texture.reference, 2);
    EXPECT_EQ(Sampled("TEX OUT[0], IN[0], SAMP[0], SHADOWCUBE").texture.reference, 2);
    const Sampled cubes("TEX2 OUT[0], IN[0], IMM[0].zzzz, SAMP[0], SHADOWCUBEARRAY");
    EXPECT_EQ(cubes.texture.reference, 4);
    EXPECT_EQ(cubes.texture.coordinates, (Vec4{6, 16, 26, 2}));
}

TEST(TextureRequest, OfTxpIsDividedByTheLastComponent) {
    const Sampled plane("TXP OUT[0], IN[0], SAMP[0], 2D");
    EXPECT_EQ(plane.texture.coordinates, (Vec4{3, 8, none, none}));
    EXPECT_EQ(plane.texture.last.operation, TextureOperation::sample);
    const Sampled shadow("TXP OUT[0], IN[0], SAMP[0], SHADOW2D");
    EXPECT_EQ(shadow.texture.coordinates, (Vec4{3, 8, none, none}));
    EXPECT_EQ(shadow.texture.reference, 13);
}

TEST(TextureRequest, OfTxpIsADirectionIntoACubeAsItIs) {
    const Sampled cube("TXP OUT[0], IN[0], SAMP[0], CUBE");
    EXPECT_EQ(cube.texture.coordinates, (Vec4{6, 16, 26, none}));
}

TEST(TextureRequest, OfBiasLevelAndGradientHasThem) {
    const Sampled bias("TXB OUT[0], IN[0], SAMP[0], 2D");
    EXPECT_EQ(bias.texture.last.operation, TextureOperation::sample_bias);
    EXPECT_EQ(bias.texture.lod, 2);
    EXPECT_EQ(Sampled("TXL OUT[0], IN[0], SAMP[0], 2D").texture.last.operation, TextureOperation::sample_lod);
    EXPECT_EQ(Sampled("TXL2 OUT[0], IN[0], IMM[0].wwww, SAMP[0], CUBEARRAY").texture.lod, 8);
    EXPECT_EQ(Sampled("TXB2 OUT[0], IN[0], IMM[0].zzzz, SAMP[0], SHADOWCUBE").texture.lod, 4);
    const Sampled gradient("TXD OUT[0], IN[0], IN[0].zyxw, IMM[0], SAMP[0], 2D");
    EXPECT_EQ(gradient.texture.last.operation, TextureOperation::sample_gradient);
    EXPECT_EQ(gradient.texture.ddx, (std::array<float, 3>{26, 16, none}));
    EXPECT_EQ(gradient.texture.ddy, (std::array<float, 3>{0.5F, 0.25F, none}));
}

TEST(TextureRequest, OfFetchAndQueriesHasIntegers) {
    const Sampled fetch("TXF OUT[0], IMM[1], SAMP[0], 2D, IMM[1].xyz");
    EXPECT_EQ(fetch.texture.last.operation, TextureOperation::fetch);
    EXPECT_EQ(as_bits(fetch.texture.coordinates[0]), 0xffffffffU);
    EXPECT_EQ(as_bits(fetch.texture.coordinates[1]), 2U);
    EXPECT_EQ(as_bits(fetch.texture.lod), 0U);
    EXPECT_EQ(fetch.texture.last.offset[0], -1);
    EXPECT_EQ(fetch.texture.last.offset[1], 2);
    EXPECT_EQ(fetch.texture.last.offset[2], 3);
    EXPECT_EQ(as_bits(Sampled("TXF OUT[0], -IMM[1].yyyy, SAMP[0], BUFFER").texture.coordinates[0]), 0xfffffffeU);
    const Sampled size("TXQ OUT[0], IMM[1].yyyy, SAMP[0], 2D");
    EXPECT_EQ(size.texture.last.operation, TextureOperation::size_query);
    EXPECT_EQ(as_bits(size.texture.lod), 2U);
    EXPECT_EQ(Sampled("LODQ OUT[0].xy, IN[0], SAMP[0], 2D").texture.last.operation, TextureOperation::lod_query);
    const Sampled gather("TG4 OUT[0], IN[0], IMM[1].yyyy, SAMP[0], 2D");
    EXPECT_EQ(gather.texture.last.operation, TextureOperation::gather);
    EXPECT_EQ(gather.texture.last.gather_component, 2);
}

TEST(TextureRequest, OfVertexShadersHasLevelZero) {
    const Sampled vertex("TEX OUT[0], IN[0], SAMP[0], 2D", "VERT");
    EXPECT_EQ(vertex.texture.last.operation, TextureOperation::sample_lod);
    EXPECT_EQ(vertex.texture.lod, 0);
}

TEST(TextureRequest, InABranchIsForItsLanesAndWritesTheirsOnly) {
    const Sampled branch(
        "SLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nMOV TEMP[1], IN[0]\nIF TEMP[0].xxxx\n"
        "TEX TEMP[1].yw, TEMP[1], SAMP[0], 2D\nENDIF\nMOV OUT[0], TEMP[1]");
    EXPECT_EQ(branch.texture.last.active, 0xffU);
    EXPECT_EQ(branch.texture.last.instruction, 3);
    EXPECT_EQ(branch.run.output(0, 7), (Vec4{7, 107, 27, 307}));
    EXPECT_EQ(branch.run.output(0, 8), (Vec4{8, 18, 28, 2}));
    EXPECT_EQ(branch.texture.calls, 1);
}

TEST(TextureRequest, WithoutLanesIsNotMade) {
    const Sampled never("UIF IMM[1].wwww\nTEX OUT[0], IN[0], SAMP[0], 2D\nENDIF");
    EXPECT_EQ(never.texture.calls, 0);
}

TEST(TextureRequest, SaturatesTheResult) {
    EXPECT_EQ(Sampled("TEX_SAT OUT[0], IN[0], SAMP[0], 2D").run.output(0, 7), (Vec4{1, 1, 1, 1}));
}

}  // namespace
}  // namespace models::functional::tgsi
