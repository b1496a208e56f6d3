#include "models/functional/virgl/objects.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace models::functional {

namespace {

constexpr std::uint32_t bits(std::uint32_t word, int shift, int count) {
    return word >> shift & ((1U << count) - 1);
}
constexpr bool flag(std::uint32_t word, int shift) {
    return (word >> shift & 1U) != 0;
}

template <class Enum>
Enum numbered(const Words& words, std::uint32_t number, std::uint32_t count, const char* what) {
    if (number >= count) words.refuse("unknown " + std::string(what) + " " + std::to_string(number));
    return static_cast<Enum>(number);
}

// Not a number is none.
float size(const Words& words, std::uint32_t index, const char* what) {
    const float found = words.real(index);
    if (!(found >= 0))
        words.refuse("expected a " + std::string(what) + " of at least 0, found " + std::to_string(found));
    return found;
}

BlendFactor decode_factor(const Words& words, std::uint32_t number) {
    const bool known =
        (number >= 1 && number <= 10) || (number >= 0x11 && number <= 0x15) || (number >= 0x17 && number <= 0x1a);
    if (!known) words.refuse("unknown blend factor " + std::to_string(number));
    return static_cast<BlendFactor>(number);
}

TargetBlend decode_target(const Words& words, std::uint32_t word) {
    TargetBlend target;
    target.enabled = flag(word, 0);
    target.colour_mask = static_cast<std::uint8_t>(bits(word, 27, 4));
    if (target.enabled) {
        target.colour_function = numbered<BlendFunction>(words, bits(word, 1, 3), 5, "blend function");
        target.colour_source = decode_factor(words, bits(word, 4, 5));
        target.colour_target = decode_factor(words, bits(word, 9, 5));
        target.alpha_function = numbered<BlendFunction>(words, bits(word, 14, 3), 5, "blend function");
        target.alpha_source = decode_factor(words, bits(word, 17, 5));
        target.alpha_target = decode_factor(words, bits(word, 22, 5));
    }
    return target;
}

StencilFace decode_stencil(std::uint32_t word) {
    StencilFace face;
    face.enabled = flag(word, 0);
    face.function = static_cast<CompareFunction>(bits(word, 1, 3));
    face.fail = static_cast<StencilOperation>(bits(word, 4, 3));
    face.pass = static_cast<StencilOperation>(bits(word, 7, 3));
    face.depth_fail = static_cast<StencilOperation>(bits(word, 10, 3));
    face.value_mask = static_cast<std::uint8_t>(bits(word, 13, 8));
    face.write_mask = static_cast<std::uint8_t>(bits(word, 21, 8));
    return face;
}

}  // namespace

BlendObject decode_blend(const Words& words) {
    words.need(3 + max_colour_targets);
    BlendObject blend;
    const std::uint32_t flags = words[1];
    const bool independent = flag(flags, 0);
    blend.state.logic_enabled = flag(flags, 1);
    blend.state.logic = static_cast<LogicOperation>(bits(words[2], 0, 4));
    blend.alpha_to_coverage = flag(flags, 3);
    blend.alpha_to_one = flag(flags, 4);
    for (std::uint32_t i = 0; i < max_colour_targets; ++i)
        blend.targets[i] = decode_target(words, words[3 + (independent ? i : 0)]);
    return blend;
}

DepthStencilAlphaObject decode_depth_stencil_alpha(const Words& words) {
    words.need(5);
    DepthStencilAlphaObject object;
    const std::uint32_t flags = words[1];
    object.state.depth_test = flag(flags, 0);
    object.state.depth_write = flag(flags, 0) && flag(flags, 1);
    object.state.depth_function = static_cast<CompareFunction>(bits(flags, 2, 3));
    object.state.stencil[0] = decode_stencil(words[2]);
    object.state.stencil[1] = decode_stencil(words[3]);
    object.alpha_test = flag(flags, 8);
    object.alpha_function = static_cast<CompareFunction>(bits(flags, 9, 3));
    object.alpha_reference = words.real(4);
    return object;
}

