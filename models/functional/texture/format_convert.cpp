// Spans of uncompressed texels to vec4 and back.
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "models/functional/texture/format.h"
#include "models/functional/texture/rounding.h"
#include "models/functional/texture/small_float.h"
#include "models/functional/texture/srgb.h"

namespace models::functional {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t low_bits(unsigned bits) {
    return bits >= 64 ? ~0ULL : (1ULL << bits) - 1;
}

// Channels that are not whole bytes live in blocks of at most 8 bytes.
std::uint64_t load_channel(const std::byte* texel, unsigned block_bytes, Channel channel) {
    std::uint64_t word = 0;
    if (block_bytes <= 8) {
        std::memcpy(&word, texel, block_bytes);
        return (word >> channel.shift) & low_bits(channel.bits);
    }
    std::memcpy(&word, texel + channel.shift / 8, channel.bits / 8);
    return word;
}

void store_channel(std::byte* texel, unsigned block_bytes, Channel channel, std::uint64_t value) {
    if (block_bytes > 8) {
        std::memcpy(texel + channel.shift / 8, &value, channel.bits / 8);
        return;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, texel, block_bytes);
    const std::uint64_t mask = low_bits(channel.bits) << channel.shift;
    word = (word & ~mask) | ((value << channel.shift) & mask);
    std::memcpy(texel, &word, block_bytes);
}

std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
    assert(bits > 0 && bits <= 64);
    const unsigned unused = 64 - bits;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

float floating_value(std::uint64_t raw, unsigned bits) {
    switch (bits) {
        case 64:
            return static_cast<float>(std::bit_cast<double>(raw));
        case 32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
        case 16:
            return half_to_float(static_cast<std::uint32_t>(raw));
        default:
            return small_to_float(static_cast<std::uint32_t>(raw), static_cast<int>(bits) - 5);
    }
}

float channel_value(Channel channel, std::uint64_t raw) {
    const double largest = static_cast<double>(low_bits(channel.bits));
    switch (channel.type) {
        case ChannelType::unorm:
            return channel.bits <= 24 ? from_unorm(static_cast<std::uint32_t>(raw), low_bits(channel.bits))
                                      : static_cast<float>(static_cast<double>(raw) / largest);
        case ChannelType::snorm: {
            const auto half = static_cast<double>(low_bits(channel.bits - 1U));
            return static_cast<float>(std::max(static_cast<double>(sign_extend(raw, channel.bits)) / half, -1.0));
        }
        case ChannelType::uscaled:
        case ChannelType::uint:
            return static_cast<float>(raw);
        case ChannelType::sscaled:
        case ChannelType::sint:
            return static_cast<float>(sign_extend(raw, channel.bits));
        case ChannelType::floating:
            return floating_value(raw, channel.bits);
        case ChannelType::fixed:
            return static_cast<float>(static_cast<double>(sign_extend(raw, channel.bits)) / 65536.0);
        case ChannelType::none:
            break;
    }
    return 0;
}

std::uint64_t floating_raw(float value, unsigned bits) {
    switch (bits) {
        case 64:
            return std::bit_cast<std::uint64_t>(static_cast<double>(value));
        case 32:
            return std::bit_cast<std::uint32_t>(value);
        case 16:
            return float_to_half(value);
        default:
            return float_to_unsigned_small(value, static_cast<int>(bits) - 5);
    }
}

// Clamped and rounded to nearest, halves to even; NaN becomes 0.
std::uint64_t rounded(double value, double least, double largest) {
    if (!(value > least)) value = std::isnan(value) ? 0.0 : least;
    return static_cast<std::uint64_t>(std::llrint(std::min(value, largest)));
}

enum class Rounding : std::uint8_t { of_drawing, of_clears, exact };

std::uint64_t unorm_raw(float value, unsigned bits, Rounding rounding) {
    const bool halves_up = rounding == Rounding::of_clears && bits != 8;
    if (rounding != Rounding::exact && bits <= 16)
        return halves_up ? to_unorm_halves_up(value, bits) : to_unorm(value, bits);
    const auto largest = static_cast<double>(low_bits(bits));
    return rounded(value * largest, 0.0, largest);
}

std::uint64_t channel_raw(Channel channel, float value, Rounding rounding) {
    const double v = value;
    const auto largest = static_cast<double>(low_bits(channel.bits));
    const auto half = static_cast<double>(low_bits(channel.bits - 1U));
    switch (channel.type) {
        case ChannelType::unorm:
            return unorm_raw(value, channel.bits, rounding);
        case ChannelType::snorm:
            return rounded(v * half, -half, half);
        case ChannelType::uscaled:
        case ChannelType::uint:
            return rounded(v, 0.0, largest);
        case ChannelType::sscaled:
        case ChannelType::sint:
            return rounded(v, -half - 1, half);
        case ChannelType::floating:
            return floating_raw(value, channel.bits);
        case ChannelType::fixed:
            return rounded(v * 65536.0, -half - 1, half);
        case ChannelType::none:
            break;
    }
    return 0;
}

constexpr std::array<float, 256> byte_values = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = from_unorm(static_cast<std::uint32_t>(i), 255);
    return values;
}();

