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

// The program counter that follows an instruction is that of the next one, whatever it finds. So it is of a kill: its
// threads go on as helpers of their quad, also if no other is left.
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

std::uint8_t swizzled(const Operand& operand, std::uint32_t component) {
    return static_cast<std::uint8_t>(operand.swizzle >> 2 * component & 3U);
}

// Products of a dot product; 0: it is none.
std::uint8_t products(Opcode opcode) {
    switch (opcode) {
        case Opcode::dp2:
            return 2;
        case Opcode::dp3:
            return 3;
        case Opcode::dp4:
        case Opcode::dph:
            return 4;
        default:
            return 0;
    }
}

// A component of the result comes from the same components of the sources, as their swizzles choose them.
bool is_componentwise(Opcode opcode) {
    switch (opcode) {
        case Opcode::xpd:
        case Opcode::dst:
        case Opcode::lit:
        case Opcode::exp:
        case Opcode::log:
        case Opcode::pk2h:
        case Opcode::up2h:
        case Opcode::resq:
            return false;
        default: {
            const OpcodeInfo& info = opcode_info(opcode);
            return !info.replicates && products(opcode) == 0 && (info.unit == Unit::alu || info.unit == Unit::special);
        }
    }
}

// In which step each component of the destination is computed, and how many there are.
void find_steps(const Instruction& instruction, MicroInstruction& micro) {
    const bool componentwise = is_componentwise(instruction.opcode);
    const std::uint8_t written = instruction.destination.components;
    micro.steps = static_cast<std::uint8_t>(
        std::max<int>(1, componentwise ? std::popcount(written) : products(instruction.opcode)));
    std::uint8_t step = 0;
    for (std::uint32_t c = 0; c < most_components; ++c)
        if ((written >> c & 1U) != 0)
            micro.step_of[c] = componentwise ? step++ : static_cast<std::uint8_t>(micro.steps - 1);
}

// Calls found(component, step) for what the steps read of a source.
template <class Found>
void find_components(const Instruction& instruction, const MicroInstruction& micro, const Operand& source,
                     Found&& found) {
    if (is_componentwise(instruction.opcode)) {
        for (std::uint32_t c = 0; c < most_components; ++c)
            if (micro.step_of[c] != MicroInstruction::not_written) found(swizzled(source, c), micro.step_of[c]);
    } else if (products(instruction.opcode) > 0) {
        for (std::uint8_t step = 0; step < micro.steps; ++step)
            if ((source.components >> swizzled(source, step) & 1U) != 0) found(swizzled(source, step), step);
    } else {
        for (std::uint8_t c = 0; c < most_components; ++c)
            if ((source.components >> c & 1U) != 0) found(c, std::uint8_t{0});
    }
}

RegisterUse use_of(const Instruction& instruction, const MicroInstruction& micro, const Numbering& number) {
    RegisterUse use;
    use.branches = !falls_through(instruction.opcode);
    use.ends = instruction.opcode == Opcode::end;
    use.destination = number.in_file(instruction.destination);
    use.destination_components = micro.unit == Unit::texture ? all_components : instruction.destination.components;
    const auto read = [&](std::uint16_t found, std::uint8_t components) {
        if (found == RegisterUse::no_register) return;
        use.source_components[use.source_count] = components;
        use.sources[use.source_count++] = found;
    };
    bool indirect = instruction.destination.indirect;
    for (const Operand& source : instruction.sources) {
        std::uint8_t components = 0;
        find_components(instruction, micro, source, [&](std::uint8_t component, std::uint8_t /*step*/) {
            components = static_cast<std::uint8_t>(components | 1U << component);
        });
        read(number.in_file(source), components);
        indirect = indirect || source.indirect;
    }
    if (indirect && number.address_register() != 0)
        read(static_cast<std::uint16_t>(number.address_register() - 1), all_components);
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
    micro.kind = instruction.kind;
    find_steps(instruction, micro);
    return micro;
}

void append_component_uses(const Instruction& instruction, const MicroInstruction& micro, const Numbering& number,
                           std::vector<ComponentUse>& uses) {
    const auto wait_for = [&](std::uint16_t found, std::uint8_t component, std::uint8_t step) {
        if (found != 0) uses.push_back({found, component, step});
    };
    bool indirect = instruction.destination.indirect;
    for (const Operand& source : instruction.sources) {
        find_components(instruction, micro, source,
                        [&](std::uint8_t component, std::uint8_t step) { wait_for(number(source), component, step); });
        indirect = indirect || source.indirect;
    }
    for (std::uint8_t c = 0; c < most_components; ++c) {
        if (indirect) wait_for(number.address_register(), c, 0);
        if (micro.unit == Unit::texture)
            wait_for(micro.destination, c, 0);
        else if (micro.step_of[c] != MicroInstruction::not_written)
            wait_for(micro.destination, c, micro.step_of[c]);
    }
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
    dependent.reserve(program.instructions.size());
    std::vector<std::uint32_t> textures_before{0};  // each instruction: runs may be many and long
    for (const Instruction& instruction : program.instructions) {
        instructions.push_back(decode(instruction, number));
        uses.push_back(use_of(instruction, instructions.back(), number));
        dependent.push_back(instruction.dependent ? 1 : 0);
        first_component_use.push_back(static_cast<std::uint32_t>(component_uses.size()));
        append_component_uses(instruction, instructions.back(), number, component_uses);
        textures_before.push_back(textures_before.back() + (instructions.back().unit == Unit::texture ? 1 : 0));
    }
    first_component_use.push_back(static_cast<std::uint32_t>(component_uses.size()));
    next_texture.resize(instructions.size() + 1, static_cast<std::uint32_t>(instructions.size()));
    for (std::size_t i = instructions.size(); i-- > 0;)
        next_texture[i] = instructions[i].unit == Unit::texture ? static_cast<std::uint32_t>(i) : next_texture[i + 1];
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
