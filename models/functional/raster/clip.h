// Clipping in clip space against the view volume and the user clip planes.
//
// The view volume is -w <= x, y <= w and, unless depth clipping is off, -w <= z <= w (GL) or 0 <= z <= w (half_z).
// There is no guard band: no pixel outside the viewport is ever made, as in the reference renderer. A triangle becomes
// a fan of triangles of the same winding. New vertices depend only on the two ends of the clipped edge, never on the
// direction in which a triangle runs along it, so triangles that share an edge stay watertight.
//
// A primitive with a vertex that is not a number or with w <= 0 after clipping is dropped: it has no area in the
// window. A vertex whose w is infinite is inside, in the middle of the viewport, because x / w and y / w are 0; where
// the primitive has to be clipped it is dropped, as there is nothing between a number and infinity, and so it is where
// a user clip distance is infinite. The reference has the same rules. Points are kept or dropped whole, by their
// centre. Depth clamping, which replaces depth clipping, is left to the depth test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/functional/raster/assembly.h"
#include "models/functional/raster/vertices.h"

namespace models::functional {

// How an attribute varies over a primitive.
enum class Interpolation : std::uint8_t {
    constant,     // the provoking vertex's value
    linear,       // linear in the window (noperspective)
    perspective,  // linear in space
};

struct ClipRules {
    bool half_z = false;
    bool depth_clip = true;
    std::span<const Interpolation> interpolation;  // of each attribute of the vertices
};

// Bits of VertexArray::code: 0 to 3 right, left, bottom (y <= w), top (y >= -w) in clip space, 4 near, 5 far,
// 6 + i user clip plane i.
inline constexpr int frustum_planes = 6;
inline constexpr int clip_planes = frustum_planes + clip_distance_limit;

// Writes code() of `count` vertices from `first` on, and window() of those that are inside.
void classify_vertices(VertexArray& vertices, std::uint32_t first, std::uint32_t count, const ClipRules& rules,
                       const Viewport& viewport);

struct ClippedPrimitive {
    std::uint32_t vertex[3] = {};  // points and lines repeat the last; made_vertex marks new ones
    std::uint32_t provoking = 0;   // the vertex that flat attributes come from: always one of the draw
    std::uint32_t source = 0;      // number of the assembled primitive
};

struct ClipOutput {
    VertexArray made;  // shaped like the draw's vertices (VertexArray::reset)
    std::vector<ClippedPrimitive> primitives;
};

// Clips primitives of one draw. Reads `drawn`, classified before; independent clippers may share it between threads.
class Clipper {
  public:
    Clipper(const VertexArray& drawn, const ClipRules& rules, const Viewport& viewport, Provoking provoking);

    // Appends to `out` what is left of a primitive that was assembled as number `source`.
    void clip(PrimitiveKind kind, const AssembledPrimitive& primitive, std::uint32_t source, ClipOutput& out) const;

  private:
    struct Polygon;

    void clip_triangle(const ClippedPrimitive& whole, unsigned planes, ClipOutput& out) const;
    void clip_line(const ClippedPrimitive& whole, unsigned planes, ClipOutput& out) const;
    void clip_point(const ClippedPrimitive& whole, ClipOutput& out) const;
    bool cut(Polygon& polygon, int plane, ClipOutput& out) const;
    float distance(std::uint32_t vertex, int plane, const ClipOutput& out) const;
    std::uint32_t make_vertex(std::uint32_t from, std::uint32_t to, float t, ClipOutput& out) const;

    const VertexArray& drawn_;
    ClipRules rules_;
    Viewport viewport_;
    Provoking provoking_;
};

}  // namespace models::functional
