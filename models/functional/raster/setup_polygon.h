// What triangle, line and point setup share: snapping, and the edges and box of a convex polygon.
#pragma once

#include <cstdint>

#include "models/functional/raster/setup.h"

namespace models::functional {

// Relative to the sample of pixel (0, 0), or to its corner when it has several, in 1/256 pixel.
struct FixedPoint {
    std::int32_t x = 0, y = 0;
};

// Whether setup can work with a window position.
bool bounded(const float* window);

// Where positions are snapped from.
inline float snap_offset(const SetupRules& rules) {
    return rules.half_pixel_center && !rules.multisample ? 0.5F : 0.0F;
}
// Where the attributes of a pixel are computed.
inline float centre_offset(const SetupRules& rules) {
    return rules.half_pixel_center ? 0.5F : 0.0F;
}

std::int32_t snap(float pixels);
FixedPoint snap(const float* window, float offset);

// Positive when a, b, c run clockwise as seen with row 0 on top.
std::int64_t doubled_area(const FixedPoint& a, const FixedPoint& b, const FixedPoint& c);

// Edges and box of a convex polygon with 3 or 4 corners and of non-zero area, in either direction. `visible` or
// `outside`; `primitive` is written only when visible. May reverse the corners.
SetupOutcome setup_polygon(FixedPoint* corners, int count, const SetupRules& rules, RasterPrimitive& primitive);

// A basis without gradients.
InterpolationBasis start_basis(const float* v0, const SetupRules& rules);

}  // namespace models::functional
