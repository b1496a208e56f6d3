#include "models/functional/raster/clip.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "models/functional/raster/fused.h"

namespace models::functional {

namespace {

constexpr unsigned first_user_plane = 1U << frustum_planes;

// Positive inside. Not a number stays one.
float frustum_distance(const float* clip, int plane, bool half_z) {
    const float x = clip[0], y = clip[1], z = clip[2], w = clip[3];
    switch (plane) {
        case 0:
            return w - x;
        case 1:
            return w + x;
        case 2:
            return w - y;
        case 3:
            return w + y;
        case 4:
            return half_z ? z : w + z;
        default:
            return w - z;
    }
}

// Not a number is outside.
bool outside(float distance) {
    return !(distance >= 0);
}

unsigned clip_code(const VertexArray& vertices, std::uint32_t vertex, const ClipRules& rules) {
    const float* clip = vertices.clip(vertex);
    unsigned code = 0;
    const int planes = rules.depth_clip ? frustum_planes : 4;
    for (int plane = 0; plane < planes; ++plane)
        code |= static_cast<unsigned>(outside(frustum_distance(clip, plane, rules.half_z))) << plane;
    const float* distances = vertices.distances(vertex);
    for (int plane = 0; plane < vertices.clip_distances(); ++plane)
        if (outside(distances[plane]) || std::isinf(distances[plane])) code |= first_user_plane << plane;
    return code;
}

float between(float from, float to, float t) {
    return from + t * (to - from);
}

// How far a new vertex is from one end to the other in the window; t where it cannot be told.
float window_share(const float* from, const float* to, const float* made, float t) {
    for (int axis = 0; axis < 2; ++axis) {
        if (from[axis] == to[axis]) continue;
        const float start = from[axis] / from[3], end = to[axis] / to[3];
        const float share = (made[axis] / made[3] - start) / (end - start);
        return std::isfinite(share) ? share : t;
    }
    return t;
}

// A denormal is zero, as all of the reference's arithmetic has it: w is as good as infinite.
float reciprocal(float w) {
    const float inverse = 1.0F / w;
    return std::abs(inverse) < std::numeric_limits<float>::min() ? 0.0F : inverse;
}

// As project(), but every operation rounded: the clipper of the reference is plain C, its vertex programs are not.
void project_clipped(VertexArray& vertices, std::uint32_t vertex, const Viewport& viewport) {
    const float* clip = vertices.clip(vertex);
    float* window = vertices.window(vertex);
    const float inverse_w = reciprocal(clip[3]);
    for (int i = 0; i < 3; ++i) window[i] = clip[i] * inverse_w * viewport.scale[i] + viewport.translate[i];
    window[3] = inverse_w;
}

}  // namespace

void project(VertexArray& vertices, std::uint32_t vertex, const Viewport& viewport) {
    const float* clip = vertices.clip(vertex);
    float* window = vertices.window(vertex);
    const float inverse_w = reciprocal(clip[3]);
    for (int i = 0; i < 3; ++i) window[i] = fused(clip[i] * inverse_w, viewport.scale[i], viewport.translate[i]);
    window[3] = inverse_w;
}

void classify_vertices(VertexArray& vertices, std::uint32_t first, std::uint32_t count, const ClipRules& rules,
                       const Viewport& viewport) {
    for (std::uint32_t vertex = first; vertex < first + count; ++vertex) {
        const unsigned code = clip_code(vertices, vertex, rules);
        vertices.code(vertex) = static_cast<std::uint16_t>(code);
        if (code == 0) project(vertices, vertex, viewport);
    }
}

// A convex polygon on its way through the planes: each plane adds at most one vertex.
struct Clipper::Polygon {
    int size = 3;
    std::uint32_t vertex[3 + clip_planes] = {};
};

Clipper::Clipper(const VertexArray& drawn, const ClipRules& rules, const Viewport& viewport, Provoking provoking)
    : drawn_(drawn),
      rules_(rules),
      viewport_(viewport),
      provoking_(provoking) {
    assert(static_cast<int>(rules.interpolation.size()) == drawn.attributes());
}

void Clipper::clip(PrimitiveKind kind, const AssembledPrimitive& primitive, std::uint32_t source,
                   ClipOutput& out) const {
    const std::uint32_t* v = primitive.vertex;
    const ClippedPrimitive whole{{v[0], v[1], v[2]}, provoking_ == Provoking::first ? v[0] : v[2], source};
    if (kind == PrimitiveKind::point) return clip_point(whole, out);
    const unsigned code[3] = {drawn_.code(v[0]), drawn_.code(v[1]), drawn_.code(v[2])};
    const unsigned crossed = code[0] | code[1] | code[2];
    if ((code[0] & code[1] & code[2]) != 0) return;
    if (crossed != 0)
        kind == PrimitiveKind::line ? clip_line(whole, crossed, out) : clip_triangle(whole, crossed, out);
    else if (drawn_.clip(v[0])[3] > 0 && drawn_.clip(v[1])[3] > 0 && drawn_.clip(v[2])[3] > 0)
        out.primitives.push_back(whole);
}

float Clipper::distance(std::uint32_t vertex, int plane, const ClipOutput& out) const {
    const VertexView vertices{drawn_, out.made};
    if (plane < frustum_planes) return frustum_distance(vertices.clip(vertex), plane, rules_.half_z);
    return vertices.distances(vertex)[plane - frustum_planes];
}

// The point at t between two vertices, as a new vertex. Noperspective attributes are linear in the window.
std::uint32_t Clipper::make_vertex(std::uint32_t from, std::uint32_t to, float t, ClipOutput& out) const {
    VertexArray& made = out.made;
    assert(made.attributes() == drawn_.attributes() && made.clip_distances() == drawn_.clip_distances());
    const std::uint32_t index = made.size();
    made.resize(index + 1);
    const VertexView vertices{drawn_, made};
    const float* a = vertices.clip(from);
    const float* b = vertices.clip(to);
    float* result = made.clip(index);
    for (int i = 0; i < 4; ++i) result[i] = between(a[i], b[i], t);
    const float linear_t = window_share(a, b, result, t);
    int at = 8;
    for (const Interpolation mode : rules_.interpolation) {
        const float attribute_t = mode == Interpolation::linear ? linear_t : t;
        for (int end = at + 4; at < end; ++at) result[at] = between(a[at], b[at], attribute_t);
    }
    for (int i = 0; i < made.clip_distances(); ++i) result[at + i] = between(a[at + i], b[at + i], t);
    project_clipped(made, index, viewport_);
    return index | made_vertex;
}

// Keeps the part of the polygon inside a plane; false when nothing is left or a distance is not a number. The new
// vertex on an edge is reached from the end nearer to the plane, so it does not depend on the edge's direction.
bool Clipper::cut(Polygon& polygon, int plane, ClipOutput& out) const {
    float distances[3 + clip_planes];
    for (int i = 0; i < polygon.size; ++i) {
        distances[i] = distance(polygon.vertex[i], plane, out);
        if (!std::isfinite(distances[i])) return false;
    }
    Polygon kept;
    kept.size = 0;
    for (int i = 0; i < polygon.size; ++i) {
        const int next = i + 1 < polygon.size ? i + 1 : 0;
        const bool inside = distances[i] >= 0;
        if (inside) kept.vertex[kept.size++] = polygon.vertex[i];
        if (inside == (distances[next] >= 0)) continue;
        const int in = inside ? i : next;
        const int out_of = inside ? next : i;
        const bool from_outside = -distances[out_of] < distances[in];
        const int from = from_outside ? out_of : in;
        const int to = from_outside ? in : out_of;
        const float t = distances[from] / (distances[from] - distances[to]);
        // Rounding can make a polygon cross a plane more than twice; it has no area to speak of then.
        if (kept.size + 1 >= static_cast<int>(std::size(kept.vertex))) return false;
        kept.vertex[kept.size++] = make_vertex(polygon.vertex[from], polygon.vertex[to], t, out);
    }
    polygon = kept;
    return polygon.size >= 3;
}

void Clipper::clip_triangle(const ClippedPrimitive& whole, unsigned planes, ClipOutput& out) const {
    Polygon polygon;
    std::copy(whole.vertex, whole.vertex + 3, polygon.vertex);
    for (int plane = 0; plane < clip_planes; ++plane)
        if ((planes >> plane & 1) != 0 && !cut(polygon, plane, out)) return;
    for (int i = 0; i < polygon.size; ++i)
        if (!(VertexView{drawn_, out.made}.clip(polygon.vertex[i])[3] > 0)) return;
    ClippedPrimitive part = whole;
    for (int i = 1; i + 1 < polygon.size; ++i) {
        // The first vertex stands where the provoking one does.
        const std::uint32_t fan[3] = {polygon.vertex[0], polygon.vertex[i], polygon.vertex[i + 1]};
        const int turn = provoking_ == Provoking::first ? 0 : 1;
        for (int corner = 0; corner < 3; ++corner) part.vertex[corner] = fan[(corner + turn) % 3];
        out.primitives.push_back(part);
    }
}

void Clipper::clip_line(const ClippedPrimitive& whole, unsigned planes, ClipOutput& out) const {
    float cut_first = 0, cut_last = 0;  // shares of the line cut off at its ends
    for (int plane = 0; plane < clip_planes; ++plane) {
        if ((planes >> plane & 1) == 0) continue;
        const float first = distance(whole.vertex[0], plane, out);
        const float last = distance(whole.vertex[1], plane, out);
        if (!std::isfinite(first) || !std::isfinite(last)) return;
        if (first < 0) cut_first = std::max(cut_first, first / (first - last));
        if (last < 0) cut_last = std::max(cut_last, last / (last - first));
        if (cut_first + cut_last >= 1) return;
    }
    ClippedPrimitive part = whole;
    if (cut_first > 0) part.vertex[0] = make_vertex(whole.vertex[0], whole.vertex[1], cut_first, out);
    if (cut_last > 0) part.vertex[1] = make_vertex(whole.vertex[1], whole.vertex[0], cut_last, out);
    part.vertex[2] = part.vertex[1];
    const VertexView vertices{drawn_, out.made};
    if (!(vertices.clip(part.vertex[0])[3] > 0 && vertices.clip(part.vertex[1])[3] > 0)) return;
    out.primitives.push_back(part);
}

void Clipper::clip_point(const ClippedPrimitive& whole, ClipOutput& out) const {
    if (drawn_.code(whole.vertex[0]) == 0 && drawn_.clip(whole.vertex[0])[3] > 0) out.primitives.push_back(whole);
}

}  // namespace models::functional
