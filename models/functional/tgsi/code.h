// A shader in executable form: every operand resolved to rows of lanes (or to one scalar for all lanes) within an array
// of base pointers, every operation to a kernel that loops over lanes. Built once by compile(), then only read.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/functional/shader_batch.h"
#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {

// What operands are offsets into, in floats. A register of lanes is 4 rows of batch_lanes floats; a constant or an
// immediate is 4 floats, the same for all lanes.
enum Space : std::uint8_t {
    temporary_space,
    address_space,
    output_space,
    scratch_space,
    input_space,
    system_value_space,
    immediate_space,
    constant_space,  // and one more for each further constant buffer
};
inline constexpr int most_constant_buffers = 32;
inline constexpr int space_count = constant_space + most_constant_buffers;
inline constexpr int writable_spaces = input_space;

inline constexpr std::uint32_t register_floats = 4 * batch_lanes;

// Rows of the scratch space.
inline constexpr std::uint32_t result_row = 16;  // 0..15: prepared sources, source * 4 + component of the register
inline constexpr std::uint32_t coordinate_row = 20;
inline constexpr std::uint32_t zero_row = 24;
inline constexpr std::uint32_t scratch_rows = 25;

struct CodeOperand {
    std::uint8_t space = temporary_space;
    bool scalar = false;                    // one value for all lanes
    std::array<std::uint32_t, 4> row = {};  // by component as the instruction sees it, swizzle applied
    std::uint32_t keep = ~0U, flip = 0;     // of a scalar: bits & keep ^ flip does |x| and -x
};

// Work before a kernel: a source is brought into scratch rows because it is indirect, has modifiers that the kernel
// does not do, or is a scalar where the kernel wants lanes.
struct Preparation {
    std::uint8_t space = temporary_space;
    bool scalar = false;
    bool integer = false;  // how to negate
    bool absolute = false, negate = false;
    bool indirect = false;
    Indirect address;
    std::int32_t index = 0;                           // of the register
    const SourceRegister* computed_buffer = nullptr;  // the operand, where it chooses a constant buffer
    std::uint8_t components = 0;                      // of the register
    std::uint32_t scratch_row = 0;                    // of component x
};

struct Op;
using Kernel = void (*)(const Op& op, const float* const* base, float* const* out);

struct Op {
    Kernel kernel = nullptr;  // null for control flow and textures
    std::array<CodeOperand, 4> sources;
    std::uint8_t count = 0;                       // components written
    std::array<std::uint8_t, 4> components = {};  // which, ascending
    std::uint8_t space = temporary_space;         // of the destination
    std::uint32_t row = 0;                        // of its component x, as an offset
    bool staged = false;  // the result is computed in scratch rows first: it would overwrite what is still read
    bool saturate = false;
    bool indirect = false;
    Indirect address;
    std::int32_t index = 0;                           // of the destination register
    std::uint16_t preparation = 0, preparations = 0;  // in Code::preparations
    std::int32_t label = -1;
    bool breaks_switch = false;  // BRK: out of a SWITCH, not a loop
    const Operation* operation = nullptr;
};

class Code {
  public:
    Code() = default;
    Code(const Code&) = delete;  // ops point into operations
    Code& operator=(const Code&) = delete;
    Code(Code&&) = default;
    Code& operator=(Code&&) = default;
    ~Code() = default;

    std::vector<Operation> operations;
    std::vector<Op> ops;
    std::vector<Preparation> preparations;
    std::vector<float> immediates;  // 4 for each register, integers as their bits
    std::vector<std::uint32_t> constant_sizes;
    ShaderStage stage = ShaderStage::fragment;
    std::uint32_t temporaries = 0, address_registers = 0, outputs = 0;
    bool straight_line = true;
    // Rows that a lane may read before it has written them, or hand out without writing them.
    std::vector<std::uint32_t> cleared_temporaries, cleared_outputs;
};

Code compile(const Shader& shader);

}  // namespace models::functional::tgsi
