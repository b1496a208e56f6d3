// Clears of colour and depth-stencil surfaces.
#pragma once

#include <cstdint>

#include "models/functional/texture/resource.h"

namespace models::functional {

struct Rectangle {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
};

// `colour` holds floats, or the bits of integers when the format is of integers. Clipped to the surface.
void clear_colour(const SurfaceView& surface, const Rectangle& where, const float colour[4]);

// What the format lacks is ignored.
void clear_depth_stencil(const SurfaceView& surface, const Rectangle& where, bool clear_depth, double depth,
                         bool clear_stencil, std::uint8_t stencil);

}  // namespace models::functional
