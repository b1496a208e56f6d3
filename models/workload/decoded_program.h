// A shader program as a processor's issue logic sees it: for each instruction the registers it waits for and the unit
// that executes it. Registers of all files are numbered together; register 0 is always ready and stands for inputs,
// constants and immediates, which are in place before a warp starts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/shader/opcode.h"

namespace models {

inline constexpr std::uint32_t most_components = 4;  // of a register
inline constexpr std::uint8_t all_components = 15;   // mask

// A machine that computes one component at a time takes an instruction in steps: one for each component of the
// destination, or for each product of a dot product, else one.
struct MicroInstruction {
    // Those that it waits for: of its sources, the address register of an indirect operand, its destination. Each once;
    // the rest is 0.
    std::array<std::uint16_t, 6> registers = {};
    std::uint16_t destination = 0;
    std::uint8_t register_count = 0;
    Unit unit = Unit::alu;
    InstructionClass kind = InstructionClass::floating;
    std::uint8_t steps = 1;  // 1..4
    // Of each component of the destination, the step that computes it.
    static constexpr std::uint8_t not_written = 0xff;
    std::array<std::uint8_t, most_components> step_of = {not_written, not_written, not_written, not_written};
};

// What a step waits for.
struct ComponentUse {
    std::uint16_t number = 0;  // register, as MicroInstruction has it
    std::uint8_t component = 0, step = 0;
};

// The same instruction as a register file in banks sees it. Registers are numbered from 0: temporaries, outputs,
// address registers, inputs. Constants and immediates lie elsewhere.
struct RegisterUse {
    static constexpr std::uint16_t no_register = 0xffff;
    std::array<std::uint16_t, 5> sources = {};  // one for each operand, so a register may be there twice
    std::uint16_t destination = no_register;
    std::uint8_t source_count = 0;
    bool branches = false;                    // what comes next hangs on it
    bool ends = false;                        // the program
    std::uint8_t destination_components = 0;  // masks, bit 0: x
    std::array<std::uint8_t, 5> source_components = {};
    std::array<std::uint8_t, 3> spare = {};
};

struct DecodedProgram {
    static constexpr std::uint32_t instruction_bytes = 16;

    explicit DecodedProgram(const Program& program);

    std::vector<MicroInstruction> instructions;
    std::uint32_t registers = 1;  // register 0 included
    std::vector<ComponentUse> component_uses;
    std::vector<std::uint32_t> first_component_use;  // of instruction i: [first[i]] to [first[i + 1]]
    std::vector<RegisterUse> uses;                   // by instruction
    std::uint32_t file_registers = 0;                // of a warp in a register file, as RegisterUse counts them
    std::vector<PathRun> runs;                       // of all paths
    std::vector<std::uint32_t> first_run;            // of path p: runs[first_run[p]] to runs[first_run[p + 1]]
    std::vector<std::uint32_t> textures;             // texture instructions on path p
    std::vector<std::uint32_t> next_texture;         // of instruction i: the first texture instruction from there on
    std::vector<std::uint8_t> dependent;             // by instruction: a texture read before decides where it samples
    BlockNumber code = 0;                            // first line of the program in memory
    // The number of an instruction among those of all programs in memory, its lowest bits: the program counter that
    // Attribution has, which is another one in every program.
    std::uint16_t place(std::uint32_t counter) const {
        return static_cast<std::uint16_t>(code * (block_bytes / instruction_bytes) + counter);
    }
    bool has_textures() const { return next_texture[0] < instructions.size(); }
    std::uint32_t paths() const { return static_cast<std::uint32_t>(textures.size()); }
    BlockNumber code_lines() const {
        return (static_cast<BlockNumber>(instructions.size()) * instruction_bytes + block_bytes - 1) / block_bytes;
    }
};

}  // namespace models
