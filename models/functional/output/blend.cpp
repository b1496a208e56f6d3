#include "models/functional/output/blend.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <string>

#include "engine/error.h"
#include "models/functional/output/blend_arithmetic.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

std::uint8_t combine(LogicOperation operation, std::uint8_t s, std::uint8_t d) {
    using enum LogicOperation;
    unsigned result = 0;
    switch (operation) {
        case clear:
            result = 0;
            break;
        case nor:
            result = ~(unsigned{s} | d);
            break;
        case and_inverted:
            result = ~unsigned{s} & d;
            break;
        case copy_inverted:
            result = ~unsigned{s};
            break;
        case and_reverse:
            result = s & ~unsigned{d};
            break;
        case invert:
            result = ~unsigned{d};
            break;
        case exclusive_or:
            result = unsigned{s} ^ d;
            break;
        case nand:
            result = ~(unsigned{s} & d);
            break;
        case conjunction:
            result = unsigned{s} & d;
            break;
        case equivalent:
            result = ~(unsigned{s} ^ d);
            break;
        case no_operation:
            result = d;
            break;
        case or_inverted:
            result = ~unsigned{s} | d;
            break;
        case copy:
            result = s;
            break;
        case or_reverse:
            result = s | ~unsigned{d};
            break;
        case disjunction:
            result = unsigned{s} | d;
            break;
        case set:
            result = 0xff;
            break;
    }
    return static_cast<std::uint8_t>(result);
}

bool uses_second_source(BlendFactor factor) {
    using enum BlendFactor;
    return factor == source1_colour || factor == source1_alpha || factor == inverse_source1_colour ||
           factor == inverse_source1_alpha;
}

bool is_valid(BlendFactor factor) {
    const auto number = static_cast<unsigned>(factor);
    return (number >= 0x01 && number <= 0x0a) || (number >= 0x11 && number <= 0x15) ||
           (number >= 0x17 && number <= 0x1a);
}

void check(const TargetBlend& target) {
    for (const BlendFactor factor :
         {target.colour_source, target.colour_target, target.alpha_source, target.alpha_target}) {
        if (!is_valid(factor)) {
            throw engine::InputError("blend factor " + std::to_string(static_cast<unsigned>(factor)) +
                                     " does not exist");
        }
    }
}

bool is_normalised(const FormatInfo& format) {
    return format.type == ChannelType::unorm || format.type == ChannelType::snorm;
}

std::int32_t to_byte(float value) {
    const float clamped = value > 0 ? std::min(value, 1.0F) : 0.0F;
    return rounded_to_even(clamped * 255.0F);
}

}  // namespace

ColourOutput::ColourOutput(const BlendState& state, const TargetBlend& target, const SurfaceView& surface)
    : target_(target),
      surface_(surface),
      logic_(state.logic) {
    const FormatInfo& format = *surface.format;
    const bool drawable = format.kind == FormatKind::plain || format.kind == FormatKind::r9g9b9e5;
    if (!drawable || format.block_bytes > sizeof(Texel)) {
        throw engine::InputError("unsupported format " + format_name(format.format) + " of a colour target");
    }
    const bool bitwise = !format.srgb && format.type != ChannelType::floating;
    if (state.logic_enabled && bitwise) {
        mode_ = Mode::logic;
    } else if (target.enabled && !format.integer && !state.logic_enabled) {
        check(target);
        mode_ = Mode::blend;
        second_source_ = uses_second_source(target.colour_source) || uses_second_source(target.colour_target) ||
                         uses_second_source(target.alpha_source) || uses_second_source(target.alpha_target);
    }
    for (std::size_t c = 0; c < 4; ++c) {
        const float value = state.constant[c];
        constant_[c] =
            is_normalised(format) ? std::clamp(value, format.type == ChannelType::snorm ? -1.0F : 0.0F, 1.0F) : value;
    }
    bytes_ = format.unorm_bytes && !format.srgb;

    writes_ = false;
    for (int k = 0; k < format.channel_count; ++k) {
        const Channel channel = format.channels[k];
        if (channel.type == ChannelType::none) continue;
        int component = 0;
        while (component < 4 && format.source[component] != k) ++component;
        const bool written = ((static_cast<unsigned>(target.colour_mask) >> component) & 1U) != 0;
        writes_ |= written;
        partial_mask_ |= !written;
        for (unsigned bit = channel.shift; written && bit < channel.shift + unsigned{channel.bits}; ++bit) {
            mask_.bytes[bit / 8] |= std::byte{1} << (bit % 8);
        }
    }
    if (format.kind == FormatKind::r9g9b9e5) {
        writes_ = (target.colour_mask & 7U) != 0;
        if (writes_ && (target.colour_mask & 7U) != 7U) {
            throw engine::InputError("a colour mask for one channel of R9G9B9E5_FLOAT, which shares its exponent");
        }
        std::fill(mask_.bytes, mask_.bytes + 4, std::byte{0xff});
    }
}

