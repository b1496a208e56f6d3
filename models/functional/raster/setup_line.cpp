#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

constexpr std::int32_t half_pixel = subpixels / 2;

// A line along x; lines along y are turned into one by exchanging the axes. Fixed point, relative to a sample.
struct Line {
    FixedPoint start, end;
    double slope = 0;            // of y over x
    bool low_end_drawn = false;  // the fill rule draws a sample at the lower end of the polygon, not at the upper end
};

// From the sample of its column to a point, -half_pixel .. half_pixel - 1.
std::int32_t from_sample(std::int32_t fixed) {
    return ((fixed + half_pixel) & (subpixels - 1)) - half_pixel;
}

bool in_diamond(const FixedPoint& point) {
    return std::abs(from_sample(point.x)) + std::abs(from_sample(point.y)) < half_pixel;
}

// The diamond-exit rule: a pixel is drawn when the line leaves the diamond |x| + |y| < 1/2 around its sample. As the
// slope is at most 1, a line that starts before the sample of its column passes through the diamond of some pixel
// there, and one that starts behind it leaves a diamond only if it starts in one. An end is the other way round, so
// joined lines draw the pixel at the joint once.
bool draws_column(const FixedPoint& point, std::int32_t forward, bool is_start) {
    const bool past = from_sample(point.x) * forward > 0;
    const bool later = past && !in_diamond(point);
    return is_start ? !later : later;
}

// Where the polygon that stands for the line has to end so that its fill rule draws the column of `point` or not: there
// if it does so by itself, else at the border of the column.
FixedPoint polygon_end(const Line& line, const FixedPoint& point, bool is_start) {
    const std::int32_t forward = line.end.x > line.start.x ? 1 : -1;
    const std::int32_t x = from_sample(point.x);
    const bool low_end = is_start == (forward > 0);
    const bool drawn = low_end ? (line.low_end_drawn ? x <= 0 : x < 0) : (line.low_end_drawn ? x > 0 : x >= 0);
    if (drawn == draws_column(point, forward, is_start)) return point;
    const std::int32_t shift = -x - forward * half_pixel;
    return {point.x + shift, point.y + static_cast<std::int32_t>(std::lrint(shift * line.slope))};
}

// With several samples a line is a rectangle around it, its ends at right angles.
SetupOutcome setup_rectangle(const float* v0, const float* v1, const SetupRules& rules, RasterPrimitive& primitive,
                             InterpolationBasis& basis) {
    const float dx = v0[0] - v1[0], dy = v0[1] - v1[1];
    const float square = dx * dx + dy * dy;
    if (square == 0) return SetupOutcome::no_area;
    const float scale = std::min(rules.line_width, line_width_limit) * 0.5F / std::sqrt(square);
    const FixedPoint side = {snap(-dy * scale), snap(dx * scale)};
    const FixedPoint start = snap(v0, snap_offset(rules)), end = snap(v1, snap_offset(rules));
    FixedPoint corners[4] = {{start.x - side.x, start.y - side.y},
                             {end.x - side.x, end.y - side.y},
                             {end.x + side.x, end.y + side.y},
                             {start.x + side.x, start.y + side.y}};
    if (doubled_area(corners[0], corners[1], corners[2]) == 0) return SetupOutcome::no_area;
    const SetupOutcome outcome = setup_polygon(corners, 4, rules, primitive);
    if (outcome != SetupOutcome::visible) return outcome;
    basis = start_basis(v0, rules);
    basis.dx01 = dx;
    basis.dy01 = dy;
    basis.scale = 1.0F / square;
    return SetupOutcome::visible;
}

}  // namespace

SetupOutcome setup_line(const float* v0, const float* v1, const SetupRules& rules, RasterPrimitive& primitive,
                        InterpolationBasis& basis) {
    if (!bounded(v0) || !bounded(v1)) return SetupOutcome::unbounded;
    if (rules.multisample) return setup_rectangle(v0, v1, rules, primitive, basis);
    const double extent[2] = {static_cast<double>(v1[0]) - v0[0], static_cast<double>(v1[1]) - v0[1]};
    const bool along_y = std::abs(extent[1]) > std::abs(extent[0]);
    const float offset = snap_offset(rules);
    const std::int32_t half_width =
        static_cast<std::int32_t>(std::round(std::clamp(rules.line_width, 1.0F, line_width_limit))) * half_pixel;

    Line line = {snap(v0, offset), snap(v1, offset)};
    if (along_y) {
        std::swap(line.start.x, line.start.y);
        std::swap(line.end.x, line.end.y);
    }
    if (line.start.x == line.end.x) return SetupOutcome::no_area;
    line.slope = along_y ? extent[0] / extent[1] : extent[1] / extent[0];
    line.low_end_drawn = !along_y || !rules.bottom_edge_rule;
    const FixedPoint start = polygon_end(line, line.start, true);
    const FixedPoint end = polygon_end(line, line.end, false);
    FixedPoint corners[4] = {{start.x, start.y - half_width},
                             {end.x, end.y - half_width},
                             {end.x, end.y + half_width},
                             {start.x, start.y + half_width}};
    if (along_y)
        for (FixedPoint& corner : corners) std::swap(corner.x, corner.y);
    if (doubled_area(corners[0], corners[1], corners[2]) == 0) return SetupOutcome::no_area;
    const SetupOutcome outcome = setup_polygon(corners, 4, rules, primitive);
    if (outcome != SetupOutcome::visible) return outcome;

    // Attributes change along the longer axis only, as if the line went along it.
    const float dx = v0[0] - v1[0], dy = v0[1] - v1[1];
    const float slope = along_y ? dx / dy : dy / dx;
    basis = start_basis(v0, rules);
    basis.scale = 1.0F / (dx * dx + dy * dy);
    (along_y ? basis.dy01 : basis.dx01) = (along_y ? dy : dx) * (1 + slope * slope);
    return SetupOutcome::visible;
}

}  // namespace models::functional
