#include <algorithm>

#include "models/functional/raster/setup.h"
#include "models/functional/raster/setup_polygon.h"

namespace models::functional {

namespace {

struct Square {
    FixedPoint least, most;
};

Square square_point(const float* v0, float size, float offset) {
    const std::int32_t width = std::max(subpixels, snap(size));
    const FixedPoint centre = snap(v0, offset);
    const FixedPoint least = {centre.x - width / 2, centre.y - width / 2};
    return {least, {least.x + width, least.y + width}};
}

// GL's rule for points that are neither sprites nor smooth: a square of whole pixels, centred on a pixel when its width
// is odd and on a corner of pixels when it is even. A width half-way between two is the smaller one.
Square aligned_point(const float* v0, float size, bool bottom_edge_rule) {
    const std::int32_t pixels = std::max(1, (snap(size) + subpixels / 2 - 1) >> subpixel_bits);
    const std::int32_t half = (pixels & 1) != 0 ? 0 : subpixels / 2;
    const std::int32_t up = bottom_edge_rule ? 1 : 0;
    const std::int32_t x = ((snap(v0[0]) + half) >> subpixel_bits) - pixels / 2;
    const std::int32_t y = ((snap(v0[1]) - up + half) >> subpixel_bits) - pixels / 2;
    const FixedPoint least = {x * subpixels - subpixels / 2, y * subpixels - subpixels / 2};
    return {least, {least.x + pixels * subpixels, least.y + pixels * subpixels}};
}

}  // namespace

SetupOutcome setup_point(const float* v0, float size, const SetupRules& rules, RasterPrimitive& primitive,
                         InterpolationBasis& basis) {
    if (!bounded(v0)) return SetupOutcome::unbounded;
    const float offset = snap_offset(rules);
    // A size that is not a number is the least one, as in the reference.
    const float width = size > 0 ? std::min(size, point_size_limit) : 0.0F;
    const Square square = rules.square_points || rules.multisample ? square_point(v0, width, offset)
                                                                   : aligned_point(v0, width, rules.bottom_edge_rule);
    FixedPoint corners[4] = {
        square.least, {square.most.x, square.least.y}, square.most, {square.least.x, square.most.y}};
    const SetupOutcome outcome = setup_polygon(corners, 4, rules, primitive);
    if (outcome != SetupOutcome::visible) return outcome;
    basis = start_basis(v0, rules);
    basis.sprite_s = static_cast<float>(subpixels) / static_cast<float>(square.most.x - square.least.x);
    basis.sprite_t = rules.sprite_origin_lower_left ? -basis.sprite_s : basis.sprite_s;
    return SetupOutcome::visible;
}

}  // namespace models::functional