void ColourOutput::store(std::byte* texel, const Texel& value) const {
    const std::size_t bytes = surface_.format->block_bytes;
    if (bytes == 4 && mode_ != Mode::logic) {
        std::uint32_t old = 0, mask = 0, fresh = 0;
        std::memcpy(&old, texel, 4);
        std::memcpy(&mask, mask_.bytes, 4);
        std::memcpy(&fresh, value.bytes, 4);
        fresh = (old & ~mask) | (fresh & mask);
        std::memcpy(texel, &fresh, 4);
        return;
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        std::byte result = value.bytes[i];
        if (mode_ == Mode::logic) {
            result = std::byte{combine(logic_, static_cast<std::uint8_t>(result), static_cast<std::uint8_t>(texel[i]))};
        }
        texel[i] = (texel[i] & ~mask_.bytes[i]) | (result & mask_.bytes[i]);
    }
}

namespace {

// How texels turn into values of an arithmetic and back.
template <class A>
struct Conversion;

template <>
struct Conversion<ByteArithmetic> {
    static std::int32_t source(float value, const FormatInfo&) { return to_byte(value); }

    static void load(const FormatInfo& format, const std::byte* texel, QuadColour<std::int32_t>& colour, int lane) {
        std::int32_t values[6] = {0, 0, 0, 0, 0, 255};
        for (int k = 0; k < format.channel_count; ++k) values[k] = static_cast<std::int32_t>(texel[k]);
        for (int c = 0; c < 4; ++c) colour.c[c][lane] = values[format.source[c]];
    }

    static void pack(const FormatInfo& format, const QuadColour<std::int32_t>& colour, int lane, std::byte* texel) {
        for (int c = 3; c >= 0; --c) {
            if (format.source[c] < 4) texel[format.source[c]] = static_cast<std::byte>(colour.c[c][lane]);
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

    static void load(const FormatInfo& format, const std::byte* texel, QuadColour<float>& colour, int lane) {
        float rgba[1][4];
        unpack_floats(format, texel, 1, rgba);
        for (int c = 0; c < 4; ++c) colour.c[c][lane] = rgba[0][c];
    }

    static void pack(const FormatInfo& format, const QuadColour<float>& colour, int lane, std::byte* texel) {
        const float rgba[1][4] = {{colour.c[0][lane], colour.c[1][lane], colour.c[2][lane], colour.c[3][lane]}};
        pack_floats(format, rgba, 1, texel);
    }
};

}  // namespace

template <class A>
void ColourOutput::write_as(const SurfaceView& surface, const QuadPositions& quads, LaneMask covered,
                            const Vec4Lanes& colour, const Vec4Lanes& second) const {
    const FormatInfo& format = *surface.format;
    typename A::Value constant[4];
    for (int c = 0; c < 4; ++c) constant[c] = Conversion<A>::source(constant_[c], format);
    for (int q = 0; q < quads.count; ++q) {
        const auto lanes = static_cast<unsigned>(covered >> (4 * q)) & 0xfU;
        if (lanes == 0) continue;
        std::byte* rows[2] = {surface.texel(quads.x[q], quads.y[q]), nullptr};
        rows[1] = rows[0] + surface.row_bytes;
        const auto texel = [&](int i) { return rows[i >> 1] + (i & 1) * format.block_bytes; };
        const auto load = [&](const Vec4Lanes& from, Values<A>& to) {
            for (int c = 0; c < 4; ++c) {
                for (int i = 0; i < 4; ++i) to.c[c][i] = Conversion<A>::source(from.c[c][4 * q + i], format);
            }
        };
        Values<A> values;
        load(colour, values);
        if (mode_ == Mode::blend) {
            const Values<A> source = values;
            Values<A> old{}, other{};
            for (int i = 0; i < 4; ++i) {
                if (((lanes >> i) & 1U) != 0) Conversion<A>::load(format, texel(i), old, i);
            }
            if (second_source_) load(second, other);
            blend_quad<A>(target_, format.channel_count == 1, {source, other, old, constant}, values);
        }
        for (int i = 0; i < 4; ++i) {
            if (((lanes >> i) & 1U) == 0) continue;
            Texel packed{};
            Conversion<A>::pack(format, values, i, packed.bytes);
            store(texel(i), packed);
        }
    }
}

void ColourOutput::write_integers(const SurfaceView& surface, const QuadPositions& quads, LaneMask covered,
                                  const Vec4Lanes& colour) const {
    for (int lane = 0; lane < 4 * quads.count; ++lane) {
        if (((covered >> lane) & 1U) == 0) continue;
        std::uint32_t rgba[1][4];
        for (int c = 0; c < 4; ++c) rgba[0][c] = std::bit_cast<std::uint32_t>(colour.c[c][lane]);
        Texel packed{};
        pack_integers(*surface.format, rgba, 1, packed.bytes);
        const auto q = static_cast<std::size_t>(lane) / 4;
        const auto i = static_cast<std::uint32_t>(lane) % 4;
        store(surface.texel(quads.x[q] + (i & 1U), quads.y[q] + (i >> 1U)), packed);
    }
}

void ColourOutput::write(const QuadPositions& quads, LaneMask covered, const Vec4Lanes& colour, std::uint32_t sample,
                         const Vec4Lanes* second) const {
    if (!writes_) return;
    const SurfaceView surface = surface_.sample(sample);
    if (surface.format->integer) return write_integers(surface, quads, covered, colour);
    const Vec4Lanes& other = second != nullptr ? *second : colour;
    if (bytes_) return write_as<ByteArithmetic>(surface, quads, covered, colour, other);
    write_as<FloatArithmetic>(surface, quads, covered, colour, other);
}

}  // namespace models::functional
