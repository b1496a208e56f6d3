#include <algorithm>
#include <cmath>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

bool not_negative(float value) {
    return value >= 0;
}
float fraction(float value) {
    return value - std::floor(value);
}

// A line of which `along` is the axis of its larger extent.
struct Line {
    const float* start;
    const float* end;
    int along, across;
    float run, rise;  // start minus end, along and across
    float slope;      // rise / run

    Line(const float* v0, const float* v1) : start(v0), end(v1) {
        const float dx = v0[0] - v1[0], dy = v0[1] - v1[1];
        along = std::abs(dx) >= std::abs(dy) ? 0 : 1;
        across = 1 - along;
        run = along == 0 ? dx : dy;
        rise = along == 0 ? dy : dx;
        slope = rise / run;
    }
};

// Where an end of a line lies in its pixel, from the pixel's centre, -0.5 .. 0.5.
struct InPixel {
    float along, across;

    InPixel(const Line& line, const float* v)
        : along(fraction(v[line.along]) - 0.5F),
          across(fraction(v[line.across]) - 0.5F) {}
    bool in_diamond() const { return std::abs(along) + std::abs(across) < 0.5F; }
};

// The diamond-exit rule draws the pixel of the start when the line leaves the diamond |x| + |y| < 0.5 around its
// centre, and that of the end when it has left the diamond by then. The reference renderer decides the cases outside
// the diamond by the quadrant and by an intersection with the pixel; a line along y is treated as a line along x that
// was turned by half a turn, which is what `turn` does to all signs. These return how far along the end of the polygon
// has to be moved for its fill rule to agree.
float start_shift(const Line& line) {
    const InPixel at(line, line.start);
    const float turn = line.along == 0 ? 1.0F : -1.0F;
    const bool is_drawn = not_negative(-turn * at.along) != not_negative(turn * line.run);
    bool draw = true;
    if (at.in_diamond()) {
        draw = true;
    } else if (not_negative(turn * at.along) == not_negative(-turn * line.run)) {
        draw = false;
    } else if (not_negative(-turn * at.across) == not_negative(turn * line.rise)) {
        const float meets = fraction(line.start[line.across]) + at.along * line.slope;
        draw = meets < 1 && meets > 0;
    }
    return draw == is_drawn ? 0.0F : -at.along + (line.run < 0 ? -0.5F : 0.5F);
}

float end_shift(const Line& line) {
    InPixel at(line, line.end);
    if (at.across == -0.5F && line.rise < 0) at.across = 0.5F;
    const float turn = line.along == 0 ? 1.0F : -1.0F;
    const bool past_centre = not_negative(turn * at.along) == not_negative(-turn * line.run);
    bool draw = false;
    if (at.in_diamond() || !past_centre) {
        draw = false;
    } else if (not_negative(-turn * at.across) == not_negative(turn * line.rise)) {
        draw = true;
    } else {
        const float meets = fraction(line.end[line.across]) + at.along * line.slope;
        draw = meets < 1 && (line.along == 0 ? meets > 0 : meets >= 0);
    }
    const bool is_drawn = past_centre || at.along == 0;
    return draw == is_drawn ? 0.0F : -at.along + (line.run < 0 ? -0.5F : 0.5F);
}

// An end of the line, moved along it, as the two corners of a parallelogram that is straight at its ends.
void make_corners(const Line& line, const float* v, float shift, float offset, std::int32_t half_width, FixedPoint& low,
                  FixedPoint& high) {
    float moved[2];
    moved[line.along] = v[line.along] + shift;
    moved[line.across] = v[line.across] + shift * line.slope;
    low = high = snap(moved, offset);
    (line.across == 0 ? low.x : low.y) -= half_width;
    (line.across == 0 ? high.x : high.y) += half_width;
}

}  // namespace

SetupOutcome setup_line(const float* v0, const float* v1, const SetupRules& rules, RasterPrimitive& primitive,
                        InterpolationBasis& basis) {
    if (!bounded(v0) || !bounded(v1)) return SetupOutcome::unbounded;
    if (v0[0] == v1[0] && v0[1] == v1[1]) return SetupOutcome::no_area;
    const Line line(v0, v1);
    const float offset = sample_offset(rules);
    const std::int32_t width = snap(std::round(std::clamp(rules.line_width, 1.0F, line_width_limit)));
    FixedPoint corners[4];
    make_corners(line, v0, start_shift(line), offset, width / 2, corners[0], corners[3]);
    make_corners(line, v1, end_shift(line), offset, width / 2, corners[1], corners[2]);
    if (doubled_area(corners[0], corners[1], corners[2]) == 0) return SetupOutcome::no_area;
    const SetupOutcome outcome = setup_polygon(corners, 4, rules, primitive);
    if (outcome != SetupOutcome::visible) return outcome;

    basis = start_basis(v0, offset, primitive.box);
    const double extent = static_cast<double>(v1[line.along]) - v0[line.along];
    (line.along == 0 ? basis.x1 : basis.y1) = 1 / extent;
    return SetupOutcome::visible;
}

}  // namespace models::functional
