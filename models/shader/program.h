// Shader programs as a GPU sees them: decoded instructions with register numbers and operand kinds, and the paths that
// warps took through them. The functional renderer produces them from TGSI; the timing models read them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/shader/opcode.h"

namespace models {

enum class ShaderStage : std::uint8_t { vertex, fragment };

enum class RegisterFile : std::uint8_t {
    none,
    constant,
    input,
    output,
    temporary,
    sampler,
    address,
    immediate,
    system_value,
};

struct Operand {
    RegisterFile file = RegisterFile::none;
    std::uint8_t components = 0;  // mask of the components read or written: bit 0 is x
    std::uint16_t index = 0;      // register number; for a constant, the vec4 within its buffer
    bool indirect = false;        // an address register is added to `index`
    std::uint8_t buffer = 0;      // of a constant: the constant buffer it is in
};

struct Instruction {
    Opcode opcode = Opcode::nop;
    std::uint8_t source_count = 0;
    std::int16_t texture_unit = -1;  // sampler of a texture instruction, or -1
    Operand destination;
    std::array<Operand, 4> sources;
};

// The instructions a warp executed, in order, as runs of consecutive program counters. An instruction is executed when
// at least one of the warp's lanes executes it.
struct PathRun {
    std::uint16_t first = 0;
    std::uint16_t count = 0;
    friend bool operator==(const PathRun&, const PathRun&) = default;
};
using Path = std::vector<PathRun>;

struct Program {
    ShaderStage stage = ShaderStage::fragment;
    std::uint16_t temporaries = 0;  // registers of each file the program declares
    std::uint16_t inputs = 0;
    std::uint16_t outputs = 0;
    std::uint16_t constants = 0;
    std::vector<Instruction> instructions;
    std::vector<Path> paths;  // every path some warp took; path 0 is the first one met
    std::string text;         // the TGSI text, for people
};

}  // namespace models
