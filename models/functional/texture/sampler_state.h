// What applications set for texture sampling. The numbers are those of Gallium, so a decoder may cast.
#pragma once

#include <cstdint>

#include "models/functional/texture/resource.h"

namespace models::functional {

enum class CompareFunction : std::uint8_t { never, less, equal, lequal, greater, notequal, gequal, always };

enum class Wrap : std::uint8_t {
    repeat,
    clamp,  // to [0, 1]: linear filters mix in the border colour
    clamp_to_edge,
    clamp_to_border,
    mirror_repeat,
    mirror_clamp,
    mirror_clamp_to_edge,
    mirror_clamp_to_border,
};

enum class ImageFilter : std::uint8_t { nearest, linear };
enum class MipFilter : std::uint8_t { nearest, linear, none };
enum class Swizzle : std::uint8_t { x, y, z, w, zero, one };

struct SamplerState {
    Wrap wrap_s = Wrap::repeat, wrap_t = Wrap::repeat, wrap_r = Wrap::repeat;
    ImageFilter min_filter = ImageFilter::nearest, mag_filter = ImageFilter::nearest;
    MipFilter mip_filter = MipFilter::none;
    bool compare = false;  // shadow comparison
    CompareFunction compare_function = CompareFunction::never;
    bool seamless_cube = false;
    bool unnormalised = false;         // coordinates in texels; targets of other kinds than rect
    std::uint32_t max_anisotropy = 0;  // 0 and 1: isotropic
    float lod_bias = 0, min_lod = 0, max_lod = 0;
    float border_colour[4] = {};  // bits of integers for integer formats
};

// What a shader sees of a resource.
struct SamplerView {
    const Resource* resource = nullptr;
    Format format = Format::unknown;
    ResourceTarget target = ResourceTarget::t2d;  // of the view; may differ from the resource's
    Swizzle swizzle[4] = {Swizzle::x, Swizzle::y, Swizzle::z, Swizzle::w};
    std::uint32_t first_level = 0, last_level = 0;
    std::uint32_t first_layer = 0, last_layer = 0;
    std::uint32_t first_element = 0, last_element = 0;  // buffers, in texels of `format`
};

}  // namespace models::functional
