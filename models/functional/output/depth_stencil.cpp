#include "models/functional/output/depth_stencil.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "models/functional/texture/compare.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

// A depth buffer's texel: its word, and where depth and stencil lie in it. Depth is compared as `Depth`.
template <class WordType, unsigned DepthBits, unsigned DepthShift, int StencilShift>
struct UnormDepth {
    using Word = WordType;
    using Depth = std::uint32_t;
    static constexpr int stencil_shift = StencilShift;
    static constexpr Depth mask = DepthBits == 32 ? ~0U : (1U << DepthBits) - 1U;

    static Depth quantise(float depth) {
        if constexpr (DepthBits == 16) return to_unorm(depth, 16);
        if constexpr (DepthBits == 24) return to_depth24(depth);
        return to_depth32(depth);
    }
    static Depth depth(Word word) { return (static_cast<Depth>(word) >> DepthShift) & mask; }
    static Word with_depth(Word word, Depth depth) {
        return static_cast<Word>((static_cast<Depth>(word) & ~(mask << DepthShift)) | (depth << DepthShift));
    }
};

template <class WordType, int StencilShift>
struct FloatDepth {
    using Word = WordType;
    using Depth = float;
    static constexpr int stencil_shift = StencilShift;

    static Depth quantise(float depth) { return std::clamp(depth, 0.0F, 1.0F); }  // floats, too, hold no others
    static Depth depth(Word word) { return std::bit_cast<float>(static_cast<std::uint32_t>(word)); }
    static Word with_depth(Word word, Depth depth) {
        return (word & ~static_cast<Word>(0xffffffffU)) | std::bit_cast<std::uint32_t>(depth);
    }
};

// Only stencil.
template <class WordType, int StencilShift>
struct NoDepth {
    using Word = WordType;
    using Depth = std::uint32_t;
    static constexpr int stencil_shift = StencilShift;

    static Depth quantise(float) { return 0; }
    static Depth depth(Word) { return 0; }
    static Word with_depth(Word word, Depth) { return word; }
};

std::uint8_t operate(StencilOperation operation, std::uint8_t value, std::uint8_t reference) {
    switch (operation) {
        case StencilOperation::keep:
            return value;
        case StencilOperation::zero:
            return 0;
        case StencilOperation::replace:
            return reference;
        case StencilOperation::increment:
            return static_cast<std::uint8_t>(value == 255 ? 255 : value + 1);
        case StencilOperation::decrement:
            return static_cast<std::uint8_t>(value == 0 ? 0 : value - 1);
        case StencilOperation::increment_wrap:
            return static_cast<std::uint8_t>(value + 1);
        case StencilOperation::decrement_wrap:
            return static_cast<std::uint8_t>(value - 1);
        case StencilOperation::invert:
            return static_cast<std::uint8_t>(~value);
    }
    return value;
}

}  // namespace

DepthStencilUnit::DepthStencilUnit(const DepthStencilState& state, const SurfaceView& surface)
    : state_(state),
      surface_(surface) {
    assert(surface.format != nullptr && surface.format->kind == FormatKind::depth_stencil);
    depth_test_ = state.depth_test && surface.format->depth;
    stencil_test_ = state.stencil[0].enabled && surface.format->stencil;
    if (!state_.stencil[1].enabled) {
        state_.stencil[1] = state_.stencil[0];
        state_.reference[1] = state_.reference[0];
    }
}

bool DepthStencilUnit::changes_on_failure() const {
    const auto changes = [](const StencilFace& face) {
        constexpr auto keep = StencilOperation::keep;
        return face.write_mask != 0 && (face.fail != keep || face.depth_fail != keep);
    };
    return stencil_test_ && (changes(state_.stencil[0]) || changes(state_.stencil[1]));
}

bool DepthStencilUnit::writes_stencil() const {
    const auto changes = [](const StencilFace& face) {
        return face.write_mask != 0 && face.pass != StencilOperation::keep;
    };
    return changes_on_failure() || (stencil_test_ && (changes(state_.stencil[0]) || changes(state_.stencil[1])));
}

template <class DepthFormat>
bool DepthStencilUnit::test_texel(std::byte* texel, typename DepthFormat::Depth incoming, std::size_t face_index,
                                  bool updates) const {
    typename DepthFormat::Word word{};
    std::memcpy(&word, texel, sizeof word);
    const auto old = word;
    const bool depth_passes = !depth_test_ || compares(state_.depth_function, incoming, DepthFormat::depth(word));
    bool passes = depth_passes;
    if constexpr (DepthFormat::stencil_shift >= 0) {
        if (stencil_test_) {
            const StencilFace& face = state_.stencil[face_index];
            const std::uint8_t reference = state_.reference[face_index];
            const auto stored = static_cast<std::uint8_t>(word >> DepthFormat::stencil_shift);
            const auto masked = [&](std::uint8_t value) { return static_cast<std::uint8_t>(value & face.value_mask); };
            const bool stencil_passes = compares(face.function, masked(reference), masked(stored));
            const StencilOperation operation = !stencil_passes ? face.fail : depth_passes ? face.pass : face.depth_fail;
            const std::uint8_t result = operate(operation, stored, reference);
            const auto written = static_cast<std::uint8_t>((stored & ~face.write_mask) | (result & face.write_mask));
            using Word = typename DepthFormat::Word;
            word = static_cast<Word>((word & ~(Word{0xff} << DepthFormat::stencil_shift)) |
                                     (Word{written} << DepthFormat::stencil_shift));
            passes = stencil_passes && depth_passes;
        }
    }
    if (passes && depth_test_ && state_.depth_write) word = DepthFormat::with_depth(word, incoming);
    if (updates && word != old) std::memcpy(texel, &word, sizeof word);
    return passes;
}

