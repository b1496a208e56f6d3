#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

constexpr std::int32_t half_pixel = subpixels / 2;

// An end of a line, in the window.
struct LineEnd {
    float x = 0, y = 0;
};

// A line along x; lines along y are turned into one by exchanging the axes.
struct Line {
    LineEnd start, end;
    float slope = 0;             // of y over x
    float offset = 0;            // from the corner of a pixel to its sample, in x and y
    bool low_end_drawn = false;  // the fill rule draws a sample at the lower end of the polygon, not at the upper end
};

// From the sample of its column or row to a place, in [-1/2, 1/2).
float from_sample(float place, float offset) {
    return place - std::floor(place + (0.5F - offset)) - offset;
}

// The diamond-exit rule: a pixel is drawn when the line leaves the diamond |x| + |y| < 1/2 around its sample. As the
// slope is at most 1, a line that starts before the sample of its column passes through the diamond of some pixel
// there, and one that starts behind it leaves a diamond only if it starts in one. An end is the other way round, so
// joined lines draw the pixel at the joint once.
bool draws_column(float x, float y, float forward, bool is_start) {
    const bool in_diamond = std::abs(x) + std::abs(y) < 0.5F;
    const bool later = x * forward > 0 && !in_diamond;
    return is_start ? !later : later;
}

// Where the polygon that stands for the line has to end so that its fill rule draws the column of `point` or not: there
// if it does so by itself, else at the border of the column. It is moved there before it is snapped, as the reference
// does: after that the line would be off by up to 1/256 pixel.
FixedPoint polygon_end(const Line& line, const LineEnd& point, bool is_start) {
    const float forward = line.end.x > line.start.x ? 1.0F : -1.0F;
    const float x = from_sample(point.x, line.offset), y = from_sample(point.y, line.offset);
    const bool low_end = is_start == (forward > 0);
    const bool drawn = low_end ? (line.low_end_drawn ? x <= 0 : x < 0) : (line.low_end_drawn ? x > 0 : x >= 0);
    const float shift = drawn == draws_column(x, y, forward, is_start) ? 0 : -x - 0.5F * forward;
    return {snap(point.x + shift - line.offset), snap(point.y + shift * line.slope - line.offset)};
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
    const float dx = v0[0] - v1[0], dy = v0[1] - v1[1];
    const bool along_y = std::abs(dy) > std::abs(dx);
    const float slope = along_y ? dx / dy : dy / dx;
    const float offset = snap_offset(rules);
    const std::int32_t half_width =
        static_cast<std::int32_t>(std::round(std::clamp(rules.line_width, 1.0F, line_width_limit))) * half_pixel;

    Line line = {{v0[0], v0[1]}, {v1[0], v1[1]}, slope, offset, !along_y || !rules.bottom_edge_rule};
    if (along_y) {
        std::swap(line.start.x, line.start.y);
        std::swap(line.end.x, line.end.y);
    }
    if (snap(line.start.x - offset) == snap(line.end.x - offset)) return SetupOutcome::no_area;
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
    basis = start_basis(v0, rules);
    basis.scale = 1.0F / (dx * dx + dy * dy);
    (along_y ? basis.dy01 : basis.dx01) = (along_y ? dy : dx) * (1 + slope * slope);
    return SetupOutcome::visible;
}

}  // namespace models::functional
