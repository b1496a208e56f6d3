// The operations of TGSI, the shader language that Mesa's drivers speak, as far as Tessera executes them: the
// enumeration, and what every part of the simulator wants to know of an operation (its text, its operand counts, the
// functional unit that executes it). What an operation computes is models/functional/tgsi's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace models {

// Names as in TGSI text, in lower case; an underscore at the end keeps clear of C++ keywords.
// NOLINTBEGIN(readability-identifier-naming)
enum class Opcode : std::uint8_t {
    nop,
    end,
    mov,
    add,
    mul,
    mad,
    fma,
    div,
    dp2,
    dp3,
    dp4,
    dph,
    xpd,
    dst,
    lrp,
    min,
    max,
    abs,
    ssg,
    frc,
    flr,
    ceil,
    trunc,
    round,
    cmp,
    slt,
    sge,
    seq,
    sgt,
    sle,
    sne,
    fslt,
    fsge,
    fseq,
    fsne,
    arl,
    arr,
    uarl,
    rcp,
    rsq,
    sqrt,
    ex2,
    lg2,
    pow,
    sin,
    cos,
    exp,
    log,
    lit,
    ldexp,
    ddx,
    ddy,
    ddx_fine,
    ddy_fine,
    i2f,
    u2f,
    f2i,
    f2u,
    and_,
    or_,
    xor_,
    not_,
    shl,
    ishr,
    ushr,
    uadd,
    umul,
    umad,
    imul_hi,
    umul_hi,
    idiv,
    udiv,
    mod,
    umod,
    ineg,
    iabs,
    issg,
    imin,
    imax,
    umin,
    umax,
    islt,
    isge,
    uslt,
    usge,
    useq,
    usne,
    ucmp,
    ibfe,
    ubfe,
    bfi,
    brev,
    popc,
    lsb,
    imsb,
    umsb,
    pk2h,
    up2h,
    tex,
    txp,
    txb,
    txl,
    txd,
    txf,
    txq,
    tex2,
    txb2,
    txl2,
    tg4,
    lodq,
    tex_lz,
    txf_lz,
    kill,
    kill_if,
    if_,
    uif,
    else_,
    endif,
    bgnloop,
    endloop,
    brk,
    cont,
    cal,
    ret,
    bgnsub,
    endsub,
    switch_,
    case_,
    default_,
    endswitch,
    // Compute programs only. The first source of what reads memory, and the destination of STORE, is the buffer, image
    // or shared memory that they reach; the second source is the address.
    load,
    store,
    atomuadd,
    atomxchg,
    atomcas,
    atomand,
    atomor,
    atomxor,
    atomumin,
    atomumax,
    atomimin,
    atomimax,
    resq,  // the size of a buffer or image
    membar,
    barrier,
};
// NOLINTEND(readability-identifier-naming)
inline constexpr int opcode_count = static_cast<int>(Opcode::barrier) + 1;

// The functional unit of a shader core that executes an operation.
enum class Unit : std::uint8_t {
    alu,      // simple arithmetic and logic
    special,  // reciprocals, roots, logarithms, trigonometry, division
    texture,
    control,  // branches, loops, kills, barriers
    memory,   // loads, stores and atomic operations of compute programs
};

// What an instruction computes with, for statistics and energy.
enum class InstructionClass : std::uint8_t { floating, integer, conversion, special, texture, memory, control };
inline constexpr std::size_t instruction_classes = 7;

struct OpcodeInfo {
    std::string_view name;  // as in TGSI text
    std::uint8_t destination_count;
    std::uint8_t source_count;  // registers; samplers, buffers and images are among them
    Unit unit;
    bool is_texture;  // the last source is a sampler
    bool replicates;  // computes one scalar and writes it to every component of the destination
};

const OpcodeInfo& opcode_info(Opcode opcode);
InstructionClass class_of(Opcode opcode);
std::optional<Opcode> find_opcode(std::string_view name);  // exact TGSI spelling
std::vector<std::string> opcode_names();                   // in the order of the enumeration, for "did you mean"

}  // namespace models