template <class DepthFormat>
LaneMask DepthStencilUnit::test_as(const QuadPositions& quads, LaneMask covered, const float* depth, LaneMask back,
                                   std::uint32_t sample, LaneMask updates) const {
    const SurfaceView surface = surface_.sample(sample);
    typename DepthFormat::Depth incoming[batch_lanes] = {};
    for (int lane = 0; lane < 4 * quads.count; ++lane) incoming[lane] = DepthFormat::quantise(depth[lane]);
    LaneMask passed = 0;
    for (int q = 0; q < quads.count; ++q) {
        const auto lanes = static_cast<unsigned>(covered >> (4 * q)) & 0xfU;
        if (lanes == 0) continue;
        const auto away = static_cast<unsigned>(back >> (4 * q));
        std::byte* row = surface.texel(quads.x[q], quads.y[q]);
        unsigned passes = 0;
        for (unsigned i = 0; i < 4; ++i) {
            std::byte* const texel = row + (i & 1U) * sizeof(typename DepthFormat::Word);
            if (i == 1) row += surface.row_bytes;
            if ((lanes >> i & 1U) == 0) continue;
            const auto depth_of_lane = incoming[4 * q + static_cast<int>(i)];
            const bool changes = (updates >> (4 * q) >> i & 1U) != 0;
            passes |= (test_texel<DepthFormat>(texel, depth_of_lane, away >> i & 1U, changes) ? 1U : 0U) << i;
        }
        passed |= LaneMask{passes} << (4 * q);
    }
    return passed;
}

LaneMask DepthStencilUnit::test(const QuadPositions& quads, LaneMask covered, const float* depth, LaneMask back,
                                std::uint32_t sample, LaneMask updates) const {
    if (!active()) return covered;
    using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
    switch (surface_.format->format) {
        case Format::z16_unorm:
            return test_as<UnormDepth<uint16_t, 16, 0, -1>>(quads, covered, depth, back, sample, updates);
        case Format::z32_unorm:
            return test_as<UnormDepth<uint32_t, 32, 0, -1>>(quads, covered, depth, back, sample, updates);
        case Format::z24_unorm_s8_uint:
            return test_as<UnormDepth<uint32_t, 24, 0, 24>>(quads, covered, depth, back, sample, updates);
        case Format::s8_uint_z24_unorm:
            return test_as<UnormDepth<uint32_t, 24, 8, 0>>(quads, covered, depth, back, sample, updates);
        case Format::z24x8_unorm:
            return test_as<UnormDepth<uint32_t, 24, 0, -1>>(quads, covered, depth, back, sample, updates);
        case Format::x8z24_unorm:
            return test_as<UnormDepth<uint32_t, 24, 8, -1>>(quads, covered, depth, back, sample, updates);
        case Format::z32_float:
            return test_as<FloatDepth<uint32_t, -1>>(quads, covered, depth, back, sample, updates);
        case Format::z32_float_s8x24_uint:
            return test_as<FloatDepth<uint64_t, 32>>(quads, covered, depth, back, sample, updates);
        case Format::s8_uint:
            return test_as<NoDepth<uint8_t, 0>>(quads, covered, depth, back, sample, updates);
        case Format::x24s8_uint:
            return test_as<NoDepth<uint32_t, 24>>(quads, covered, depth, back, sample, updates);
        case Format::s8x24_uint:
            return test_as<NoDepth<uint32_t, 0>>(quads, covered, depth, back, sample, updates);
        case Format::x32_s8x24_uint:
            return test_as<NoDepth<uint64_t, 32>>(quads, covered, depth, back, sample, updates);
        default:
            assert(false && "every depth and stencil format is listed");
            return covered;
    }
}

void DepthStencilUnit::keys(const float* depth, int lanes, std::uint32_t* keys) const {
    constexpr std::uint32_t sign = 0x80000000U;
    for (int i = 0; i < lanes; ++i) {
        switch (surface_.format->format) {
            case Format::z16_unorm:
                keys[i] = to_unorm(depth[i], 16);
                break;
            case Format::z32_unorm:
                keys[i] = to_depth32(depth[i]);
                break;
            case Format::z32_float:
            case Format::z32_float_s8x24_uint: {
                const auto bits = std::bit_cast<std::uint32_t>(depth[i] + 0.0F);  // -0 is 0
                keys[i] = (bits & sign) != 0 ? ~bits : bits | sign;
                break;
            }
            default:
                keys[i] = to_depth24(depth[i]);
                break;
        }
    }
}

LaneMask alpha_test(CompareFunction function, float reference, const float* alpha, LaneMask covered) {
    LaneMask passed = 0;
    for (int lane = 0; lane < batch_lanes; ++lane)
        passed |= LaneMask{compares(function, alpha[lane], reference)} << lane;
    return passed & covered;
}

}  // namespace models::functional
