#include "models/functional/texture/format.h"

#include <array>

#include "engine/error.h"
#include "models/functional/texture/format_names.h"

namespace models::functional {

namespace {

struct TypeSuffix {
    std::string_view suffix;
    ChannelType type;
    bool srgb;
};

constexpr TypeSuffix type_suffixes[] = {
    {"_UNORM", ChannelType::unorm, false},     {"_SNORM", ChannelType::snorm, false},
    {"_USCALED", ChannelType::uscaled, false}, {"_SSCALED", ChannelType::sscaled, false},
    {"_UINT", ChannelType::uint, false},       {"_SINT", ChannelType::sint, false},
    {"_FLOAT", ChannelType::floating, false},  {"_FIXED", ChannelType::fixed, false},
    {"_SRGB", ChannelType::unorm, true},
};

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool set_sources(FormatInfo& info, char letter, std::uint8_t channel) {
    switch (letter) {
        case 'R':
            info.source[0] = channel;
            return true;
        case 'G':
            info.source[1] = channel;
            return true;
        case 'B':
            info.source[2] = channel;
            return true;
        case 'A':
            info.source[3] = channel;
            return true;
        case 'I':
            info.source[3] = channel;
            [[fallthrough]];
        case 'L':
            info.source[0] = info.source[1] = info.source[2] = channel;
            return true;
        case 'X':
            return true;
        default:
            return false;
    }
}

// Names like R5G6B5_UNORM say everything: channels from the lowest bit up, then their type.
constexpr bool parse_plain(std::string_view name, FormatInfo& info) {
    const std::size_t end = name.find('_');
    if (end == std::string_view::npos) return false;
    for (const TypeSuffix& entry : type_suffixes) {
        if (name.substr(end) != entry.suffix) continue;
        info.type = entry.type;
        info.srgb = entry.srgb;
    }
    if (info.type == ChannelType::none) return false;
    unsigned shift = 0;
    std::size_t at = 0;
    while (at < end) {
        const char letter = name[at++];
        unsigned bits = 0;
        while (at < end && is_digit(name[at])) bits = bits * 10 + static_cast<unsigned>(name[at++] - '0');
        if (bits == 0 || bits > 64 || info.channel_count == 4) return false;
        if (!set_sources(info, letter, info.channel_count)) return false;
        const ChannelType type = letter == 'X' ? ChannelType::none : info.type;
        info.channels[info.channel_count++] = {type, static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(shift)};
        shift += bits;
    }
    info.kind = FormatKind::plain;
    info.block_bytes = static_cast<std::uint8_t>(shift / 8);
    info.integer = info.type == ChannelType::uint || info.type == ChannelType::sint;
    info.unorm_bytes = info.type == ChannelType::unorm;
    for (int k = 0; k < info.channel_count; ++k) info.unorm_bytes = info.unorm_bytes && info.channels[k].bits == 8;
    return shift % 8 == 0;
}

struct DepthStencilRow {
    std::string_view name;
    std::uint8_t bytes;
    Channel depth, stencil;
};

constexpr DepthStencilRow depth_stencil_rows[] = {
    {"Z16_UNORM", 2, {ChannelType::unorm, 16, 0}, {}},
    {"Z32_UNORM", 4, {ChannelType::unorm, 32, 0}, {}},
    {"Z32_FLOAT", 4, {ChannelType::floating, 32, 0}, {}},
    {"Z24_UNORM_S8_UINT", 4, {ChannelType::unorm, 24, 0}, {ChannelType::uint, 8, 24}},
    {"S8_UINT_Z24_UNORM", 4, {ChannelType::unorm, 24, 8}, {ChannelType::uint, 8, 0}},
    {"Z24X8_UNORM", 4, {ChannelType::unorm, 24, 0}, {}},
    {"X8Z24_UNORM", 4, {ChannelType::unorm, 24, 8}, {}},
    {"S8_UINT", 1, {}, {ChannelType::uint, 8, 0}},
    {"Z32_FLOAT_S8X24_UINT", 8, {ChannelType::floating, 32, 0}, {ChannelType::uint, 8, 32}},
    {"X24S8_UINT", 4, {}, {ChannelType::uint, 8, 24}},
    {"S8X24_UINT", 4, {}, {ChannelType::uint, 8, 0}},
    {"X32_S8X24_UINT", 8, {}, {ChannelType::uint, 8, 32}},
};

constexpr bool parse_depth_stencil(std::string_view name, FormatInfo& info) {
    for (const DepthStencilRow& row : depth_stencil_rows) {
        if (row.name != name) continue;
        info.kind = FormatKind::depth_stencil;
        info.block_bytes = row.bytes;
        info.channel_count = 2;
        info.channels[0] = row.depth;
        info.channels[1] = row.stencil;
        info.depth = row.depth.bits != 0;
        info.stencil = row.stencil.bits != 0;
        info.type = info.depth ? row.depth.type : ChannelType::uint;
        info.integer = !info.depth;
        const std::uint8_t channel = info.depth ? 0 : 1;
        info.source[0] = info.source[1] = info.source[2] = channel;
        return true;
    }
    return false;
}

struct SpecialRow {
    std::string_view name;
    FormatKind kind;
    ChannelType type;
    std::uint8_t bytes, width;
    std::uint8_t channels;  // of the texel, from red
    bool srgb;
};

constexpr SpecialRow special_rows[] = {
    {"R9G9B9E5_FLOAT", FormatKind::r9g9b9e5, ChannelType::floating, 4, 1, 3, false},
    {"DXT1_RGB", FormatKind::dxt1, ChannelType::unorm, 8, 4, 3, false},
    {"DXT1_RGBA", FormatKind::dxt1, ChannelType::unorm, 8, 4, 4, false},
    {"DXT3_RGBA", FormatKind::dxt3, ChannelType::unorm, 16, 4, 4, false},
    {"DXT5_RGBA", FormatKind::dxt5, ChannelType::unorm, 16, 4, 4, false},
    {"DXT1_SRGB", FormatKind::dxt1, ChannelType::unorm, 8, 4, 3, true},
    {"DXT1_SRGBA", FormatKind::dxt1, ChannelType::unorm, 8, 4, 4, true},
    {"DXT3_SRGBA", FormatKind::dxt3, ChannelType::unorm, 16, 4, 4, true},
    {"DXT5_SRGBA", FormatKind::dxt5, ChannelType::unorm, 16, 4, 4, true},
    {"RGTC1_UNORM", FormatKind::rgtc1, ChannelType::unorm, 8, 4, 1, false},
    {"RGTC1_SNORM", FormatKind::rgtc1, ChannelType::snorm, 8, 4, 1, false},
    {"RGTC2_UNORM", FormatKind::rgtc2, ChannelType::unorm, 16, 4, 2, false},
    {"RGTC2_SNORM", FormatKind::rgtc2, ChannelType::snorm, 16, 4, 2, false},
    {"ETC1_RGB8", FormatKind::etc2, ChannelType::unorm, 8, 4, 3, false},
    {"ETC2_RGB8", FormatKind::etc2, ChannelType::unorm, 8, 4, 3, false},
    {"ETC2_SRGB8", FormatKind::etc2, ChannelType::unorm, 8, 4, 3, true},
    {"ETC2_RGB8A1", FormatKind::etc2_clear, ChannelType::unorm, 8, 4, 4, false},
    {"ETC2_SRGB8A1", FormatKind::etc2_clear, ChannelType::unorm, 8, 4, 4, true},
    {"ETC2_RGBA8", FormatKind::etc2_alpha, ChannelType::unorm, 16, 4, 4, false},
    {"ETC2_SRGBA8", FormatKind::etc2_alpha, ChannelType::unorm, 16, 4, 4, true},
    {"ETC2_R11_UNORM", FormatKind::eac1, ChannelType::unorm, 8, 4, 1, false},
    {"ETC2_R11_SNORM", FormatKind::eac1, ChannelType::snorm, 8, 4, 1, false},
    {"ETC2_RG11_UNORM", FormatKind::eac2, ChannelType::unorm, 16, 4, 2, false},
    {"ETC2_RG11_SNORM", FormatKind::eac2, ChannelType::snorm, 16, 4, 2, false},
};

constexpr bool parse_special(std::string_view name, FormatInfo& info) {
    for (const SpecialRow& row : special_rows) {
        if (row.name != name) continue;
        info.kind = row.kind;
        info.type = row.type;
        info.block_bytes = row.bytes;
        info.block_width = info.block_height = row.width;
        info.srgb = row.srgb;
        for (std::uint8_t i = 0; i < row.channels; ++i) info.source[i] = i;
        return true;
    }
    return false;
}

// ASTC_10x5 and ASTC_10x5_SRGB.
constexpr bool parse_astc(std::string_view name, FormatInfo& info) {
    constexpr std::string_view prefix = "ASTC_";
    if (!name.starts_with(prefix)) return false;
    std::size_t at = prefix.size();
    const auto number = [&] {
        unsigned value = 0;
        while (at < name.size() && is_digit(name[at])) value = value * 10 + static_cast<unsigned>(name[at++] - '0');
        ++at;  // what follows it
        return static_cast<std::uint8_t>(value);
    };
    info.block_width = number();
    info.block_height = number();
    info.kind = FormatKind::astc;
    info.type = ChannelType::unorm;
    info.block_bytes = 16;
    info.srgb = name.ends_with("_SRGB");
    for (std::uint8_t i = 0; i < 4; ++i) info.source[i] = i;
    return true;
}

constexpr FormatInfo describe(std::size_t number) {
    FormatInfo info;
    const std::string_view name = format_names[number];
    const bool known = parse_special(name, info) || parse_astc(name, info) || parse_depth_stencil(name, info) ||
                       parse_plain(name, info);
    if (!known) info = FormatInfo{};
    info.format = static_cast<Format>(number);
    return info;
}

constexpr auto formats = [] {
    std::array<FormatInfo, format_names.size()> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = describe(i);
    return table;
}();

}  // namespace

std::string format_name(std::uint32_t number) {
    if (number < format_names.size() && !format_names[number].empty()) return std::string(format_names[number]);
    return "format " + std::to_string(number);
}

const FormatInfo* find_format(std::uint32_t number) {
    if (number >= formats.size() || formats[number].kind == FormatKind::unsupported) return nullptr;
    return &formats[number];
}

const FormatInfo& format_info(std::uint32_t number, std::string_view use) {
    const FormatInfo* info = find_format(number);
    if (info == nullptr)
        throw engine::InputError("unsupported format " + format_name(number) + " of a " + std::string(use));
    return *info;
}

}  // namespace models::functional
