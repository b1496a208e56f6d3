// What is not TGSI, or not rendered, is refused with line, column and name.
#include "models/functional/tgsi/parser.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models::functional::tgsi {
namespace {

std::string refusal(const std::string& text) {
    try {
        parse(text);
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "parsed";
}

struct Refused {
    const char* text;
    const char* message;
};

class Refusals : public ::testing::TestWithParam<Refused> {};

TEST_P(Refusals, NameLineColumnAndReason) {
    EXPECT_EQ(refusal(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Stages, Refusals,
                         ::testing::Values(Refused{"", "TGSI 1:1: expected a name, found the end of the text"},
                                           Refused{"  PIXEL\n", "TGSI 1:3: expected VERT, FRAG or COMP, found 'PIXEL'"},
                                           Refused{"GEOM\nEND\n", "TGSI 1:1: GEOM is not supported (geometry shaders)"},
                                           Refused{"TESS_EVAL\n",
                                                   "TGSI 1:1: TESS_EVAL is not supported (tessellation shaders)"},
                                           Refused{"FRAG 1\n", "TGSI 1:6: expected the end of the line, found '1'"},
                                           Refused{"FRAG\n", "TGSI 2:1: expected END, found the end of the text"}));

INSTANTIATE_TEST_SUITE_P(
    Properties, Refusals,
    ::testing::Values(Refused{"FRAG\nPROPERTY FS_COORD_ORIGIN UPPER\nEND",
                              "TGSI 2:26: expected UPPER_LEFT or LOWER_LEFT, found 'UPPER'"},
                      Refused{"VERT\nPROPERTY NUM_CULLDIST_ENABLED 1\nEND",
                              "TGSI 2:10: NUM_CULLDIST_ENABLED is not supported (cull distances)"},
                      Refused{"VERT\nPROPERTY LEGACY_MATH_RULES 1\nEND",
                              "TGSI 2:10: LEGACY_MATH_RULES is not supported (0 * infinity = 0)"},
                      Refused{"FRAG\nPROPERTY FS_BLEND_EQUATION_ADVANCED 3\nEND",
                              "TGSI 2:10: FS_BLEND_EQUATION_ADVANCED is not supported (advanced blending, "
                              "KHR_blend_equation_advanced)"}));

INSTANTIATE_TEST_SUITE_P(
    Declarations, Refusals,
    ::testing::Values(
        Refused{
            "FRAG\nDCL IMAGE[0], 2D, PIPE_FORMAT_R8_UNORM\n",
            "TGSI 2:5: IMAGE is not supported (shader images, buffers and atomic operations outside compute shaders)"},
        Refused{
            "FRAG\nDCL BUFFER[0]\n",
            "TGSI 2:5: BUFFER is not supported (shader images, buffers and atomic operations outside compute shaders)"},
        Refused{"FRAG\nDCL HWATOMIC[0]\n",
                "TGSI 2:5: HWATOMIC is not supported (atomic counters; `tessera record --gles 3.1` offers none)"},
        Refused{"FRAG\nDCL MEMORY[0], SHARED\n", "TGSI 2:5: MEMORY is not supported (shared memory)"},
        Refused{"FRAG\nDCL TMP[0]\n", "TGSI 2:5: expected a register file, found 'TMP'"},
        Refused{"FRAG\nDCL TEMP[0\n", "TGSI 2:11: expected ']', found the end of the line"},
        Refused{"FRAG\nDCL TEMP[5..2]\n",
                "TGSI 2:10: expected a range of registers that does not end before it starts"},
        Refused{"FRAG\nDCL TEMP[99999999999]\n", "TGSI 2:10: expected a register number of at most 16383"},
        Refused{"FRAG\nDCL CONST[40][0..3]\n", "TGSI 2:14: expected one constant buffer below 32, found '['"},
        Refused{"FRAG\nDCL IN[0], GENERIC[0], WOBBLY\n", "TGSI 2:24: WOBBLY is not supported (in a declaration of IN)"},
        Refused{"VERT\nDCL OUT[0], POSITION, STREAM(1, 0, 0, 0)\n",
                "TGSI 2:23: STREAM is not supported (vertex streams)"},
        Refused{"FRAG\nDCL SVIEW[0], 2D_ARRAY_MSAA, FLOAT\n",
                "TGSI 2:15: 2D_ARRAY_MSAA is not supported (texture target)"},
        Refused{"FRAG\nDCL SVIEW[0], 2D, HALF\n", "TGSI 2:19: expected UNORM, SNORM, SINT, UINT or FLOAT"},
        Refused{"FRAG\nDCL IN[0].yx, GENERIC[0]\n", "TGSI 2:11: expected a mask of x, y, z and w in this order"}));

INSTANTIATE_TEST_SUITE_P(
    Immediates, Refusals,
    ::testing::Values(
        Refused{"FRAG\nIMM[1] FLT32 {0, 0, 0, 0}\n", "TGSI 2:5: expected immediate 0"},
        Refused{"FRAG\nIMM[0] FLT64 {0, 0}\n", "TGSI 2:8: FLT64 is not supported (double precision)"},
        Refused{"FRAG\nIMM[0] UINT64 {0, 0}\n", "TGSI 2:8: UINT64 is not supported (64-bit integers)"},
        Refused{"FRAG\nIMM[0] REAL {0}\n", "TGSI 2:8: expected FLT32, UINT32 or INT32, found 'REAL'"},
        Refused{"FRAG\nIMM[0] FLT32 {1.0, two}\n", "TGSI 2:20: expected a 32-bit number, found 'two'"},
        Refused{"FRAG\nIMM[0] UINT32 {4294967296}\n", "TGSI 2:16: expected a 32-bit number, found '4294967296'"},
        Refused{"FRAG\nIMM[0] FLT32 {1, 2, 3, 4, 5}\n", "TGSI 2:27: expected '}' after four values, found '5'"}));

INSTANTIATE_TEST_SUITE_P(
    Instructions, Refusals,
    ::testing::Values(
        Refused{"FRAG\nDCL TEMP[0]\n  0: MOVE TEMP[0], TEMP[0]\n",
                "TGSI 3:6: expected an instruction, found 'MOVE'; did you mean MOV?"},
        Refused{"FRAG\nDCL TEMP[0]\n  0: DADD TEMP[0], TEMP[0], TEMP[0]\n",
                "TGSI 3:6: DADD is not supported (double precision)"},
        Refused{"FRAG\n  0: DSSG\n", "TGSI 2:6: DSSG is not supported (double precision)"},
        Refused{"FRAG\n  0: U64ADD\n", "TGSI 2:6: U64ADD is not supported (64-bit integers)"},
        Refused{"FRAG\n  0: ATOMUADD\n",
                "TGSI 2:6: ATOMUADD is not supported (shader images, buffers and atomic operations outside compute "
                "shaders)"},
        Refused{
            "FRAG\n  0: STORE\n",
            "TGSI 2:6: STORE is not supported (shader images, buffers and atomic operations outside compute shaders)"},
        Refused{"FRAG\n  0: EMIT\n", "TGSI 2:6: EMIT is not supported (geometry shaders)"},
        Refused{"FRAG\n  0: INTERP_OFFSET\n",
                "TGSI 2:6: INTERP_OFFSET is not supported (interpolation at explicit positions)"},
        Refused{"FRAG\n  0: BALLOT\n", "TGSI 2:6: BALLOT is not supported (operations across invocations)"},
        Refused{"FRAG\n  0: SAMPLE_L\n", "TGSI 2:6: SAMPLE_L is not supported (sampler views apart from samplers)"},
        Refused{"FRAG\n  1: END\n", "TGSI 2:3: expected instruction 0, found 1"},
        Refused{"FRAG\n  0: END\n  1: NOP\n", "TGSI 3:6: expected a subroutine or nothing after END, found NOP"},
        Refused{"FRAG\nEND\nDCL TEMP[0]\n", "TGSI 3:1: expected a subroutine or nothing after END, found DCL"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0] TEMP[0]\n", "TGSI 3:13: expected ',', found 'TEMP'"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[1], TEMP[0]\n", "TGSI 3:10: TEMP[1] is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], CONST[0]\n", "TGSI 3:20: CONST[0] is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], CONST[1][0]\n", "TGSI 3:20: constant buffer 1 is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0].xyq\n",
                "TGSI 3:22: expected a swizzle of one or four components"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0].xyzq\n", "TGSI 3:22: expected a swizzle of x, y, z and w"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], |TEMP[0]\n", "TGSI 3:22: expected '|', found the end of the line"},
        Refused{"FRAG\nDCL IN[0], GENERIC[0]\nMOV IN[0], IN[0]\n",
                "TGSI 3:5: expected TEMP, OUT or ADDR as destination, found IN"},
        Refused{"FRAG\nDCL TEMP[0..3]\nMOV TEMP[0], TEMP[ADDR[0].x]\n", "TGSI 3:19: ADDR[0] is not declared"},
        Refused{"FRAG\nDCL TEMP[0..3]\nDCL ADDR[0]\nMOV TEMP[0], TEMP[ADDR[0].x](7)\n",
                "TGSI 4:19: array 7 is not declared"},
        Refused{"FRAG\nDCL TEMP[0..3]\nMOV TEMP[0], TEMP[TEMP[0].x]\n",
                "TGSI 3:19: expected a register number or ADDR, found 'TEMP'"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nDCL CONST[1][0..3]\nMOV TEMP[0], CONST[ADDR[0].x+2][0]\n",
                "TGSI 5:20: constant buffer 2 is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nDCL CONST[1][0..3]\nMOV TEMP[0], CONST[ADDR[0].x+1][4]\n",
                "TGSI 5:33: CONST[4] is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nDCL CONST[1][0..4096]\nMOV TEMP[0], CONST[ADDR[0].x][0]\n",
                "TGSI 5:20: ADDR is not supported (a computed constant buffer of more than 16, or of more than 4096 "
                "registers)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nDCL CONST[16][0]\nMOV TEMP[0], CONST[ADDR[0].x][0]\n",
                "TGSI 5:20: ADDR is not supported (a computed constant buffer of more than 16, or of more than 4096 "
                "registers)"},
        Refused{"FRAG\nDCL TEMP[0]\nMOV TEMP[0], TMP[0]\n", "TGSI 3:14: expected a register, found 'TMP'"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nMOV TEMP[0], SAMP[0]\n",
                "TGSI 4:14: expected a register with a value, found SAMP"},
        Refused{"FRAG\nDCL TEMP[0..3]\nDCL ADDR[0]\nMOV TEMP[0], TEMP[ADDR[0].xy]\n",
                "TGSI 4:27: expected x, y, z or w"}));

INSTANTIATE_TEST_SUITE_P(
    Textures, Refusals,
    ::testing::Values(
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[1], 2D\n",
                "TGSI 4:28: SAMP[1] is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], TEMP[0], 2D\n",
                "TGSI 4:23: expected SAMP, found TEMP"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D_ARRAY_MSAA\n",
                "TGSI 4:32: 2D_ARRAY_MSAA is not supported (texture target)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTXP TEMP[0], TEMP[0], SAMP[0], 2D_ARRAY\n",
                "TGSI 4:32: 2D_ARRAY is not supported (texture target of TXP)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D_MSAA\n",
                "TGSI 4:32: 2D_MSAA is not supported (texture target of an instruction other than TXF and TXQ)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D, TEMP[0].xyz\n",
                "TGSI 4:36: TEMP is not supported (a computed texel offset of a filter)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0..1]\nDCL ADDR[0]\nTEX TEMP[0], TEMP[0], SAMP[ADDR[0].x+2], 2D\n",
                "TGSI 5:23: SAMP[2] is not declared"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTG4 TEMP[0], TEMP[0], TEMP[0], SAMP[0], 2D\n",
                "TGSI 4:1: TG4 is not supported (a computed component)"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nIMM[0] UINT32 {4}\nTG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D\n",
                "TGSI 5:1: expected a component from 0 to 3 to gather"},
        Refused{"FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nIMM[0] UINT32 {0}\n"
                "TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xxx, IMM[0].xxx\n",
                "TGSI 5:59: more than one texel offset is not supported (gather)"}));

INSTANTIATE_TEST_SUITE_P(
    ControlFlow, Refusals,
    ::testing::Values(
        Refused{"FRAG\nELSE\nEND", "TGSI 2:1: ELSE stands outside IF and ENDIF"},
        Refused{"FRAG\nENDIF\nEND", "TGSI 2:1: ENDIF stands outside IF"},
        Refused{"FRAG\n BGNLOOP\nENDIF\nEND", "TGSI 3:1: ENDIF stands outside IF"},
        Refused{"FRAG\nENDLOOP\nEND", "TGSI 2:1: ENDLOOP stands outside BGNLOOP"},
        Refused{"FRAG\nBRK\nEND", "TGSI 2:1: BRK stands outside loops and SWITCH"},
        Refused{"FRAG\nCONT\nEND", "TGSI 2:1: CONT stands outside loops"},
        Refused{"FRAG\nBGNLOOP\nEND", "TGSI 2:1: BGNLOOP has no end"},
        Refused{"FRAG\nIMM[0] UINT32 {1}\nCASE IMM[0].xxxx\nEND", "TGSI 3:1: CASE stands outside SWITCH and ENDSWITCH"},
        Refused{"FRAG\nENDSWITCH\nEND", "TGSI 2:1: ENDSWITCH stands outside SWITCH"},
        Refused{"FRAG\nENDSUB\nEND", "TGSI 2:1: ENDSUB stands outside BGNSUB"},
        Refused{"FRAG\nCAL :7\nEND", "TGSI 2:1: expected CAL of a BGNSUB, found label 7"},
        Refused{"FRAG\nCAL\nEND", "TGSI 2:4: expected the label of a subroutine, found the end of the line"},
        Refused{"VERT\nBGNSUB\nENDSUB\nEND", "TGSI 2:1: BGNSUB stands before END"},
        Refused{"FRAG\nBGNLOOP\nBGNSUB\nENDSUB\nENDLOOP\nEND", "TGSI 3:1: BGNSUB stands inside another block"}));

TEST(Parser, RefusesDeepNesting) {
    std::string text = "FRAG\nDCL IN[0], GENERIC[0]\n", ends;
    for (int i = 0; i < 256; ++i) {
        text += "IF IN[0].xxxx\n";
        ends += "ENDIF\n";
    }
    EXPECT_EQ(refusal(text + ends + "END\n"), "parsed");
    EXPECT_EQ(refusal(text + "BGNLOOP\nENDLOOP\n" + ends + "END\n"),
              "TGSI 259:1: blocks that nest deeper than 256 are not supported");
}

TEST(Parser, SurvivesEveryTruncationAndEveryFlippedByte) {
    const std::string text =
        "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0].xy, GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
        "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[1][0..3]\nDCL TEMP[0..2], ARRAY(1), LOCAL\nDCL ADDR[0]\n"
        "IMM[0] FLT32 {0x3f800000, 1.5, -2e3, 0}\n  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D, IMM[0].xyz\n"
        "  1: IF TEMP[0].xxxx :3\n  2:   ADD_SAT TEMP[0].x, -|TEMP[0]|, CONST[1][ADDR[0].x+2]\n  3: ENDIF\n"
        "  4: MOV OUT[0], TEMP[ADDR[0].x-1](1)\n  5: END\n";
    ASSERT_EQ(refusal(text), "parsed");
    for (std::size_t size = 0; size + 5 < text.size(); ++size)
        EXPECT_NE(refusal(text.substr(0, size)), "parsed") << size;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const char change : {'\0', ' ', '9', '\x7f', '[', 'X', '\n'}) {
            std::string damaged = text;
            damaged[i] = change;
            refusal(damaged);  // parsed or refused, never anything else
        }
}

}  // namespace
}  // namespace models::functional::tgsi
