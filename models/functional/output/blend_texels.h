// How texels of colour targets turn into values of the blend equation and back, for many lanes at once. Lanes that are
// not covered have any value. Used only by ColourOutput.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "models/functional/output/blend_arithmetic.h"
#include "models/functional/texture/format.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

// Texels of at most four bytes.
using TexelWords = std::uint32_t[batch_lanes];

inline bool is_normalised(const FormatInfo& format) {
    return format.type == ChannelType::unorm || format.type == ChannelType::snorm;
}

// Whether the reference blends in bytes: all channels are unsigned, normalised and of at most 8 bits.
inline bool blends_in_bytes(const FormatInfo& format) {
    if (format.kind != FormatKind::plain || format.type != ChannelType::unorm || format.srgb) return false;
    if (format.block_bytes > sizeof(std::uint32_t)) return false;
    return std::all_of(format.channels, format.channels + format.channel_count,
                       [](const Channel& channel) { return channel.bits <= 8; });
}

// Whether it works in 16 bits and gives channels what is left of them, as for 10_10_10_2.
inline bool packs_from_16_bits(const FormatInfo& format) {
    if (format.kind != FormatKind::plain || format.type != ChannelType::unorm || format.srgb) return false;
    const auto& channels = format.channels;
    return std::all_of(channels, channels + format.channel_count, [](const Channel& c) { return c.bits < 16; }) &&
           std::any_of(channels, channels + format.channel_count, [](const Channel& c) { return c.bits > 8; });
}

// A normalised number of fewer bits from one of `from`: cut off, but rounded where it is much shorter. Four bits from
// eight are rounded to nearest.
inline std::uint32_t shorten(std::uint32_t value, unsigned from, unsigned bits) {
    const unsigned less = from - bits;
    if (less == 0) return value;
    if (bits == 4 && from == 8) return (value + 8) / 17;
    if (less <= bits) return value >> less;
    return ((value >> bits) * ((1U << bits) - 1) + (1U << (less - 1))) >> less;
}

template <class A>
struct Conversion;

template <>
struct Conversion<ByteArithmetic> {
    static std::int16_t source(float value, const FormatInfo&) {
        const float clamped = value > 0 ? std::min(value, 1.0F) : 0.0F;
        // Rounded to nearest, halves to even: the sum leaves the integer in the low bits.
        return static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(clamped * 255.0F + 0x1.8p23F) & 0xffU);
    }

    static void load(const FormatInfo& format, const TexelWords& words, LaneRange lanes,
                     Values<ByteArithmetic>& colour) {
        for (int c = 0; c < 4; ++c) {
            const unsigned from = format.source[c];
            std::int16_t* __restrict const out = colour.c[c];
            const Channel channel = format.channels[from < 4 ? from : 0];
            const unsigned shift = channel.shift, bits = channel.bits;
            if (from < format.channel_count && bits == 8)
                lanes.each([&](int i) { out[i] = static_cast<std::int16_t>((words[i] >> shift) & 0xffU); });
            else if (from < format.channel_count)
                lanes.each([&](int i) {
                    const std::uint32_t value = (words[i] >> shift) & ((1U << bits) - 1);
                    out[i] = static_cast<std::int16_t>(repeated_in_byte(value, bits));
                });
            else
                lanes.each([&](int i) { out[i] = from == source_one ? ByteArithmetic::one : std::int16_t{0}; });
        }
    }

    static void pack(const FormatInfo& format, const Values<ByteArithmetic>& colour, LaneRange lanes,
                     TexelWords& packed) {
        std::uint32_t* __restrict const out = packed;
        lanes.each([&](int i) { out[i] = 0; });
        for (int k = 0; k < format.channel_count; ++k) {
            int c = 0;  // the first of the components that the channel stands for
            while (c < 4 && format.source[c] != k) ++c;
            if (c == 4) continue;
            const std::int16_t* const in = colour.c[c];
            const unsigned shift = format.channels[k].shift, bits = format.channels[k].bits;
            if (bits == 8)
                lanes.each([&](int i) { out[i] |= static_cast<std::uint32_t>(in[i]) << shift; });
            else
                lanes.each([&](int i) { out[i] |= shorten(static_cast<std::uint32_t>(in[i]), 8, bits) << shift; });
        }
    }
};

template <>
struct Conversion<FloatArithmetic> {
    static float source(float value, const FormatInfo& format) {
        if (!is_normalised(format)) return value;
        const float least = format.type == ChannelType::snorm ? -1.0F : 0.0F;
        return value > least ? std::min(value, 1.0F) : (std::isnan(value) ? 0.0F : least);
    }

    static void load(const FormatInfo& format, const std::byte* texel, Values<FloatArithmetic>& colour, int lane) {
        float rgba[1][4];
        unpack_floats(format, texel, 1, rgba);
        for (int c = 0; c < 4; ++c) colour.c[c][lane] = rgba[0][c];
    }

    static void pack_from_16_bits(const FormatInfo& format, const float (&rgba)[4], std::byte* texel) {
        std::uint32_t word = 0;
        for (unsigned c = 0; c < 4; ++c) {
            if (format.source[c] >= format.channel_count) continue;
            const Channel channel = format.channels[format.source[c]];
            word |= shorten(to_unorm(rgba[c], 16), 16, channel.bits) << channel.shift;
        }
        std::memcpy(texel, &word, sizeof word);
    }

    static void pack(const FormatInfo& format, const Values<FloatArithmetic>& colour, int lane, std::byte* texel) {
        const float rgba[1][4] = {{colour.c[0][lane], colour.c[1][lane], colour.c[2][lane], colour.c[3][lane]}};
        if (packs_from_16_bits(format)) return pack_from_16_bits(format, rgba[0], texel);
        pack_floats(format, rgba, 1, texel);
    }
};

template <class A>
void load_sources(const FormatInfo& format, const Vec4Lanes& from, LaneRange lanes, Values<A>& to) {
    for (int c = 0; c < 4; ++c) {
        const float* const in = from.c[c];
        auto* __restrict const out = to.c[c];
        lanes.each([&](int i) { out[i] = Conversion<A>::source(in[i], format); });
    }
}

}  // namespace models::functional
