#include <algorithm>
#include <cmath>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

constexpr float end_cap = 0.5F;  // pixels by which the rectangle is longer than the line, at either end

// From an end of the line to a corner of the rectangle around it. (c, s) is the line's direction.
void move_to_corner(std::uint8_t corner, float c, float s, float half_width, float* position) {
    const float along = corner / 2 == 0 ? -end_cap : end_cap;
    const float across = corner % 2 == 0 ? half_width : -half_width;
    position[0] += along * c - across * s;
    position[1] += along * s + across * c;
}

}  // namespace

SetupOutcome setup_smooth_line(const float* v0, const float* v1, bool second, const SetupRules& rules,
                               RasterPrimitive& primitive, InterpolationBasis& basis) {
    if (!bounded(v0) || !bounded(v1)) return SetupOutcome::unbounded;
    const float width = std::min(rules.line_width, line_width_limit);
    const float half_width = width <= 1 ? 1.0F : 0.5F * width + 0.5F;
    const float dx = v1[0] - v0[0], dy = v1[1] - v0[1];
    const float length = std::sqrt(dx * dx + dy * dy);
    const float c = length > 0 ? dx / length : 1.0F;
    const float s = length > 0 ? dy / length : 0.0F;

    float corners[3][4];
    for (int i = 0; i < 3; ++i) {
        const std::uint8_t corner = smooth_line_corners[second ? 1 : 0][i];
        std::copy_n(corner / 2 == 0 ? v0 : v1, 4, corners[i]);
        move_to_corner(corner, c, s, half_width, corners[i]);
    }
    // The reference sets the triangles up with rules of their own.
    SetupRules own;
    own.front_ccw = true;
    own.half_pixel_center = rules.half_pixel_center;
    own.bottom_edge_rule = rules.bottom_edge_rule;
    own.region = rules.region;
    const SetupOutcome outcome = setup_triangle(corners[0], corners[1], corners[2], own, primitive, basis);
    if (outcome != SetupOutcome::visible) return outcome;
    // A line shorter than a pixel is fainter, down to nothing.
    const float half_length = 0.5F * length;
    basis.smooth = {half_width, half_length < 0.5F ? 2 * half_length : half_length + 0.5F, second};
    return outcome;
}

}  // namespace models::functional
