// Instruction lines.
#include <algorithm>
#include <utility>

#include "engine/parameter.h"
#include "models/functional/tgsi/names.h"
#include "models/functional/tgsi/operand_use.h"
#include "models/functional/tgsi/parser.h"
#include "models/functional/tgsi/texture_target.h"

namespace models::functional::tgsi {
namespace {

constexpr std::size_t most_instructions = 65535;  // program counters have 16 bits

std::string register_text(RegisterFile file, std::int32_t index) {
    return std::string(file_name(file)) + "[" + std::to_string(index) + "]";
}

}  // namespace

void Parser::instruction(std::string_view name, std::size_t start) {
    if (shader_.operations.size() >= most_instructions)
        cursor_.fail(start, "more than " + std::to_string(most_instructions) + " instructions are not supported");
    Operation operation;
    operation.opcode = opcode(name, start, operation);
    operands(operation);
    if (cursor_.take(':')) operation.label = static_cast<std::int32_t>(cursor_.number(0xffff, "a label"));
    if (operation.opcode == Opcode::cal && operation.label < 0) cursor_.fail_expected("the label of a subroutine");
    if (operation.opcode == Opcode::tg4) gather_component(operation, start);
    const bool after_end = !shader_.operations.empty() && shader_.operations.back().opcode == Opcode::end;
    if (after_end && operation.opcode != Opcode::bgnsub)
        cursor_.fail(start, "expected a subroutine or nothing after END, found " + std::string(name.substr(0, 40)));
    ended_ |= operation.opcode == Opcode::end;
    positions_.push_back(start);
    shader_.operations.push_back(operation);
}

Opcode Parser::opcode(std::string_view name, std::size_t start, Operation& operation) {
    const auto take_suffix = [&name](std::string_view suffix) {
        if (!name.ends_with(suffix)) return false;
        name.remove_suffix(suffix.size());
        return true;
    };
    take_suffix("_PRECISE");  // nothing is contracted or reordered here in any case
    operation.saturate = take_suffix("_SAT");
    if (const auto found = find_opcode(name)) {
        const bool compute_only = *found >= Opcode::load && *found <= Opcode::barrier;
        if (compute_only && shader_.program.stage != ShaderStage::compute)
            cursor_.unsupported(start, name, opcode_refusal(name));
        return *found;
    }
    if (const std::string_view reason = opcode_refusal(name); !reason.empty()) cursor_.unsupported(start, name, reason);
    std::string message = "expected an instruction, found '" + std::string(name.substr(0, 40)) + "'";
    if (const std::string near = engine::nearest(name.substr(0, 40), opcode_names()); !near.empty())
        message += "; did you mean " + near + "?";
    cursor_.fail(start, message);
}

void Parser::operands(Operation& operation) {
    if (has_storage_operand(operation.opcode)) return storage_operands(operation);
    const OpcodeInfo& info = opcode_info(operation.opcode);
    if (info.destination_count > 0) operation.destination = destination();
    const int sources = info.source_count - (info.is_texture ? 1 : 0);
    for (int i = 0; i < sources; ++i) {
        if (i > 0 || info.destination_count > 0) cursor_.expect(',');
        operation.sources[static_cast<std::size_t>(i)] = source();
    }
    operation.source_count = static_cast<std::uint8_t>(sources);
    if (info.is_texture) texture(operation);
}

std::pair<RegisterFile, std::size_t> Parser::register_file() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    if (const std::string_view reason = file_refusal(name); !reason.empty()) cursor_.unsupported(start, name, reason);
    const auto file = find_file(name);
    if (!file || *file == RegisterFile::none)
        cursor_.fail(start, "expected a register, found '" + std::string(name.substr(0, 40)) + "'");
    return {*file, start};
}

DestinationRegister Parser::destination() {
    DestinationRegister result;
    const auto [file, start] = register_file();
    if (file != RegisterFile::temporary && file != RegisterFile::output && file != RegisterFile::address)
        cursor_.fail(start, "expected TEMP, OUT or ADDR as destination, found " + std::string(file_name(file)));
    result.file = file;
    register_index(file, result.index, result.indirect);
    result.mask = write_mask();
    return result;
}

