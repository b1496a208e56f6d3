#include "models/shader/opcode.h"

#include <algorithm>
#include <array>

namespace models {
namespace {

constexpr std::array<OpcodeInfo, opcode_count> table = {{
    {"NOP", 0, 0, Unit::control, false, false},     {"END", 0, 0, Unit::control, false, false},
    {"MOV", 1, 1, Unit::alu, false, false},         {"ADD", 1, 2, Unit::alu, false, false},
    {"MUL", 1, 2, Unit::alu, false, false},         {"MAD", 1, 3, Unit::alu, false, false},
    {"FMA", 1, 3, Unit::alu, false, false},         {"DIV", 1, 2, Unit::special, false, false},
    {"DP2", 1, 2, Unit::alu, false, true},          {"DP3", 1, 2, Unit::alu, false, true},
    {"DP4", 1, 2, Unit::alu, false, true},          {"DPH", 1, 2, Unit::alu, false, true},
    {"XPD", 1, 2, Unit::alu, false, false},         {"DST", 1, 2, Unit::alu, false, false},
    {"LRP", 1, 3, Unit::alu, false, false},         {"MIN", 1, 2, Unit::alu, false, false},
    {"MAX", 1, 2, Unit::alu, false, false},         {"ABS", 1, 1, Unit::alu, false, false},
    {"SSG", 1, 1, Unit::alu, false, false},         {"FRC", 1, 1, Unit::alu, false, false},
    {"FLR", 1, 1, Unit::alu, false, false},         {"CEIL", 1, 1, Unit::alu, false, false},
    {"TRUNC", 1, 1, Unit::alu, false, false},       {"ROUND", 1, 1, Unit::alu, false, false},
    {"CMP", 1, 3, Unit::alu, false, false},         {"SLT", 1, 2, Unit::alu, false, false},
    {"SGE", 1, 2, Unit::alu, false, false},         {"SEQ", 1, 2, Unit::alu, false, false},
    {"SGT", 1, 2, Unit::alu, false, false},         {"SLE", 1, 2, Unit::alu, false, false},
    {"SNE", 1, 2, Unit::alu, false, false},         {"FSLT", 1, 2, Unit::alu, false, false},
    {"FSGE", 1, 2, Unit::alu, false, false},        {"FSEQ", 1, 2, Unit::alu, false, false},
    {"FSNE", 1, 2, Unit::alu, false, false},        {"ARL", 1, 1, Unit::alu, false, false},
    {"ARR", 1, 1, Unit::alu, false, false},         {"UARL", 1, 1, Unit::alu, false, false},
    {"RCP", 1, 1, Unit::special, false, true},      {"RSQ", 1, 1, Unit::special, false, true},
    {"SQRT", 1, 1, Unit::special, false, true},     {"EX2", 1, 1, Unit::special, false, true},
    {"LG2", 1, 1, Unit::special, false, true},      {"POW", 1, 2, Unit::special, false, true},
    {"SIN", 1, 1, Unit::special, false, true},      {"COS", 1, 1, Unit::special, false, true},
    {"EXP", 1, 1, Unit::special, false, false},     {"LOG", 1, 1, Unit::special, false, false},
    {"LIT", 1, 1, Unit::special, false, false},     {"LDEXP", 1, 2, Unit::alu, false, false},
    {"DDX", 1, 1, Unit::alu, false, false},         {"DDY", 1, 1, Unit::alu, false, false},
    {"DDX_FINE", 1, 1, Unit::alu, false, false},    {"DDY_FINE", 1, 1, Unit::alu, false, false},
    {"I2F", 1, 1, Unit::alu, false, false},         {"U2F", 1, 1, Unit::alu, false, false},
    {"F2I", 1, 1, Unit::alu, false, false},         {"F2U", 1, 1, Unit::alu, false, false},
    {"AND", 1, 2, Unit::alu, false, false},         {"OR", 1, 2, Unit::alu, false, false},
    {"XOR", 1, 2, Unit::alu, false, false},         {"NOT", 1, 1, Unit::alu, false, false},
    {"SHL", 1, 2, Unit::alu, false, false},         {"ISHR", 1, 2, Unit::alu, false, false},
    {"USHR", 1, 2, Unit::alu, false, false},        {"UADD", 1, 2, Unit::alu, false, false},
    {"UMUL", 1, 2, Unit::alu, false, false},        {"UMAD", 1, 3, Unit::alu, false, false},
    {"IMUL_HI", 1, 2, Unit::alu, false, false},     {"UMUL_HI", 1, 2, Unit::alu, false, false},
    {"IDIV", 1, 2, Unit::special, false, false},    {"UDIV", 1, 2, Unit::special, false, false},
    {"MOD", 1, 2, Unit::special, false, false},     {"UMOD", 1, 2, Unit::special, false, false},
    {"INEG", 1, 1, Unit::alu, false, false},        {"IABS", 1, 1, Unit::alu, false, false},
    {"ISSG", 1, 1, Unit::alu, false, false},        {"IMIN", 1, 2, Unit::alu, false, false},
    {"IMAX", 1, 2, Unit::alu, false, false},        {"UMIN", 1, 2, Unit::alu, false, false},
    {"UMAX", 1, 2, Unit::alu, false, false},        {"ISLT", 1, 2, Unit::alu, false, false},
    {"ISGE", 1, 2, Unit::alu, false, false},        {"USLT", 1, 2, Unit::alu, false, false},
    {"USGE", 1, 2, Unit::alu, false, false},        {"USEQ", 1, 2, Unit::alu, false, false},
    {"USNE", 1, 2, Unit::alu, false, false},        {"UCMP", 1, 3, Unit::alu, false, false},
    {"IBFE", 1, 3, Unit::alu, false, false},        {"UBFE", 1, 3, Unit::alu, false, false},
    {"BFI", 1, 4, Unit::alu, false, false},         {"BREV", 1, 1, Unit::alu, false, false},
    {"POPC", 1, 1, Unit::alu, false, false},        {"LSB", 1, 1, Unit::alu, false, false},
    {"IMSB", 1, 1, Unit::alu, false, false},        {"UMSB", 1, 1, Unit::alu, false, false},
    {"PK2H", 1, 1, Unit::alu, false, true},         {"UP2H", 1, 1, Unit::alu, false, false},
    {"TEX", 1, 2, Unit::texture, true, false},      {"TXP", 1, 2, Unit::texture, true, false},
    {"TXB", 1, 2, Unit::texture, true, false},      {"TXL", 1, 2, Unit::texture, true, false},
    {"TXD", 1, 4, Unit::texture, true, false},      {"TXF", 1, 2, Unit::texture, true, false},
    {"TXQ", 1, 2, Unit::texture, true, false},      {"TEX2", 1, 3, Unit::texture, true, false},
    {"TXB2", 1, 3, Unit::texture, true, false},     {"TXL2", 1, 3, Unit::texture, true, false},
    {"TG4", 1, 3, Unit::texture, true, false},      {"LODQ", 1, 2, Unit::texture, true, false},
    {"TEX_LZ", 1, 2, Unit::texture, true, false},   {"TXF_LZ", 1, 2, Unit::texture, true, false},
    {"KILL", 0, 0, Unit::control, false, false},    {"KILL_IF", 0, 1, Unit::control, false, false},
    {"IF", 0, 1, Unit::control, false, false},      {"UIF", 0, 1, Unit::control, false, false},
    {"ELSE", 0, 0, Unit::control, false, false},    {"ENDIF", 0, 0, Unit::control, false, false},
    {"BGNLOOP", 0, 0, Unit::control, false, false}, {"ENDLOOP", 0, 0, Unit::control, false, false},
    {"BRK", 0, 0, Unit::control, false, false},     {"CONT", 0, 0, Unit::control, false, false},
    {"CAL", 0, 0, Unit::control, false, false},     {"RET", 0, 0, Unit::control, false, false},
    {"BGNSUB", 0, 0, Unit::control, false, false},  {"ENDSUB", 0, 0, Unit::control, false, false},
    {"SWITCH", 0, 1, Unit::control, false, false},  {"CASE", 0, 1, Unit::control, false, false},
    {"DEFAULT", 0, 0, Unit::control, false, false}, {"ENDSWITCH", 0, 0, Unit::control, false, false},
    {"LOAD", 1, 2, Unit::memory, false, false},     {"STORE", 1, 2, Unit::memory, false, false},
    {"ATOMUADD", 1, 3, Unit::memory, false, false}, {"ATOMXCHG", 1, 3, Unit::memory, false, false},
    {"ATOMCAS", 1, 4, Unit::memory, false, false},  {"ATOMAND", 1, 3, Unit::memory, false, false},
    {"ATOMOR", 1, 3, Unit::memory, false, false},   {"ATOMXOR", 1, 3, Unit::memory, false, false},
    {"ATOMUMIN", 1, 3, Unit::memory, false, false}, {"ATOMUMAX", 1, 3, Unit::memory, false, false},
    {"ATOMIMIN", 1, 3, Unit::memory, false, false}, {"ATOMIMAX", 1, 3, Unit::memory, false, false},
    {"RESQ", 1, 1, Unit::alu, false, false},        {"MEMBAR", 0, 1, Unit::control, false, false},
    {"BARRIER", 0, 0, Unit::control, false, false},
}};

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) {
    return table[static_cast<std::size_t>(opcode)];
}

InstructionClass class_of(Opcode opcode) {
    switch (opcode_info(opcode).unit) {
        case Unit::special:
            return InstructionClass::special;
        case Unit::texture:
            return InstructionClass::texture;
        case Unit::control:
            return InstructionClass::control;
        case Unit::memory:
            return InstructionClass::memory;
        case Unit::alu:
            break;
    }
    switch (opcode) {
        case Opcode::arl:
        case Opcode::arr:
        case Opcode::i2f:
        case Opcode::u2f:
        case Opcode::f2i:
        case Opcode::f2u:
        case Opcode::pk2h:
        case Opcode::up2h:
            return InstructionClass::conversion;
        case Opcode::uarl:
            return InstructionClass::integer;
        default:
            return opcode >= Opcode::and_ && opcode <= Opcode::umsb ? InstructionClass::integer
                                                                    : InstructionClass::floating;
    }
}

std::optional<Opcode> find_opcode(std::string_view name) {
    const auto* found =
        std::find_if(table.begin(), table.end(), [&](const OpcodeInfo& info) { return info.name == name; });
    if (found == table.end()) return std::nullopt;
    return static_cast<Opcode>(found - table.begin());
}

std::vector<std::string> opcode_names() {
    std::vector<std::string> names;
    names.reserve(table.size());
    for (const OpcodeInfo& info : table) names.emplace_back(info.name);
    return names;
}

}  // namespace models
