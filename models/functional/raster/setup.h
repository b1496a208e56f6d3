// Primitive setup: from window positions to edge functions in integers, a bounding box in pixels, the side that faces
// the viewer, and the basis in which attributes are interpolated. Culling and the rejection of what covers no pixel
// happen here.
//
// Positions are snapped to 1/256 pixel, to the nearest, ties to even. The sample of pixel (x, y) is at (x + 0.5, y +
// 0.5) or, without half_pixel_center, at (x, y). Rows count downwards in memory; "counter-clockwise" is as seen with
// row 0 on top. Lines are aliased parallelograms by the diamond-exit rule with a width rounded to whole pixels; points
// are squares. A smooth line is a rectangle of two triangles, wider and longer than the line, over which its coverage
// varies. Filled triangles only; stipples and other fill modes do not exist here. Multisampled primitives are set up
// relative to the corner of a pixel; sample_coverage.h has the samples.
#pragma once

#include <cstdint>

namespace models::functional {

inline constexpr int subpixel_bits = 8;
inline constexpr std::int32_t subpixels = 1 << subpixel_bits;
inline constexpr float point_size_limit = 255, line_width_limit = 255;  // pixels; larger ones are cut down
inline constexpr float window_limit = 2097152.0F;  // pixels: beyond it edge functions could exceed 63 bits

enum class CullFace : std::uint8_t { none, front, back, both };  // numbered as in Gallium

// Pixels, all four included. Empty where x1 < x0 or y1 < y0.
struct Region {
    std::int32_t x0 = 0, y0 = 0, x1 = -1, y1 = -1;

    bool empty() const { return x1 < x0 || y1 < y0; }
    bool operator==(const Region&) const = default;
};
Region intersection(const Region& a, const Region& b);

// Added to the depth of triangles: max(|dz/dx|, |dz/dy|) * scale + units * step. The step is two steps of the depth
// format (`resolution` = 1 / (2^bits - 1)); of a floating-point format it follows the exponent of the triangle's
// largest depth. clamp > 0 is an upper, clamp < 0 a lower bound. Units and scale 0: no offset.
struct PolygonOffset {
    float units = 0, scale = 0, clamp = 0;
    double resolution = 1.0 / 16777215.0;
    bool floating_depth = false;
};

struct SetupRules {
    CullFace cull = CullFace::none;
    bool front_ccw = false;
    bool half_pixel_center = true;
    bool multisample = false;
    bool first_provokes = false;    // the provoking vertex stands first
    bool bottom_edge_rule = false;  // pixels on a bottom edge are drawn, those on a top edge are not
    Region region;                  // framebuffer and scissor
    PolygonOffset offset;           // of triangles
    float line_width = 1;
    bool square_points = true;              // false: GL's legacy rule for points, which aligns them to pixels
    bool sprite_origin_lower_left = false;  // the point coordinate's t runs upwards
};

// Inside where c + a x + b y >= 0 at pixel (x, y); the fill rule is part of c.
struct Edge {
    std::int64_t c = 0;
    std::int32_t a = 0, b = 0;
};

// What the rasteriser needs.
struct RasterPrimitive {
    Edge edges[4];
    std::uint8_t fraction[4] = {};  // of the edges: their exact value is 256 c + fraction, in 1/256
    std::int16_t edge_count = 0;
    bool multisample = false;  // edges are relative to the pixels' corners; the box is not exact
    Region box;                // not empty; pixels outside it are not covered
};

// A triangle of a smooth line: it covers min(1, half_width - |across|) * min(1, half_length - |along|) of a pixel that
// is so far from the line's axis and its middle, in pixels: interpolated with perspective, as the reference does.
struct SmoothLineHalf {
    float half_width = 0, half_length = 0;
    bool second = false;  // of the line's two triangles
};
// Corners of a smooth line's two triangles. Corner c is beside end c / 2, where `across` is negative if c is even.
inline constexpr std::uint8_t smooth_line_corners[2][3] = {{2, 1, 0}, {3, 1, 2}};

// The gradients of a primitive's attributes, as llvmpipe computes them: in float, every operation rounded, relative to
// the corner of the window. With values a0, a1, a2 at the vertices in `order`:
//   da/dx = (a0 - a1) dy20 - (a2 - a0) dy01,  da/dy = (a2 - a0) dx01 - (a0 - a1) dx20,
//   a at (0, 0) = a0 - (da/dx x + da/dy y)
// Lines have da/dx = (a0 - a1) dx01 scale and da/dy = (a0 - a1) dy01 scale instead; nothing changes over a point.
struct InterpolationBasis {
    std::uint8_t order[3] = {0, 1, 2};
    float x = 0, y = 0;  // vertex 0 of the order, from the place of pixel (0, 0) where planes have their value
    float dx01 = 0, dy01 = 0, dx20 = 0, dy20 = 0;
    float scale = 1;
    float origin = 0;  // from that place to where the attributes of a pixel are computed, in x and y
    float depth_offset = 0;
    float sprite_s = 0, sprite_t = 0;  // points: change of the point coordinate per pixel
    bool front_facing = true;
    SmoothLineHalf smooth;
};

enum class SetupOutcome : std::uint8_t {
    visible,
    culled,     // faces the wrong way
    no_area,    // no area after snapping
    outside,    // covers no pixel of the region
    unbounded,  // a coordinate is not a number or beyond window_limit
};

// Each takes window positions (x, y, z, 1/w) and writes `primitive` and `basis` only when the outcome is `visible`.
SetupOutcome setup_triangle(const float* v0, const float* v1, const float* v2, const SetupRules& rules,
                            RasterPrimitive& primitive, InterpolationBasis& basis);
SetupOutcome setup_line(const float* v0, const float* v1, const SetupRules& rules, RasterPrimitive& primitive,
                        InterpolationBasis& basis);
// One of the two triangles of a smooth line; basis.smooth.half_width is not 0. The triangle's vertices are the ends of
// the line that smooth_line_corners says. Never culled.
SetupOutcome setup_smooth_line(const float* v0, const float* v1, bool second, const SetupRules& rules,
                               RasterPrimitive& primitive, InterpolationBasis& basis);
SetupOutcome setup_point(const float* v0, float size, const SetupRules& rules, RasterPrimitive& primitive,
                         InterpolationBasis& basis);

}  // namespace models::functional