SourceRegister Parser::source() {
    SourceRegister result;
    result.negate = cursor_.take('-');
    result.absolute = cursor_.take('|');
    const auto [file, start] = register_file();
    if (file == RegisterFile::sampler) cursor_.fail(start, "expected a register with a value, found SAMP");
    result.file = file;
    if (file == RegisterFile::constant)
        constant_index(result);
    else
        register_index(file, result.index, result.indirect);
    if (cursor_.take('.')) {
        cursor_.peek();
        const std::size_t swizzle_start = cursor_.position();
        const std::string_view swizzle = cursor_.word();
        if (swizzle.size() != 4 && swizzle.size() != 1)
            cursor_.fail(swizzle_start, "expected a swizzle of one or four components");
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t found = std::string_view("xyzw").find(swizzle[swizzle.size() == 1 ? 0 : i]);
            if (found == std::string_view::npos) cursor_.fail(swizzle_start, "expected a swizzle of x, y, z and w");
            result.swizzle[i] = static_cast<std::uint8_t>(found);
        }
    }
    if (result.absolute) cursor_.expect('|');
    return result;
}

// "[3]", "[ADDR[0].x+3](1)"
void Parser::register_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect) {
    const std::size_t start = bracketed_index(file, index, indirect);
    check_index(file, start, declared_range(file), index, indirect);
}

// "[3]", "[1][3]", "[1][ADDR[0].x+3]", "[ADDR[1].x+1][3]"
void Parser::constant_index(SourceRegister& source) {
    std::size_t start = bracketed_index(RegisterFile::constant, source.index, source.indirect);
    if (cursor_.peek() == '[') {
        constant_buffer(source, start);
        start = bracketed_index(RegisterFile::constant, source.index, source.indirect);
    }
    check_index(RegisterFile::constant, start, declared_constants(source), source.index, source.indirect);
}

// What was read as the register's number is that of its buffer.
void Parser::constant_buffer(SourceRegister& source, std::size_t start) {
    const std::vector<std::uint32_t>& sizes = shader_.constant_sizes;
    if (source.index < 0 || static_cast<std::size_t>(source.index) >= sizes.size())
        cursor_.fail(start, "constant buffer " + std::to_string(source.index) + " is not declared");
    source.buffer = static_cast<std::uint8_t>(source.index);
    source.buffer_indirect = std::exchange(source.indirect, std::nullopt);
    if (!source.buffer_indirect) return;
    source.buffer_indirect->first = source.index;
    source.buffer_indirect->last = static_cast<std::int32_t>(sizes.size()) - 1;
    if (sizes.size() - source.buffer > most_computed_buffers ||
        std::any_of(sizes.begin() + source.index, sizes.end(),
                    [](std::uint32_t size) { return size > computed_buffer_vectors; }))
        cursor_.unsupported(start, "ADDR",
                            "a computed constant buffer of more than " + std::to_string(most_computed_buffers) +
                                ", or of more than " + std::to_string(computed_buffer_vectors) + " registers");
}

// Where the brackets' contents start.
std::size_t Parser::bracketed_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect) {
    cursor_.expect('[');
    const char first = cursor_.peek();
    const std::size_t start = cursor_.position();
    if (first >= '0' && first <= '9')
        index = static_cast<std::int32_t>(cursor_.number(0xffff, "a register number"));
    else
        indirect_index(file, index, indirect);
    cursor_.expect(']');
    return start;
}

void Parser::check_index(RegisterFile file, std::size_t start, Range declared, std::int32_t index,
                         std::optional<Indirect>& indirect) {
    if (declared.last < declared.first || (!indirect && index > declared.last))
        cursor_.fail(start, register_text(file, std::max(index, 0)) + " is not declared");
    if (!indirect) return;
    indirect->first = declared.first;
    indirect->last = declared.last;
    if (!cursor_.take('(')) return;
    const auto array = static_cast<std::int32_t>(cursor_.number(0xffff, "an array number"));
    cursor_.expect(')');
    const auto found = arrays_.find({file, array});
    if (found != arrays_.end()) {
        indirect->first = found->second.first;
        indirect->last = found->second.last;
    } else if (array != 0) {
        cursor_.fail(start, "array " + std::to_string(array) + " is not declared");
    }
}

