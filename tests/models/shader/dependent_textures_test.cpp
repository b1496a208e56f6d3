#include "models/shader/dependent_textures.h"

#include <gtest/gtest.h>

namespace models {
namespace {

Operand temporary(std::uint16_t index, std::uint8_t components = 15) {
    return {RegisterFile::temporary, components, index};
}
Operand input() {
    return {RegisterFile::input, 15, 0};
}
Instruction make(Opcode opcode, const Operand& to, const std::vector<Operand>& from) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.destination = to;
    for (const Operand& source : from) instruction.sources[instruction.source_count++] = source;
    return instruction;
}
Instruction sample(const Operand& to, const Operand& coordinate) {
    return make(Opcode::tex, to, {coordinate});
}
Instruction control(Opcode opcode) {
    return make(opcode, {}, {});
}
Instruction branch(const Operand& condition) {
    return make(Opcode::uif, {}, {condition});
}

// The dependent instructions, by program counter.
std::vector<std::size_t> dependent(std::vector<Instruction> instructions) {
    find_dependent_textures(instructions);
    std::vector<std::size_t> found;
    for (std::size_t pc = 0; pc < instructions.size(); ++pc)
        if (instructions[pc].dependent) found.push_back(pc);
    return found;
}
using Counters = std::vector<std::size_t>;

TEST(DependentTextures, AreThoseThatReadWhatATextureGave) {
    EXPECT_EQ(dependent({sample(temporary(0), input()), sample(temporary(1), input())}), Counters{});
    EXPECT_EQ(dependent({sample(temporary(0), input()), sample(temporary(1), temporary(0))}), Counters{1});
    EXPECT_EQ(dependent({sample(temporary(0), input()), make(Opcode::add, temporary(1), {input(), temporary(0)}),
                         sample(temporary(2), temporary(1))}),
              Counters{2});
    EXPECT_EQ(dependent({make(Opcode::txq, temporary(0), {input()}), sample(temporary(1), temporary(0))}), Counters{});
}

TEST(DependentTextures, RegistersThatAreWrittenAgainAreForgotten) {
    EXPECT_EQ(dependent({sample(temporary(0), input()), make(Opcode::mov, temporary(0), {input()}),
                         sample(temporary(1), temporary(0))}),
              Counters{});
    // Only x is new.
    const std::vector<Instruction> partly{sample(temporary(0), input()), make(Opcode::mov, temporary(0, 1), {input()})};
    std::vector<Instruction> reads_x = partly, reads_y = partly;
    reads_x.push_back(sample(temporary(1), temporary(0, 1)));
    reads_y.push_back(sample(temporary(1), temporary(0, 3)));
    EXPECT_EQ(dependent(reads_x), Counters{});
    EXPECT_EQ(dependent(reads_y), Counters{2});
}

TEST(DependentTextures, EitherBranchCounts) {
    const auto after = [](const Instruction& in_if, const Instruction& in_else, const Operand& condition) {
        return dependent({sample(temporary(0), input()), make(Opcode::mov, temporary(1), {input()}), branch(condition),
                          in_if, control(Opcode::else_), in_else, control(Opcode::endif),
                          sample(temporary(2), temporary(1))});
    };
    const Instruction plain = make(Opcode::mov, temporary(1), {input()});
    const Instruction tainted = make(Opcode::mov, temporary(1), {temporary(0)});
    EXPECT_EQ(after(plain, plain, input()), Counters{});
    EXPECT_EQ(after(tainted, plain, input()), Counters{7});
    EXPECT_EQ(after(plain, tainted, input()), Counters{7});
    EXPECT_EQ(after(plain, plain, temporary(0)), Counters{7});  // which of them ran depends on the texture
}

TEST(DependentTextures, LoopsCarryOverToTheirNextRound) {
    // The coordinate of round n comes through two registers from the texture of round n - 2.
    EXPECT_EQ(dependent({make(Opcode::mov, temporary(1), {input()}), control(Opcode::bgnloop),
                         sample(temporary(3), temporary(1)), make(Opcode::mov, temporary(1), {temporary(2)}),
                         make(Opcode::mov, temporary(2), {temporary(0)}), sample(temporary(0), input()),
                         control(Opcode::endloop)}),
              Counters{2});
    // A texture decides when the loop ends, so how often the coordinate was moved on.
    EXPECT_EQ(dependent({make(Opcode::mov, temporary(1), {input()}), control(Opcode::bgnloop),
                         sample(temporary(0), input()), branch(temporary(0)), control(Opcode::brk),
                         control(Opcode::endif), make(Opcode::add, temporary(1), {temporary(1), input()}),
                         control(Opcode::endloop), sample(temporary(2), temporary(1))}),
              (Counters{2, 8}));
}

TEST(DependentTextures, IndirectRegistersStandForAll) {
    Operand array = temporary(5);
    array.indirect = true;
    const Operand address{RegisterFile::address, 1, 0};
    EXPECT_EQ(dependent({sample(temporary(0), input()), make(Opcode::mov, array, {temporary(0)}),
                         sample(temporary(1), temporary(9))}),
              Counters{2});
    EXPECT_EQ(dependent({sample(temporary(0), input()), sample(temporary(1), array)}), Counters{1});
    Operand constant{RegisterFile::constant, 15, 0, true};
    EXPECT_EQ(dependent({sample(temporary(0), input()), make(Opcode::uarl, address, {input()}),
                         make(Opcode::mov, temporary(1), {constant}), sample(temporary(2), temporary(1))}),
              Counters{});
    EXPECT_EQ(dependent({sample(temporary(0), input()), make(Opcode::uarl, address, {temporary(0)}),
                         make(Opcode::mov, temporary(1), {constant}), sample(temporary(2), temporary(1))}),
              Counters{3});
}

TEST(DependentTextures, SubroutinesForgetNothing) {
    EXPECT_EQ(dependent({control(Opcode::cal), make(Opcode::mov, temporary(0), {input()}),
                         sample(temporary(1), temporary(0)), control(Opcode::end), control(Opcode::bgnsub),
                         sample(temporary(0), input()), control(Opcode::endsub)}),
              Counters{2});
}

}  // namespace
}  // namespace models
