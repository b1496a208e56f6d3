// What can be said of the whole program once all lines are read.
#include "models/functional/tgsi/operand_use.h"
#include "models/functional/tgsi/parser.h"

namespace models::functional::tgsi {
namespace {

bool is_implicit_lod(Opcode opcode) {
    return opcode == Opcode::tex || opcode == Opcode::txp || opcode == Opcode::txb || opcode == Opcode::tex2 ||
           opcode == Opcode::txb2 || opcode == Opcode::lodq;
}

bool is_derivative(Opcode opcode) {
    return opcode == Opcode::ddx || opcode == Opcode::ddy || opcode == Opcode::ddx_fine || opcode == Opcode::ddy_fine;
}

bool branches(Opcode opcode) {
    return opcode_info(opcode).unit == Unit::control && opcode != Opcode::nop && opcode != Opcode::end &&
           opcode != Opcode::kill && opcode != Opcode::kill_if;
}

}  // namespace

void Parser::analyse() {
    match_control_flow();
    collect_facts();
    Program& program = shader_.program;
    program.inputs = static_cast<std::uint16_t>(shader_.inputs.size());
    program.outputs = static_cast<std::uint16_t>(shader_.outputs.size());
    std::uint32_t constants = 0;
    for (const std::uint32_t size : shader_.constant_sizes) constants += size;
    program.constants = static_cast<std::uint16_t>(std::min<std::uint32_t>(constants, 0xffff));
    program.instructions.reserve(shader_.operations.size());
    for (const Operation& operation : shader_.operations) program.instructions.push_back(decoded(operation));
    if (!shader_.float_only) return;
    for (Operation& operation : shader_.operations)
        if (operation.opcode == Opcode::uadd) operation.opcode = Opcode::add;
}

// Sets the label of every structured instruction, and refuses what does not nest.
void Parser::match_control_flow() {
    std::vector<std::int32_t> open;  // IF, UIF, ELSE, BGNLOOP, SWITCH, BGNSUB that wait for their end
    std::vector<Operation>& operations = shader_.operations;
    const auto opener = [&] {
        return open.empty() ? Opcode::nop : operations[static_cast<std::size_t>(open.back())].opcode;
    };
    const auto any_open = [&](auto... wanted) {
        for (const std::int32_t i : open)
            if (((operations[static_cast<std::size_t>(i)].opcode == wanted) || ...)) return true;
        return false;
    };
    for (std::size_t pc = 0; pc < operations.size(); ++pc) {
        Operation& operation = operations[pc];
        const Opcode opcode = operation.opcode;
        const auto refuse = [&](std::string_view without) {
            cursor_.fail(positions_[pc],
                         std::string(opcode_info(opcode).name) + " stands outside " + std::string(without));
        };
        const auto close = [&] {
            operations[static_cast<std::size_t>(open.back())].label = static_cast<std::int32_t>(pc);
            operation.label = open.back();
            open.pop_back();
        };
        const Opcode inside = opener();
        if (opcode != Opcode::cal) operation.label = -1;
        switch (opcode) {
            case Opcode::if_:
            case Opcode::uif:
            case Opcode::bgnloop:
            case Opcode::switch_:
            case Opcode::bgnsub:
                open.push_back(static_cast<std::int32_t>(pc));
                break;
            case Opcode::else_:
                if (inside != Opcode::if_ && inside != Opcode::uif) refuse("IF and ENDIF");
                close();
                open.push_back(static_cast<std::int32_t>(pc));
                break;
            case Opcode::endif:
                if (inside != Opcode::if_ && inside != Opcode::uif && inside != Opcode::else_) refuse("IF");
                close();
                break;
            case Opcode::endloop:
                if (inside != Opcode::bgnloop) refuse("BGNLOOP");
                close();
                break;
            case Opcode::endswitch:
                if (inside != Opcode::switch_) refuse("SWITCH");
                close();
                break;
            case Opcode::endsub:
                if (inside != Opcode::bgnsub) refuse("BGNSUB");
                close();
                break;
            case Opcode::case_:
            case Opcode::default_:
                if (inside != Opcode::switch_) refuse("SWITCH and ENDSWITCH");
                break;
            case Opcode::brk:
                if (!any_open(Opcode::bgnloop, Opcode::switch_)) refuse("loops and SWITCH");
                break;
            case Opcode::cont:
                if (!any_open(Opcode::bgnloop)) refuse("loops");
                break;
            case Opcode::cal: {
                const auto target = static_cast<std::size_t>(operation.label);
                if (target >= operations.size() || operations[target].opcode != Opcode::bgnsub)
                    cursor_.fail(positions_[pc], "expected CAL of a BGNSUB, found label " + std::to_string(target));
                break;
            }
            default:
                break;
        }
    }
    if (!open.empty()) {
        const auto pc = static_cast<std::size_t>(open.back());
        cursor_.fail(positions_[pc], std::string(opcode_info(operations[pc].opcode).name) + " has no end");
    }
}

void Parser::collect_facts() {
    bool arl = false, uarl = false;
    const bool fragment = shader_.program.stage == ShaderStage::fragment;
    for (const Operation& operation : shader_.operations) {
        arl |= operation.opcode == Opcode::arl;
        uarl |= operation.opcode == Opcode::uarl;
        shader_.uses_kill |= operation.opcode == Opcode::kill || operation.opcode == Opcode::kill_if;
        shader_.uses_control_flow |= branches(operation.opcode);
        shader_.uses_derivatives |= is_derivative(operation.opcode) || (fragment && is_implicit_lod(operation.opcode));
        if (!fragment || operation.destination.file != RegisterFile::output) continue;
        const Semantic semantic = shader_.outputs[static_cast<std::size_t>(operation.destination.index)].semantic;
        shader_.writes_depth |= semantic == Semantic::position;
        shader_.writes_stencil |= semantic == Semantic::stencil;
    }
    shader_.float_only = arl && !uarl;
}

Instruction Parser::decoded(const Operation& operation) const {
    Instruction result;
    result.opcode = operation.opcode;
    result.source_count = operation.source_count;
    result.texture_unit = operation.unit;
    const DestinationRegister& to = operation.destination;
    result.destination = {to.file, to.file == RegisterFile::none ? std::uint8_t{0} : to.mask,
                          static_cast<std::uint16_t>(std::max(to.index, 0)), to.indirect.has_value(), 0};
    for (std::size_t i = 0; i < operation.source_count; ++i) {
        const SourceRegister& from = operation.sources[i];
        const std::uint8_t read =
            components_read(operation.opcode, static_cast<int>(i), operation.destination.mask, operation.target);
        unsigned mask = 0;
        for (std::size_t c = 0; c < 4; ++c)
            if (read & (1U << c)) mask |= 1U << from.swizzle[c];
        result.sources[i] = {from.file, static_cast<std::uint8_t>(mask),
                             static_cast<std::uint16_t>(std::max(from.index, 0)), from.indirect.has_value(),
                             from.buffer};
    }
    return result;
}

}  // namespace models::functional::tgsi
