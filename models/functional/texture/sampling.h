// One texture request on one bound texture, for the lanes of a batch: from coordinates over levels of detail and
// filters to swizzled results. Used only by the texture unit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/functional/texture/level_of_detail.h"
#include "models/functional/texture/sample_work.h"
#include "models/functional/texture/texture_unit.h"

namespace models::functional {

// What a worker keeps between requests, so that none allocates.
struct TextureScratch {
    BlockCache cache;
    BlockLog log;
    SampleWork work;
    SampleWork parts[2];  // lanes with the nearest and with the linear filter
    SampleWork second;    // lanes that read a second level
    CoordinateGradient gradient;
    float scale[batch_lanes];  // squared texels per pixel
    float lod[batch_lanes];    // the request's, packed as the work is
    LevelChoice levels;
    int ellipse_texels[batch_lanes];  // that an anisotropic filter weighed
    Colours colours, colours1;
    std::uint32_t words[batch_lanes], words1[batch_lanes];
};

// All lanes of the quads with an active lane.
inline LaneMask whole_quads(LaneMask active) {
    LaneMask quads = (active | (active >> 1) | (active >> 2) | (active >> 3)) & 0x1111111111111111ULL;
    return quads * 0xfULL;
}

// The coordinate that holds an array's layer.
inline int layer_coordinate(ResourceTarget target) {
    return target == ResourceTarget::t1d_array ? 1 : target == ResourceTarget::t2d_array ? 2 : 3;
}

// One request on one bound texture.
class Sampling {
  public:
    Sampling(const BoundTexture& texture, const TextureRequest& request, LaneGrouping grouping, bool record,
             TextureScratch& scratch, Vec4Lanes& result)
        : texture_(texture),
          request_(request),
          scratch_(scratch),
          result_(result),
          quads_(grouping == LaneGrouping::quads),
          group_lanes_(lanes_of(grouping)),
          context_{texture, scratch.cache, record ? &scratch.log : nullptr, {}, false} {
        std::copy_n(request.offset, 3, context_.offset);
        context_.compare = texture.sampler.compare && request.reference != nullptr;
        collect_lanes();
    }

    void run() {
        switch (request_.operation) {
            case TextureOperation::size_query:
                return query_size();
            case TextureOperation::fetch:
                return fetch();
            default:
                break;
        }
        load_coordinates();
        switch (request_.operation) {
            case TextureOperation::gather:
                return gather();
            case TextureOperation::lod_query:
                return query_lod();
            default:
                sample();
        }
    }

    // After run(): what it cost each group of lanes.
    void measure(std::array<SampleCost, batch_lanes>& groups) const;

  private:
    // Of lanes by their position in the work.
    struct FilterCosts;
    SampleCost filter_cost(const FilterCosts& costs, int j) const;
    SampleCost ellipse_cost(int j) const;
    template <class CostOf>
    void add_costs(std::array<SampleCost, batch_lanes>& groups, const CostOf& cost_of) const;
    // A texture of integers with a linear filter: incomplete by the rules of OpenGL.
    bool reads_black() const {
        const SamplerState& s = texture_.sampler;
        return texture_.format->integer &&
               (s.min_filter == ImageFilter::linear || s.mag_filter == ImageFilter::linear ||
                texture_.mip_filter == MipFilter::linear);
    }
    void collect_lanes();
    void pack(const float* values, float* packed) const;
    void load_coordinates();
    void load_cube();
    void load_layers();
    void load_gradient();
    void quad_differences(const float* coordinate, int axis);
    LodInput lod_input();
    void choose();
    bool filters_in_bytes() const;
    void sample();
    void sample_part(const SampleWork& part, bool linear);
    void mix_second_level(const SampleWork& part, bool linear, bool bytes);
    void fetch();
    int fetched_level(int lane) const;  // of the texture; the first where there is no such level
    void gather();
    void query_size();
    void query_lod();
    void store(const SampleWork& part, int j, const float* rgba);
    void store_words(const SampleWork& part);

    bool needs_lod() const {
        const SamplerState& s = texture_.sampler;
        return texture_.mip_filter != MipFilter::none || s.min_filter != s.mag_filter;
    }
    bool has_gradient() const { return request_.operation == TextureOperation::sample_gradient; }

    const BoundTexture& texture_;
    const TextureRequest& request_;
    TextureScratch& scratch_;
    Vec4Lanes& result_;
    bool quads_;
    int group_lanes_;
    SampleContext context_;
};

}  // namespace models::functional
