// Branches by hand, one rule each; random programs are in executor_test.cpp.
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/tgsi/run_shader.h"

namespace models::functional::tgsi {
namespace {

const std::string numbers = "IMM[0] FLT32 {0.0, 1.0, 2.0, 10.0}\nIMM[1] INT32 {0, 1, 2, 3}\n";

Vec4 lane_number(int lane) {
    return {static_cast<float>(lane), integer(lane % 5), 0, 0};
}

ShaderRun run_of(const std::string& body) {
    ShaderRun run(fragment(body, numbers));
    run.set_input(0, lane_number);
    return run;
}

TEST(ControlFlow, LanesOfBothSidesOfAnIfComeOutWithTheirOwnValues) {
    ShaderRun run = run_of(
        "SLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nIF TEMP[0].xxxx\nMOV OUT[0], IMM[0].yyyy\nELSE\n"
        "MOV OUT[0], IMM[0].zzzz\nENDIF\n");
    run.run();
    EXPECT_EQ(run.output(0, 9)[0], 1);
    EXPECT_EQ(run.output(0, 10)[0], 2);
    EXPECT_FALSE(run.executor.same_path());
    EXPECT_EQ(run.path(0xf), (Path{{0, 4, 15}, {6, 1, 15}}));      // SLT IF MOV ELSE, END
    EXPECT_EQ(run.path(0xf0000), (Path{{0, 2, 15}, {4, 3, 15}}));  // SLT IF, MOV ENDIF END
    // A quad with lanes on both sides.
    EXPECT_EQ(run.path(0xf00), (Path{{0, 2, 15}, {2, 2, 3}, {4, 2, 12}, {6, 1, 15}}));
}

TEST(ControlFlow, IfTestsFloatsAndUifBits) {
    ShaderRun run(
        fragment("IF IN[0].xxxx\nMOV OUT[0].x, IMM[0].yyyy\nENDIF\nUIF IN[0].xxxx\nMOV OUT[0].y, IMM[0].yyyy\nENDIF\n",
                 numbers));
    const float values[] = {0.0F, -0.0F, 1e-40F, std::bit_cast<float>(0x7fc00000U)};
    run.set_input(0, [&](int lane) { return Vec4{values[lane % 4], 0, 0, 0}; }).run();
    EXPECT_EQ(run.output(0, 0), (Vec4{0, 0, 0, 0}));
    EXPECT_EQ(run.output(0, 1), (Vec4{0, 1, 0, 0}));
    EXPECT_EQ(run.output(0, 2), (Vec4{0, 1, 0, 0}));  // a denormal is zero
    EXPECT_EQ(run.output(0, 3), (Vec4{1, 1, 0, 0}));
}

TEST(ControlFlow, EveryLaneLeavesALoopAfterItsOwnNumberOfRounds) {
    ShaderRun run = run_of(
        "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nIF TEMP[1].xxxx\nBRK\n"
        "ENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0].xxxx\n");
    run.run();
    for (int lane = 0; lane < batch_lanes; ++lane) EXPECT_EQ(run.output(0, lane)[0], static_cast<float>(lane));
    // Lane 1: one full round, then out.
    EXPECT_EQ(run.path(2), (Path{{0, 4}, {6, 2}, {2, 3}, {8, 2}}));
}

TEST(ControlFlow, ContinueSkipsTheRestOfTheRound) {
    ShaderRun run = run_of(
        "MOV TEMP[0], IMM[0].xxxx\nBGNLOOP\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
        "SLT TEMP[1].x, IMM[0].wwww, TEMP[0].xxxx\nIF TEMP[1].xxxx\nBRK\nENDIF\n"
        "SLT TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nIF TEMP[1].xxxx\nCONT\nENDIF\n"
        "ADD TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]\n");
    run.run();
    EXPECT_EQ(run.output(0, 0)[1], 10);
    EXPECT_EQ(run.output(0, 4)[1], 7);
    EXPECT_EQ(run.output(0, 20)[1], 0);
}

TEST(ControlFlow, SwitchFallsThroughAndDefaultMayStandAnywhere) {
    ShaderRun run = run_of(
        "SWITCH IN[0].yyyy\nCASE IMM[1].yyyy\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nDEFAULT\n"
        "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nBRK\nCASE IMM[1].wwww\nMOV TEMP[0].x, IMM[0].wwww\nENDSWITCH\n"
        "MOV OUT[0], TEMP[0].xxxx\n");
    run.run();
    EXPECT_EQ(run.output(0, 0)[0], 2);   // default
    EXPECT_EQ(run.output(0, 1)[0], 3);   // case 1 falls into default
    EXPECT_EQ(run.output(0, 3)[0], 10);  // case 3
    EXPECT_EQ(run.output(0, 4)[0], 2);
}

TEST(ControlFlow, SubroutinesReturnLanesOneByOne) {
    ShaderRun run = run_of(
        "CAL :4\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\nMOV OUT[0], TEMP[0].xxxx\nEND\nBGNSUB\n"
        "SLT TEMP[1].x, IN[0].xxxx, IMM[0].zzzz\nIF TEMP[1].xxxx\nRET\nENDIF\n"
        "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDSUB\nBGNSUB\nENDSUB\n");
    run.run();
    EXPECT_EQ(run.output(0, 0)[0], 10);
    EXPECT_EQ(run.output(0, 1)[0], 10);
    EXPECT_EQ(run.output(0, 2)[0], 11);
}

TEST(ControlFlow, OnlyLanesThatRunTakePart) {
    ShaderRun run = run_of(
        "MOV TEMP[0].x, IN[0].xxxx\nBGNLOOP\nSLT TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\nIF TEMP[1].xxxx\nBRK\n"
        "ENDIF\nENDLOOP\nMOV OUT[0], IMM[0].yyyy\n");
    run.run(0x3ff);  // lanes above 9 would never leave the loop
    EXPECT_TRUE(run.executor.same_path());
    EXPECT_EQ(run.output(0, 9)[0], 1);
}

TEST(ControlFlow, LoopsWithinLoopsAreRefusedWhenTheyAddUpToTooManyInstructions) {
    // Each loop ends after a few rounds; the inner one runs in each round of the outer one.
    ShaderRun run = run_of(
        "BGNLOOP\nSLT TEMP[1].x, TEMP[0].yyyy, IN[0].xxxx\nIF TEMP[1].xxxx\nELSE\nBRK\nENDIF\n"
        "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nSLT TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nIF TEMP[1].xxxx\nELSE\nBRK\n"
        "ENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nADD TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\nENDLOOP\n"
        "MOV OUT[0], TEMP[0]\n");
    run.set_input(0, [](int) { return Vec4{20, 0, 0, 0}; });
    EXPECT_EQ(run.run().output(0, 0)[1], 20);
    run.executor.bind(run.executable, {{}, nullptr, 2000});
    const auto again = [&] {
        run.executor.run(run.inputs.data(), run.system_values.data(), run.outputs.data(), ~LaneMask{0});
    };
    EXPECT_THROW(again(), engine::InputError);
    run.executor.bind(run.executable, {{}, nullptr, 20000});
    again();
    EXPECT_EQ(run.output(0, 0)[1], 20);
}

TEST(ControlFlow, ALoopWithoutEndIsRefused) {
    ShaderRun run = run_of("BGNLOOP\nENDLOOP\n");
    try {
        run.run();
        FAIL();
    } catch (const engine::InputError& error) {
        EXPECT_STREQ(error.what(), "shader: the loop that ends at instruction 1 runs for more than 65536 rounds");
    }
}

TEST(ControlFlow, EndlessRecursionIsRefused) {
    ShaderRun run = run_of("CAL :2\nEND\nBGNSUB\nCAL :2\nENDSUB\n");
    EXPECT_THROW(run.run(), engine::InputError);
}

TEST(ControlFlow, KillInsideABranchKillsItsLanesOnly) {
    ShaderRun run =
        run_of("SLT TEMP[0].x, IN[0].xxxx, IMM[0].wwww\nIF TEMP[0].xxxx\nKILL\nENDIF\nMOV OUT[0], IMM[0].yyyy\n");
    run.run();
    EXPECT_EQ(run.executor.killed(), 0x3ffU);
    EXPECT_EQ(run.output(0, 3)[0], 1);
}

}  // namespace
}  // namespace models::functional::tgsi
