// What a request costs a texture unit: the filter that ran, the level it read and its bilinear samples.
#include <limits>

#include "models/functional/texture/sampling.h"

namespace models::functional {

namespace {

constexpr int levels_per_unit = 256;  // steps of a level of detail

std::uint16_t lod_steps(int level, float weight_of_next) {
    const int steps = level * levels_per_unit + static_cast<int>(weight_of_next * levels_per_unit);
    return static_cast<std::uint16_t>(std::max(steps, 0));
}

}  // namespace

// Of a lane that filters, by its position in the work.
SampleCost Sampling::filter_cost(int j) const {
    const SampleWork& work = scratch_.work;
    const SamplerState& s = texture_.sampler;
    const bool any_linear = s.min_filter == ImageFilter::linear || s.mag_filter == ImageFilter::linear ||
                            texture_.mip_filter == MipFilter::linear;
    if (texture_.format->integer && any_linear) return {};  // reads as black
    if (texture_.anisotropic) {
        const int samples = std::max(1, (scratch_.ellipse_texels[j] + 3) / 4);
        return {static_cast<std::uint16_t>(std::min<int>(samples, std::numeric_limits<std::uint16_t>::max())),
                lod_steps(work.level[0][j], 0), TextureFilter::anisotropic};
    }
    const ImageFilter filter = scratch_.levels.minified[j] ? s.min_filter : s.mag_filter;
    const bool linear = filter == ImageFilter::linear;
    const bool mixed = texture_.mip_filter == MipFilter::linear && work.level_weight[j] > 0;
    const int slices = linear && texture_.dimensions == 3 ? 2 : 1;
    const TextureFilter within = linear ? TextureFilter::bilinear : TextureFilter::nearest;
    return {static_cast<std::uint16_t>(mixed ? 2 * slices : slices),
            lod_steps(work.level[0][j], mixed ? work.level_weight[j] : 0), mixed ? TextureFilter::trilinear : within};
}

SampleCost Sampling::cost_of(int j) const {
    switch (request_.operation) {
        case TextureOperation::size_query:
            return {0, 0, TextureFilter::size_query};
        case TextureOperation::lod_query:
            return {0, 0, TextureFilter::lod_query};
        case TextureOperation::gather:
            return {1, lod_steps(scratch_.work.level[0][j], 0), TextureFilter::gather};
        case TextureOperation::fetch:
            return {1, lod_steps(fetched_level(scratch_.work.lane[j]), 0), TextureFilter::fetch};
        default:
            return filter_cost(j);
    }
}

void Sampling::measure(std::array<SampleCost, batch_lanes>& groups) const {
    const SampleWork& work = scratch_.work;
    const int lanes = quads_ ? 4 : 1;
    int before = -1;  // the group of the lane before
    for (int j = 0; j < work.count; ++j) {
        const int lane = work.lane[j];
        if ((request_.active >> lane & 1U) == 0) continue;
        SampleCost& group = groups[static_cast<std::size_t>(lane / lanes)];
        const SampleCost cost = cost_of(j);
        const int samples = std::min<int>(group.samples + cost.samples, std::numeric_limits<std::uint16_t>::max());
        if (lane / lanes != before) group.lod = cost.lod;
        before = lane / lanes;
        group.samples = static_cast<std::uint16_t>(samples);
        group.filter = std::max(group.filter, cost.filter);
    }
}

}  // namespace models::functional
