// DCL and IMM lines.
#include <charconv>
#include <cstring>

#include "models/functional/tgsi/names.h"
#include "models/functional/tgsi/parser.h"
#include "models/functional/tgsi/texture_target.h"

namespace models::functional::tgsi {
namespace {

// More registers of a file than any driver sends: larger numbers come from damaged text and would only cost memory.
std::uint32_t most_registers(RegisterFile file) {
    switch (file) {
        case RegisterFile::constant:
            return 65536;
        case RegisterFile::temporary:
            return 16384;
        case RegisterFile::address:
            return 16;
        case RegisterFile::sampler:
            return 32;
        default:
            return 256;
    }
}

constexpr std::uint32_t most_buffers = 32;
constexpr std::size_t most_immediates = 16384;

}  // namespace

void Parser::declaration() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    if (name == "SVIEW") {
        Declaration view;
        view.file = RegisterFile::sampler;
        declared_register(view);
        sampler_view(view.range);
        return;
    }
    if (shader_.program.stage == ShaderStage::compute && (name == "BUFFER" || name == "IMAGE" || name == "MEMORY"))
        return storage_declaration(name);
    if (const std::string_view reason = file_refusal(name); !reason.empty()) cursor_.unsupported(start, name, reason);
    const auto file = find_file(name);
    if (!file || *file == RegisterFile::none || *file == RegisterFile::immediate)
        cursor_.fail(start, "expected a register file, found '" + std::string(name.substr(0, 40)) + "'");
    Declaration declared;
    declared.file = *file;
    declared_register(declared);
    while (cursor_.take(',')) attribute(declared);
    declare(declared);
}

// "[3]", "[0..5]" or, for constants, "[1][0..5]"; then the usage mask.
void Parser::declared_register(Declaration& declaration) {
    const auto range = [&] {
        cursor_.expect('[');
        Range read;
        const std::uint32_t most = most_registers(declaration.file) - 1;
        cursor_.peek();
        const std::size_t start = cursor_.position();
        read.first = static_cast<std::int32_t>(cursor_.number(most, "a register number"));
        read.last = read.first;
        if (cursor_.take('.')) {
            cursor_.expect('.');
            read.last = static_cast<std::int32_t>(cursor_.number(most, "a register number"));
        }
        if (read.last < read.first)
            cursor_.fail(start, "expected a range of registers that does not end before it starts");
        cursor_.expect(']');
        return read;
    };
    declaration.range = range();
    if (declaration.file == RegisterFile::constant && cursor_.peek() == '[') {
        const std::int32_t buffer = declaration.range.first;
        if (declaration.range.last != buffer || buffer >= static_cast<std::int32_t>(most_buffers))
            cursor_.fail_expected("one constant buffer below " + std::to_string(most_buffers));
        declaration.buffer = static_cast<std::uint8_t>(buffer);
        declaration.range = range();
    }
    declaration.varying.components = write_mask();
}

// One of what follows the register, separated by commas.
void Parser::attribute(Declaration& declaration) {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    const bool varying = declaration.file == RegisterFile::input || declaration.file == RegisterFile::output ||
                         declaration.file == RegisterFile::system_value;
    if (name == "ARRAY") {
        cursor_.expect('(');
        declaration.array = static_cast<std::int32_t>(cursor_.number(0xffff, "an array number"));
        cursor_.expect(')');
        return;
    }
    if (name == "LOCAL" || name == "INVARIANT") return;
    if (name == "STREAM") cursor_.unsupported(start, name, "vertex streams");
    if (varying && declaration.varying.semantic == Semantic::none)
        if (const auto found = find_semantic(name)) return semantic(declaration, *found);
    if (declaration.file == RegisterFile::input) {
        if (const auto interpolation = find_interpolation(name)) {
            declaration.varying.interpolation = *interpolation;
            return;
        }
        if (const auto location = find_location(name)) {
            declaration.varying.location = *location;
            return;
        }
    }
    cursor_.unsupported(start, name, "in a declaration of " + std::string(file_name(declaration.file)));
}

void Parser::semantic(Declaration& declaration, Semantic semantic) {
    declaration.varying.semantic = semantic;
    if (!cursor_.take('[')) return;
    declaration.varying.semantic_index = static_cast<std::uint16_t>(cursor_.number(1023, "a semantic index"));
    cursor_.expect(']');
}

// "DCL SVIEW[0], 2D, FLOAT", where four types may follow, one for each component.
void Parser::sampler_view(const Range& range) {
    cursor_.expect(',');
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    const auto target = find_target(name);
    if (!target) cursor_.unsupported(start, name, "texture target");
    SamplerView view{true, *target, TexelType::floating};
    cursor_.expect(',');
    do {
        cursor_.peek();
        const std::size_t type_start = cursor_.position();
        const auto type = find_texel_type(cursor_.word());
        if (!type) cursor_.fail(type_start, "expected UNORM, SNORM, SINT, UINT or FLOAT");
        view.type = *type;
    } while (cursor_.take(','));
    const auto size = static_cast<std::size_t>(range.last) + 1;
    if (shader_.samplers.size() < size) shader_.samplers.resize(size);
    for (auto i = static_cast<std::size_t>(range.first); i < size; ++i) shader_.samplers[i] = view;
}

