// Operands and results of straight-line programs: modifiers, register numbers computed at run time, constant buffers,
// derivatives, kills, and which lanes are written.
#include "models/functional/tgsi/state.h"

#include <gtest/gtest.h>

#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

Vec4 counting(int lane) {
    const auto l = static_cast<float>(lane);
    return {l, -l, l + 0.5F, 100 - l};
}

TEST(State, AbsoluteValueIsTakenBeforeNegation) {
    ShaderRun run(fragment("MOV OUT[0], -|IN[0]|\n"));
    run.set_input(0, counting).run();
    EXPECT_EQ(run.output(0, 9), (Vec4{-9, -9, -9.5F, -91}));
}

TEST(State, IntegerOperandsAreNegatedAsIntegers) {
    ShaderRun run(fragment("UADD OUT[0], IN[0], -IMM[0]\n", "IMM[0] INT32 {1, 2, 3, -4}\n"));
    run.set_input(0, [](int) { return Vec4{integer(10), integer(10), integer(10), integer(10)}; }).run();
    EXPECT_EQ(as_bits(run.output(0, 3)[0]), 9U);
    EXPECT_EQ(as_bits(run.output(0, 3)[3]), 14U);
}

TEST(State, SaturationClampsWhatIsWritten) {
    ShaderRun run(fragment("MAD_SAT OUT[0].xyz, IN[0], CONST[0], CONST[1]\n"));
    run.constants = {{0.01F, 0.01F, 0.01F, 0, 0.5F, 0.5F, 5, 0}};
    run.set_input(0, counting).run();
    EXPECT_FLOAT_EQ(run.output(0, 20)[0], 0.7F);
    EXPECT_FLOAT_EQ(run.output(0, 20)[1], 0.3F);
    EXPECT_EQ(run.output(0, 60), (Vec4{1, 0, 1, 0}));
}

TEST(State, MovCopiesBits) {
    ShaderRun run(fragment("MOV OUT[0], IN[0]\n"));
    const Vec4 odd = {as_float(0x7fa00001), as_float(0xffffffff), as_float(1), as_float(0x80000000)};
    run.set_input(0, [&](int) { return odd; }).run();
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(as_bits(run.output(0, 1)[c]), as_bits(odd[c]));
}

TEST(State, EachLaneReadsTheConstantItsAddressSelectsWithinTheDeclaredRange) {
    ShaderRun run(fragment("ARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x+2].xxxx\n"));
    run.constants = {{}};
    for (int i = 0; i < 8; ++i) run.constants[0].insert(run.constants[0].end(), 4, static_cast<float>(10 * i));
    run.set_input(0, [](int lane) { return Vec4{static_cast<float>(lane) - 30 + 0.75F, 0, 0, 0}; }).run();
    EXPECT_EQ(run.output(0, 0)[0], 0);
    EXPECT_EQ(run.output(0, 29)[0], 10);  // floor(-0.25) = -1
    EXPECT_EQ(run.output(0, 30)[0], 20);
    EXPECT_EQ(run.output(0, 33)[0], 50);
    EXPECT_EQ(run.output(0, 63)[0], 70);
}

TEST(State, ComputedRegisterNumbersStayWithinTheArray) {
    ShaderRun run(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL TEMP[1..3], ARRAY(1), LOCAL\n"
        "DCL TEMP[4]\nDCL ADDR[0]\nIMM[0] FLT32 {1.0, 2.0, 3.0, 99.0}\nMOV TEMP[0], IMM[0].wwww\nMOV TEMP[4], "
        "IMM[0].wwww\n"
        "MOV TEMP[1], IMM[0].xxxx\nMOV TEMP[2], IMM[0].yyyy\nMOV TEMP[3], IMM[0].zzzz\nUARL ADDR[0].x, IN[0].xxxx\n"
        "MOV TEMP[ADDR[0].x+1](1).y, IMM[0].wwww\nMOV OUT[0].x, TEMP[ADDR[0].x+1](1)\nMOV OUT[0].yzw, TEMP[2]\nEND\n");
    run.set_input(0, [](int lane) { return Vec4{integer(lane - 3), 0, 0, 0}; }).run();
    EXPECT_EQ(run.output(0, 0)[0], 1);
    EXPECT_EQ(run.output(0, 4), (Vec4{2, 99, 2, 2}));
    EXPECT_EQ(run.output(0, 5), (Vec4{3, 2, 2, 2}));
    EXPECT_EQ(run.output(0, 60), (Vec4{3, 2, 2, 2}));
}

TEST(State, AddressesRoundAsTheirInstructionSays) {
    ShaderRun run(fragment("ARL OUT[0].x, IN[0].xxxx\nARR OUT[0].y, IN[0].xxxx\nUARL OUT[0].z, IN[0].yyyy\n"));
    run.set_input(0, [](int lane) { return Vec4{static_cast<float>(lane) - 1.5F, integer(lane), 0, 0}; }).run();
    EXPECT_EQ(as_bits(run.output(0, 0)[0]), static_cast<std::uint32_t>(-2));
    EXPECT_EQ(as_bits(run.output(0, 0)[1]), static_cast<std::uint32_t>(-1));
    EXPECT_EQ(as_bits(run.output(0, 4)[0]), 2U);
    EXPECT_EQ(as_bits(run.output(0, 4)[1]), 3U);
    EXPECT_EQ(as_bits(run.output(0, 4)[2]), 4U);
}

