#include "models/functional/raster/interpolate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace models::functional {

namespace {

// The plane through the values at the three vertices of a primitive.
Plane make_plane(PrimitiveKind kind, const InterpolationBasis& basis, const float (&value)[3]) {
    const float a0 = value[basis.order[0]], a1 = value[basis.order[1]], a2 = value[basis.order[2]];
    const float da01 = a0 - a1, da20 = a2 - a0;
    if (kind == PrimitiveKind::point) return {a0, 0, 0};
    Plane plane;
    if (kind == PrimitiveKind::line) {
        plane.dx = da01 * basis.dx01 * basis.scale;
        plane.dy = da01 * basis.dy01 * basis.scale;
    } else {
        plane.dx = da01 * basis.dy20 - da20 * basis.dy01;
        plane.dy = da20 * basis.dx01 - da01 * basis.dx20;
    }
    plane.value = a0 - (plane.dx * basis.x + plane.dy * basis.y);
    return plane;
}

// The point coordinate, times 1/w where the input will be divided by it.
void make_sprite_planes(const InterpolationBasis& basis, float factor, Plane* planes) {
    planes[0] = {(0.5F - basis.sprite_s * basis.x) * factor, basis.sprite_s * factor, 0};
    planes[1] = {(0.5F - basis.sprite_t * basis.y) * factor, 0, basis.sprite_t * factor};
    planes[2] = {0, 0, 0};
    planes[3] = {factor, 0, 0};
}

void make_attribute_planes(PrimitiveKind kind, const ClippedPrimitive& primitive, const VertexView& vertices,
                           const InterpolationBasis& basis, const InputRule& rule, Plane* planes) {
    const bool back = !basis.front_facing && rule.back_attribute >= 0;
    const int attribute = back ? rule.back_attribute : rule.attribute;
    if (attribute < 0) {
        std::fill_n(planes, 4, Plane{});
        return;
    }
    if (rule.interpolation == Interpolation::constant) {
        const float* value = vertices.attribute(primitive.provoking, attribute);
        for (int i = 0; i < 4; ++i) planes[i] = {value[i], 0, 0};
        return;
    }
    const bool perspective = rule.interpolation == Interpolation::perspective;
    const float* value[3];
    float factor[3];
    for (int i = 0; i < 3; ++i) {
        value[i] = vertices.attribute(primitive.vertex[i], attribute);
        factor[i] = vertices.window(primitive.vertex[i])[3];
    }
    for (int i = 0; i < 4; ++i) {
        if ((rule.components >> i & 1) == 0) continue;
        if ((rule.uniform >> i & 1) != 0) {
            planes[i] = {vertices.attribute(primitive.provoking, attribute)[i], 0, 0};
            continue;
        }
        float scaled[3] = {value[0][i], value[1][i], value[2][i]};
        for (int v = 0; perspective && v < 3; ++v) scaled[v] *= factor[v];
        planes[i] = make_plane(kind, basis, scaled);
    }
}

// Where the lanes of a batch are in the window, and of what primitives.
struct Lanes {
    int quads = 0;
    bool shifted = false;               // not all at pixel centres
    alignas(64) double x[batch_lanes];  // floats, widened once for all planes
    alignas(64) double y[batch_lanes];
    const PrimitivePlanes* planes[batch_quads];

