#include <algorithm>
#include <bit>
#include <cmath>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

double polygon_offset(const PolygonOffset& offset, double dzdx, double dzdy, float largest_depth) {
    double step = 2 * offset.resolution;
    if (offset.floating_depth) {
        constexpr std::uint32_t exponent_bits = 0xffU << 23, mantissa_bits = 23U << 23;
        const std::uint32_t exponent = std::bit_cast<std::uint32_t>(largest_depth) & exponent_bits;
        step = exponent > mantissa_bits ? std::bit_cast<float>(exponent - mantissa_bits) : 0.0F;
    }
    const double sum = offset.units * step + std::max(std::abs(dzdx), std::abs(dzdy)) * offset.scale;
    if (offset.clamp > 0) return std::min<double>(sum, offset.clamp);
    if (offset.clamp < 0) return std::max<double>(sum, offset.clamp);
    return sum;
}

// Gradients from the positions as given. Where snapping turned the triangle over or made up most of its area, from the
// snapped ones, so that they stay bounded.
void triangle_gradients(const float* const* v, const FixedPoint* corners, std::int64_t fixed_area,
                        InterpolationBasis& basis) {
    constexpr double scale = 1.0 / subpixels;
    double x1 = static_cast<double>(v[1][0]) - v[0][0], y1 = static_cast<double>(v[1][1]) - v[0][1];
    double x2 = static_cast<double>(v[2][0]) - v[0][0], y2 = static_cast<double>(v[2][1]) - v[0][1];
    double area = x1 * y2 - x2 * y1;
    const double snapped_area = static_cast<double>(fixed_area) * scale * scale;
    if (!(area / snapped_area > 0.5)) {
        x1 = (corners[1].x - corners[0].x) * scale, y1 = (corners[1].y - corners[0].y) * scale;
        x2 = (corners[2].x - corners[0].x) * scale, y2 = (corners[2].y - corners[0].y) * scale;
        area = snapped_area;
    }
    basis.x1 = y2 / area;
    basis.x2 = -y1 / area;
    basis.y1 = -x2 / area;
    basis.y2 = x1 / area;
}

}  // namespace

SetupOutcome setup_triangle(const float* v0, const float* v1, const float* v2, const SetupRules& rules,
                            RasterPrimitive& primitive, InterpolationBasis& basis) {
    const float* const v[3] = {v0, v1, v2};
    if (!bounded(v0) || !bounded(v1) || !bounded(v2)) return SetupOutcome::unbounded;
    const float offset = snap_offset(rules);
    FixedPoint corners[3] = {snap(v0, offset), snap(v1, offset), snap(v2, offset)};
    const std::int64_t area = doubled_area(corners[0], corners[1], corners[2]);
    if (area == 0) return SetupOutcome::no_area;
    const bool front = (area < 0) == rules.front_ccw;
    const CullFace face = front ? CullFace::front : CullFace::back;
    if ((static_cast<unsigned>(rules.cull) & static_cast<unsigned>(face)) != 0) return SetupOutcome::culled;

    FixedPoint clockwise[3] = {corners[0], corners[1], corners[2]};
    const SetupOutcome outcome = setup_polygon(clockwise, 3, rules, primitive);
    if (outcome != SetupOutcome::visible) return outcome;
    basis = start_basis(v0, centre_offset(rules), primitive.box);
    basis.front_facing = front;
    triangle_gradients(v, corners, area, basis);
    if (rules.offset.units != 0 || rules.offset.scale != 0) {
        const double z1 = static_cast<double>(v1[2]) - v0[2], z2 = static_cast<double>(v2[2]) - v0[2];
        const float largest = std::max({std::abs(v0[2]), std::abs(v1[2]), std::abs(v2[2])});
        basis.depth_offset =
            polygon_offset(rules.offset, z1 * basis.x1 + z2 * basis.x2, z1 * basis.y1 + z2 * basis.y2, largest);
    }
    return SetupOutcome::visible;
}

}  // namespace models::functional
