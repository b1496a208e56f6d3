#include "models/functional/texture/bound_texture.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "engine/error.h"
#include "models/functional/texture/texture_unit.h"

namespace models::functional {

namespace {

[[noreturn]] void refuse(const SamplerView& view, const std::string& what) {
    std::string message = "sampler view of format ";
    message += format_name(view.format);
    message += ": ";
    message += what;
    throw engine::InputError(message);
}

bool is_array(ResourceTarget target) {
    return target == ResourceTarget::t1d_array || target == ResourceTarget::t2d_array ||
           target == ResourceTarget::cube_array;
}

int dimensions_of(ResourceTarget target) {
    switch (target) {
        case ResourceTarget::buffer:
        case ResourceTarget::t1d:
        case ResourceTarget::t1d_array:
            return 1;
        case ResourceTarget::t3d:
            return 3;
        default:
            return 2;
    }
}

void check_view(const SamplerView& view, const FormatInfo& format) {
    const Resource& resource = *view.resource;
    const ResourceDescription& d = resource.description();
    const bool buffer = d.target == ResourceTarget::buffer;
    if (buffer != (view.target == ResourceTarget::buffer)) refuse(view, "a buffer is viewed as a texture");
    if (buffer) {
        const std::uint64_t end = (std::uint64_t{view.last_element} + 1) * format.block_bytes;
        if (view.first_element > view.last_element || end > resource.bytes().size()) {
            refuse(view, "elements " + std::to_string(view.first_element) + " to " + std::to_string(view.last_element) +
                             " of a buffer of " + std::to_string(resource.bytes().size()) + " bytes");
        }
        return;
    }
    if (format.block_bytes != resource.format().block_bytes || format.block_width != resource.format().block_width ||
        format.block_height != resource.format().block_height) {
        refuse(view, "the resource has texels of format " + format_name(resource.format().format));
    }
    if ((view.target == ResourceTarget::t3d) != (d.target == ResourceTarget::t3d))
        refuse(view, "a 3D texture and another kind are not views of each other");
    if (view.first_level > view.last_level || view.last_level >= resource.levels()) {
        refuse(view, "levels " + std::to_string(view.first_level) + " to " + std::to_string(view.last_level) + " of " +
                         std::to_string(resource.levels()));
    }
    const std::uint32_t layers = d.target == ResourceTarget::t3d ? 1 : d.array_size;
    if (d.target != ResourceTarget::t3d && (view.first_layer > view.last_layer || view.last_layer >= layers)) {
        refuse(view, "layers " + std::to_string(view.first_layer) + " to " + std::to_string(view.last_layer) + " of " +
                         std::to_string(layers));
    }
    const std::uint32_t viewed = view.last_layer - view.first_layer + 1;
    if (is_cube(view.target) && (viewed % 6 != 0 || d.width != d.height)) {
        refuse(view, "a cube of " + std::to_string(viewed) + " faces of " + std::to_string(d.width) + "x" +
                         std::to_string(d.height) + " texels");
    }
}

// A border only shows where a filter or mode can leave the texture.
bool reaches_border(Wrap wrap, bool linear) {
    switch (wrap) {
        case Wrap::clamp:
        case Wrap::mirror_clamp:
            return linear;
        case Wrap::clamp_to_border:
        case Wrap::mirror_clamp_to_border:
            return true;
        default:
            return false;
    }
}

ByteTexels byte_texels_of(const FormatInfo& format) {
    if (format.srgb || format.type != ChannelType::unorm) return ByteTexels::none;
    if (format.kind == FormatKind::eac1 || format.kind == FormatKind::eac2) return ByteTexels::none;  // 11 bits
    if (format.compressed()) return ByteTexels::compressed;
    if (format.kind != FormatKind::plain) return ByteTexels::none;
    for (int k = 0; k < format.channel_count; ++k)
        if (format.channels[k].type != ChannelType::none && format.channels[k].bits > 8) return ByteTexels::none;
    if (!format.unorm_bytes) return ByteTexels::small;
    return format.block_bytes == 4 ? ByteTexels::words : ByteTexels::bytes;
}

// Not std::clamp: what is not a number becomes the limit that it is compared with first, as in the reference.
float at_least(float value, float least) {
    return value > least ? value : least;
}

float at_most(float value, float most) {
    return value < most ? value : most;
}

// The bits of an integer, within what `channel` holds.
float clamp_integer(const Channel& channel, float value) {
    if (channel.bits >= 32) return value;
    if (channel.type == ChannelType::uint) {
        const std::uint32_t most = (1U << channel.bits) - 1;
        return std::bit_cast<float>(std::min(std::bit_cast<std::uint32_t>(value), most));
    }
    const std::int32_t most = (1 << (channel.bits - 1)) - 1;
    return std::bit_cast<float>(std::clamp(std::bit_cast<std::int32_t>(value), -most - 1, most));
}

// A border colour is limited to what the format represents (OpenGL 4.6, 8.14.2). As in the reference, floats of 16, 11
// and 10 bits keep numbers beyond their largest one.
float clamp_border(const FormatInfo& format, std::uint8_t source, float value) {
    constexpr float largest_shared_exponent = 65408.0F;  // 511/512 * 2^16
    if (format.integer) return clamp_integer(format.channels[source], value);
    if (format.type == ChannelType::unorm) return at_most(at_least(value, 0.0F), 1.0F);
    if (format.type == ChannelType::snorm) return at_most(at_least(value, -1.0F), 1.0F);
    if (format.format == Format::r11g11b10_float) return at_least(value, 0.0F);
    if (format.kind == FormatKind::r9g9b9e5) return at_most(at_least(value, 0.0F), largest_shared_exponent);
    return value;
}

// Border components as the format's texels would give them.
void set_border(BoundTexture& texture) {
    const FormatInfo& format = *texture.format;
    for (std::size_t c = 0; c < 4; ++c) {
        const std::uint8_t source = format.source[c];
        if (source >= 4) {
            const float one = format.integer ? std::bit_cast<float>(1U) : 1.0F;
            texture.border[c] = source == source_one ? one : 0.0F;
            continue;
        }
        std::size_t component = 0;
        while (format.source[component] != source) ++component;
        texture.border[c] = clamp_border(format, source, texture.sampler.border_colour[component]);
    }
}

void set_levels(BoundTexture& texture, const SamplerView& view) {
    const Resource& resource = *view.resource;
    if (view.target == ResourceTarget::buffer) {
        BoundLevel& level = texture.levels[0];
        const std::size_t first = std::size_t{view.first_element} * texture.format->block_bytes;
        level.texels = resource.bytes().data() + first;
        level.width = static_cast<int>(view.last_element - view.first_element + 1);
        level.height = level.depth = 1;
        level.address = resource.address() + first;
        level.layout = buffer_layout(*texture.format, view.last_element - view.first_element + 1);
        return;
    }
    const bool slices = view.target == ResourceTarget::t3d;
    texture.base_size[0] = static_cast<float>(resource.description().width);
    texture.base_size[1] = static_cast<float>(resource.description().height);
    for (std::uint32_t number = view.first_level; number <= view.last_level; ++number) {
        const Resource::Level& from = resource.level(number);
        BoundLevel& level = texture.levels[number];
        const std::uint32_t first = slices ? 0 : view.first_layer;
        level.texels = resource.bytes().data() + from.offset + first * from.layer_bytes;
        level.row_bytes = from.row_bytes;
        level.layer_bytes = from.layer_bytes;
        level.width = static_cast<int>(from.width);
        level.height = static_cast<int>(from.height);
        level.depth = static_cast<int>(slices ? from.layers : view.last_layer - view.first_layer + 1);
        level.address = from.address + first * from.layout.bytes;
        level.layout = from.layout;
        if (texture.samples > 1) {  // those of a texel are neighbours in simulated memory
            level.layer_bytes = from.sample_bytes;
            level.depth = texture.samples;
            level.layout.bytes = texture.format->block_bytes;
        }
    }
}

void set_filters(BoundTexture& texture, const SamplerView& view) {
    const SamplerState& s = texture.sampler;
    const bool one_level = texture.first_level == texture.last_level && texture.first_level == 0;
    texture.mip_filter = one_level && s.max_lod > 0 ? MipFilter::none : s.mip_filter;
    texture.anisotropic = s.max_anisotropy > 1 && texture.dimensions > 1 && !texture.format->integer;
    texture.seamless = texture.cube && s.seamless_cube;
    texture.wrap[0] = texture.cube ? Wrap::clamp_to_edge : s.wrap_s;
    texture.wrap[1] = texture.cube ? Wrap::clamp_to_edge : s.wrap_t;
    texture.wrap[2] = s.wrap_r;
    const bool linear = s.min_filter == ImageFilter::linear || s.mag_filter == ImageFilter::linear;
    const BoundLevel& base = texture.level(texture.first_level);
    const int sizes[3] = {base.width, base.height, base.depth};
    texture.byte_filter_wraps = true;
    for (int axis = 0; axis < texture.dimensions; ++axis) {
        const Wrap wrap = texture.wrap[axis];
        const bool repeats = wrap == Wrap::repeat || wrap == Wrap::mirror_repeat;
        if (repeats && !texture.normalised) refuse(view, "unnormalised coordinates with a repeating wrap mode");
        texture.power_of_two[axis] = std::has_single_bit(static_cast<unsigned>(sizes[axis]));
        texture.uses_border |= reaches_border(wrap, linear);
        texture.byte_filter_wraps &= wrap == Wrap::repeat || wrap == Wrap::clamp_to_edge;
    }
}

}  // namespace

BoundTexture::BoundTexture(const SamplerView& view, const SamplerState& state)
    : sampler(state),
      target(view.target),
      format(&format_info(view.format, "sampler view")) {
    assert(view.resource != nullptr);
    check_view(view, *format);
    dimensions = dimensions_of(target);
    samples = static_cast<int>(view.resource->description().samples);
    if (samples > 1 && target != ResourceTarget::t2d) refuse(view, "a multisampled texture viewed as an array");
    cube = is_cube(target);
    array = is_array(target);
    normalised = !sampler.unnormalised && target != ResourceTarget::rect;
    if (target != ResourceTarget::buffer) {
        first_level = static_cast<int>(view.first_level);
        last_level = static_cast<int>(view.last_level);
    }
    set_levels(*this, view);
    if (target != ResourceTarget::buffer) set_filters(*this, view);
    std::copy_n(view.swizzle, 4, swizzle);
    set_border(*this);
    byte_texels = byte_texels_of(*format);
    const bool stored = byte_texels == ByteTexels::words || byte_texels == ByteTexels::bytes;
    for (std::size_t c = 0; c < 4; ++c) {
        const auto pick = static_cast<std::uint8_t>(swizzle[c]);
        byte_source[c] = pick < 4 && (stored || format->source[pick] >= 4) ? format->source[pick] : pick;
    }
}

TextureBindings::TextureBindings() = default;
TextureBindings::~TextureBindings() = default;
TextureBindings::TextureBindings(TextureBindings&&) noexcept = default;
TextureBindings& TextureBindings::operator=(TextureBindings&&) noexcept = default;

void TextureBindings::bind(int unit, const SamplerView& view, const SamplerState& sampler) {
    if (unit < 0 || unit >= texture_units)
        throw engine::InputError("texture unit " + std::to_string(unit) + " of " + std::to_string(texture_units));
    units_[static_cast<std::size_t>(unit)] = std::make_unique<BoundTexture>(view, sampler);
}

void TextureBindings::mark_written(int unit, std::uint32_t level) {
    assert(find(unit) != nullptr && level < most_levels);
    std::uint16_t& levels = units_[static_cast<std::size_t>(unit)]->written_levels;
    levels = static_cast<std::uint16_t>(levels | 1U << level);
}

void TextureBindings::unbind(int unit) {
    assert(unit >= 0 && unit < texture_units);
    units_[static_cast<std::size_t>(unit)].reset();
}

}  // namespace models::functional