// "ADDR[0].x+3", within the brackets
void Parser::indirect_index(RegisterFile file, std::int32_t& index, std::optional<Indirect>& indirect) {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    if (name != "ADDR")
        cursor_.fail(start, "expected a register number or ADDR, found '" + std::string(name.substr(0, 40)) + "'");
    if (file == RegisterFile::address) cursor_.unsupported(start, file_name(file), "computed register number");
    cursor_.expect('[');
    Indirect computed;
    computed.address = static_cast<std::uint16_t>(cursor_.number(0xffff, "a register number"));
    if (computed.address >= shader_.address_registers)
        cursor_.fail(start, register_text(RegisterFile::address, computed.address) + " is not declared");
    cursor_.expect(']');
    cursor_.expect('.');
    computed.component = static_cast<std::uint8_t>(component());
    index = 0;
    if (cursor_.peek() == '+' || cursor_.peek() == '-') {
        const std::size_t sign = cursor_.position();
        const std::int64_t base = cursor_.integer();
        if (base < -0xffff || base > 0xffff) cursor_.fail(sign, "expected a register number of at most 65535");
        index = static_cast<std::int32_t>(base);
    }
    indirect = computed;
}

Parser::Range Parser::declared_range(RegisterFile file) const {
    const auto all = [](std::size_t count) { return Range{0, static_cast<std::int32_t>(count) - 1}; };
    switch (file) {
        case RegisterFile::input:
            return all(shader_.inputs.size());
        case RegisterFile::output:
            return all(shader_.outputs.size());
        case RegisterFile::temporary:
            return all(shader_.program.temporaries);
        case RegisterFile::address:
            return all(shader_.address_registers);
        case RegisterFile::immediate:
            return all(shader_.immediates.size());
        case RegisterFile::system_value:
            return all(shader_.system_values.size());
        case RegisterFile::sampler:
            return all(shader_.samplers.size());
        case RegisterFile::none:
        case RegisterFile::constant:
        case RegisterFile::buffer:
        case RegisterFile::image:
        case RegisterFile::shared_memory:
            break;
    }
    return {};
}

// Of the largest buffer that may be meant.
Parser::Range Parser::declared_constants(const SourceRegister& source) const {
    const std::vector<std::uint32_t>& sizes = shader_.constant_sizes;
    if (source.buffer >= sizes.size()) return {};
    const auto first = sizes.begin() + source.buffer;
    const std::uint32_t size = source.buffer_indirect ? *std::max_element(first, sizes.end()) : *first;
    return {0, static_cast<std::int32_t>(size) - 1};
}

int Parser::component() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    const std::size_t found = name.size() == 1 ? std::string_view("xyzw").find(name) : std::string_view::npos;
    if (found == std::string_view::npos) cursor_.fail(start, "expected x, y, z or w");
    return static_cast<int>(found);
}

std::uint8_t Parser::write_mask() {
    if (!cursor_.take('.')) return 0xf;
    cursor_.peek();
    const std::size_t start = cursor_.position();
    unsigned mask = 0;
    for (const char c : cursor_.word()) {
        const std::size_t found = std::string_view("xyzw").find(c);
        if (found == std::string_view::npos || (mask >> found) != 0)
            cursor_.fail(start, "expected a mask of x, y, z and w in this order");
        mask |= 1U << found;
    }
    return static_cast<std::uint8_t>(mask);
}

