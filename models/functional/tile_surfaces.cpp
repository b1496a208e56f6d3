// What hidden-surface removal is told of a batch.
#include <algorithm>

#include "models/functional/tile_lanes.h"
#include "models/functional/tile_worker.h"

namespace models::functional {

// `passed`: what the early test left, of one sample; `first_quad`: the number of the batch's first quad in the tile.
void TileWorker::note_surfaces(const Batch& batch, LaneMask passed, std::uint32_t first_quad) {
    const FragmentWork& work = *work_;
    stencil_changed_ = stencil_changed_ || work.stencil_write;
    if (!work.depth_test || work.stencil_write || work.depth_output >= 0) return;
    // What stencil holds is not known ahead of shading once a draw has changed it.
    const bool opaque = work.occlusion != Occlusion::none && !(work.stencil_test && stencil_changed_);
    const bool sampled = work.samples > 1;
    for (std::uint32_t s = 0; s < work.samples; ++s) {
        if (sampled || !work.early_depth)
            find_depth(batch, false, sampled && work.multisample ? sample_positions[s] : pixel_centre);
        std::array<std::uint32_t, batch_lanes> keys;  // NOLINT: filled below
        work.depth->keys(depth_.data(), 4 * batch.count, keys.data());
        const LaneMask lanes = sampled ? batch.samples[s] : passed;
        for (int q = 0; q < batch.count; ++q) {
            const auto i = static_cast<std::size_t>(q);
            HiddenSurfaces::Fragments fragments;
            fragments.lanes = quad_bits(lanes, q);
            if (fragments.lanes == 0) continue;
            fragments.quad = first_quad + static_cast<std::uint32_t>(q);
            fragments.x = static_cast<std::uint8_t>((batch.quads[i].x - tile_x_ * tile_pixels) / 2);
            fragments.y = static_cast<std::uint8_t>((batch.quads[i].y - tile_y_ * tile_pixels) / 2);
            fragments.sample = static_cast<std::uint8_t>(s);
            std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, fragments.keys.begin());
            if (opaque)
                hidden_.add_opaque(fragments, work.occlusion);
            else
                hidden_.add_other(fragments, work.depth->depth_function());
        }
    }
}

}  // namespace models::functional
