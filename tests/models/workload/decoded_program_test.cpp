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
    EXPECT_EQ(decoded.instructions[0].steps, 1U);
}

// (component, step) of what an instruction of one source waits for, but for its destination.
std::vector<std::pair<int, int>> waits(const DecodedProgram& decoded, std::uint32_t instruction) {
    std::vector<std::pair<int, int>> found;
    for (std::uint32_t i = decoded.first_component_use[instruction]; i < decoded.first_component_use[instruction + 1];
         ++i)
        if (const ComponentUse& use = decoded.component_uses[i];
            use.number != decoded.instructions[instruction].destination)
            found.emplace_back(use.component, use.step);
    return found;
}

Instruction of_one(Opcode opcode, std::uint8_t written, std::uint8_t swizzle, std::uint8_t read) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.source_count = 1;
    instruction.destination = operand(RegisterFile::temporary, 0, written);
    instruction.sources[0] = operand(RegisterFile::temporary, 1, read);
    instruction.sources[0].swizzle = swizzle;
    return instruction;
}

using Waits = std::vector<std::pair<int, int>>;
constexpr std::uint8_t xz = 5, wzyx = 0x1b;

TEST(DecodedProgram, AStepOfOneThatWorksByComponentsWaitsForWhatItsSwizzleChooses) {
    const DecodedProgram decoded(program_of({of_one(Opcode::mov, xz, wzyx, 0b1010)}));
    EXPECT_EQ(decoded.instructions[0].steps, 2U);
    EXPECT_EQ(decoded.instructions[0].step_of, (std::array<std::uint8_t, 4>{0, 0xff, 1, 0xff}));
    EXPECT_EQ(waits(decoded, 0), (Waits{{3, 0}, {1, 1}}));
    EXPECT_EQ(decoded.uses[0].source_components[0], 0b1010);
    EXPECT_EQ(decoded.uses[0].destination_components, xz);
}

TEST(DecodedProgram, ADotProductHasAStepForEachProductAndItsResultAfterTheLast) {
    const DecodedProgram decoded(program_of({of_one(Opcode::dp3, xz, wzyx, 0b1110)}));
    EXPECT_EQ(decoded.instructions[0].steps, 3U);
    EXPECT_EQ(decoded.instructions[0].step_of, (std::array<std::uint8_t, 4>{2, 0xff, 2, 0xff}));
    EXPECT_EQ(waits(decoded, 0), (Waits{{3, 0}, {2, 1}, {1, 2}}));
}

TEST(DecodedProgram, WhatComputesOneScalarHasOneStep) {
    const DecodedProgram decoded(program_of({of_one(Opcode::rcp, 15, wzyx, 0b1000)}));
    EXPECT_EQ(decoded.instructions[0].steps, 1U);
    EXPECT_EQ(waits(decoded, 0), (Waits{{3, 0}}));
}

TEST(DecodedProgram, ATextureWaitsForAllItsCoordinatesAtOnceAndWritesAWholeRegister) {
    const DecodedProgram decoded(program_of({of_one(Opcode::tex, xz, wzyx, 0b1100)}));
    EXPECT_EQ(decoded.instructions[0].steps, 1U);
    EXPECT_EQ(waits(decoded, 0), (Waits{{2, 0}, {3, 0}}));
    EXPECT_EQ(decoded.uses[0].destination_components, all_components);
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
