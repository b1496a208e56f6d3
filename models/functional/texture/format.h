// The formats of texels, render targets and vertex attributes, numbered as the virgl protocol numbers them: what a
// block of bytes holds and how to turn spans of it into vec4 and back. Knows nothing of textures or addresses.
//
// Conversions: unorm v = i / (2^n - 1), packed as round to nearest, half to even, of the clamped value; snorm
// v = max(i / (2^(n-1) - 1), -1); float16, float11 and float10 pack by truncation, as llvmpipe does; sRGB by the
// piecewise curve of IEC 61966-2-1. Missing channels read as 0, missing alpha as 1; luminance, intensity and depth
// replicate (depth reads as z, z, z, 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace models::functional {

// The number on the wire. Only those that code names are listed; format_info knows the others.
enum class Format : std::uint16_t {
    unknown = 0,
    b8g8r8a8_unorm = 1,
    b8g8r8x8_unorm = 2,
    b5g6r5_unorm = 7,
    r10g10b10a2_unorm = 8,
    l8_unorm = 9,
    a8_unorm = 10,
    z16_unorm = 16,
    z32_unorm = 17,
    z32_float = 18,
    z24_unorm_s8_uint = 19,
    s8_uint_z24_unorm = 20,
    z24x8_unorm = 21,
    x8z24_unorm = 22,
    s8_uint = 23,
    r32_float = 28,
    r32g32_float = 29,
    r32g32b32_float = 30,
    r32g32b32a32_float = 31,
    r8_unorm = 64,
    r8g8_unorm = 65,
    r8g8b8_unorm = 66,
    r8g8b8a8_unorm = 67,
    r16g16b16a16_float = 94,
    b8g8r8a8_srgb = 100,
    r8g8b8a8_srgb = 104,
    dxt1_rgb = 105,
    dxt1_rgba = 106,
    dxt3_rgba = 107,
    dxt5_rgba = 108,
    r11g11b10_float = 124,
    r9g9b9e5_float = 125,
    z32_float_s8x24_uint = 126,
    r8g8b8x8_unorm = 134,
    x24s8_uint = 136,
    s8x24_uint = 137,
    x32_s8x24_uint = 138,
    r8_uint = 177,
    r32g32b32a32_uint = 196,
    r32g32b32a32_sint = 200,
};

enum class ChannelType : std::uint8_t {
    none,     // padding
    unorm,    // 0..1
    snorm,    // -1..1
    uscaled,  // integer read as the float of its value
    sscaled,
    uint,  // integer that stays one
    sint,
    floating,  // 32 or 16 bits, or the small floats of R11G11B10
    fixed,     // 16.16
};

enum class FormatKind : std::uint8_t {
    unsupported,  // refused by name
    plain,        // channels of whole bits, at most 64 bits each
    r9g9b9e5,
    depth_stencil,
    dxt1,  // also DXT1 without alpha
    dxt3,
    dxt5,
    rgtc1,
    rgtc2,
    etc2,        // also ETC1
    etc2_clear,  // with punch-through alpha
    etc2_alpha,
    eac1,  // 11 bits
    eac2,
    astc,
};

struct Channel {
    ChannelType type = ChannelType::none;
    std::uint8_t bits = 0;
    std::uint8_t shift = 0;  // of the lowest bit in the little-endian block
};

// Where a component of the vec4 comes from: channels[0..3] or a constant.
inline constexpr std::uint8_t source_zero = 4;
inline constexpr std::uint8_t source_one = 5;

struct FormatInfo {
    Format format = Format::unknown;
    FormatKind kind = FormatKind::unsupported;
    ChannelType type = ChannelType::none;  // of the colour channels; of depth in depth formats
    std::uint8_t block_bytes = 0;          // of a texel, or of a compressed block
    std::uint8_t block_width = 1;          // texels
    std::uint8_t block_height = 1;
    std::uint8_t channel_count = 0;  // padding included
    bool srgb = false;               // r, g, b are stored non-linearly
    bool integer = false;            // uint or sint: use the integer spans
    bool unorm_bytes = false;        // plain, all channels are normalised bytes (padding too)
    bool depth = false;
    bool stencil = false;
    Channel channels[4];  // in order of shift; depth formats: [0] depth, [1] stencil
    std::uint8_t source[4] = {source_zero, source_zero, source_zero, source_one};  // of r, g, b, a

    bool compressed() const { return block_width > 1; }
    std::size_t block_texels() const { return std::size_t{block_width} * block_height; }
};

// Name as the protocol's header spells it without its prefix ("B8G8R8A8_UNORM"), or "format 4711" for numbers it lacks.
std::string format_name(std::uint32_t number);
inline std::string format_name(Format format) {
    return format_name(static_cast<std::uint32_t>(format));
}

// The description, or nullptr for formats this renderer does not handle.
const FormatInfo* find_format(std::uint32_t number);
inline const FormatInfo* find_format(Format format) {
    return find_format(static_cast<std::uint32_t>(format));
}

// The description. Throws InputError naming the format and `use` ("texture", "vertex attribute") when not handled.
const FormatInfo& format_info(std::uint32_t number, std::string_view use);
inline const FormatInfo& format_info(Format format, std::string_view use) {
    return format_info(static_cast<std::uint32_t>(format), use);
}

// Spans of uncompressed texels, `count` of them, block_bytes apart. Depth formats give and take depth in r (stencil
// bits are left alone by pack_floats); stencil is the integer view: unpack_integers of a stencil format gives it in r.
void unpack_floats(const FormatInfo& info, const std::byte* texels, int count, float (*rgba)[4]);
void pack_floats(const FormatInfo& info, const float (*rgba)[4], int count, std::byte* texels);
// The texel of a clear, whose normalised integers the reference rounds otherwise than what is drawn: depths exactly,
// colours with halves up except in bytes.
void pack_clear(const FormatInfo& info, const float rgba[4], std::byte* texel);
void unpack_integers(const FormatInfo& info, const std::byte* texels, int count, std::uint32_t (*rgba)[4]);
void pack_integers(const FormatInfo& info, const std::uint32_t (*rgba)[4], int count, std::byte* texels);

// All block_width * block_height texels of one compressed block, row by row.
void decode_block(const FormatInfo& info, const std::byte* block, float (*rgba)[4]);

}  // namespace models::functional
