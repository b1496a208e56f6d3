// Constants of buffers that a program chooses by a number.
#include <gtest/gtest.h>

#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

// IN[0].x chooses a buffer and IN[0].y a register. Register r of buffer b is 100 b + 10 r and its component; there are
// buffers 1, 2 and 4, the last with one register only, of which two vec4s are given: one more than it declares.
struct ChosenBuffer {
    explicit ChosenBuffer(const std::string& body, const std::string& stage = "VERT")
        : run(stage +
              "\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0][0]\nDCL CONST[1][0..2]\nDCL CONST[2][0..2]\n"
              "DCL CONST[4][0]\nDCL TEMP[0]\nDCL ADDR[0..1]\nUARL ADDR[1].x, IN[0].xxxx\nUARL ADDR[0].y, IN[0].yyyy\n" +
              body + "\nEND\n") {
        for (std::size_t b = 0; b < 5; ++b)
            for (std::size_t i = 0; i < (b == 4 ? 8 : 12); ++i) {
                run.constants.resize(5);
                run.constants[b].push_back(static_cast<float>(100 * b + 10 * (i / 4) + i % 4));
            }
        run.set_input(0, [](int lane) { return Vec4{integer(buffer(lane)), integer(lane / 4 % 3), 0, 0}; });
        std::vector<std::span<const float>> spans(run.constants.begin(), run.constants.end());
        run.executor.bind(run.executable, {.constants = spans, .constant_log = &log});
        run.executor.run(run.inputs.data(), run.system_values.data(), run.outputs.data(), ~LaneMask{0});
    }
    static int buffer(int lane) { return lane % 4; }  // after the first of the array, 1

    ShaderRun run;
    std::vector<ConstantIndices> log;
};

float expected_constant(int lane, int index) {
    const int buffer = 1 + ChosenBuffer::buffer(lane);
    if (buffer == 3) return 0;  // there is none
    return static_cast<float>(100 * buffer + (buffer == 4 ? 0 : 10 * index));
}

TEST(ComputedBuffers, AreReadAsEachLaneChooses) {
    const ChosenBuffer chosen("MOV OUT[0], CONST[ADDR[1].x+1][2]");
    for (int lane = 0; lane < batch_lanes; ++lane) {
        const float at = expected_constant(lane, 2), step = at > 0 ? 1 : 0;
        EXPECT_EQ(chosen.run.output(0, lane), (Vec4{at, at + step, at + 2 * step, at + 3 * step})) << lane;
    }
    ASSERT_EQ(chosen.log.size(), 1U);
    EXPECT_EQ(chosen.log[0].active, ~LaneMask{0});
    EXPECT_EQ(chosen.log[0].index[0], 2);
    EXPECT_EQ(chosen.log[0].index[1], 4096 + 2);
    EXPECT_EQ(chosen.log[0].index[2], 2 * 4096);
    EXPECT_EQ(chosen.log[0].index[3], 3 * 4096);  // within its one register
}

TEST(ComputedBuffers, MayBeReadAtAComputedRegister) {
    const ChosenBuffer chosen("MOV OUT[0], -|CONST[ADDR[1].x+1][ADDR[0].y]|");
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(chosen.run.output(0, lane)[0], -expected_constant(lane, lane / 4 % 3)) << lane;
    EXPECT_EQ(chosen.log.at(0).index[5], 4096 + 1);
}

TEST(ComputedBuffers, AreKeptWithinTheDeclaredOnes) {
    const ChosenBuffer beyond(
        "UARL ADDR[1].x, IN[0].wwww\nADD OUT[0], CONST[ADDR[1].x+4][0].xxxx, CONST[ADDR[1].x+2][1].yyyy");
    EXPECT_EQ(beyond.run.output(0, 0)[0], 400.0F + 211.0F);
    EXPECT_EQ(beyond.log.size(), 2U);
    const ChosenBuffer far(
        "MUL ADDR[1].x, IN[0].xxxx, IN[0].xxxx\nUMUL ADDR[1].x, ADDR[1].xxxx, ADDR[1].xxxx\n"
        "NOT ADDR[1].x, IN[0].zzzz\nMOV OUT[0], CONST[ADDR[1].x+2][0]");
    EXPECT_EQ(far.run.output(0, 0)[0], 200.0F);  // -1 is before the first
}

TEST(ComputedBuffers, OfOneLaneInABranchAreLoggedForIt) {
    const ChosenBuffer branch(
        "MOV TEMP[0], IN[0]\nUIF IN[0].yyyy\nMOV TEMP[0], CONST[ADDR[1].x+1][1]\nENDIF\nMOV OUT[0], TEMP[0]");
    ASSERT_EQ(branch.log.size(), 1U);
    EXPECT_EQ(branch.log[0].active & 0xfffU, 0xff0U);
    EXPECT_EQ(branch.run.output(0, 5)[2], expected_constant(5, 1) + 2);
    EXPECT_EQ(branch.run.output(0, 1)[2], 0);
}

}  // namespace
}  // namespace models::functional::tgsi
