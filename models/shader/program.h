// Shader programs as a GPU sees them: decoded instructions with register numbers and operand kinds, and the paths that
// warps took through them. The functional renderer produces them from TGSI; the timing models read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/shader/opcode.h"

namespace models {

enum class ShaderStage : std::uint8_t { vertex, fragment, compute };

// Lanes that a path tells apart: the pixels of a quad, one vertex, or the threads of a group of a compute kernel.
inline constexpr std::uint32_t group_threads = 32;
constexpr std::uint32_t lanes_of(ShaderStage stage) {
    return stage == ShaderStage::vertex ? 1 : stage == ShaderStage::fragment ? 4 : group_threads;
}

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
    buffer,  // storage buffers, images and the memory of a block, of compute programs; as an operand it says
    image,   // where an instruction loads or stores
    shared_memory,
};

struct Operand {
    RegisterFile file = RegisterFile::none;
    std::uint8_t components = 0;  // mask of the components read or written: bit 0 is x
    std::uint16_t index = 0;      // register number; for a constant, the vec4 within its buffer
    bool indirect = false;        // an address register is added to `index`, or to `buffer`
    std::uint8_t buffer = 0;      // of a constant: the constant buffer it is in, or the first where it is computed
    // Which component the instruction sees in the place of x (bits 0-1), y (2-3), z (4-5) and w (6-7).
    std::uint8_t swizzle = plain_swizzle;

    static constexpr std::uint8_t plain_swizzle = 0xe4;
};

struct Instruction {
    Opcode opcode = Opcode::nop;
    std::uint8_t source_count = 0;
    // Sampler of a texture instruction, or -1; of an array of samplers the first, and an address register is the last
    // source.
    std::int16_t texture_unit = -1;
    Operand destination;
    std::array<Operand, 4> sources;
    InstructionClass kind = InstructionClass::floating;
    // Of a texture instruction: where it samples depends on what a texture instruction before it read
    // (dependent_textures.h).
    bool dependent = false;
};

// Where a program computes which constant buffer it reads: how many it may choose from, and how large they are at most.
inline constexpr std::uint32_t most_computed_buffers = 16;
inline constexpr std::uint32_t computed_buffer_vectors = 4096;

// Operands whose constant an address register chooses. The label of a CASE is read with its SWITCH.
inline std::uint32_t indirect_constants(const Instruction& instruction) {
    std::uint32_t count = 0;
    if (instruction.opcode == Opcode::case_) return count;
    for (const Operand& source : instruction.sources)
        if (source.file == RegisterFile::constant && source.indirect) ++count;
    return count;
}

// The instructions a group of lanes executed, in order, as runs of consecutive program counters. An instruction is
// executed when at least one of the lanes executes it; helper lanes of a quad count as others do. The lanes of a run
// are all the same throughout: two runs may follow each other without a jump.
struct PathRun {
    std::uint16_t first = 0;
    std::uint16_t count = 0;
    std::uint32_t lanes = 1;  // mask, bit 0: the first lane of the group
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

// What all programs of a frame trace may have together.
inline constexpr std::size_t most_programs = 65536;
inline constexpr std::size_t most_instructions = std::size_t{1} << 22;
inline constexpr std::size_t most_paths = std::size_t{1} << 22;
inline constexpr std::size_t most_path_runs = std::size_t{1} << 24;  // 128 MiB

}  // namespace models
