// What passes between the shader executor, the texture unit and the pipeline: batches of lanes, one array per
// component, so that a compiler can turn each loop over lanes into vector instructions.
#pragma once

#include <cstdint>

namespace models::functional {

// 16 quads. Lane 4q+i is pixel i of quad q: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
inline constexpr int batch_lanes = 64;
inline constexpr int batch_quads = batch_lanes / 4;

using LaneMask = std::uint64_t;  // bit per lane

// One vec4 register for every lane. Integers are kept as their bits.
struct alignas(64) Vec4Lanes {
    float c[4][batch_lanes];
};

enum class TextureTarget : std::uint8_t {
    buffer,
    t1d,
    t2d,
    t3d,
    cube,
    rect,
    shadow1d,
    shadow2d,
    shadow_rect,
    t1d_array,
    t2d_array,
    shadow1d_array,
    shadow2d_array,
    shadow_cube,
    cube_array,
    shadow_cube_array,
    t2d_multisampled,  // only fetches: the level is the number of the sample
};

enum class TextureOperation : std::uint8_t {
    sample,       // implicit LOD from the differences inside the quad (vertex stage: level 0)
    sample_bias,  // implicit LOD plus lod[]
    sample_lod,   // explicit lod[]
    sample_gradient,
    fetch,       // integer texel coordinates (bits), integer lod[] (bits)
    gather,      // four texels of one component
    size_query,  // integer lod[] (bits) in; width, height, depth or layers, levels (bits) out
    lod_query,
};

// One executed texture instruction for a batch. Projection (TXP) has already been applied to the coordinates.
struct TextureRequest {
    int unit = 0;  // of the stage's samplers and sampler views
    TextureTarget target = TextureTarget::t2d;
    TextureOperation operation = TextureOperation::sample;
    int instruction = 0;               // program counter, for the footprint
    LaneMask active = 0;               // lanes that execute it; helper lanes of a quad take part in implicit LODs
    const float* coordinates[4] = {};  // s, t, r or layer, q or reference by target, as TGSI lays them out
    const float* lod = nullptr;        // bias or level
    const float* reference = nullptr;  // shadow comparison value, or nullptr
    const float* ddx[3] = {};          // sample_gradient only
    const float* ddy[3] = {};
    int offset[3] = {};  // in texels
    int gather_component = 0;
    bool continues = false;  // the same instruction as the request before, for lanes with another unit or offset
};

// The executor's way to textures: one call per texture instruction and batch. `result` is written for all lanes of
// every quad that has an active lane.
class TextureSampler {
  public:
    virtual ~TextureSampler() = default;
    virtual void sample(const TextureRequest& request, Vec4Lanes& result) = 0;
};

}  // namespace models::functional
