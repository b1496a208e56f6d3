// Levels of detail: the scale of a texture at each lane and the levels that filters read. The logarithm is linear
// between powers of two, as llvmpipe computes it.
#pragma once

#include "models/functional/shader_batch.h"
#include "models/functional/texture/bound_texture.h"

namespace models::functional {

// How much a texture coordinate changes from pixel to pixel: [x, y of the screen][s, t, r] per lane.
struct CoordinateGradient {
    float d[2][3][batch_lanes];
};

// Squared texels per pixel of the longer (or, for anisotropic filters, the shorter) of the two directions.
void squared_scale(const BoundTexture& texture, const CoordinateGradient& gradient, int count, float* scale);

// log2 of the square root.
float half_log2(float squared);

struct LodInput {
    const float* scale = nullptr;  // squared texels per pixel; nullptr: lod is explicit
    const float* lod = nullptr;    // bias, or explicit; nullptr: none
};

// The clamped LOD, sampler bias included.
void clamped_lods(const BoundTexture& texture, const LodInput& input, int count, float* lods);

// LOD without clamps, for queries.
float raw_lod(const BoundTexture& texture, const LodInput& input, int i);

struct LevelChoice {
    int first[batch_lanes];
    int second[batch_lanes];
    float weight[batch_lanes];  // of the second; 0: only the first is read
    bool minified[batch_lanes];
};

void choose_levels(const BoundTexture& texture, const LodInput& input, int count, LevelChoice& choice);

}  // namespace models::functional
