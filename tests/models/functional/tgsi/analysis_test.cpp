// The decoded program for the timing models, and the facts about the whole program.
#include <gtest/gtest.h>

#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {
namespace {

const std::string declarations =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL SAMP[0..1]\n"
    "DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], SHADOW2D, FLOAT\nDCL CONST[0..3]\nDCL CONST[3][0..9]\nDCL TEMP[0..4]\n"
    "DCL ADDR[0]\nIMM[0] FLT32 {1, 2, 3, 4}\n";

Instruction first_of(const std::string& line) {
    return parse(declarations + line + "\nEND\n").program.instructions[0];
}

TEST(DecodedProgram, NamesTheRegistersAnInstructionUses) {
    const Instruction mad = first_of("MAD_SAT TEMP[3].yz, -CONST[3][7].wzyx, |IN[0]|, IMM[0].xxxx");
    EXPECT_EQ(mad.opcode, Opcode::mad);
    EXPECT_EQ(mad.source_count, 3);
    EXPECT_EQ(mad.texture_unit, -1);
    EXPECT_EQ(mad.destination.file, RegisterFile::temporary);
    EXPECT_EQ(mad.destination.index, 3);
    EXPECT_EQ(mad.destination.components, 0b0110);
    EXPECT_EQ(mad.sources[0].file, RegisterFile::constant);
    EXPECT_EQ(mad.sources[0].buffer, 3);
    EXPECT_EQ(mad.sources[0].index, 7);
    EXPECT_EQ(mad.sources[0].components, 0b0110);
    EXPECT_EQ(mad.sources[1].components, 0b0110);
    EXPECT_EQ(mad.sources[2].components, 0b0001);
}

TEST(DecodedProgram, CountsOnlyTheComponentsThatAreRead) {
    EXPECT_EQ(first_of("DP3 TEMP[0].w, IN[0], CONST[0].wzyx").sources[0].components, 0b0111);
    EXPECT_EQ(first_of("DP3 TEMP[0].w, IN[0], CONST[0].wzyx").sources[1].components, 0b1110);
    EXPECT_EQ(first_of("RCP TEMP[0], IN[0].zzzz").sources[0].components, 0b0100);
    EXPECT_EQ(first_of("POW TEMP[0].xy, IN[0].wwww, IN[0]").sources[1].components, 0b0001);
    EXPECT_EQ(first_of("LIT TEMP[0].y, IN[0]").sources[0].components, 0b0001);
    EXPECT_EQ(first_of("LIT TEMP[0], IN[0]").sources[0].components, 0b1011);
    EXPECT_EQ(first_of("XPD TEMP[0].x, IN[0], CONST[0]").sources[0].components, 0b0110);
    EXPECT_EQ(first_of("DST TEMP[0], IN[0], CONST[0]").sources[1].components, 0b1010);
    EXPECT_EQ(first_of("TEX TEMP[0], IN[0], SAMP[0], 2D").sources[0].components, 0b0011);
    EXPECT_EQ(first_of("TXP TEMP[0], IN[0], SAMP[0], 2D").sources[0].components, 0b1011);
    EXPECT_EQ(first_of("TXP TEMP[0], IN[0], SAMP[0], CUBE").sources[0].components, 0b0111);
    EXPECT_EQ(first_of("TEX TEMP[0], IN[0], SAMP[1], SHADOW2D").sources[0].components, 0b0111);
    EXPECT_EQ(first_of("TXB TEMP[0], IN[0], SAMP[0], CUBE").sources[0].components, 0b1111);
    EXPECT_EQ(first_of("TXD TEMP[0], IN[0], IN[0], CONST[0], SAMP[0], 2D").sources[2].components, 0b0011);
    EXPECT_EQ(first_of("TXF TEMP[0], IN[0], SAMP[0], BUFFER").sources[0].components, 0b0001);
    EXPECT_EQ(first_of("TXF TEMP[0], IN[0], SAMP[0], 2D").sources[0].components, 0b1011);
    EXPECT_EQ(first_of("TXQ TEMP[0], IN[0].wwww, SAMP[0], 2D").sources[0].components, 0b1000);
    EXPECT_EQ(first_of("KILL_IF IN[0].xxyy").sources[0].components, 0b0011);
}

TEST(DecodedProgram, KnowsIndirectOperandsAndTextureUnits) {
    const Instruction mov = first_of("MOV TEMP[ADDR[0].x+1], CONST[ADDR[0].x+2]");
    EXPECT_TRUE(mov.destination.indirect);
    EXPECT_EQ(mov.destination.index, 1);
    EXPECT_TRUE(mov.sources[0].indirect);
    EXPECT_EQ(mov.sources[0].index, 2);
    EXPECT_EQ(first_of("TEX TEMP[0], IN[0], SAMP[1], SHADOW2D").texture_unit, 1);
    EXPECT_EQ(first_of("TEX TEMP[0], IN[0], SAMP[1], SHADOW2D").source_count, 1);
    const Instruction array = first_of("TXD TEMP[0], IN[0], IN[0], IN[0], SAMP[ADDR[0].z+1], SHADOW2D");
    EXPECT_EQ(array.texture_unit, 1);
    ASSERT_EQ(array.source_count, 4);
    EXPECT_EQ(array.sources[3].file, RegisterFile::address);
    EXPECT_EQ(array.sources[3].components, 0b0100);
    EXPECT_EQ(array.sources[3].swizzle, 0b10101010);
}

TEST(DecodedProgram, HasTheAddressOfAComputedConstantBufferWhileThereIsRoom) {
    const Instruction mov = first_of("MOV TEMP[0].y, CONST[ADDR[0].z+1][7]");
    EXPECT_TRUE(mov.sources[0].indirect);
    EXPECT_EQ(mov.sources[0].buffer, 1);
    EXPECT_EQ(mov.sources[0].index, 7);
    ASSERT_EQ(mov.source_count, 2);
    EXPECT_EQ(mov.sources[1].file, RegisterFile::address);
    EXPECT_EQ(mov.sources[1].components, 0b0100);
    const Instruction mad = first_of("MAD TEMP[0], CONST[ADDR[0].x+1][7], CONST[ADDR[0].y+1][ADDR[0].w], IN[0]");
    ASSERT_EQ(mad.source_count, 4);
    EXPECT_EQ(mad.sources[3].components, 0b0001);
    EXPECT_EQ(indirect_constants(mad), 2U);
}

TEST(DecodedProgram, ATextureThatWasChosenByATextureDependsOnIt) {
    const auto code =
        parse(declarations +
              "TEX TEMP[0], IN[0], SAMP[0], 2D\nF2I TEMP[1].x, TEMP[0].xxxx\nUARL ADDR[0].x, TEMP[1].xxxx\n"
              "TEX TEMP[2], IN[0], SAMP[ADDR[0].x], 2D\nTEX TEMP[3], IN[0], SAMP[0], 2D\nEND\n")
            .program.instructions;
    EXPECT_TRUE(code[3].dependent);
    EXPECT_FALSE(code[4].dependent);
}

TEST(ProgramFacts, SayWhatTheInstructionsDo) {
    const auto facts = [](const std::string& body) { return parse(declarations + body + "\nEND\n"); };
    EXPECT_FALSE(facts("MOV OUT[0], IN[0]").uses_kill);
    EXPECT_TRUE(facts("KILL_IF IN[0].xxxx").uses_kill);
    EXPECT_FALSE(facts("KILL").uses_control_flow);
    EXPECT_TRUE(facts("IF IN[0].xxxx :1\nENDIF").uses_control_flow);
    EXPECT_TRUE(facts("MOV OUT[1].z, IN[0]").writes_depth);
    EXPECT_FALSE(facts("MOV OUT[0].z, IN[0]").writes_depth);
    EXPECT_TRUE(facts("DDX TEMP[0], IN[0]").uses_derivatives);
    EXPECT_TRUE(facts("TEX TEMP[0], IN[0], SAMP[0], 2D").uses_derivatives);
    EXPECT_FALSE(facts("TXL TEMP[0], IN[0], SAMP[0], 2D").uses_derivatives);
}

TEST(ProgramFacts, UaddOfFloatOnlyProgramsAddsFloats) {
    const std::string sum = "UADD TEMP[0].x, IMM[0].xxxx, IN[0].xxxx\n";
    const Shader floats = parse(declarations + sum + "ARL ADDR[0].x, TEMP[0].xxxx\nEND\n");
    EXPECT_TRUE(floats.float_only);
    EXPECT_EQ(floats.operations[0].opcode, Opcode::add);
    EXPECT_EQ(floats.program.instructions[0].opcode, Opcode::uadd);
    const Shader integers = parse(declarations + sum + "UARL ADDR[0].x, TEMP[0].xxxx\nEND\n");
    EXPECT_FALSE(integers.float_only);
    EXPECT_EQ(integers.operations[0].opcode, Opcode::uadd);
}

TEST(ProgramFacts, KnowShiftsByImmediateFloats) {
    const auto shifts_floats = [](const std::string& immediates, const std::string& instruction) {
        return parse(declarations + immediates + instruction + "END\n").shifts_floats;
    };
    const std::string two = "IMM[1] UINT32 {1, 2, 3, 4}\nIMM[2] FLT32 {1.0, 2.0, 3.0, 4.0}\n";
    for (const std::string shift : {"SHL", "ISHR", "USHR"}) {
        EXPECT_FALSE(shifts_floats(two, shift + " TEMP[0], IN[0], IMM[1].yyyy\n")) << shift;
        EXPECT_TRUE(shifts_floats(two, shift + " TEMP[0], IN[0], IMM[2].yyyy\n")) << shift;
        EXPECT_FALSE(shifts_floats(two, shift + " TEMP[0], IMM[2], IN[0]\n")) << shift;
    }
    EXPECT_FALSE(shifts_floats(two, "MUL TEMP[0], IN[0], IMM[2].yyyy\n"));
}

TEST(ProgramFacts, NameATemporaryThatIsReadButNeverWritten) {
    const auto unwritten = [](const std::string& body) {
        return parse(
                   "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..2], ARRAY(1), LOCAL\nDCL "
                   "TEMP[3]\n"
                   "DCL ADDR[0]\n" +
                   body + "END\n")
            .unwritten_temporary;
    };
    const std::string two = "MOV TEMP[0], IN[0]\nMOV TEMP[2], IN[0]\nARL ADDR[0].x, IN[0].xxxx\n";
    EXPECT_EQ(unwritten(two + "MOV OUT[0], TEMP[2]\n"), -1);
    EXPECT_EQ(unwritten(two + "MOV OUT[0], TEMP[3]\n"), 3);
    EXPECT_EQ(unwritten(two + "MOV OUT[0], TEMP[ADDR[0].x](1)\n"), 1);
    EXPECT_EQ(unwritten(two + "MOV TEMP[ADDR[0].x](1), IN[0]\nMOV OUT[0], TEMP[ADDR[0].x](1)\n"), -1);
}

TEST(ProgramFacts, LabelsPointAtTheMatchingInstruction) {
    const Shader shader =
        parse(declarations + "BGNLOOP :0\nIF IN[0].xxxx :9\nBRK\nELSE :9\nNOP\nENDIF\nENDLOOP :0\nEND\n");
    EXPECT_EQ(shader.operations[0].label, 6);
    EXPECT_EQ(shader.operations[1].label, 3);
    EXPECT_EQ(shader.operations[3].label, 5);
    EXPECT_EQ(shader.operations[6].label, 0);
}

}  // namespace
}  // namespace models::functional::tgsi
