// Texture sampling for batches of lanes: what OpenGL ES 3 and desktop OpenGL 2 to 3 define, with the choices of
// llvmpipe where they leave freedom (rounding, LOD from the top left lane's differences, 8-bit weights for 8-bit
// texels). Records the memory blocks it touches. Resources are read while sampling and not kept otherwise: their
// contents may change between batches, the resources must live as long as they are bound.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/functional/shader_batch.h"
#include "models/functional/texture/footprint.h"
#include "models/functional/texture/sampler_state.h"

namespace models::functional {

inline constexpr int texture_units = 32;  // of one stage

struct BoundTexture;  // a view and a sampler, prepared for sampling

// The textures and samplers of one shader stage for one draw. Read-only while batches run: workers share it.
class TextureBindings {
  public:
    TextureBindings();
    ~TextureBindings();
    TextureBindings(TextureBindings&&) noexcept;
    TextureBindings& operator=(TextureBindings&&) noexcept;

    // Throws InputError by name on formats, states and combinations that are not supported.
    void bind(int unit, const SamplerView& view, const SamplerState& sampler);
    void unbind(int unit);
    // The draw writes to this level of the unit's texture: fetches from there are refused when they are executed.
    void mark_written(int unit, std::uint32_t level);
    const BoundTexture* find(int unit) const { return units_[static_cast<std::size_t>(unit)].get(); }

  private:
    std::array<std::unique_ptr<BoundTexture>, texture_units> units_;
};

enum class LaneGrouping : std::uint8_t {
    quads,    // fragments: implicit LOD from differences, footprints per quad
    lanes,    // vertices: implicit LOD is level 0, footprints per lane
    threads,  // compute programs: the same, footprints per group of 32 lanes
};

constexpr int lanes_of(LaneGrouping grouping) {
    return grouping == LaneGrouping::quads ? 4 : grouping == LaneGrouping::lanes ? 1 : 32;
}

struct TextureScratch;

// One per worker. A unit without a texture reads as (0, 0, 0, 1), as in OpenGL. sample() throws InputError when the
// program and the view disagree on the kind of texture; it allocates nothing once its footprint has grown to the size
// of a batch's.
class TextureUnit final : public TextureSampler {
  public:
    TextureUnit();
    ~TextureUnit() override;

    // Both outlive the calls of sample(); footprint may be nullptr: nothing is recorded.
    void begin(const TextureBindings& bindings, LaneGrouping grouping, Footprint* footprint);
    void sample(const TextureRequest& request, Vec4Lanes& result) override;

  private:
    const TextureBindings* bindings_ = nullptr;
    Footprint* footprint_ = nullptr;
    LaneGrouping grouping_ = LaneGrouping::quads;
    std::unique_ptr<TextureScratch> scratch_;
};

}  // namespace models::functional