    void shift(int lane, float dx, float dy) {
        x[lane] = static_cast<float>(x[lane]) + dx;
        y[lane] = static_cast<float>(y[lane]) + dy;
    }
};

void place_lanes(std::span<const BatchQuad> quads, Lanes& lanes) {
    assert(quads.size() <= batch_quads);
    lanes.quads = static_cast<int>(quads.size());
    for (int q = 0; q < lanes.quads; ++q) {
        const BatchQuad& quad = quads[static_cast<std::size_t>(q)];
        lanes.planes[q] = quad.planes;
        const float x = static_cast<float>(quad.x) + quad.planes->origin;
        const float y = static_cast<float>(quad.y) + quad.planes->origin;
        for (int i = 0; i < 4; ++i) {
            lanes.x[4 * q + i] = static_cast<double>(x + static_cast<float>(i & 1));
            lanes.y[4 * q + i] = static_cast<double>(y + static_cast<float>(i >> 1));
        }
    }
}

// Two lanes at once.
using Floats = float __attribute__((vector_size(8)));
using Doubles = double __attribute__((vector_size(16)));

inline Doubles load(const double* values) {
    Doubles loaded;
    std::memcpy(&loaded, values, sizeof loaded);
    return loaded;
}

// fused() for two lanes. Converted as vectors: g++ 12 drops the rounding of lanes that are narrowed and widened again.
inline Floats fused(Doubles a, Doubles b, Doubles c) {
    return __builtin_convertvector(a * b + c, Floats);
}

inline Doubles wide(Floats values) {
    return __builtin_convertvector(values, Doubles);
}

// `plane_of` picks the plane from the planes of a primitive. Both products are added in one rounding each, x first.
// The two rows of a quad have the same x unless the lanes were shifted.
template <class PlaneOf>
void evaluate(const Lanes& lanes, PlaneOf plane_of, float* __restrict out) {
    for (int q = 0; q < lanes.quads; ++q) {
        const Plane& plane = plane_of(*lanes.planes[q]);
        const double *const x = lanes.x + 4 * q, *const y = lanes.y + 4 * q;
        const Doubles value = {plane.value, plane.value}, dx = {plane.dx, plane.dx}, dy = {plane.dy, plane.dy};
        const Doubles top = wide(fused(dx, load(x), value));
        const Doubles bottom = lanes.shifted ? wide(fused(dx, load(x + 2), value)) : top;
        const Floats rows[2] = {fused(dy, load(y), top), fused(dy, load(y + 2), bottom)};
        std::memcpy(out + 4 * q, rows, sizeof rows);
    }
}

void evaluate_depth(const Lanes& lanes, float* depth) {
    evaluate(lanes, [](const PrimitivePlanes& planes) -> const Plane& { return planes.depth; }, depth);
    for (int q = 0; q < lanes.quads; ++q) {
        const float offset = lanes.planes[q]->depth_offset;
        for (int i = 4 * q; i < 4 * q + 4; ++i) depth[i] += offset;
    }
}

void evaluate_inverse_w(const Lanes& lanes, float* inverse_w) {
    evaluate(lanes, [](const PrimitivePlanes& planes) -> const Plane& { return planes.inverse_w; }, inverse_w);
}

// The value of a plane as it is. Arithmetic would change the bits of integers that look like -0 or a signalling NaN.
void copy_value(const Lanes& lanes, std::size_t input, float* out) {
    for (int q = 0; q < lanes.quads; ++q) std::fill_n(out + 4 * q, 4, lanes.planes[q]->inputs[input].value);
}

void write_position(std::span<const BatchQuad> quads, const Lanes& lanes, float pixel_centre, Vec4Lanes& input) {
    for (int i = 0; i < 4 * lanes.quads; ++i) {
        const BatchQuad& quad = quads[static_cast<std::size_t>(i / 4)];
        input.c[0][i] = static_cast<float>(quad.x + (i & 1)) + pixel_centre;
        input.c[1][i] = static_cast<float>(quad.y + (i >> 1 & 1)) + pixel_centre;
    }
    evaluate_depth(lanes, input.c[2]);
    evaluate_inverse_w(lanes, input.c[3]);
}

void write_facing(const Lanes& lanes, Vec4Lanes& input) {
    for (int i = 0; i < 4 * lanes.quads; ++i) {
        input.c[0][i] = lanes.planes[i / 4]->front_facing ? 1.0F : -1.0F;
        input.c[1][i] = input.c[2][i] = input.c[3][i] = 0;
    }
}

// With perspective, as attributes are.
void make_smooth_line_planes(const InterpolationBasis& basis, const float* const (&window)[3],
                             PrimitivePlanes& planes) {
    const SmoothLineHalf& half = basis.smooth;
    float across[3], along[3];
    for (int i = 0; i < 3; ++i) {
        const std::uint8_t corner = smooth_line_corners[half.second ? 1 : 0][i];
        across[i] = (corner % 2 == 0 ? -half.half_width : half.half_width) * window[i][3];
        along[i] = (corner / 2 == 0 ? -half.half_length : half.half_length) * window[i][3];
    }
    planes.across = make_plane(PrimitiveKind::triangle, basis, across);
    planes.along = make_plane(PrimitiveKind::triangle, basis, along);
    planes.half_width = half.half_width;
    planes.half_length = half.half_length;
}

}  // namespace

