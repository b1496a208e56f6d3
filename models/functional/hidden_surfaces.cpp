#include "models/functional/hidden_surfaces.h"

#include "models/functional/texture/compare.h"

namespace models::functional {

void HiddenSurfaces::begin_tile() {
    fronts_.clear();
    opaque_.clear();
    writes_colour_.clear();
    others_.clear();
}

void HiddenSurfaces::add_opaque(const Fragments& fragments, Occlusion occlusion) {
    const std::size_t needed = (fragments.sample + std::size_t{1}) * tile_side * tile_side;
    if (fronts_.size() < needed) fronts_.resize(needed);
    for (unsigned lane = 0; lane < 4; ++lane) {
        if ((fragments.lanes >> lane & 1U) == 0) continue;
        Front& front = fronts_[place(fragments, lane)];
        front.depth = fragments.quad;
        front.key = fragments.keys[lane];
        if (occlusion == Occlusion::colour) front.colour = fragments.quad;
    }
    opaque_.push_back(fragments);
    writes_colour_.push_back(occlusion == Occlusion::colour);
}

void HiddenSurfaces::add_other(const Fragments& fragments, CompareFunction function) {
    others_.push_back({fragments, function});
}

void HiddenSurfaces::finish_tile(std::vector<Quad>& quads) {
    if (fronts_.empty()) return;  // nothing is hidden
    for (const Fragments& fragments : opaque_) quads[fragments.quad].visible = 0;
    for (const Other& other : others_) quads[other.fragments.quad].visible = 0;
    const auto show = [&](const Fragments& fragments, unsigned lane) {
        std::uint8_t& visible = quads[fragments.quad].visible;
        visible = static_cast<std::uint8_t>(visible | 1U << lane);
    };
    const auto each_lane = [&](const Fragments& fragments, auto&& is_hidden) {
        for (unsigned lane = 0; lane < 4; ++lane) {
            if ((fragments.lanes >> lane & 1U) == 0) continue;
            const std::size_t at = place(fragments, lane);
            if (at >= fronts_.size() || !is_hidden(fronts_[at], lane)) show(fragments, lane);
        }
    };
    for (std::size_t i = 0; i < opaque_.size(); ++i) {
        const Fragments& fragments = opaque_[i];
        each_lane(fragments, [&](const Front& front, unsigned) {
            return (writes_colour_[i] ? front.colour : front.depth) != fragments.quad;
        });
    }
    for (const Other& other : others_) {
        const Fragments& fragments = other.fragments;
        each_lane(fragments, [&](const Front& front, unsigned lane) {
            return front.colour != nobody && front.colour > fragments.quad &&
                   !compares(other.function, fragments.keys[lane], front.key);
        });
    }
}

}  // namespace models::functional