RasterizerObject decode_rasterizer(const Words& words) {
    words.need(9);
    RasterizerObject r;
    const std::uint32_t flags = words[1];
    r.flat_shade = flag(flags, 0);
    r.depth_clip = flag(flags, 1);
    r.clip_half_z = flag(flags, 2);
    r.discard = flag(flags, 3);
    r.flat_shade_first = flag(flags, 4);
    r.two_sided_light = flag(flags, 5);
    r.sprite_origin_lower_left = flag(flags, 6);
    r.point_quad = flag(flags, 7);
    r.cull = static_cast<CullFace>(bits(flags, 8, 2));
    r.fill_front = numbered<FillMode>(words, bits(flags, 10, 2), 3, "fill mode");
    r.fill_back = numbered<FillMode>(words, bits(flags, 12, 2), 3, "fill mode");
    r.scissor = flag(flags, 14);
    r.front_counter_clockwise = flag(flags, 15);
    r.clamp_vertex_colour = flag(flags, 16);
    r.clamp_fragment_colour = flag(flags, 17);
    r.offset_line = flag(flags, 18);
    r.offset_point = flag(flags, 19);
    r.offset_triangle = flag(flags, 20);
    // Bits 21, 23 and 27, smooth polygons and points and stippled lines: the reference renderer draws them like others.
    r.polygon_stipple = flag(flags, 22);
    r.point_size_per_vertex = flag(flags, 24);
    r.multisample = flag(flags, 25);
    r.smooth_lines = flag(flags, 26);
    r.half_pixel_centre = flag(flags, 29);
    r.per_sample_interpolation = flag(flags, 31);
    r.point_size = words.real(2);
    r.sprite_coordinates = words[3];
    r.clip_planes = static_cast<std::uint8_t>(bits(words[4], 24, 8));
    r.line_width = size(words, 5, "line width");
    r.offset_units = words.real(6);
    r.offset_scale = words.real(7);
    r.offset_clamp = words.real(8);
    return r;
}

VertexElementsObject decode_vertex_elements(const Words& words) {
    VertexElementsObject object;
    const std::uint32_t count = (words.count() - 1) / 4;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t at = 1 + i * 4;
        const FormatInfo& format = format_info(words[at + 3], "vertex attribute");
        if (format.kind != FormatKind::plain && format.kind != FormatKind::r9g9b9e5)
            words.refuse("unsupported format " + format_name(format.format) + " of a vertex attribute");
        object.elements.push_back(
            {.offset = words[at], .divisor = words[at + 1], .buffer = words[at + 2], .format = &format});
    }
    return object;
}

namespace {

// The renderer behind the recordings speaks the core profile, which has no GL_CLAMP: it clamps to the edge instead.
Wrap decode_wrap(std::uint32_t flags, int shift) {
    const auto wrap = static_cast<Wrap>(bits(flags, shift, 3));
    return wrap == Wrap::clamp ? Wrap::clamp_to_edge : wrap;
}

}  // namespace

SamplerState decode_sampler_state(const Words& words) {
    words.need(9);
    SamplerState s;
    const std::uint32_t flags = words[1];
    s.wrap_s = decode_wrap(flags, 0);
    s.wrap_t = decode_wrap(flags, 3);
    s.wrap_r = decode_wrap(flags, 6);
    s.min_filter = numbered<ImageFilter>(words, bits(flags, 9, 2), 2, "minification filter");
    s.mip_filter = numbered<MipFilter>(words, bits(flags, 11, 2), 3, "mipmap filter");
    s.mag_filter = numbered<ImageFilter>(words, bits(flags, 13, 2), 2, "magnification filter");
    s.compare = flag(flags, 15);
    s.compare_function = static_cast<CompareFunction>(bits(flags, 16, 3));
    s.seamless_cube = flag(flags, 19);
    s.max_anisotropy = bits(flags, 20, 6);
    s.lod_bias = words.real(2);
    s.min_lod = words.real(3);
    s.max_lod = words.real(4);
    for (std::uint32_t i = 0; i < 4; ++i) s.border_colour[i] = words.real(5 + i);
    return s;
}

