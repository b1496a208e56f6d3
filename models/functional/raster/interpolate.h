// Interpolation of fragment inputs: plane equations set up once for a primitive, evaluated for batches of quads.
//
// Planes have their value at the corner of the window and are computed and evaluated as llvmpipe does, operation by
// operation: other orders of the same sums differ visibly where texture coordinates are magnified. Perspective inputs
// are planes of a/w times the reciprocal of the plane of 1/w; depth is linear in the window. Lanes outside the
// primitive are extrapolated: they are the helper lanes of implicit LODs.
#pragma once

#include <cstdint>
#include <span>

#include "models/functional/raster/clip.h"
#include "models/functional/raster/setup.h"
#include "models/functional/raster/vertices.h"
#include "models/functional/shader_batch.h"

namespace models::functional {

// Where an input of the fragment program comes from.
enum class InputSource : std::uint8_t {
    unused,     // nothing is written
    attribute,  // of the vertices
    position,   // window x, y, depth, 1/w
    facing,     // (1, 0, 0, 0) at the front, (-1, 0, 0, 0) at the back
    sprite,     // the point coordinate (s, t, 0, 1); an attribute where the primitive is not a point
};

struct InputRule {
    InputSource source = InputSource::attribute;
    Interpolation interpolation = Interpolation::perspective;
    std::uint8_t components = 15;      // bit per component; the others are left as they are
    std::uint8_t uniform = 0;          // of them, those that are the same at all vertices and not interpolated
    bool centroid = false;             // interpolated at the centroid of a pixel that has several samples
    std::int16_t attribute = 0;        // -1: zeros, on the front of what has a colour on its back only
    std::int16_t back_attribute = -1;  // of primitives that face away (two-sided colours); -1: the same
};

struct Plane {
    float value = 0;  // at the corner of the window
    float dx = 0, dy = 0;
};

// Of one primitive. `inputs` has four planes, one per component, for every rule.
struct PrimitivePlanes {
    float origin = 0;  // of a pixel's attributes, from its number
    bool front_facing = true;
    float depth_offset = 0;  // added to the depth
    Plane depth, inverse_w;
    const Plane* inputs = nullptr;
    Plane across, along;  // of a smooth line: distances from its axis and its middle
    float half_width = 0, half_length = 0;
};

// Fills `inputs` (4 * rules.size() planes, which must outlive the result). `primitive` is what the clipper made.
PrimitivePlanes make_planes(PrimitiveKind kind, const ClippedPrimitive& primitive, const VertexView& vertices,
                            const InterpolationBasis& basis, std::span<const InputRule> rules, Plane* inputs);

// A quad of a batch: the pixel at its top left and the planes of its primitive.
struct BatchQuad {
    const PrimitivePlanes* planes = nullptr;
    std::int32_t x = 0, y = 0;
};

// From the centres of pixels, by lane.
struct LaneOffsets {
    float x[batch_lanes] = {}, y[batch_lanes] = {};
};

// At most batch_quads quads, of any primitives of one draw; lanes of missing quads are left as they are.
// `pixel_centre` is what `position` adds to the numbers of a pixel: 0.5, or 0 for programs that want integers.
// dx, dy: from the centre of a pixel. centroids: where inputs of that kind are interpolated.
void interpolate_depth(std::span<const BatchQuad> quads, float dx, float dy, float* depth);
// Of smooth lines: what share of each pixel they cover.
void interpolate_line_coverage(std::span<const BatchQuad> quads, float* coverage);
void interpolate_inputs(std::span<const BatchQuad> quads, std::span<const InputRule> rules, float pixel_centre,
                        const LaneOffsets* centroids, Vec4Lanes* inputs);

}  // namespace models::functional