void unpack_bytes(const FormatInfo& info, const std::byte* texels, int count, float (*rgba)[4]) {
    const std::array<float, 256>& colour = info.srgb ? srgb_table() : byte_values;
    for (int i = 0; i < count; ++i, texels += info.block_bytes) {
        float values[6] = {0, 0, 0, 0, 0, 1};
        for (int k = 0; k < info.channel_count; ++k) values[k] = colour[static_cast<std::size_t>(texels[k])];
        for (int c = 0; c < 3; ++c) rgba[i][c] = values[info.source[c]];
        const std::uint8_t alpha = info.source[3];
        rgba[i][3] = alpha < 4 ? byte_values[static_cast<std::size_t>(texels[alpha])] : values[alpha];
    }
}

void unpack_shared_exponent(const std::byte* texels, int count, float (*rgba)[4]) {
    for (int i = 0; i < count; ++i, texels += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, texels, 4);
        const float scale = std::ldexp(1.0F, static_cast<int>(word >> 27) - 24);
        for (unsigned c = 0; c < 3; ++c) rgba[i][c] = static_cast<float>((word >> (9 * c)) & 0x1ffU) * scale;
        rgba[i][3] = 1;
    }
}

// The encoding of EXT_texture_shared_exponent, section 3.8.x: the largest component sets the exponent.
std::uint32_t shared_exponent(const float* rgb) {
    constexpr float largest = 65408.0F;  // 511/512 * 2^16
    float clamped[3];
    for (int c = 0; c < 3; ++c) clamped[c] = rgb[c] > 0 ? std::min(rgb[c], largest) : 0.0F;
    const float most = std::max({clamped[0], clamped[1], clamped[2]});
    int exponent = 0;
    std::frexp(most, &exponent);  // most = f * 2^exponent with f in [0.5, 1)
    int shared = most > 0 ? std::max(-15, exponent) + 15 : 0;
    if (std::floor(std::ldexp(most, 24 - shared) + 0.5F) == 512.0F) ++shared;
    std::uint32_t word = static_cast<std::uint32_t>(shared) << 27;
    for (unsigned c = 0; c < 3; ++c)
        word |= static_cast<std::uint32_t>(std::floor(std::ldexp(clamped[c], 24 - shared) + 0.5F)) << (9 * c);
    return word;
}

void unpack_general(const FormatInfo& info, const std::byte* texels, int count, float (*rgba)[4]) {
    for (int i = 0; i < count; ++i, texels += info.block_bytes) {
        float values[6] = {0, 0, 0, 0, 0, 1};
        for (int k = 0; k < info.channel_count; ++k) {
            const Channel channel = info.channels[k];
            if (channel.type == ChannelType::none) continue;
            const std::uint64_t raw = load_channel(texels, info.block_bytes, channel);
            const bool deep = info.depth && channel.type == ChannelType::unorm && channel.bits == 32;
            values[k] = deep ? from_depth32(static_cast<std::uint32_t>(raw)) : channel_value(channel, raw);
        }
        for (int c = 0; c < 4; ++c) rgba[i][c] = values[info.source[c]];
        if (info.srgb)
            for (int c = 0; c < 3; ++c) rgba[i][c] = srgb_to_linear(rgba[i][c]);
    }
}

