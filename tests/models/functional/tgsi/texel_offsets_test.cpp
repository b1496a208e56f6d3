// Texel offsets that lanes compute: a request for each offset, with the lanes that have it.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

// Keeps the requests, and answers with unit, offset and coordinate.
class OffsetUnits : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        requests.push_back(request);
        for (int i = 0; i < batch_lanes; ++i) {
            if ((request.active >> (i & ~3) & 0xf) == 0) continue;
            result.c[0][i] = static_cast<float>(request.offset[0]);
            result.c[1][i] = static_cast<float>(request.offset[1]);
            result.c[2][i] = request.coordinates[0][i];
            result.c[3][i] = static_cast<float>(request.unit);
        }
    }
    std::vector<TextureRequest> requests;
};

// IN[0].xy are offsets, IN[1] is sampled at, IN[2].x chooses a texture.
struct OffsetRun {
    explicit OffsetRun(const std::string& body)
        : run("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL IN[2], GENERIC[2], "
              "CONSTANT\n"
              "DCL OUT[0], COLOR\nDCL SAMP[0..1]\nDCL SVIEW[0..1], 2D, FLOAT\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL "
              "CONST[0]\n"
              "IMM[0] UINT32 {2, 0, 0, 0}\nUARL ADDR[0].x, IN[2].xxxx\nMOV TEMP[0], IN[1]\n" +
              body + "\nMOV OUT[0], TEMP[0]\nEND\n") {
        run.textures = &offsets;
        run.constants = {{integer(5), integer(-6), 0, 0}};
        run.set_input(0, [](int lane) { return Vec4{integer(x(lane)), integer(y(lane)), integer(lane), 0}; });
        run.set_input(1, [](int lane) { return Vec4{static_cast<float>(lane), 7, 7, 7}; });
        run.set_input(2, [](int lane) { return Vec4{integer(lane / 8 % 2), 0, 0, 0}; });
        run.run();
    }
    static int x(int lane) { return lane % 2 - 1; }
    static int y(int lane) { return lane / 2 % 3; }

    OffsetUnits offsets;
    ShaderRun run;
};

TEST(TexelOffsets, ThatAreComputedAreAskedOneByOne) {
    // The third component is not one of a plane's offsets, and differs everywhere.
    const OffsetRun gathered("TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[1], 2D, IN[0].xyz");
    ASSERT_EQ(gathered.offsets.requests.size(), 6U);
    LaneMask all = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        const TextureRequest& request = gathered.offsets.requests[i];
        EXPECT_EQ(request.operation, TextureOperation::gather);
        EXPECT_EQ(request.gather_component, 2);
        EXPECT_EQ(request.continues, i > 0);
        EXPECT_EQ(request.offset[2], 0);
        EXPECT_EQ(all & request.active, 0U);
        all |= request.active;
    }
    EXPECT_EQ(all, ~LaneMask{0});
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(gathered.run.output(0, lane),
                  (Vec4{static_cast<float>(OffsetRun::x(lane)), static_cast<float>(OffsetRun::y(lane)),
                        static_cast<float>(lane), 1}));
}

TEST(TexelOffsets, MayOverwriteTheirRegister) {
    const OffsetRun fetched("MOV TEMP[0].zw, IN[0].xxxy\nTXF_LZ TEMP[0], TEMP[0], SAMP[0], 2D, TEMP[0].zww");
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(fetched.run.output(0, lane),
                  (Vec4{static_cast<float>(OffsetRun::x(lane)), static_cast<float>(OffsetRun::y(lane)),
                        static_cast<float>(lane), 0}));
}

TEST(TexelOffsets, OfUniformsAreAskedOnce) {
    const OffsetRun uniform("TG4 TEMP[0], IN[1], IMM[0].yyyy, SAMP[0], 2D, CONST[0].yxx");
    ASSERT_EQ(uniform.offsets.requests.size(), 1U);
    EXPECT_EQ(uniform.offsets.requests[0].offset[0], -6);
    EXPECT_EQ(uniform.offsets.requests[0].offset[1], 5);
}

TEST(TexelOffsets, AreAskedForEachTextureOfAnArray) {
    const OffsetRun both("TG4 TEMP[0], IN[1], IMM[0].yyyy, SAMP[ADDR[0].x], 2D, IN[0].xyx");
    EXPECT_EQ(both.offsets.requests.size(), 12U);
    EXPECT_FALSE(both.offsets.requests[0].continues);
    EXPECT_TRUE(both.offsets.requests[6].continues);
    for (int lane = 0; lane < batch_lanes; ++lane) {
        EXPECT_EQ(both.run.output(0, lane)[0], static_cast<float>(OffsetRun::x(lane)));
        EXPECT_EQ(both.run.output(0, lane)[1], static_cast<float>(OffsetRun::y(lane)));
        EXPECT_EQ(both.run.output(0, lane)[3], static_cast<float>(lane / 8 % 2));
    }
    const Instruction& gather = both.run.shader.program.instructions[2];
    ASSERT_EQ(gather.source_count, 4);
    EXPECT_EQ(gather.sources[2].file, RegisterFile::input);
    EXPECT_EQ(gather.sources[2].components, 0b0011);
    EXPECT_EQ(gather.sources[3].file, RegisterFile::address);
}

TEST(TexelOffsets, OfLanesThatDoNotExecuteDoNotCount) {
    const OffsetRun branch("UIF IN[2].xxxx\nTXF TEMP[0], IN[0], SAMP[0], 2D, IN[0].xyx\nENDIF");
    EXPECT_EQ(branch.offsets.requests.size(), 6U);
    for (const TextureRequest& request : branch.offsets.requests) EXPECT_EQ(request.active & 0xffU, 0U);
    EXPECT_EQ(branch.run.output(0, 5), (Vec4{5, 7, 7, 7}));
}

TEST(TexelOffsets, AreKeptWithinWhatSumsHold) {
    const OffsetRun huge("TG4 TEMP[0], IN[1], IMM[0].yyyy, SAMP[0], 2D, IN[1].yyy");  // bits of a float
    EXPECT_EQ(huge.offsets.requests.at(0).offset[0], most_texel_offset);
}

}  // namespace
}  // namespace models::functional::tgsi
