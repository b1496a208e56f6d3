#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

// In the order in which llvmpipe computes it. z01 and z20 are differences of depths.
float polygon_offset(const PolygonOffset& offset, const InterpolationBasis& basis, const float (&z)[3],
                     float over_area) {
    const float z01 = z[0] - z[1], z20 = z[2] - z[0];
    const float dzdx = std::abs((z20 * basis.dy01 - basis.dy20 * z01) * over_area);
    const float dzdy = std::abs((basis.dx20 * z01 - z20 * basis.dx01) * over_area);
    const float slope = std::max(dzdx, dzdy) * offset.scale;
    float units = static_cast<float>(offset.units * offset.resolution * 2);
    if (offset.floating_depth) {
        constexpr std::uint32_t exponent_bits = 0xffU << 23, mantissa_bits = 23U << 23;
        const float largest = std::max({std::abs(z[0]), std::abs(z[1]), std::abs(z[2])});
        const std::uint32_t exponent = std::bit_cast<std::uint32_t>(largest) & exponent_bits;
        units = exponent > mantissa_bits ? std::bit_cast<float>(exponent - mantissa_bits) * offset.units : 0.0F;
    }
    const float sum = units + slope;
    if (offset.clamp > 0) return std::min(sum, offset.clamp);
    if (offset.clamp < 0) return std::max(sum, offset.clamp);
    return sum;
}

// Differences of the positions as given, over the area. A triangle whose area is lost in rounding takes the snapped
// ones.
void triangle_gradients(const float* const* v, const FixedPoint* corners, const SetupRules& rules,
                        InterpolationBasis& basis) {
    const float* const a = v[basis.order[0]];
    const float* const b = v[basis.order[1]];
    const float* const c = v[basis.order[2]];
    basis.dx01 = a[0] - b[0], basis.dy01 = a[1] - b[1];
    basis.dx20 = c[0] - a[0], basis.dy20 = c[1] - a[1];
    float over_area = 1.0F / (basis.dx01 * basis.dy20 - basis.dy01 * basis.dx20);
    if (!std::isfinite(over_area)) {
        constexpr float scale = 1.0F / subpixels;
        const FixedPoint& p = corners[basis.order[0]];
        const FixedPoint& q = corners[basis.order[1]];
        const FixedPoint& r = corners[basis.order[2]];
        basis.dx01 = static_cast<float>(p.x - q.x) * scale, basis.dy01 = static_cast<float>(p.y - q.y) * scale;
        basis.dx20 = static_cast<float>(r.x - p.x) * scale, basis.dy20 = static_cast<float>(r.y - p.y) * scale;
        over_area = 1.0F / (static_cast<float>(std::abs(doubled_area(p, q, r))) * scale * scale);
    }
    if (rules.offset.units != 0 || rules.offset.scale != 0)
        basis.depth_offset = polygon_offset(rules.offset, basis, {a[2], b[2], c[2]}, over_area);
    basis.dx01 *= over_area, basis.dy01 *= over_area;
    basis.dx20 *= over_area, basis.dy20 *= over_area;
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
    // Clockwise triangles are turned over, the provoking vertex stays in its place.
    const bool clockwise_triangle = area > 0;
    std::uint8_t order[3] = {0, 1, 2};
    if (clockwise_triangle) rules.first_provokes ? std::swap(order[1], order[2]) : std::swap(order[0], order[1]);
    basis = start_basis(v[order[0]], rules);
    std::copy(std::begin(order), std::end(order), std::begin(basis.order));
    basis.front_facing = front;
    triangle_gradients(v, corners, rules, basis);
    return SetupOutcome::visible;
}

}  // namespace models::functional
