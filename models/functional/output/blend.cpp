#include "models/functional/output/blend.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <string>

#include "engine/error.h"
#include "models/functional/output/blend_arithmetic.h"
#include "models/functional/output/blend_texels.h"
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

// Whether a logic operation depends on the target.
bool reads_target(LogicOperation operation) {
    using enum LogicOperation;
    return operation != clear && operation != set && operation != copy && operation != copy_inverted;
}

// Whether a source factor depends on the target. Alpha that is not stored is one.
bool reads_target(BlendFactor factor, bool of_alpha, bool stores_alpha) {
    using enum BlendFactor;
    switch (factor) {
        case target_colour:
        case inverse_target_colour:
            return !of_alpha || stores_alpha;
        case target_alpha:
        case inverse_target_alpha:
            return stores_alpha;
        case source_alpha_saturate:
            return !of_alpha && stores_alpha;
        default:
            return false;
    }
}

bool reads_target(BlendFunction function, BlendFactor source, BlendFactor target, bool of_alpha, bool stores_alpha) {
    if (function == BlendFunction::min || function == BlendFunction::max) return true;  // they have no factors
    return target != BlendFactor::zero || reads_target(source, of_alpha, stores_alpha);
}

// `channels`: those written, bit 0 is red.
bool reads_target(const TargetBlend& blend, std::uint8_t channels, bool stores_alpha) {
    constexpr unsigned alpha = 8;
    return ((channels & ~alpha) != 0 &&
            reads_target(blend.colour_function, blend.colour_source, blend.colour_target, false, stores_alpha)) ||
           ((channels & alpha) != 0 &&
            reads_target(blend.alpha_function, blend.alpha_source, blend.alpha_target, true, stores_alpha));
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

}  // namespace

ColourOutput::ColourOutput(const BlendState& state, const TargetBlend& target, const SurfaceView& surface)
    : target_(target),
      surface_(surface),
      logic_(state.logic) {
    const FormatInfo& format = *surface.format;
    const bool drawable = format.kind == FormatKind::plain || format.kind == FormatKind::r9g9b9e5;
    if (!drawable || format.block_bytes > sizeof(Texel))
        throw engine::InputError("unsupported format " + format_name(format.format) + " of a colour target");
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
    bytes_ = blends_in_bytes(format);

    writes_ = false;
    for (int k = 0; k < format.channel_count; ++k) {
        const Channel channel = format.channels[k];
        if (channel.type == ChannelType::none) continue;
        int component = 0;
        while (component < 4 && format.source[component] != k) ++component;
        const bool written = ((static_cast<unsigned>(target.colour_mask) >> component) & 1U) != 0;
        writes_ |= written;
        if (written && component < 4) channels_ = static_cast<std::uint8_t>(channels_ | 1U << component);
        partial_mask_ |= !written;
        for (unsigned bit = channel.shift; written && bit < channel.shift + unsigned{channel.bits}; ++bit)
            mask_.bytes[bit / 8] |= std::byte{1} << (bit % 8);
    }
    if (format.kind == FormatKind::r9g9b9e5) {
        channels_ = target.colour_mask & 7U;
        writes_ = channels_ != 0;
        if (writes_ && (target.colour_mask & 7U) != 7U)
            throw engine::InputError("a colour mask for one channel of R9G9B9E5_FLOAT, which shares its exponent");
        std::fill(mask_.bytes, mask_.bytes + 4, std::byte{0xff});
    }
    if (mode_ == Mode::logic) reads_target_ = reads_target(logic_);
    if (mode_ == Mode::blend) {
        const bool stores_alpha = format.source[3] < format.channel_count;
        reads_target_ = reads_target(target, channels_, stores_alpha);
    }
}

void ColourOutput::store(std::byte* texel, const Texel& value) const {
    const std::size_t bytes = surface_.format->block_bytes;
    if (bytes == 4 && (mode_ != Mode::logic || bytes_)) {
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
        if (mode_ == Mode::logic && !bytes_)
            result = std::byte{combine(logic_, static_cast<std::uint8_t>(result), static_cast<std::uint8_t>(texel[i]))};
        texel[i] = (texel[i] & ~mask_.bytes[i]) | (result & mask_.bytes[i]);
    }
}

