// From texture coordinates to texels along one axis, for a batch of lanes: wrap modes, the choice of the nearest texel
// or of the two neighbours and their weight. Positions outside 0..size-1 mean the border colour; they come only from
// the modes that have one.
#pragma once

#include "models/functional/shader_batch.h"
#include "models/functional/texture/sampler_state.h"

namespace models::functional {

// One axis of a sampler on a texture.
struct AxisRule {
    Wrap wrap = Wrap::repeat;
    bool normalised = true;    // coordinates 0..1 span the texture
    bool power_of_two = true;  // size of the base level
    int offset = 0;            // texels, added after scaling
};

struct LinearAxis {
    int first[batch_lanes];
    int second[batch_lanes];
    float weight[batch_lanes];  // of the second
};

struct ByteAxis {
    int first[batch_lanes];
    int second[batch_lanes];
    std::uint32_t weight[batch_lanes];  // of the second, 0..255 of 256
};

// `sizes` are the texels along the axis in each lane's level.
void wrap_nearest(const AxisRule& rule, const float* coordinates, const int* sizes, int count, int* texels);
void wrap_linear(const AxisRule& rule, const float* coordinates, const int* sizes, int count, LinearAxis& axis);

// The two texels that a gather takes; weights are not computed.
void wrap_gather(const AxisRule& rule, const float* coordinates, const int* sizes, int count, LinearAxis& axis);

// As wrap_linear with weights of 8 bits; only for repeat and clamp_to_edge.
void wrap_linear_bytes(const AxisRule& rule, const float* coordinates, const int* sizes, int count, ByteAxis& axis);

}  // namespace models::functional