void Parser::declare(const Declaration& declaration) {
    const auto size = static_cast<std::uint32_t>(declaration.range.last) + 1;
    const auto grow = [size](auto& count) {
        if (count < size) count = static_cast<std::remove_reference_t<decltype(count)>>(size);
    };
    switch (declaration.file) {
        case RegisterFile::constant:
            if (shader_.constant_sizes.size() <= declaration.buffer)
                shader_.constant_sizes.resize(declaration.buffer + 1U);
            grow(shader_.constant_sizes[declaration.buffer]);
            break;
        case RegisterFile::input:
            declare_varyings(shader_.inputs, declaration);
            break;
        case RegisterFile::output:
            declare_varyings(shader_.outputs, declaration);
            break;
        case RegisterFile::system_value:
            declare_varyings(shader_.system_values, declaration);
            break;
        case RegisterFile::temporary:
            grow(shader_.program.temporaries);
            break;
        case RegisterFile::address:
            grow(shader_.address_registers);
            break;
        case RegisterFile::sampler:
            if (shader_.samplers.size() < size) shader_.samplers.resize(size);
            break;
        default:
            break;
    }
    if (declaration.array > 0) arrays_[{declaration.file, declaration.array}] = declaration.range;
}

void Parser::declare_varyings(std::vector<Varying>& varyings, const Declaration& declaration) {
    const auto size = static_cast<std::size_t>(declaration.range.last) + 1;
    if (varyings.size() < size) varyings.resize(size);
    Varying varying = declaration.varying;
    varying.declared = true;
    for (auto i = static_cast<std::size_t>(declaration.range.first); i < size; ++i, ++varying.semantic_index) {
        if (varyings[i].declared)  // the same register again, with other components
            varying.components = static_cast<std::uint8_t>(varying.components | varyings[i].components);
        varyings[i] = varying;
    }
}

// "IMM[0] FLT32 {0x3f800000, 0.5, 0, 0}"
void Parser::immediate() {
    if (shader_.immediates.size() >= most_immediates) cursor_.fail_expected("fewer immediates");
    if (cursor_.take('[')) {
        cursor_.peek();
        const std::size_t start = cursor_.position();
        if (cursor_.number(0xffff, "a register number") != shader_.immediates.size())
            cursor_.fail(start, "expected immediate " + std::to_string(shader_.immediates.size()));
        cursor_.expect(']');
    }
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view type = cursor_.word();
    if (type == "FLT64") cursor_.unsupported(start, type, "double precision");
    if (type == "INT64" || type == "UINT64") cursor_.unsupported(start, type, "64-bit integers");
    if (type != "FLT32" && type != "UINT32" && type != "INT32")
        cursor_.fail(start, "expected FLT32, UINT32 or INT32, found '" + std::string(type.substr(0, 40)) + "'");
    cursor_.expect('{');
    std::array<std::uint32_t, 4> value = {};
    std::size_t count = 0;
    do {
        if (count == value.size()) cursor_.fail_expected("'}' after four values");
        value[count++] = immediate_value(type);
    } while (cursor_.take(','));
    cursor_.expect('}');
    shader_.immediates.push_back(value);
    float_immediates_.push_back(type == "FLT32");
}

std::string_view Parser::number_text() {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    const std::string_view rest = cursor_.line();
    const std::string_view token = rest.substr(0, rest.find_first_of(",} \t"));
    cursor_.go_to(start + token.size());
    return token;
}

std::uint32_t Parser::immediate_value(std::string_view type) {
    cursor_.peek();
    const std::size_t start = cursor_.position();
    std::string_view token = number_text();
    const char* const end = token.data() + token.size();
    std::uint32_t bits = 0;
    std::from_chars_result result{};
    if (token.starts_with("0x")) {  // bits, of any type
        result = std::from_chars(token.data() + 2, end, bits, 16);
    } else if (type == "FLT32") {
        if (token.starts_with('+')) token.remove_prefix(1);
        float value = 0;
        result = std::from_chars(token.data(), end, value);
        std::memcpy(&bits, &value, sizeof bits);
    } else if (token.starts_with('-')) {
        std::int32_t value = 0;
        result = std::from_chars(token.data(), end, value);
        bits = static_cast<std::uint32_t>(value);
    } else {
        result = std::from_chars(token.data(), end, bits);
    }
    if (token.empty() || result.ec != std::errc() || result.ptr != end)
        cursor_.fail(start, "expected a 32-bit number, found '" + std::string(token.substr(0, 40)) + "'");
    return bits;
}

}  // namespace models::functional::tgsi