namespace {

// Four bits are rounded from the eight of the result, so the bits of short channels are not what is combined.
void combine_lanes(LogicOperation operation, const Values<ByteArithmetic>& old, LaneRange lanes,
                   Values<ByteArithmetic>& values) {
    for (int c = 0; c < 4; ++c)
        lanes.each([&](int i) {
            values.c[c][i] =
                combine(operation, static_cast<std::uint8_t>(values.c[c][i]), static_cast<std::uint8_t>(old.c[c][i]));
        });
}

// The quads from `begin` that may be worked on at once, because no two of them are at the same place.
int end_of_run(const QuadPositions& quads, int begin) {
    std::array<std::uint64_t, 4> taken{};  // of the 16x16 quads of a tile; other tiles' at worst end the run early
    for (int q = begin; q < quads.count; ++q) {
        const unsigned x = quads.x[q] / 2U, y = quads.y[q] / 2U;
        const std::uint64_t bit = std::uint64_t{1} << (x % 16 + y % 4 * 16);
        std::uint64_t& places = taken[y / 4 % 4];
        if ((places & bit) != 0) return q;
        places |= bit;
    }
    return quads.count;
}

// Calls body(q, covered lanes of quad q, the texels of its two rows) for the quads that are covered at all.
template <class Body>
void each_quad(const SurfaceView& surface, const QuadPositions& quads, int begin, int end, LaneMask covered,
               Body body) {
    for (int q = begin; q < end; ++q) {
        const auto lanes = static_cast<unsigned>(covered >> (4 * q)) & 0xfU;
        if (lanes == 0) continue;
        std::byte* const row = surface.texel(quads.x[q], quads.y[q]);
        body(q, lanes, std::array<std::byte*, 2>{row, row + surface.row_bytes});
    }
}

constexpr unsigned whole_quad = 0xf;

// The texels of covered lanes, of at most four bytes.
void load_words(const SurfaceView& surface, const QuadPositions& quads, int begin, int end, LaneMask covered,
                TexelWords& words) {
    const std::size_t bytes = surface.format->block_bytes;
    each_quad(surface, quads, begin, end, covered, [&](int q, unsigned lanes, const auto& rows) {
        for (std::size_t row = 0; bytes == 4 && lanes == whole_quad && row < 2; ++row)
            std::memcpy(words + 4 * static_cast<std::size_t>(q) + 2 * row, rows[row], 8);
        for (std::size_t i = 0; (bytes != 4 || lanes != whole_quad) && i < 4; ++i) {
            if (((lanes >> i) & 1U) == 0) continue;
            std::memcpy(words + 4 * static_cast<std::size_t>(q) + i, rows[i / 2] + i % 2 * bytes, bytes);
        }
    });
}

}  // namespace

void ColourOutput::store_words(const SurfaceView& surface, const QuadPositions& quads, int begin, int end,
                               LaneMask covered, const std::uint32_t* words) const {
    const std::size_t bytes = surface.format->block_bytes;
    const bool whole = bytes == 4 && !partial_mask_;
    each_quad(surface, quads, begin, end, covered, [&](int q, unsigned lanes, const auto& rows) {
        const std::uint32_t* const texels = words + 4 * static_cast<std::size_t>(q);
        for (std::size_t row = 0; whole && lanes == whole_quad && row < 2; ++row)
            std::memcpy(rows[row], texels + 2 * row, 8);
        for (std::size_t i = 0; (!whole || lanes != whole_quad) && i < 4; ++i) {
            if (((lanes >> i) & 1U) == 0) continue;
            Texel packed;
            std::memcpy(packed.bytes, texels + i, 4);
            store(rows[i / 2] + i % 2 * bytes, packed);
        }
    });
}

void ColourOutput::write_run(const SurfaceView& surface, const QuadPositions& quads, int begin, int end,
                             LaneMask covered, const Vec4Lanes& colour, const Vec4Lanes& second) const {
    const FormatInfo& format = *surface.format;
    constexpr int step = LaneRange::step;
    const LaneRange lanes = {4 * begin / step * step, (4 * end + step - 1) / step * step};
    const auto blended = [&]<class A>(const Values<A>& old, Values<A>& values) {
        typename A::Value constant[4];
        for (int c = 0; c < 4; ++c) constant[c] = Conversion<A>::source(constant_[c], format);
        const Values<A> source = values;
        Values<A> other;
        if (second_source_) load_sources<A>(format, second, lanes, other);
        blend_lanes<A>(target_, format.channel_count == 1, {source, other, old, constant, lanes}, values);
    };
    if (bytes_) {
        alignas(64) TexelWords words = {};
        Values<ByteArithmetic> values;
        load_sources<ByteArithmetic>(format, colour, lanes, values);
        if (mode_ != Mode::copy) {
            Values<ByteArithmetic> old;
            load_words(surface, quads, begin, end, covered, words);
            Conversion<ByteArithmetic>::load(format, words, lanes, old);
            if (mode_ == Mode::blend)
                blended(old, values);
            else
                combine_lanes(logic_, old, lanes, values);
        }
        Conversion<ByteArithmetic>::pack(format, values, lanes, words);
        return store_words(surface, quads, begin, end, covered, words);
    }
    const auto each_covered = [&](auto body) {
        each_quad(surface, quads, begin, end, covered, [&](int q, unsigned bits, const auto& rows) {
            for (std::size_t i = 0; i < 4; ++i) {
                if (((bits >> i) & 1U) == 0) continue;
                body(4 * q + static_cast<int>(i), rows[i / 2] + i % 2 * format.block_bytes);
            }
        });
    };
    Values<FloatArithmetic> values;
    load_sources<FloatArithmetic>(format, colour, lanes, values);
    if (mode_ == Mode::blend) {
        Values<FloatArithmetic> old = {};
        each_covered(
            [&](int lane, const std::byte* texel) { Conversion<FloatArithmetic>::load(format, texel, old, lane); });
        blended(old, values);
    }
    each_covered([&](int lane, std::byte* texel) {
        Texel packed{};
        Conversion<FloatArithmetic>::pack(format, values, lane, packed.bytes);
        store(texel, packed);
    });
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
    for (int begin = 0, end = 0; begin < quads.count; begin = end) {
        end = mode_ != Mode::copy ? end_of_run(quads, begin) : quads.count;
        write_run(surface, quads, begin, end, covered, colour, other);
    }
}

}  // namespace models::functional
