// How texels of colour targets turn into values of the blend equation and back, for many lanes at once. Lanes that are
// not covered have any value. Used only by ColourOutput.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "models/functional/output/blend_arithmetic.h"
#include "models/functional/texture/format.h"

namespace models::functional {

// Texels of at most four bytes.
using TexelWords = std::uint32_t[batch_lanes];

inline bool is_normalised(const FormatInfo& format) {
    return format.type == ChannelType::unorm || format.type == ChannelType::snorm;
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
            if (from < format.channel_count)
                lanes.each([&](int i) { out[i] = static_cast<std::int16_t>((words[i] >> (8 * from)) & 0xffU); });
            else
                lanes.each([&](int i) { out[i] = from == source_one ? ByteArithmetic::one : std::int16_t{0}; });
        }
    }

    static void pack(const FormatInfo& format, const Values<ByteArithmetic>& colour, LaneRange lanes,
                     TexelWords& packed) {
        std::uint32_t* __restrict const out = packed;
        for (unsigned byte = 0; byte < 4; ++byte) {
            int c = 0;  // the first of the components that the byte stands for
            while (c < 4 && format.source[c] != byte) ++c;
            if (byte == 0) lanes.each([&](int i) { out[i] = 0; });
            if (c == 4) continue;
            const std::int16_t* const in = colour.c[c];
            lanes.each([&](int i) { out[i] |= static_cast<std::uint32_t>(in[i]) << (8 * byte); });
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

    static void pack(const FormatInfo& format, const Values<FloatArithmetic>& colour, int lane, std::byte* texel) {
        const float rgba[1][4] = {{colour.c[0][lane], colour.c[1][lane], colour.c[2][lane], colour.c[3][lane]}};
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