// ", SAMP[0], 2D" and texel offsets
void Parser::texture(Operation& operation) {
    cursor_.expect(',');
    const auto [file, start] = register_file();
    if (file != RegisterFile::sampler) cursor_.fail(start, "expected SAMP, found " + std::string(file_name(file)));
    std::int32_t unit = 0;
    register_index(file, unit, operation.unit_indirect);
    const Range all = declared_range(file);
    if (unit < 0 || unit > all.last) cursor_.fail(start, register_text(file, unit) + " is not declared");
    operation.unit = static_cast<std::int16_t>(unit);
    cursor_.expect(',');
    cursor_.peek();
    const std::size_t target_start = cursor_.position();
    const std::string_view name = cursor_.word();
    const auto target = find_target(name);
    if (!target) cursor_.unsupported(target_start, name, "texture target");
    operation.target = *target;
    const Opcode opcode = operation.opcode;
    if (target_info(*target).only_fetched && opcode != Opcode::txf && opcode != Opcode::txq)
        cursor_.unsupported(target_start, name, "texture target of an instruction other than TXF and TXQ");
    if (target_info(*target).projection == Projection::is_refused && opcode == Opcode::txp)
        cursor_.unsupported(target_start, name, "texture target of TXP");
    const Range range = operation.unit_indirect ? sampler_array(unit) : Range{unit, unit};
    if (operation.unit_indirect) {
        operation.unit_indirect->first = range.first;
        operation.unit_indirect->last = range.last;
    }
    for (std::int32_t i = range.first; i <= range.last; ++i) {
        SamplerView& view = shader_.samplers[static_cast<std::size_t>(i)];
        if (!view.declared) view = {true, *target, TexelType::floating};
    }
    if (cursor_.take(',')) texel_offset(operation);
    if (cursor_.peek() == ',') cursor_.unsupported(cursor_.position(), "more than one texel offset", "gather");
}

// TGSI does not say where an array of samplers ends: those that follow and are declared alike may be in it.
Parser::Range Parser::sampler_array(std::int32_t first) const {
    const SamplerView& begin = shader_.samplers[static_cast<std::size_t>(first)];
    std::size_t end = static_cast<std::size_t>(first) + 1;
    while (end < shader_.samplers.size() && shader_.samplers[end].declared == begin.declared &&
           shader_.samplers[end].target == begin.target)
        ++end;
    return {first, static_cast<std::int32_t>(end) - 1};
}

// "IMM[0].xyz": the integers of an immediate, or of any other register where no differences between pixels count
void Parser::texel_offset(Operation& operation) {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const SourceRegister offset = offset_register();
    if (offset.file != RegisterFile::immediate) {
        const Opcode opcode = operation.opcode;
        if (opcode != Opcode::tg4 && opcode != Opcode::txf && opcode != Opcode::txf_lz)
            cursor_.unsupported(start, file_name(offset.file), "a computed texel offset of a filter");
        operation.computed_offset = true;
        operation.sources.at(operation.source_count++) = offset;
        return;
    }
    const std::array<std::uint32_t, 4>& value = shader_.immediates[static_cast<std::size_t>(offset.index)];
    for (std::size_t c = 0; c < 3; ++c)
        operation.texel_offset[c] =
            std::clamp(static_cast<int>(value[offset.swizzle[c]]), -most_texel_offset, most_texel_offset);
}

SourceRegister Parser::offset_register() {
    SourceRegister result;
    const auto [file, start] = register_file();
    result.file = file;
    if (file == RegisterFile::constant)
        constant_index(result);
    else
        register_index(file, result.index, result.indirect);
    if (result.computed()) cursor_.unsupported(start, "ADDR", "a texel offset from a computed register");
    cursor_.expect('.');
    const std::string_view swizzle = cursor_.word();
    for (std::size_t i = 0; i < 3 && i < swizzle.size(); ++i) {
        const std::size_t found = std::string_view("xyzw").find(swizzle[i]);
        if (found == std::string_view::npos) cursor_.fail(start, "expected a swizzle of x, y, z and w");
        result.swizzle[i] = static_cast<std::uint8_t>(found);
    }
    return result;
}

void Parser::gather_component(Operation& operation, std::size_t start) {
    const SourceRegister& source = operation.sources[1];
    if (operation.target == TextureTarget::shadow_cube_array) return;  // the operand is the reference
    if (source.file != RegisterFile::immediate || source.indirect)
        cursor_.unsupported(start, "TG4", "a computed component");
    const std::uint32_t value = shader_.immediates[static_cast<std::size_t>(source.index)][source.swizzle[0]];
    if (value > 3) cursor_.fail(start, "expected a component from 0 to 3 to gather");
    operation.gather_component = static_cast<std::uint8_t>(value);
}

}  // namespace models::functional::tgsi