SamplerViewObject decode_sampler_view(const Words& words, std::shared_ptr<Resource> resource) {
    words.need(6);
    SamplerViewObject object;
    object.resource = std::move(resource);
    const ResourceDescription& description = object.resource->description();
    SamplerView& view = object.view;
    view.resource = object.resource.get();
    view.format = static_cast<Format>(words[2] & 0xffffff);
    const std::uint32_t target = words[2] >> 24;  // 0, a buffer, when the application's driver sends no target
    view.target = target == 0 ? description.target : numbered<ResourceTarget>(words, target, 9, "texture target");
    if (description.target == ResourceTarget::buffer) {
        view.first_element = words[3];
        view.last_element = words[4];
    } else {
        view.first_layer = words[3] & 0xffff;
        view.last_layer = words[3] >> 16;
        view.first_level = words[4] & 0xff;
        view.last_level = words[4] >> 8 & 0xff;
    }
    for (int i = 0; i < 4; ++i) view.swizzle[i] = numbered<Swizzle>(words, bits(words[5], i * 3, 3), 6, "swizzle");
    return object;
}

SurfaceObject decode_surface(const Words& words, std::shared_ptr<Resource> resource) {
    words.need(5);
    const std::uint32_t first = words[4] & 0xffff;
    const std::uint32_t last = words[4] >> 16;
    if (first != last) {
        words.refuse("layered render targets are not supported (layers " + std::to_string(first) + " to " +
                     std::to_string(last) + ")");
    }
    SurfaceObject surface{std::move(resource), static_cast<Format>(words[2]), words[3], first};
    surface.resource->surface(surface.level, surface.layer, surface.format);  // refuses what does not exist
    return surface;
}

namespace {

constexpr std::uint32_t continuation_bit = 0x80000000U;
constexpr std::uint32_t largest_shader_bytes = 16U << 20;
constexpr std::uint32_t largest_shared_bytes = 1U << 20;  // GPUs have 32 to 64 KiB

// Text of one chunk, after the header and the stream-output declarations, which draws do not need; a compute shader has
// the bytes of its shared memory in the place of their number.
void append_text(ShaderObject& shader, const Words& words) {
    const std::uint32_t outputs = shader.stage == ShaderStage::compute ? 0 : words[4];
    if (outputs > 256) words.refuse("expected at most 256 stream outputs, found " + std::to_string(outputs));
    const Bytes text = words.bytes_from(5 + (outputs == 0 ? 0 : 4 + outputs * 2));
    const std::size_t size = std::min<std::size_t>(text.size(), shader.missing_bytes);
    if (size == 0) words.refuse("a chunk of a shader without text");
    const std::size_t old = shader.text.size();
    shader.text.resize(old + size);
    std::memcpy(shader.text.data() + old, text.data(), size);
    shader.missing_bytes -= static_cast<std::uint32_t>(size);
    if (shader.missing_bytes == 0) shader.text.resize(shader.text.find_last_not_of('\0') + 1);
}

}  // namespace

ShaderObject decode_shader(const Words& words) {
    constexpr const char* stages[] = {
        "vertex", "fragment", "geometry", "tessellation control", "tessellation evaluation", "compute"};
    words.need(5);
    ShaderObject shader;
    const std::uint32_t stage = words[1];
    if (stage >= std::size(stages)) words.refuse("unknown shader stage " + std::to_string(stage));
    shader.offset = words.offset();
    if (stage == std::size(stages) - 1) {
        shader.stage = ShaderStage::compute;
        shader.shared_bytes = words[4];
        if (shader.shared_bytes > largest_shared_bytes) {
            words.refuse("expected at most " + std::to_string(largest_shared_bytes) +
                         " bytes of shared memory, found " + std::to_string(shader.shared_bytes));
        }
    } else if (stage > 1) {
        shader.unsupported = std::string(stages[stage]) + " shaders";
    } else {
        shader.stage = stage == 0 ? ShaderStage::vertex : ShaderStage::fragment;
    }
    if ((words[2] & continuation_bit) != 0 || words[2] > largest_shader_bytes)
        words.refuse("expected the first chunk of a shader of at most 16 MiB");
    shader.missing_bytes = words[2];
    append_text(shader, words);
    return shader;
}

void append_shader(ShaderObject& shader, const Words& words) {
    words.need(5);
    if ((words[2] & ~continuation_bit) != shader.text.size()) {
        words.refuse("expected the chunk of the shader at byte " + std::to_string(shader.text.size()) +
                     ", found the one at byte " + std::to_string(words[2] & ~continuation_bit));
    }
    append_text(shader, words);
}

}  // namespace models::functional
