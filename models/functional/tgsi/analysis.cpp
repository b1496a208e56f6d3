// What can be said of the whole program once all lines are read.
#include <algorithm>

#include "models/functional/tgsi/operand_use.h"
#include "models/functional/tgsi/parser.h"
#include "models/shader/dependent_textures.h"

namespace models::functional::tgsi {
namespace {

constexpr std::size_t most_nesting = 256;

bool is_implicit_lod(Opcode opcode) {
    return opcode == Opcode::tex || opcode == Opcode::txp || opcode == Opcode::txb || opcode == Opcode::tex2 ||
           opcode == Opcode::txb2 || opcode == Opcode::lodq;
}

bool is_derivative(Opcode opcode) {
    return opcode == Opcode::ddx || opcode == Opcode::ddy || opcode == Opcode::ddx_fine || opcode == Opcode::ddy_fine;
}

RegisterFile file_of(StorageSpace space) {
    switch (space) {
        case StorageSpace::buffer:
            return RegisterFile::buffer;
        case StorageSpace::image:
            return RegisterFile::image;
        case StorageSpace::shared:
            break;
    }
    return RegisterFile::shared_memory;
}

// An address register as one more source.
void add_address(const Indirect& indirect, Instruction& instruction) {
    Operand& source = instruction.sources.at(instruction.source_count++);
    source.file = RegisterFile::address;
    source.components = static_cast<std::uint8_t>(1U << indirect.component);
    source.index = indirect.address;
    source.swizzle = static_cast<std::uint8_t>(0x55U * indirect.component);
}

bool opens(Opcode opcode) {
    return opcode == Opcode::if_ || opcode == Opcode::uif || opcode == Opcode::else_ || opcode == Opcode::bgnloop ||
           opcode == Opcode::switch_ || opcode == Opcode::bgnsub;
}

bool closes(Opcode opcode) {
    return opcode == Opcode::else_ || opcode == Opcode::endif || opcode == Opcode::endloop ||
           opcode == Opcode::endswitch || opcode == Opcode::endsub;
}

bool branches(Opcode opcode) {
    return opcode_info(opcode).unit == Unit::control && opcode != Opcode::nop && opcode != Opcode::end &&
           opcode != Opcode::kill && opcode != Opcode::kill_if && opcode != Opcode::membar;
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
    find_dependent_textures(program.instructions);
    if (!shader_.float_only) return;
    for (Operation& operation : shader_.operations)
        if (operation.opcode == Opcode::uadd) operation.opcode = Opcode::add;
}

// Sets the label of every structured instruction, and refuses what does not nest.
void Parser::match_control_flow() {
    std::vector<std::size_t> open;  // instructions that wait for their end
    for (std::size_t pc = 0; pc < shader_.operations.size(); ++pc) {
        const Opcode opcode = shader_.operations[pc].opcode;
        if (opcode == Opcode::cal) {
            check_call(pc);
            continue;
        }
        shader_.operations[pc].label = -1;
        check_surroundings(pc, open);
        if (closes(opcode)) {
            shader_.operations[open.back()].label = static_cast<std::int32_t>(pc);
            shader_.operations[pc].label = static_cast<std::int32_t>(open.back());
            open.pop_back();
        }
        if (opens(opcode)) open.push_back(pc);
        if (open.size() > most_nesting)
            cursor_.fail(positions_[pc],
                         "blocks that nest deeper than " + std::to_string(most_nesting) + " are not supported");
    }
    if (!open.empty())
        cursor_.fail(positions_[open.back()],
                     std::string(opcode_info(shader_.operations[open.back()].opcode).name) + " has no end");
}

void Parser::check_call(std::size_t pc) const {
    const auto target = static_cast<std::size_t>(shader_.operations[pc].label);
    if (target >= shader_.operations.size() || shader_.operations[target].opcode != Opcode::bgnsub)
        cursor_.fail(positions_[pc], "expected CAL of a BGNSUB, found label " + std::to_string(target));
}

void Parser::check_surroundings(std::size_t pc, const std::vector<std::size_t>& open) const {
    const auto opcode_at = [&](std::size_t at) { return shader_.operations[at].opcode; };
    const Opcode inside = open.empty() ? Opcode::nop : opcode_at(open.back());
    const auto within = [&](Opcode wanted) {
        return std::any_of(open.begin(), open.end(), [&](std::size_t at) { return opcode_at(at) == wanted; });
    };
    const auto need = [&](bool fits, std::string_view surroundings) {
        if (!fits)
            cursor_.fail(positions_[pc],
                         std::string(opcode_info(opcode_at(pc)).name) + " stands outside " + std::string(surroundings));
    };
    const bool in_if = inside == Opcode::if_ || inside == Opcode::uif;
    switch (opcode_at(pc)) {
        case Opcode::bgnsub:
            if (!open.empty()) cursor_.fail(positions_[pc], "BGNSUB stands inside another block");
            // The main program would run into it without a call to return from.
            if (std::none_of(shader_.operations.begin(), shader_.operations.begin() + static_cast<std::ptrdiff_t>(pc),
                             [](const Operation& operation) { return operation.opcode == Opcode::end; }))
                cursor_.fail(positions_[pc], "BGNSUB stands before END");
            break;
        case Opcode::else_:
            return need(in_if, "IF and ENDIF");
        case Opcode::endif:
            return need(in_if || inside == Opcode::else_, "IF");
        case Opcode::endloop:
            return need(inside == Opcode::bgnloop, "BGNLOOP");
        case Opcode::endswitch:
            return need(inside == Opcode::switch_, "SWITCH");
        case Opcode::endsub:
            return need(inside == Opcode::bgnsub, "BGNSUB");
        case Opcode::case_:
        case Opcode::default_:
            return need(inside == Opcode::switch_, "SWITCH and ENDSWITCH");
        case Opcode::brk:
            return need(within(Opcode::bgnloop) || within(Opcode::switch_), "loops and SWITCH");
        case Opcode::cont:
            return need(within(Opcode::bgnloop), "loops");
        default:
            break;
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
        shader_.uses_barrier |= operation.opcode == Opcode::barrier;
        shader_.shifts_floats |= shifts_floats(operation);
        shader_.uses_derivatives |= is_derivative(operation.opcode) || (fragment && is_implicit_lod(operation.opcode));
        if (!fragment || operation.destination.file != RegisterFile::output) continue;
        const Semantic semantic = shader_.outputs[static_cast<std::size_t>(operation.destination.index)].semantic;
        shader_.writes_depth |= semantic == Semantic::position;
        shader_.writes_stencil |= semantic == Semantic::stencil;
    }
    shader_.float_only = arl && !uarl;
    find_unwritten_temporary();
}

bool Parser::shifts_floats(const Operation& operation) const {
    if (operation.opcode != Opcode::shl && operation.opcode != Opcode::ishr && operation.opcode != Opcode::ushr)
        return false;
    const SourceRegister& by = operation.sources[1];
    return by.file == RegisterFile::immediate && float_immediates_[static_cast<std::size_t>(by.index)];
}

void Parser::find_unwritten_temporary() {
    std::vector<bool> written(shader_.program.temporaries);
    const auto visit = [](const auto& operand, auto&& action) {
        if (operand.file != RegisterFile::temporary) return;
        const std::int32_t first = operand.indirect ? operand.indirect->first : operand.index;
        const std::int32_t last = operand.indirect ? operand.indirect->last : operand.index;
        for (std::int32_t i = first; i <= last; ++i) action(i);
    };
    for (const Operation& operation : shader_.operations)
        visit(operation.destination, [&](std::int32_t i) { written[static_cast<std::size_t>(i)] = true; });
    for (const Operation& operation : shader_.operations)
        for (const SourceRegister& source : operation.sources)
            visit(source, [&](std::int32_t i) {
                if (!written[static_cast<std::size_t>(i)] && shader_.unwritten_temporary < 0)
                    shader_.unwritten_temporary = i;
            });
}

Instruction Parser::decoded(const Operation& operation) const {
    Instruction result;
    result.opcode = operation.opcode;
    result.source_count = operation.source_count;
    result.texture_unit = operation.unit;
    result.kind = class_of(operation.opcode);
    if (shader_.float_only && operation.opcode == Opcode::uadd) result.kind = InstructionClass::floating;
    const DestinationRegister& to = operation.destination;
    result.destination = {to.file, to.file == RegisterFile::none ? std::uint8_t{0} : to.mask,
                          static_cast<std::uint16_t>(std::max(to.index, 0)), to.indirect.has_value(), 0};
    std::size_t first = 0;  // of the registers
    if (operation.storage) {
        const StorageOperand& storage = *operation.storage;
        Operand reached{file_of(storage.space), to.mask, static_cast<std::uint16_t>(storage.slot),
                        storage.indirect.has_value(), 0};
        if (operation.opcode == Opcode::store) {
            result.destination = reached;
        } else {
            result.sources[0] = reached;
            ++result.source_count;
            first = 1;
        }
    }
    for (std::size_t i = 0; i < operation.source_count; ++i) {
        const SourceRegister& from = operation.sources[i];
        const std::uint8_t read =
            components_read(operation.opcode, static_cast<int>(i), operation.destination.mask, operation.target);
        unsigned mask = 0, swizzle = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            if (read & (1U << c)) mask |= 1U << from.swizzle[c];
            swizzle |= unsigned{from.swizzle[c]} << (2 * c);
        }
        result.sources[first + i] = {from.file,
                                     static_cast<std::uint8_t>(mask),
                                     static_cast<std::uint16_t>(std::max(from.index, 0)),
                                     from.computed(),
                                     from.buffer,
                                     static_cast<std::uint8_t>(swizzle)};
    }
    if (operation.unit_indirect) add_address(*operation.unit_indirect, result);
    for (const SourceRegister& from : operation.sources)  // as far as there is room
        if (from.buffer_indirect && result.source_count < result.sources.size())
            add_address(*from.buffer_indirect, result);
    return result;
}

}  // namespace models::functional::tgsi