PrimitivePlanes make_planes(PrimitiveKind kind, const ClippedPrimitive& primitive, const VertexView& vertices,
                            const InterpolationBasis& basis, std::span<const InputRule> rules, Plane* inputs) {
    const float* window[3];
    for (int i = 0; i < 3; ++i) window[i] = vertices.window(primitive.vertex[i]);
    PrimitivePlanes planes = {basis.origin, basis.front_facing, basis.depth_offset, {}, {}, inputs, {}, {}, 0, 0};
    if (basis.smooth.half_width > 0) make_smooth_line_planes(basis, window, planes);
    planes.depth = make_plane(kind, basis, {window[0][2], window[1][2], window[2][2]});
    planes.inverse_w = make_plane(kind, basis, {window[0][3], window[1][3], window[2][3]});
    for (const InputRule& rule : rules) {
        if (rule.source == InputSource::sprite && kind == PrimitiveKind::point)
            make_sprite_planes(basis, rule.interpolation == Interpolation::perspective ? window[0][3] : 1.0F, inputs);
        else if (rule.source == InputSource::attribute || rule.source == InputSource::sprite)
            make_attribute_planes(kind, primitive, vertices, basis, rule, inputs);
        inputs += 4;
    }
    return planes;
}

void interpolate_depth(std::span<const BatchQuad> quads, float dx, float dy, float* depth) {
    if (quads.empty()) return;
    Lanes lanes;
    place_lanes(quads, lanes);
    for (int i = 0; i < 4 * lanes.quads; ++i) lanes.shift(i, dx, dy);
    evaluate_depth(lanes, depth);
}

void interpolate_line_coverage(std::span<const BatchQuad> quads, float* coverage) {
    if (quads.empty()) return;
    Lanes lanes;
    place_lanes(quads, lanes);
    alignas(64) float across[batch_lanes], along[batch_lanes], inverse_w[batch_lanes];
    evaluate(lanes, [](const PrimitivePlanes& planes) -> const Plane& { return planes.across; }, across);
    evaluate(lanes, [](const PrimitivePlanes& planes) -> const Plane& { return planes.along; }, along);
    evaluate_inverse_w(lanes, inverse_w);
    for (int i = 0; i < 4 * lanes.quads; ++i) {
        const PrimitivePlanes& planes = *lanes.planes[i / 4];
        const float w = 1.0F / inverse_w[i];
        const float beside = std::clamp(planes.half_width - std::abs(across[i] * w), 0.0F, 1.0F);
        coverage[i] = beside * std::clamp(planes.half_length - std::abs(along[i] * w), 0.0F, 1.0F);
    }
}

void interpolate_inputs(std::span<const BatchQuad> quads, std::span<const InputRule> rules, float pixel_centre,
                        const LaneOffsets* centroids, Vec4Lanes* inputs) {
    if (quads.empty()) return;
    Lanes lanes;
    place_lanes(quads, lanes);
    Lanes shifted;
    if (centroids != nullptr) {
        shifted = lanes;
        shifted.shifted = true;
        for (int i = 0; i < 4 * lanes.quads; ++i) shifted.shift(i, centroids->x[i], centroids->y[i]);
    }
    alignas(64) float w[batch_lanes] = {};
    evaluate_inverse_w(lanes, w);
    for (int i = 0; i < 4 * lanes.quads; ++i) w[i] = 1.0F / w[i];

    for (std::size_t r = 0; r < rules.size(); ++r) {
        const InputRule& rule = rules[r];
        Vec4Lanes& input = inputs[r];
        if (rule.source == InputSource::unused) continue;
        if (rule.source == InputSource::position) {
            write_position(quads, lanes, pixel_centre, input);
            continue;
        }
        if (rule.source == InputSource::facing) {
            write_facing(lanes, input);
            continue;
        }
        const bool flat = rule.source == InputSource::attribute && rule.interpolation == Interpolation::constant;
        const Lanes& where = rule.centroid && centroids != nullptr ? shifted : lanes;
        for (std::size_t c = 0; c < 4; ++c) {
            if ((rule.components >> c & 1) == 0) continue;
            float* __restrict out = input.c[c];
            if (flat) {
                copy_value(lanes, 4 * r + c, out);
                continue;
            }
            evaluate(
                where, [at = 4 * r + c](const PrimitivePlanes& planes) -> const Plane& { return planes.inputs[at]; },
                out);
            if (rule.interpolation != Interpolation::perspective || (rule.uniform >> c & 1) != 0) continue;
            for (int i = 0; i < 4 * lanes.quads; ++i) out[i] *= w[i];
        }
    }
}

}  // namespace models::functional
