// A sampler view with a sampler, prepared: addresses of levels, how texels are read, which filter runs. Used only by
// the texture unit.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "models/functional/texture/sampler_state.h"

namespace models::functional {

inline constexpr int most_levels = 16;

struct BoundLevel {
    const std::byte* texels = nullptr;  // of the view's first layer
    std::size_t row_bytes = 0, layer_bytes = 0;
    int width = 0, height = 0;
    int depth = 0;        // slices of a 3D level, layers or faces of others
    Address address = 0;  // of the view's first layer
    SurfaceLayout layout;

    Address texel_address(int x, int y, int z) const {
        return address + static_cast<std::uint64_t>(z) * layout.bytes +
               layout.offset(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    }
};

// How the texels of formats that llvmpipe filters in 8 bits become four bytes in a word.
enum class ByteTexels : std::uint8_t {
    none,        // not such a format
    words,       // four bytes as stored
    bytes,       // one to three bytes as stored
    small,       // channels of less than 8 bits: expanded, in the order r, g, b, a
    compressed,  // decoded, in the order r, g, b, a
};

struct BoundTexture {
    // Of compressed formats: all have channels of 8 bits.
    static constexpr std::uint8_t decoded_texel_bytes = 4;

    BoundTexture(const SamplerView& view, const SamplerState& sampler);

    const BoundLevel& level(int number) const { return levels[static_cast<std::size_t>(number)]; }
    // As TextureAccess has them.
    std::uint8_t texel_bytes() const {
        if (format->compressed()) return decoded_texel_bytes;
        const std::uint32_t bytes = format->block_bytes;
        return static_cast<std::uint8_t>(target == ResourceTarget::buffer ? bytes : std::bit_ceil(bytes));
    }

    SamplerState sampler;
    ResourceTarget target = ResourceTarget::t2d;
    const FormatInfo* format = nullptr;
    int dimensions = 2;  // that filters work in: 1 to 3; faces and layers do not count
    bool cube = false, array = false;
    int samples = 1;  // more: depth and layers of levels count samples, and only fetches read them
    bool normalised = true;
    int first_level = 0, last_level = 0;
    std::uint16_t written_levels = 0;            // bits: the draw writes there, so nothing may be fetched
    std::array<BoundLevel, most_levels> levels;  // those of the view
    float base_size[2] = {};                     // texels of level 0, in the view or not

    MipFilter mip_filter = MipFilter::none;  // none also when the view has one level
    bool anisotropic = false;
    bool seamless = false;           // cube filtered across edges
    bool byte_filter_wraps = false;  // wrap modes allow filters in 8 bits
    bool uses_border = false;
    bool power_of_two[3] = {};
    Wrap wrap[3] = {};

    ByteTexels byte_texels = ByteTexels::none;
    std::uint8_t byte_source[4] = {};  // of r, g, b, a after the view's swizzle: a byte of the word or a constant
    Swizzle swizzle[4] = {};
    float border[4] = {};  // clamped to the format, as its texels read
};

}  // namespace models::functional
