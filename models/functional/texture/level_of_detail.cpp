#include "models/functional/texture/level_of_detail.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

constexpr float unlimited = 15;  // max_lod from here on has no effect: there are no more levels

bool fixed_lod(const SamplerState& sampler) {
    return sampler.min_lod == sampler.max_lod;
}

bool adjusts(const SamplerState& sampler) {
    return sampler.lod_bias != 0 || sampler.max_lod < unlimited || sampler.min_lod > 0;
}

int exponent_of(float x) {
    return static_cast<int>((std::bit_cast<std::uint32_t>(x) >> 23) & 0xffU) - 127;
}

}  // namespace

void squared_scale(const BoundTexture& texture, const CoordinateGradient& gradient, int count, float* scale) {
    const BoundLevel& base = texture.level(texture.first_level);
    const int sizes[3] = {base.width, base.height, base.depth};
    assert(texture.dimensions <= 3);
    float squared[2][batch_lanes] = {};
    for (int axis = 0; axis < texture.dimensions; ++axis) {
        const float size = texture.normalised ? static_cast<float>(sizes[axis]) : 1.0F;
        for (int direction = 0; direction < 2; ++direction) {
            for (int i = 0; i < count; ++i) {
                const float texels = gradient.d[direction][axis][i] * size;
                squared[direction][i] += texels * texels;
            }
        }
    }
    const auto choose = [&](auto chosen) {
        for (int i = 0; i < count; ++i) {
            const float value = chosen(squared[0][i], squared[1][i]);
            scale[i] = std::fabs(value) <= std::numeric_limits<float>::max() ? value : 0.0F;
        }
    };
    if (texture.anisotropic)
        choose([](float x, float y) { return std::min(x, y); });
    else
        choose([](float x, float y) { return std::max(x, y); });
}

float half_log2(float squared) {
    const auto bits = std::bit_cast<std::uint32_t>(squared);
    const auto mantissa = std::bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U);  // 1..2
    return 0.5F * (static_cast<float>(exponent_of(squared) - 1) + mantissa);
}

float raw_lod(const BoundTexture& texture, const LodInput& input, int i) {
    float lod = input.scale != nullptr ? half_log2(input.scale[i]) : 0.0F;
    if (input.lod != nullptr) lod += input.lod[i];
    return lod + texture.sampler.lod_bias;
}

void clamped_lods(const BoundTexture& texture, const LodInput& input, int count, float* lods) {
    const SamplerState& sampler = texture.sampler;
    if (fixed_lod(sampler)) {
        std::fill_n(lods, count, sampler.min_lod);
        return;
    }
    for (int i = 0; i < count; ++i) lods[i] = input.scale != nullptr ? half_log2(input.scale[i]) : 0.0F;
    for (int i = 0; input.lod != nullptr && i < count; ++i) lods[i] += input.lod[i];
    const bool least = sampler.min_lod > 0, most = sampler.max_lod < unlimited;
    for (int i = 0; i < count; ++i) {
        float lod = lods[i] + sampler.lod_bias;
        if (most) lod = std::min(lod, sampler.max_lod);
        if (least) lod = std::max(lod, sampler.min_lod);
        lods[i] = lod;
    }
}

void choose_levels(const BoundTexture& texture, const LodInput& input, int count, LevelChoice& choice) {
    const int first = texture.first_level, last = texture.last_level;
    // Without anything to add, the nearest level follows from the exponent alone.
    const bool by_exponent = texture.mip_filter == MipFilter::nearest && !texture.anisotropic &&
                             input.scale != nullptr && input.lod == nullptr && !adjusts(texture.sampler) &&
                             !fixed_lod(texture.sampler);
    float lods[batch_lanes];
    clamped_lods(texture, input, count, lods);
    for (int i = 0; i < count; ++i) choice.minified[i] = lods[i] > 0;
    std::fill_n(choice.weight, count, 0.0F);
    int levels[batch_lanes];
    if (texture.mip_filter == MipFilter::none) {
        std::fill_n(levels, count, first);
    } else if (texture.anisotropic) {
        for (int i = 0; i < count; ++i) levels[i] = first + truncated(lods[i]);
    } else if (by_exponent) {
        for (int i = 0; i < count; ++i) levels[i] = first + ((exponent_of(input.scale[i]) + 1) >> 1);
    } else if (texture.mip_filter == MipFilter::nearest) {
        for (int i = 0; i < count; ++i) levels[i] = first + rounded_to_even(lods[i]);
    } else {
        for (int i = 0; i < count; ++i) {
            const int whole = floored(lods[i]);
            levels[i] = first + whole;
            const bool between = levels[i] >= first && levels[i] < last;
            choice.weight[i] = between ? lods[i] - static_cast<float>(whole) : 0.0F;
        }
    }
    for (int i = 0; i < count; ++i) {
        choice.first[i] = std::min(std::max(levels[i], first), last);
        choice.second[i] = std::min(choice.first[i] + 1, last);
    }
}

}  // namespace models::functional
