#include "models/functional/tgsi/initialisation.h"

#include <gtest/gtest.h>

namespace models::functional::tgsi {
namespace {

using Masks = std::vector<std::uint8_t>;

Uninitialised analyse(const std::string& body) {
    return find_uninitialised(
        parse("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0..3], "
              "ARRAY(1), LOCAL\n"
              "DCL ADDR[0]\nIMM[0] INT32 {0, 1, 2, 3}\n" +
              body));
}

Masks temporaries(const std::string& body) {
    return analyse(body + "END\n").temporaries;
}

TEST(Initialisation, ARegisterWrittenBeforeItIsReadNeedsNone) {
    EXPECT_EQ(temporaries("MOV TEMP[0], IN[0]\nMOV OUT[0], TEMP[0]\n"), (Masks{0, 0, 0, 0}));
    EXPECT_EQ(temporaries("MOV OUT[0], TEMP[0]\nMOV TEMP[0], IN[0]\n"), (Masks{15, 0, 0, 0}));
}

TEST(Initialisation, IsByComponent) {
    EXPECT_EQ(temporaries("MOV TEMP[1].xz, IN[0]\nADD OUT[0], TEMP[1].zyxx, IN[0]\n"), (Masks{0, 0b0010, 0, 0}));
    EXPECT_EQ(temporaries("DP3 OUT[0].x, TEMP[2], IN[0]\n"), (Masks{0, 0, 0b0111, 0}));
    EXPECT_EQ(temporaries("MAD TEMP[3].x, TEMP[3].xxxx, IN[0], IN[0]\n"), (Masks{0, 0, 0, 0b0001}));
}

TEST(Initialisation, WhatABranchWritesCountsInsideItOnly) {
    const std::string inside = "MOV TEMP[0], IN[0]\nMOV OUT[0], TEMP[0]\n", after = "MOV OUT[0].x, TEMP[0]\n";
    EXPECT_EQ(temporaries("IF IN[0].xxxx\n" + inside + "ENDIF\n"), (Masks{0, 0, 0, 0}));
    EXPECT_EQ(temporaries("IF IN[0].xxxx\n" + inside + "ENDIF\n" + after), (Masks{1, 0, 0, 0}));
    EXPECT_EQ(temporaries("IF IN[0].xxxx\n" + inside + "ELSE\n" + after + "ENDIF\n"), (Masks{1, 0, 0, 0}));
    EXPECT_EQ(temporaries("BGNLOOP\n" + inside + "BRK\nENDLOOP\n" + after), (Masks{1, 0, 0, 0}));
    EXPECT_EQ(
        temporaries("SWITCH IMM[0].xxxx\nCASE IMM[0].xxxx\n" + inside + "CASE IMM[0].yyyy\n" + after + "ENDSWITCH\n"),
        (Masks{1, 0, 0, 0}));
    EXPECT_EQ(temporaries("SWITCH IMM[0].xxxx\nCASE IMM[0].xxxx\n" + inside + "DEFAULT\n" + after + "ENDSWITCH\n"),
              (Masks{1, 0, 0, 0}));
}

TEST(Initialisation, WhatComesBeforeABranchCountsInIt) {
    EXPECT_EQ(temporaries("MOV TEMP[0], IN[0]\nIF IN[0].xxxx\nMOV OUT[0], TEMP[0]\nELSE\nMOV OUT[0], TEMP[0]\nENDIF\n"),
              (Masks{0, 0, 0, 0}));
}

TEST(Initialisation, AComputedRegisterMayBeAnyOfTheArray) {
    EXPECT_EQ(temporaries("MOV TEMP[1], IN[0]\nUARL ADDR[0].x, IMM[0].xxxx\nMOV OUT[0].y, TEMP[ADDR[0].x](1)\n"),
              (Masks{2, 0, 2, 2}));
    EXPECT_EQ(temporaries("UARL ADDR[0].x, IMM[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\nMOV OUT[0].y, TEMP[2]\n"),
              (Masks{0, 0, 2, 0}));
}

TEST(Initialisation, ASubroutineStartsWithNothing) {
    EXPECT_EQ(analyse("MOV TEMP[0], IN[0]\nCAL :3\nEND\nBGNSUB\nMOV OUT[0].x, TEMP[0]\nENDSUB\n").temporaries,
              (Masks{1, 0, 0, 0}));
}

TEST(Initialisation, OutputsAreHandedOutAtEveryEnd) {
    EXPECT_EQ(analyse("MOV OUT[0], IN[0]\nMOV OUT[1].xy, IN[0]\nEND\n").outputs, (Masks{0, 0b1100}));
    EXPECT_EQ(analyse("MOV OUT[0], IN[0]\nIF IN[0].xxxx\nRET\nENDIF\nMOV OUT[1], IN[0]\nEND\n").outputs,
              (Masks{0, 15}));
    EXPECT_EQ(
        analyse("IF IN[0].xxxx\nMOV OUT[0], IN[0]\nELSE\nMOV OUT[0], IN[0]\nENDIF\nMOV OUT[1], IN[0]\nEND\n").outputs,
        (Masks{15, 0}));
}

}  // namespace
}  // namespace models::functional::tgsi
