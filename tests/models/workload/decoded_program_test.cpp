#include "models/workload/decoded_program.h"

#include <set>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

Operand operand(RegisterFile file, std::uint16_t index, std::uint8_t components = 15, bool indirect = false) {
    Operand made;
    made.file = file;
    made.index = index;
    made.components = components;
    made.indirect = indirect;
    return made;
}

Program program_of(std::vector<Instruction> instructions) {
    Program program;
    program.instructions = std::move(instructions);
    program.paths = {{{0, static_cast<std::uint16_t>(program.instructions.size())}}};
    return program;
}

Instruction mad(const Operand& destination, const Operand& a, const Operand& b, const Operand& c) {
    Instruction instruction;
    instruction.opcode = Opcode::mad;
    instruction.destination = destination;
    instruction.sources = {a, b, c, Operand{}};
    return instruction;
}

TEST(DecodedProgram, NumbersTemporariesOutputsAndAddressesApart) {
    const DecodedProgram decoded(
        program_of({mad(operand(RegisterFile::output, 0), operand(RegisterFile::temporary, 0),
                        operand(RegisterFile::temporary, 1), operand(RegisterFile::address, 0))}));
    const MicroInstruction& made = decoded.instructions[0];
    const std::set<std::uint16_t> used(made.registers.begin(), made.registers.begin() + made.register_count);
    EXPECT_EQ(used.size(), 4U);
    EXPECT_EQ(used.count(0), 0U);
    EXPECT_EQ(decoded.registers, 5U);
    EXPECT_EQ(used.count(made.destination), 1U);
}

TEST(DecodedProgram, NeverWaitsForInputsConstantsAndImmediates) {
    const DecodedProgram decoded(
        program_of({mad(operand(RegisterFile::temporary, 3), operand(RegisterFile::input, 7),
                        operand(RegisterFile::constant, 9), operand(RegisterFile::immediate, 2))}));
    EXPECT_EQ(decoded.instructions[0].register_count, 1U);
    EXPECT_EQ(decoded.instructions[0].registers[0], decoded.instructions[0].destination);
    EXPECT_NE(decoded.instructions[0].destination, 0U);
}

TEST(DecodedProgram, WaitsForARegisterOnce) {
    const DecodedProgram decoded(
        program_of({mad(operand(RegisterFile::temporary, 3), operand(RegisterFile::temporary, 3),
                        operand(RegisterFile::temporary, 1), operand(RegisterFile::temporary, 1))}));
    EXPECT_EQ(decoded.instructions[0].register_count, 2U);
}

TEST(DecodedProgram, WaitsForTheAddressOfAnIndirectOperand) {
    Instruction load;
    load.opcode = Opcode::arl;
    load.destination = operand(RegisterFile::address, 0, 1);
    Instruction use;
    use.opcode = Opcode::mov;
    use.destination = operand(RegisterFile::temporary, 0);
    use.sources[0] = operand(RegisterFile::constant, 4, 15, true);
    const DecodedProgram decoded(program_of({load, use}));
    EXPECT_EQ(decoded.instructions[1].registers[0], decoded.instructions[0].destination);
    EXPECT_EQ(decoded.instructions[0].components, 1U);
}

TEST(DecodedProgram, CountsTheTextureInstructionsOfEachPath) {
    Instruction texture, add;
    texture.opcode = Opcode::tex;
    add.opcode = Opcode::add;
    Program program = program_of({texture, add, texture, add});
    program.paths = {{{0, 4}}, {{1, 1}}, {{0, 3}, {0, 1}}};
    const DecodedProgram decoded(program);
    EXPECT_EQ(decoded.textures, (std::vector<std::uint32_t>{2, 0, 3}));
    EXPECT_EQ(decoded.paths(), 3U);
    EXPECT_EQ(decoded.first_run, (std::vector<std::uint32_t>{0, 1, 2, 4}));
}

TEST(DecodedProgram, RefusesPathsThatLeaveTheProgram) {
    Program program = program_of({Instruction{}, Instruction{}});
    program.paths = {{{1, 2}}};
    EXPECT_THROW(DecodedProgram{program}, engine::InputError);
    program.paths = {{{0, 0}}};
    EXPECT_THROW(DecodedProgram{program}, engine::InputError);
}

}  // namespace
}  // namespace models