TEST(State, WhatLiesBeyondAConstantBufferIsZero) {
    ShaderRun run(
        "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL CONST[0..2]\nDCL CONST[3][0..1]\n"
        "ADD OUT[0], CONST[1], CONST[2]\nADD OUT[1], CONST[3][0], CONST[3][1]\nEND\n");
    run.constants = {{0, 0, 0, 0, 1, 2, 3, 4, 5}, {}, {}, {7, 7, 7, 7, 1, 1, 1, 1}};
    run.run();
    EXPECT_EQ(run.output(0, 0), (Vec4{6, 2, 3, 4}));
    EXPECT_EQ(run.output(1, 0), (Vec4{8, 8, 8, 8}));
    run.constants.clear();
    run.run();
    EXPECT_EQ(run.output(1, 0), (Vec4{0, 0, 0, 0}));
}

TEST(State, DerivativesAreDifferencesWithinTheQuad) {
    ShaderRun run(fragment("DDX OUT[0].xy, IN[0]\nDDY OUT[0].zw, IN[0].xxxy\n"));
    // Lane 4q+i: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
    run.set_input(0, [](int lane) {
        const float value[] = {1, 4, 10, 20};
        const int quad = lane / 4;
        return Vec4{value[lane % 4] * static_cast<float>(quad), -value[lane % 4], 0, 0};
    });
    run.run();
    EXPECT_EQ(run.output(0, 8), (Vec4{6, -3, 18, -9}));
    EXPECT_EQ(run.output(0, 9), (Vec4{6, -3, 32, -16}));
    EXPECT_EQ(run.output(0, 10), (Vec4{20, -10, 18, -9}));
    EXPECT_EQ(run.output(0, 11), (Vec4{20, -10, 32, -16}));
}

TEST(State, KilledLanesGoOnAsHelpers) {
    ShaderRun run(fragment("KILL_IF IN[0].yyyy\nADD TEMP[0], IN[0], IN[0]\nDDX OUT[0], TEMP[0].xxxx\n"));
    run.set_input(0, [](int lane) { return Vec4{static_cast<float>(lane), lane % 2 == 0 ? -1.0F : 0.0F, 0, 0}; }).run();
    EXPECT_EQ(run.executor.killed(), 0x5555555555555555U);
    for (int lane = 0; lane < batch_lanes; ++lane) EXPECT_EQ(run.output(0, lane)[0], 2);
    run.set_input(0, [](int) { return Vec4{0, 0, 0, 0}; }).run();
    EXPECT_EQ(run.executor.killed(), 0U);
}

TEST(State, KillIfLooksAtAllComponentsAndKillAtNone) {
    ShaderRun run(fragment("KILL_IF IN[0].xxzw\n"));
    run.set_input(0, [](int lane) {
        Vec4 value = {0.0F, 1.0F, -0.0F, std::bit_cast<float>(0xffc00000U)};
        value[static_cast<std::size_t>(lane) % 4] = -1.0F;
        return value;
    });
    run.run();
    EXPECT_EQ(run.executor.killed(), 0xddddddddddddddddU);
    ShaderRun all(fragment("KILL\n"));
    all.run(0xf0);
    EXPECT_EQ(all.executor.killed(), 0xf0U);
}

TEST(State, ScalesByPowersOfTwoAndPacksHalves) {
    ShaderRun run(
        fragment("LDEXP OUT[0].x, IN[0], IN[1]\nPK2H TEMP[0].x, IN[0].zwzw\nUP2H OUT[0].yz, TEMP[0].xxxx\n"
                 "MOV OUT[0].w, TEMP[0].xxxx\n"));
    run.set_input(0, [](int) { return Vec4{0.75F, 0, 1.5F, -2.0F}; });
    run.set_input(1, [](int lane) { return Vec4{integer(lane - 4), 0, 0, 0}; }).run();
    EXPECT_EQ(run.output(0, 4)[0], 0.75F);
    EXPECT_EQ(run.output(0, 0)[0], 0.046875F);
    EXPECT_EQ(run.output(0, 14)[0], 768.0F);
    EXPECT_EQ(as_bits(run.output(0, 0)[3]), 0xc0003e00U);
    EXPECT_EQ(run.output(0, 0)[1], -2.0F);
    EXPECT_EQ(run.output(0, 0)[2], 1.5F);
}

TEST(State, SystemValuesAndUnwrittenOutputs) {
    ShaderRun run(
        "VERT\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
        "U2F OUT[0].x, SV[0].xxxx\nUADD OUT[0].y, SV[0].xxxx, SV[1].xxxx\nEND\n");
    for (int lane = 0; lane < batch_lanes; ++lane) {
        run.system_values[0].c[0][lane] = integer(lane + 7);
        run.system_values[1].c[0][lane] = integer(3);
        run.outputs[1].c[0][lane] = 42;
    }
    run.run();
    EXPECT_EQ(run.output(0, 5)[0], 12.0F);
    EXPECT_EQ(as_bits(run.output(0, 5)[1]), 15U);
    EXPECT_EQ(run.output(0, 5)[2], 0.0F);
    EXPECT_EQ(run.output(1, 5), (Vec4{0, 0, 0, 0}));
}

}  // namespace
}  // namespace models::functional::tgsi
