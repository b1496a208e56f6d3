#include "models/functional/raster/setup_polygon.h"

#include <algorithm>
#include <cmath>

namespace models::functional {

namespace {

std::int32_t divide_up(std::int32_t fixed) {
    return (fixed + subpixels - 1) >> subpixel_bits;
}

// The pixels whose samples can be inside: left and top ends included, right and bottom ends not, or the other way round
// in y with the bottom edge rule. With several samples in a pixel: those that the polygon touches.
Region bounding_box(const FixedPoint* corners, int count, const SetupRules& rules) {
    FixedPoint least = corners[0], most = corners[0];
    for (int i = 1; i < count; ++i) {
        least = {std::min(least.x, corners[i].x), std::min(least.y, corners[i].y)};
        most = {std::max(most.x, corners[i].x), std::max(most.y, corners[i].y)};
    }
    if (rules.multisample)
        return {least.x >> subpixel_bits, least.y >> subpixel_bits, most.x >> subpixel_bits, most.y >> subpixel_bits};
    const std::int32_t down = rules.bottom_edge_rule ? 1 : 0;
    return {divide_up(least.x), divide_up(least.y + down), divide_up(most.x) - 1, divide_up(most.y + down) - 1};
}

// From corner p to corner q of a polygon that lies to the right of it (clockwise with row 0 on top). Samples are at
// multiples of 256, so the value at one can be divided by 256, rounding down, without changing its sign.
Edge make_edge(const FixedPoint& p, const FixedPoint& q, bool bottom_edge_rule, std::uint8_t& fraction) {
    const std::int32_t a = p.y - q.y;
    const std::int32_t b = q.x - p.x;
    const bool left = a > 0;
    const bool first_row = a == 0 && (bottom_edge_rule ? b < 0 : b > 0);
    const std::int64_t exact = -(static_cast<std::int64_t>(a) * p.x + static_cast<std::int64_t>(b) * p.y);
    const std::int64_t ruled = exact - (left || first_row ? 0 : 1);
    fraction = static_cast<std::uint8_t>(ruled & (subpixels - 1));
    return {ruled >> subpixel_bits, a, b};
}

void make_edges(const FixedPoint* corners, int count, bool bottom_edge_rule, RasterPrimitive& primitive) {
    primitive.edge_count = static_cast<std::int16_t>(count);
    for (int i = 0; i < count; ++i) {
        primitive.edges[i] =
            make_edge(corners[i], corners[i + 1 < count ? i + 1 : 0], bottom_edge_rule, primitive.fraction[i]);
    }
}

}  // namespace

Region intersection(const Region& a, const Region& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

bool bounded(const float* v) {
    return std::abs(v[0]) <= window_limit && std::abs(v[1]) <= window_limit && std::isfinite(v[2]) &&
           std::isfinite(v[3]);
}

std::int32_t snap(float pixels) {
    return static_cast<std::int32_t>(std::lrint(pixels * static_cast<float>(subpixels)));
}

FixedPoint snap(const float* v, float offset) {
    return {snap(v[0] - offset), snap(v[1] - offset)};
}

std::int64_t doubled_area(const FixedPoint& a, const FixedPoint& b, const FixedPoint& c) {
    const std::int64_t x1 = b.x - a.x, y1 = b.y - a.y, x2 = c.x - a.x, y2 = c.y - a.y;
    return x1 * y2 - x2 * y1;
}

SetupOutcome setup_polygon(FixedPoint* corners, int count, const SetupRules& rules, RasterPrimitive& primitive) {
    const Region box = intersection(bounding_box(corners, count, rules), rules.region);
    if (box.empty()) return SetupOutcome::outside;
    if (doubled_area(corners[0], corners[1], corners[2]) < 0) std::reverse(corners, corners + count);
    primitive.box = box;
    primitive.multisample = rules.multisample;
    make_edges(corners, count, rules.bottom_edge_rule, primitive);
    return SetupOutcome::visible;
}

InterpolationBasis start_basis(const float* v0, const SetupRules& rules) {
    InterpolationBasis basis;
    basis.x = v0[0] - snap_offset(rules);
    basis.y = v0[1] - snap_offset(rules);
    basis.origin = centre_offset(rules) - snap_offset(rules);
    return basis;
}

}  // namespace models::functional
