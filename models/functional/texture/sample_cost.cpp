// What a request costs a texture unit: the filter that ran, the level it read and its bilinear samples.
#include <bit>
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

// What is the same for all lanes of a request that filters.
struct Sampling::FilterCosts {
    explicit FilterCosts(const BoundTexture& texture) {
        const SamplerState& s = texture.sampler;
        const int slices = texture.dimensions == 3 ? 2 : 1;
        const auto set = [&](SampleCost& cost, ImageFilter filter) {
            const bool linear = filter == ImageFilter::linear;
            cost.samples = static_cast<std::uint16_t>(linear ? slices : 1);
            cost.filter = linear ? TextureFilter::bilinear : TextureFilter::nearest;
        };
        set(magnified, s.mag_filter);
        set(minified, s.min_filter);
        mixes = texture.mip_filter == MipFilter::linear;
    }

    SampleCost magnified, minified;
    bool mixes = false;  // two levels, where a lane is between them
};

SampleCost Sampling::filter_cost(const FilterCosts& costs, int j) const {
    const SampleWork& work = scratch_.work;
    SampleCost cost = scratch_.levels.minified[j] ? costs.minified : costs.magnified;
    const float weight = costs.mixes ? work.level_weight[j] : 0;
    if (weight > 0) {
        cost.samples = static_cast<std::uint16_t>(2 * cost.samples);
        cost.filter = TextureFilter::trilinear;
    }
    cost.lod = lod_steps(work.level[0][j], weight);
    return cost;
}

SampleCost Sampling::ellipse_cost(int j) const {
    const int samples = std::max(1, (scratch_.ellipse_texels[j] + 3) / 4);
    return {static_cast<std::uint16_t>(std::min<int>(samples, std::numeric_limits<std::uint16_t>::max())),
            lod_steps(scratch_.work.level[0][j], 0), TextureFilter::anisotropic};
}

template <class CostOf>
void Sampling::add_costs(std::array<SampleCost, batch_lanes>& groups, const CostOf& cost_of) const {
    const SampleWork& work = scratch_.work;
    const int shift = std::countr_zero(static_cast<unsigned>(group_lanes_));
    unsigned before = batch_lanes;  // the group of the lane before
    for (int j = 0; j < work.count; ++j) {
        const unsigned lane = work.lane[j];
        if ((request_.active >> lane & 1U) == 0) continue;
        SampleCost& group = groups[lane >> shift];
        const SampleCost cost = cost_of(j);
        if (lane >> shift != before) group.lod = cost.lod;
        before = lane >> shift;
        const int samples = group.samples + cost.samples;
        group.samples = static_cast<std::uint16_t>(std::min<int>(samples, std::numeric_limits<std::uint16_t>::max()));
        group.filter = std::max(group.filter, cost.filter);
    }
}

void Sampling::measure(std::array<SampleCost, batch_lanes>& groups) const {
    const auto level = [&](int j) { return lod_steps(scratch_.work.level[0][j], 0); };
    switch (request_.operation) {
        case TextureOperation::size_query:
            return add_costs(groups, [](int) { return SampleCost{0, 0, TextureFilter::size_query}; });
        case TextureOperation::lod_query:
            return add_costs(groups, [](int) { return SampleCost{0, 0, TextureFilter::lod_query}; });
        case TextureOperation::gather:
            return add_costs(groups, [&](int j) { return SampleCost{1, level(j), TextureFilter::gather}; });
        case TextureOperation::fetch:
            return add_costs(groups, [&](int j) {
                return SampleCost{1, lod_steps(fetched_level(scratch_.work.lane[j]), 0), TextureFilter::fetch};
            });
        default:
            break;
    }
    if (reads_black()) return;
    if (texture_.anisotropic) return add_costs(groups, [&](int j) { return ellipse_cost(j); });
    const FilterCosts costs(texture_);
    add_costs(groups, [&](int j) { return filter_cost(costs, j); });
}

}  // namespace models::functional
