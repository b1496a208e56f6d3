#include "models/functional/tgsi/uniform_outputs.h"

#include <gtest/gtest.h>

namespace models::functional::tgsi {
namespace {

using Masks = std::vector<std::uint8_t>;

Masks uniform(const std::string& body) {
    return find_uniform_outputs(
        parse("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0..3]\nDCL CONST[1][0..3]\n"
              "DCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] FLT32 {0.0, 1.0, 0.5, 0.25}\n" +
              body + "END\n"));
}

TEST(UniformOutputs, AreCopiesOfImmediatesAndConstants) {
    EXPECT_EQ(uniform("MOV OUT[0], IN[0]\nMOV OUT[1], IMM[0].xxxy\n"), (Masks{0, 15}));
    EXPECT_EQ(uniform("MOV OUT[0], IN[0]\nMOV OUT[1], CONST[2]\n"), (Masks{0, 15}));
    EXPECT_EQ(uniform("MOV OUT[0], IN[0]\nADD OUT[1], IMM[0], CONST[2]\n"), (Masks{0, 0}));
}

TEST(UniformOutputs, AreByComponent) {
    EXPECT_EQ(uniform("MOV OUT[1].xyz, IN[0]\nMOV OUT[1].w, IMM[0].yyyy\n"), (Masks{0, 8}));
    EXPECT_EQ(uniform("MOV OUT[1], IMM[0]\nMOV OUT[1].y, IN[0]\n"), (Masks{0, 13}));
}

TEST(UniformOutputs, ComeThroughTemporaries) {
    EXPECT_EQ(uniform("MOV TEMP[0].x, CONST[0]\nMOV TEMP[0].yzw, IN[0]\nMOV OUT[1], TEMP[0].xxyx\n"), (Masks{0, 11}));
    EXPECT_EQ(uniform("MOV TEMP[0], CONST[0]\nMOV TEMP[0], IN[0]\nMOV OUT[1], TEMP[0]\n"), (Masks{0, 0}));
}

TEST(UniformOutputs, AreNotWhatTheReferenceDoesNotSeeThrough) {
    EXPECT_EQ(uniform("MOV OUT[1], -CONST[0]\n"), (Masks{0, 0})) << "negated";
    EXPECT_EQ(uniform("MOV OUT[1], -IMM[0]\n"), (Masks{0, 15})) << "folded";
    EXPECT_EQ(uniform("MOV_SAT OUT[1], CONST[0]\n"), (Masks{0, 0})) << "clamped";
    EXPECT_EQ(uniform("MOV OUT[1], CONST[1][0]\n"), (Masks{0, 0})) << "a uniform block";
    EXPECT_EQ(uniform("UARL ADDR[0].x, IN[0]\nMOV OUT[1], CONST[ADDR[0].x]\n"), (Masks{0, 0})) << "indirect";
}

TEST(UniformOutputs, FollowAllBranches) {
    EXPECT_EQ(uniform("MOV OUT[1], CONST[0]\nIF IN[0].xxxx\nMOV OUT[0], IN[0]\nENDIF\n"), (Masks{0, 0}));
    EXPECT_EQ(uniform("IF IN[0].xxxx\nMOV OUT[0], IN[0]\nENDIF\nMOV OUT[1], CONST[0]\n"), (Masks{0, 15}));
}

}  // namespace
}  // namespace models::functional::tgsi
