// What tests of blending draw on, and with: a small target, colours, every factor but those of a second colour.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "models/functional/output/blend.h"
#include "models/functional/output/clear.h"

namespace models::functional {

using Rgba = std::array<float, 4>;

// A colour target of 2x2 texels, cleared to one colour.
class Target {
  public:
    Target(Format format, Rgba colour) : resource_({.format = format, .width = 2, .height = 2}, space_) {
        clear_colour(view(), {.x = 0, .y = 0, .width = 2, .height = 2}, colour.data());
    }
    SurfaceView view() { return resource_.surface(0, 0); }

    void draw(const BlendState& state, const TargetBlend& blend, Rgba colour, LaneMask covered = 0xf) {
        Vec4Lanes lanes;
        for (std::size_t c = 0; c < 4; ++c) std::fill_n(lanes.c[c], batch_lanes, colour[c]);
        QuadPositions quads;
        quads.count = 1;
        ColourOutput(state, blend, view()).write(quads, covered, lanes);
    }
    // The same pixels by several quads of a batch, in turn.
    void draw_quads(const TargetBlend& blend, const std::array<Rgba, 3>& colours) {
        Vec4Lanes lanes{};
        QuadPositions quads;
        quads.count = 3;
        for (std::size_t lane = 0; lane < 12; ++lane)
            for (std::size_t c = 0; c < 4; ++c) lanes.c[c][lane] = colours[lane / 4][c];
        ColourOutput({}, blend, view()).write(quads, 0xfff, lanes);
    }
    Rgba read(std::uint32_t lane = 0) {
        float rgba[1][4];
        const SurfaceView surface = view();
        unpack_floats(*surface.format, surface.texel(lane % 2, lane / 2), 1, rgba);
        return {rgba[0][0], rgba[0][1], rgba[0][2], rgba[0][3]};
    }
    std::uint32_t word() {
        std::uint32_t word = 0;
        std::memcpy(&word, view().texels, 4);
        return word;
    }

  private:
    AddressSpace space_;
    Resource resource_;
};

inline constexpr Rgba source = {0.8F, 0.4F, 0.2F, 0.6F}, target = {0.1F, 0.5F, 0.9F, 0.3F},
                      constant = {0.7F, 0.2F, 0.5F, 0.4F};

inline constexpr BlendFactor factors[] = {BlendFactor::one,
                                          BlendFactor::source_colour,
                                          BlendFactor::source_alpha,
                                          BlendFactor::target_alpha,
                                          BlendFactor::target_colour,
                                          BlendFactor::source_alpha_saturate,
                                          BlendFactor::constant_colour,
                                          BlendFactor::constant_alpha,
                                          BlendFactor::zero,
                                          BlendFactor::inverse_source_colour,
                                          BlendFactor::inverse_source_alpha,
                                          BlendFactor::inverse_target_alpha,
                                          BlendFactor::inverse_target_colour,
                                          BlendFactor::inverse_constant_colour,
                                          BlendFactor::inverse_constant_alpha};

}  // namespace models::functional