// Which component of the vec4 a channel stores; the first that reads it.
int component_of(const FormatInfo& info, int channel) {
    for (int c = 0; c < 4; ++c)
        if (info.source[c] == channel) return c;
    return -1;
}

void pack_texels(const FormatInfo& info, const float (*rgba)[4], int count, std::byte* texels, Rounding rounding) {
    assert(!info.compressed());
    for (int i = 0; i < count; ++i, texels += info.block_bytes) {
        if (info.kind == FormatKind::r9g9b9e5) {
            const std::uint32_t word = shared_exponent(rgba[i]);
            std::memcpy(texels, &word, 4);
            continue;
        }
        for (int k = 0; k < info.channel_count; ++k) {
            const Channel channel = info.channels[k];
            const int component = component_of(info, k);
            if (channel.type == ChannelType::none || component < 0) continue;
            const bool encoded = info.srgb && component < 3;
            const float value = encoded ? linear_to_srgb(rgba[i][component]) : rgba[i][component];
            store_channel(texels, info.block_bytes, channel, channel_raw(channel, value, rounding));
        }
    }
}

}  // namespace

void unpack_floats(const FormatInfo& info, const std::byte* texels, int count, float (*rgba)[4]) {
    assert(!info.compressed());
    if (info.unorm_bytes) return unpack_bytes(info, texels, count, rgba);
    if (info.kind == FormatKind::r9g9b9e5) return unpack_shared_exponent(texels, count, rgba);
    unpack_general(info, texels, count, rgba);
}

void pack_floats(const FormatInfo& info, const float (*rgba)[4], int count, std::byte* texels) {
    pack_texels(info, rgba, count, texels, Rounding::of_drawing);
}

void pack_clear(const FormatInfo& info, const float rgba[4], std::byte* texel) {
    const float colours[1][4] = {{rgba[0], rgba[1], rgba[2], rgba[3]}};
    const bool depth = info.kind == FormatKind::depth_stencil;
    pack_texels(info, colours, 1, texel, depth ? Rounding::exact : Rounding::of_clears);
}

void unpack_integers(const FormatInfo& info, const std::byte* texels, int count, std::uint32_t (*rgba)[4]) {
    assert(!info.compressed());
    // Depth-stencil formats: the stencil.
    std::uint8_t source[4] = {info.source[0], info.source[1], info.source[2], info.source[3]};
    if (info.kind == FormatKind::depth_stencil) source[0] = source[1] = source[2] = 1;
    for (int i = 0; i < count; ++i, texels += info.block_bytes) {
        std::uint32_t values[6] = {0, 0, 0, 0, 0, 1};
        for (int k = 0; k < info.channel_count; ++k) {
            const Channel channel = info.channels[k];
            if (channel.type != ChannelType::uint && channel.type != ChannelType::sint) continue;
            const std::uint64_t raw = load_channel(texels, info.block_bytes, channel);
            values[k] = channel.type == ChannelType::sint ? static_cast<std::uint32_t>(sign_extend(raw, channel.bits))
                                                          : static_cast<std::uint32_t>(raw);
        }
        for (int c = 0; c < 4; ++c) rgba[i][c] = values[source[c]];
    }
}

void pack_integers(const FormatInfo& info, const std::uint32_t (*rgba)[4], int count, std::byte* texels) {
    assert(!info.compressed());
    for (int i = 0; i < count; ++i, texels += info.block_bytes) {
        for (int k = 0; k < info.channel_count; ++k) {
            const Channel channel = info.channels[k];
            const int component = info.kind == FormatKind::depth_stencil ? (k == 1 ? 0 : -1) : component_of(info, k);
            if (component < 0) continue;
            const std::uint32_t value = rgba[i][component];
            if (channel.type == ChannelType::uint) {
                store_channel(texels, info.block_bytes, channel,
                              std::min<std::uint64_t>(value, low_bits(channel.bits)));
            } else if (channel.type == ChannelType::sint) {
                const auto half = static_cast<std::int64_t>(low_bits(channel.bits - 1U));
                const auto wide = static_cast<std::int64_t>(static_cast<std::int32_t>(value));
                store_channel(texels, info.block_bytes, channel,
                              static_cast<std::uint64_t>(std::clamp(wide, -half - 1, half)));
            }
        }
    }
}

}  // namespace models::functional
