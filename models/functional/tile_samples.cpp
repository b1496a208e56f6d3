// What a tile's worker does sample by sample, in a framebuffer with several samples a pixel.
#include <bit>

#include "models/functional/tile_worker.h"

namespace models::functional {

namespace {

LaneMask any_sample(const std::array<LaneMask, multisamples>& samples) {
    LaneMask any = 0;
    for (const LaneMask lanes : samples) any |= lanes;
    return any;
}

}  // namespace

// The quads in sampled_, of the primitive in slot_.
void TileWorker::rasterise_samples(const SetupPrimitive& primitive) {
    std::uint16_t drawn = 0;
    for (unsigned s = 0; s < multisamples; ++s)
        if ((work_->sample_mask >> s & 1U) != 0) drawn = static_cast<std::uint16_t>(drawn | 0xfU << (4 * s));
    for (std::int32_t i = 0; i < sampled_.count; ++i) {
        const SampledQuad& quad = sampled_.quads[i];
        const auto samples = static_cast<std::uint16_t>(quad.coverage & drawn);
        if (samples != 0) {
            add_covered(primitive.trace, tile_x_ * tile_pixels + quad.x * 2, tile_y_ * tile_pixels + quad.y * 2,
                        covered_pixels(samples), samples);
        }
    }
}

// Tests the depth and stencil of every sample; returns the lanes of which one is left.
LaneMask TileWorker::test_samples(Batch& batch) {
    for (std::uint32_t s = 0; s < multisamples; ++s) {
        find_depth(batch, false, work_->multisample ? sample_positions[s] : pixel_centre);
        batch.samples[s] = work_->depth->test(batch.positions, batch.samples[s], depth_.data(), batch.back, s);
    }
    return any_sample(batch.samples);
}

// The first covered sample of a pixel that is not covered whole.
void TileWorker::find_centroids(LaneOffsets& offsets) const {
    LaneMask all = ~LaneMask{0};
    for (const LaneMask lanes : shading_.samples) all &= lanes;
    for (std::size_t s = multisamples; s-- > 0;) {
        for (LaneMask rest = shading_.samples[s] & ~all; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
            offsets.x[lane] = sample_positions[s].x - pixel_centre.x;
            offsets.y[lane] = sample_positions[s].y - pixel_centre.y;
        }
    }
}

// From shaded pixels to samples: coverage by alpha and by the program's mask, late depth, blending. Returns the lanes
// of which a sample got through.
LaneMask TileWorker::finish_samples(LaneMask shaded) {
    const FragmentWork& work = *work_;
    Batch& batch = shading_;
    const std::array<LaneMask, multisamples> covered = batch.samples;
    for (std::uint32_t s = 0; s < multisamples; ++s) {
        batch.samples[s] &= shaded;
        if (work.coverage_alpha >= 0) {
            const float* alpha = outputs_[static_cast<std::size_t>(work.coverage_alpha)].c[3];
            const float least = static_cast<float>(s) / multisamples;
            batch.samples[s] = alpha_test(CompareFunction::greater, least, alpha, batch.samples[s]);
        }
        if (work.sample_mask_output >= 0) {
            const float* mask = outputs_[static_cast<std::size_t>(work.sample_mask_output)].c[0];
            for (LaneMask rest = batch.samples[s]; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                if ((std::bit_cast<std::uint32_t>(mask[lane]) >> s & 1U) == 0)
                    batch.samples[s] &= ~(LaneMask{1} << lane);
            }
        }
    }
    if (work.depth && !work.early_depth && work.depth->active()) {
        tested_ = 0;
        for (std::uint32_t s = 0; s < multisamples; ++s) {
            find_depth(batch, true, work.multisample ? sample_positions[s] : pixel_centre);
            const LaneMask passed =
                work.depth->test(batch.positions, covered[s], depth_.data(), batch.back, s, batch.samples[s]);
            tested_ |= passed;
            batch.samples[s] &= passed;
        }
    }
    for (const BoundOutput& bound : work.outputs) {
        prepare_colour(bound.output, bound.clamp);
        if (bound.second >= 0) prepare_colour(bound.second, bound.clamp);
        for (std::uint32_t s = 0; s < multisamples; ++s) write_colour(bound, batch.samples[s], s);
    }
    return any_sample(batch.samples);
}

}  // namespace models::functional
