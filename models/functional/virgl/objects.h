// The state objects that virgl commands create and bind, decoded into what the stages of the renderer take. What an
// object asks for and the renderer lacks is kept as text and refused when a draw uses the object, not before:
// applications create objects that they never use.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/functional/output/blend.h"
#include "models/functional/output/depth_stencil.h"
#include "models/functional/raster/setup.h"
#include "models/functional/texture/sampler_state.h"
#include "models/functional/virgl/protocol.h"
#include "models/shader/program.h"

namespace models::functional {

inline constexpr std::uint32_t max_colour_targets = 8;
inline constexpr std::uint32_t max_clip_planes = 8;

struct BlendObject {
    BlendState state;
    std::array<TargetBlend, max_colour_targets> targets;
    bool alpha_to_coverage = false, alpha_to_one = false;  // where pixels have several samples
};

struct DepthStencilAlphaObject {
    DepthStencilState state;
    bool alpha_test = false;
    CompareFunction alpha_function = CompareFunction::always;
    float alpha_reference = 0;
};

enum class FillMode : std::uint8_t { fill, line, point };

struct RasterizerObject {
    bool flat_shade = false;
    bool flat_shade_first = false;  // the provoking vertex is the first
    bool depth_clip = true;
    bool clip_half_z = false;  // depth in clip space goes from 0 to w
    bool discard = false;
    bool scissor = false;
    bool front_counter_clockwise = false;
    CullFace cull = CullFace::none;
    bool two_sided_light = false;
    bool point_quad = false;  // points are squares with sprite coordinates
    bool sprite_origin_lower_left = false;
    bool point_size_per_vertex = false;
    bool half_pixel_centre = true;
    bool multisample = false;
    bool offset_point = false, offset_line = false, offset_triangle = false;
    bool clamp_vertex_colour = false, clamp_fragment_colour = false;
    FillMode fill_front = FillMode::fill, fill_back = FillMode::fill;
    float point_size = 1, line_width = 1;  // pixels
    float offset_units = 0, offset_scale = 0, offset_clamp = 0;
    std::uint32_t sprite_coordinates = 0;  // bit per texture coordinate replaced on points
    std::uint8_t clip_planes = 0;          // enabled user clip planes
    bool per_sample_interpolation = false;
    bool smooth_lines = false;  // where pixels have one sample
    bool polygon_stipple = false;
};

struct VertexElement {
    std::uint32_t offset = 0;   // bytes, in the vertex
    std::uint32_t divisor = 0;  // instances per element; 0: one element per vertex
    std::uint32_t buffer = 0;   // slot
    const FormatInfo* format = nullptr;
};
struct VertexElementsObject {
    std::vector<VertexElement> elements;
};

struct ShaderObject {
    ShaderStage stage = ShaderStage::vertex;
    std::string text;                 // TGSI
    std::uint32_t missing_bytes = 0;  // of chunks still to come
    std::uint64_t offset = 0;         // of the command that created it
    std::uint32_t shared_bytes = 0;   // of memory that the threads of a block share
    std::string unsupported;          // the stage, when it is another one than those of ShaderStage
};

struct SamplerViewObject {
    std::shared_ptr<Resource> resource;
    SamplerView view;
};

struct SurfaceObject {
    std::shared_ptr<Resource> resource;
    Format format = Format::unknown;
    std::uint32_t level = 0, layer = 0;
};

// Decoding of CREATE_OBJECT; word 0 is the handle. Refuse numbers out of their range.
BlendObject decode_blend(const Words& words);
DepthStencilAlphaObject decode_depth_stencil_alpha(const Words& words);
RasterizerObject decode_rasterizer(const Words& words);
VertexElementsObject decode_vertex_elements(const Words& words);
SamplerState decode_sampler_state(const Words& words);
SamplerViewObject decode_sampler_view(const Words& words, std::shared_ptr<Resource> resource);
SurfaceObject decode_surface(const Words& words, std::shared_ptr<Resource> resource);
// The first chunk creates the shader, each later one appends to it.
ShaderObject decode_shader(const Words& words);
void append_shader(ShaderObject& shader, const Words& words);

}  // namespace models::functional
