// Texture instructions whose texture is one of an array: a request for each texture that lanes choose.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

// Keeps the requests, and answers with the unit and the coordinate. The whole quads of active lanes are written.
class Units : public TextureSampler {
  public:
    void sample(const TextureRequest& request, Vec4Lanes& result) override {
        requests.push_back(request);
        for (int i = 0; i < batch_lanes; ++i) {
            if ((request.active >> (i & ~3) & 0xf) == 0) continue;
            for (int c = 0; c < 4; ++c) result.c[c][i] = static_cast<float>(request.unit);
            result.c[1][i] = request.coordinates[0][i];
        }
    }
    std::vector<TextureRequest> requests;
};

// IN[0].x chooses; IN[1] is sampled at. The array begins at unit 1.
struct Chosen {
    Chosen(const std::string& stage, const std::string& body, const std::function<int(int lane)>& choice)
        : run(stage +
              (stage == "FRAG"
                   ? "\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                   : "\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\n") +
              "DCL SAMP[0..4]\nDCL SVIEW[0..3], 2D, FLOAT\nDCL SVIEW[4], CUBE, FLOAT\nDCL TEMP[0..1]\nDCL ADDR[0..2]\n"
              "IMM[0] UINT32 {0, 1, 2, 3}\nUARL ADDR[2].y, IN[0].xxxx\nMOV TEMP[0], IN[1]\n" +
              body + "\nMOV OUT[0], TEMP[0]\nEND\n") {
        run.textures = &units;
        run.set_input(0, [&](int lane) { return Vec4{integer(choice(lane)), 0, 0, 0}; });
        run.set_input(1, [](int lane) { return Vec4{static_cast<float>(lane), 7, 7, 7}; });
        run.run();
    }
    Units units;
    ShaderRun run;
};

const std::string sample = "TEX TEMP[0].xy, TEMP[0], SAMP[ADDR[2].y+1], 2D";

TEST(TextureArrays, AreAskedOnceWhereAllLanesAgree) {
    const Chosen chosen("FRAG", sample, [](int) { return 2; });
    ASSERT_EQ(chosen.units.requests.size(), 1U);
    EXPECT_EQ(chosen.units.requests[0].unit, 3);
    EXPECT_EQ(chosen.units.requests[0].active, ~LaneMask{0});
    EXPECT_FALSE(chosen.units.requests[0].continues);
    EXPECT_EQ(chosen.run.output(0, 9), (Vec4{3, 9, 7, 7}));
}

TEST(TextureArrays, QuadsMayChooseOneByOne) {
    const Chosen chosen("FRAG", sample, [](int lane) { return lane / 4 % 3; });
    ASSERT_EQ(chosen.units.requests.size(), 3U);
    EXPECT_EQ(chosen.units.requests[1].unit, 2);
    EXPECT_EQ(chosen.units.requests[1].active, 0x00f0'0f00'f00f'00f0U);
    EXPECT_FALSE(chosen.units.requests[0].continues);
    EXPECT_TRUE(chosen.units.requests[1].continues);
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(chosen.run.output(0, lane),
                  (Vec4{static_cast<float>(1 + lane / 4 % 3), static_cast<float>(lane), 7, 7}));
}

TEST(TextureArrays, VerticesMayChooseOneByOne) {
    const Chosen chosen("VERT", sample, [](int lane) { return lane % 3; });
    ASSERT_EQ(chosen.units.requests.size(), 3U);
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(chosen.run.output(0, lane), (Vec4{static_cast<float>(1 + lane % 3), static_cast<float>(lane), 7, 7}));
}

TEST(TextureArrays, EndWhereTheSamplersAreOfAnotherKind) {
    const Chosen beyond("VERT", sample, [](int lane) { return lane == 0 ? 1000 : -1000; });
    EXPECT_EQ(beyond.run.output(0, 0)[0], 3);
    EXPECT_EQ(beyond.run.output(0, 1)[0], 1);
    for (std::size_t unit = 1; unit < 4; ++unit) EXPECT_TRUE(beyond.run.shader.samplers[unit].declared);
}

TEST(TextureArrays, PixelsOfAQuadThatDisagreeAreRefused) {
    const auto one_of_four = [](int lane) { return lane == 6 ? 1 : 0; };
    EXPECT_THAT([&] { Chosen("FRAG", sample, one_of_four); },
                testing::ThrowsMessage<engine::InputError>(
                    "textures of an array that differ within a quad are not supported (instruction 2: units 1 and 2)"));
    // Those that do not execute the instruction choose nothing.
    const Chosen apart("FRAG", "USEQ TEMP[1].x, IN[0].xxxx, IMM[0].xxxx\nUIF TEMP[1].xxxx\n" + sample + "\nENDIF",
                       one_of_four);
    ASSERT_EQ(apart.units.requests.size(), 1U);
    EXPECT_EQ(apart.units.requests[0].active, ~(LaneMask{1} << 6));
    EXPECT_EQ(apart.run.output(0, 6), (Vec4{6, 7, 7, 7}));
    EXPECT_EQ(apart.run.output(0, 7), (Vec4{1, 7, 7, 7}));
}

}  // namespace
}  // namespace models::functional::tgsi
