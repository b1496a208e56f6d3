// A shader program as a processor's issue logic sees it: for each instruction the registers it waits for and the unit
// that executes it. Registers of all files are numbered together; register 0 is always ready and stands for inputs,
// constants and immediates, which are in place before a warp starts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"

namespace models {

struct MicroInstruction {
    // Those that it waits for: of its sources, the address register of an indirect operand, its destination. Each once;
    // the rest is 0.
    std::array<std::uint16_t, 6> registers = {};
    std::uint16_t destination = 0;
    std::uint8_t register_count = 0;
    Unit unit = Unit::alu;
    std::uint8_t components = 0;  // computed per thread: 1..4
};

// The same instruction as a register file in banks sees it. Registers are numbered from 0: temporaries, outputs,
// address registers, inputs. Constants and immediates lie elsewhere.
struct RegisterUse {
    static constexpr std::uint16_t no_register = 0xffff;
    std::array<std::uint16_t, 5> sources = {};  // one for each operand, so a register may be there twice
    std::uint16_t destination = no_register;
    std::uint8_t source_count = 0;
    bool branches = false;  // what comes next hangs on it
    bool ends = false;      // the program
    std::uint8_t spare = 0;
};

struct DecodedProgram {
    static constexpr std::uint32_t instruction_bytes = 16;

    explicit DecodedProgram(const Program& program);

    std::vector<MicroInstruction> instructions;
    std::uint32_t registers = 1;           // register 0 included
    std::vector<RegisterUse> uses;         // by instruction
    std::uint32_t file_registers = 0;      // of a warp in a register file, as RegisterUse counts them
    std::vector<PathRun> runs;             // of all paths
    std::vector<std::uint32_t> first_run;  // of path p: runs[first_run[p]] to runs[first_run[p + 1]]
    std::vector<std::uint32_t> textures;   // texture instructions on path p
    BlockNumber code = 0;                  // first line of the program in memory
    std::uint32_t paths() const { return static_cast<std::uint32_t>(textures.size()); }
    BlockNumber code_lines() const {
        return (static_cast<BlockNumber>(instructions.size()) * instruction_bytes + block_bytes - 1) / block_bytes;
    }
};

}  // namespace models
