#include "models/workload/decoded_program.h"

#include <algorithm>
#include <bit>
#include <string>

#include "engine/error.h"

namespace models {
namespace {

// Where each register file begins in the common numbering.
class Numbering {
  public:
    explicit Numbering(const Program& program) {
        std::uint32_t highest[files] = {};
        for (const Instruction& instruction : program.instructions) {
            count(instruction.destination, highest);
            for (const Operand& source : instruction.sources) count(source, highest);
        }
        inputs_ = highest[static_cast<std::size_t>(RegisterFile::input)];
        for (const RegisterFile file : {RegisterFile::temporary, RegisterFile::output, RegisterFile::address}) {
            base_[static_cast<std::size_t>(file)] = end_;
            end_ += highest[static_cast<std::size_t>(file)];
        }
    }
    std::uint16_t operator()(const Operand& operand) const {
        const std::uint32_t base = base_[static_cast<std::size_t>(operand.file)];
        return static_cast<std::uint16_t>(base == 0 ? 0 : base + operand.index);
    }
    std::uint16_t address_register() const {
        const std::uint32_t base = base_[static_cast<std::size_t>(RegisterFile::address)];
        return static_cast<std::uint16_t>(base < end_ ? base : 0);
    }
    std::uint32_t end() const { return end_; }
    // In a register file: none, or as RegisterUse says.
    std::uint16_t in_file(const Operand& operand) const {
        if (operand.file == RegisterFile::input) return static_cast<std::uint16_t>(end_ - 1 + operand.index);
        const std::uint16_t number = (*this)(operand);
        return number == 0 ? RegisterUse::no_register : static_cast<std::uint16_t>(number - 1);
    }
    std::uint32_t in_file() const { return end_ - 1 + inputs_; }

  private:
    static constexpr std::size_t files = static_cast<std::size_t>(RegisterFile::system_value) + 1;
    static void count(const Operand& operand, std::uint32_t (&highest)[files]) {
        std::uint32_t& registers = highest[static_cast<std::size_t>(operand.file)];
        registers = std::max<std::uint32_t>(registers, operand.index + 1U);
    }
    std::uint32_t base_[files] = {};
    std::uint32_t end_ = 1, inputs_ = 0;
};

// The program counter that follows an instruction is that of the next one, whatever it finds.
bool falls_through(Opcode opcode) {
    switch (opcode) {
        case Opcode::nop:
        case Opcode::end:
        case Opcode::kill:
        case Opcode::kill_if:
        case Opcode::endif:
        case Opcode::bgnloop:
        case Opcode::endswitch:
            return true;
        default:
            return opcode_info(opcode).unit != Unit::control;
    }
}

RegisterUse use_of(const Instruction& instruction, const Numbering& number) {
    RegisterUse use;
    use.branches = !falls_through(instruction.opcode);
    use.ends = instruction.opcode == Opcode::end;
    use.destination = number.in_file(instruction.destination);
    const auto read = [&](std::uint16_t found) {
        if (found != RegisterUse::no_register) use.sources[use.source_count++] = found;
    };
    bool indirect = instruction.destination.indirect;
    for (const Operand& source : instruction.sources) {
        read(number.in_file(source));
        indirect = indirect || source.indirect;
    }
    if (indirect && number.address_register() != 0) read(static_cast<std::uint16_t>(number.address_register() - 1));
    return use;
}

MicroInstruction decode(const Instruction& instruction, const Numbering& number) {
    MicroInstruction micro;
    micro.unit = opcode_info(instruction.opcode).unit;
    const auto wait_for = [&](std::uint16_t found) {
        const auto end = micro.registers.begin() + micro.register_count;
        if (found == 0 || std::find(micro.registers.begin(), end, found) != end) return;
        micro.registers[micro.register_count++] = found;
    };
    bool indirect = instruction.destination.indirect;
    for (const Operand& source : instruction.sources) {
        wait_for(number(source));
        indirect = indirect || source.indirect;
    }
    if (indirect) wait_for(number.address_register());
    micro.destination = number(instruction.destination);
    wait_for(micro.destination);
    const std::uint8_t components = instruction.destination.components;
    micro.components = static_cast<std::uint8_t>(std::max(1, std::popcount(components)));
    return micro;
}

}  // namespace

DecodedProgram::DecodedProgram(const Program& program) {
    const Numbering number(program);
    registers = number.end();
    file_registers = number.in_file();
    if (registers > 0xffff)
        throw engine::InputError("frame trace: expected a program of less than 65536 registers, found " +
                                 std::to_string(registers));
    instructions.reserve(program.instructions.size());
    uses.reserve(program.instructions.size());
    std::vector<std::uint32_t> textures_before{0};  // each instruction: runs may be many and long
    for (const Instruction& instruction : program.instructions) {
        instructions.push_back(decode(instruction, number));
        uses.push_back(use_of(instruction, number));
        textures_before.push_back(textures_before.back() + (instructions.back().unit == Unit::texture ? 1 : 0));
    }
    first_run.push_back(0);
    for (const Path& path : program.paths) {
        std::uint32_t texture_instructions = 0;
        for (const PathRun& run : path) {
            if (run.count == 0 || std::size_t{run.first} + run.count > instructions.size())
                throw engine::InputError("frame trace: expected paths inside a program of " +
                                         std::to_string(instructions.size()) + " instructions, found a run of " +
                                         std::to_string(run.count) + " from " + std::to_string(run.first));
            texture_instructions += textures_before[std::size_t{run.first} + run.count] - textures_before[run.first];
            runs.push_back(run);
        }
        first_run.push_back(static_cast<std::uint32_t>(runs.size()));
        textures.push_back(texture_instructions);
    }
}

}  // namespace models
