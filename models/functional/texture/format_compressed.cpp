// Which decoder a compressed block needs. S3TC (EXT_texture_compression_s3tc) and RGTC (EXT_texture_compression_rgtc)
// blocks. Colours are computed in 8 bits with truncating thirds, alphas in 8 bits, as the reference renderer's 8-bit
// decoder does.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "models/functional/texture/format.h"
#include "models/functional/texture/format_astc.h"
#include "models/functional/texture/format_etc.h"
#include "models/functional/texture/rounding.h"
#include "models/functional/texture/srgb.h"

namespace models::functional {

namespace {

using Bytes4 = ByteTexel;
using Block = std::array<Bytes4, 16>;  // of all formats but ASTC

std::uint64_t load(const std::byte* from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

Bytes4 expand_565(std::uint32_t c) {
    const std::uint32_t r = (c >> 11) & 31U, g = (c >> 5) & 63U, b = c & 31U;
    return {static_cast<std::uint8_t>((r << 3) | (r >> 2)), static_cast<std::uint8_t>((g << 2) | (g >> 4)),
            static_cast<std::uint8_t>((b << 3) | (b >> 2)), 255};
}

// (a * wa + b * wb) / (wa + wb) of each component.
Bytes4 mix(const Bytes4& a, unsigned wa, const Bytes4& b, unsigned wb) {
    Bytes4 result{0, 0, 0, 255};
    for (std::size_t i = 0; i < 3; ++i) result[i] = static_cast<std::uint8_t>((a[i] * wa + b[i] * wb) / (wa + wb));
    return result;
}

// `punch_through`: DXT1's choice of three colours and black when the first end is not the larger.
void decode_colours(const std::byte* from, bool punch_through, bool black_is_clear, Block& texels) {
    const auto c0 = static_cast<std::uint32_t>(load(from, 2)), c1 = static_cast<std::uint32_t>(load(from + 2, 2));
    const auto indices = static_cast<std::uint32_t>(load(from + 4, 4));
    std::array<Bytes4, 4> colours{expand_565(c0), expand_565(c1), {}, {}};
    if (punch_through && c0 <= c1) {
        colours[2] = mix(colours[0], 1, colours[1], 1);
        colours[3] = {0, 0, 0, static_cast<std::uint8_t>(black_is_clear ? 0 : 255)};
    } else {
        colours[2] = mix(colours[0], 2, colours[1], 1);
        colours[3] = mix(colours[0], 1, colours[1], 2);
    }
    for (std::size_t i = 0; i < 16; ++i) texels[i] = colours[(indices >> (2 * i)) & 3U];
}

// The 8-byte block of one channel that DXT5's alpha and RGTC share; `Value` is int for both signednesses.
std::array<int, 16> decode_channel(const std::byte* from, bool is_signed) {
    const auto end = [&](std::size_t i) {
        const auto byte = static_cast<std::uint8_t>(from[i]);
        return is_signed ? static_cast<int>(static_cast<std::int8_t>(byte)) : static_cast<int>(byte);
    };
    const int a0 = end(0), a1 = end(1);
    std::array<int, 8> values{a0, a1};
    if (a0 > a1) {
        for (int i = 1; i < 7; ++i) values[static_cast<std::size_t>(i) + 1] = ((7 - i) * a0 + i * a1) / 7;
    } else {
        for (int i = 1; i < 5; ++i) values[static_cast<std::size_t>(i) + 1] = ((5 - i) * a0 + i * a1) / 5;
        values[6] = is_signed ? -127 : 0;
        values[7] = is_signed ? 127 : 255;
    }
    const std::uint64_t indices = load(from + 2, 6);
    std::array<int, 16> texels{};
    for (std::size_t i = 0; i < 16; ++i) texels[i] = values[(indices >> (3 * i)) & 7U];
    return texels;
}

void decode_s3tc(const FormatInfo& info, const std::byte* block, Block& texels) {
    if (info.kind == FormatKind::dxt1) {
        decode_colours(block, true, info.source[3] != source_one, texels);
        return;
    }
    decode_colours(block + 8, false, false, texels);
    if (info.kind == FormatKind::dxt3) {
        const std::uint64_t alphas = load(block, 8);
        for (std::size_t i = 0; i < 16; ++i)
            texels[i][3] = static_cast<std::uint8_t>(((alphas >> (4 * i)) & 15U) * 17U);
        return;
    }
    const std::array<int, 16> alphas = decode_channel(block, false);
    for (std::size_t i = 0; i < 16; ++i) texels[i][3] = static_cast<std::uint8_t>(alphas[i]);
}

void decode_rgtc(const FormatInfo& info, const std::byte* block, float (*rgba)[4]) {
    const bool is_signed = info.type == ChannelType::snorm;
    const float scale = is_signed ? 127.0F : 255.0F;
    const std::size_t channels = info.kind == FormatKind::rgtc1 ? 1 : 2;
    for (std::size_t i = 0; i < 16; ++i) {
        rgba[i][0] = rgba[i][1] = rgba[i][2] = 0;
        rgba[i][3] = 1;
    }
    for (std::size_t c = 0; c < channels; ++c) {
        const std::array<int, 16> values = decode_channel(block + 8 * c, is_signed);
        for (std::size_t i = 0; i < 16; ++i) rgba[i][c] = std::max(static_cast<float>(values[i]) / scale, -1.0F);
    }
}

void decode_etc2(const FormatInfo& info, const std::byte* block, Block& texels) {
    const bool alpha = info.kind == FormatKind::etc2_alpha;
    const EtcAlpha kind = info.kind == FormatKind::etc2_clear ? EtcAlpha::punch_through : EtcAlpha::opaque;
    decode_etc2_colours(alpha ? block + 8 : block, kind, texels);
    if (!alpha) return;
    const std::array<std::uint8_t, 16> alphas = decode_eac_alpha(block);
    for (std::size_t i = 0; i < 16; ++i) texels[i][3] = alphas[i];
}

void decode_eac(const FormatInfo& info, const std::byte* block, float (*rgba)[4]) {
    const std::size_t channels = info.kind == FormatKind::eac1 ? 1 : 2;
    for (std::size_t i = 0; i < 16; ++i) {
        rgba[i][0] = rgba[i][1] = rgba[i][2] = 0;
        rgba[i][3] = 1;
    }
    for (std::size_t c = 0; c < channels; ++c) {
        const std::array<float, 16> values = decode_eac_11(block + 8 * c, info.type == ChannelType::snorm);
        for (std::size_t i = 0; i < 16; ++i) rgba[i][c] = values[i];
    }
}

bool is_etc2(FormatKind kind) {
    return kind == FormatKind::etc2 || kind == FormatKind::etc2_clear || kind == FormatKind::etc2_alpha;
}

void to_floats(const FormatInfo& info, const Bytes4* texels, float (*rgba)[4]) {
    for (std::size_t i = 0; i < info.block_texels(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
            const bool linear = info.srgb && c < 3;
            rgba[i][c] = linear ? srgb_table()[texels[i][c]] : from_unorm(texels[i][c], 255);
        }
    }
}

}  // namespace

void decode_block(const FormatInfo& info, const std::byte* block, float (*rgba)[4]) {
    assert(info.compressed());
    if (info.kind == FormatKind::rgtc1 || info.kind == FormatKind::rgtc2) return decode_rgtc(info, block, rgba);
    if (info.kind == FormatKind::eac1 || info.kind == FormatKind::eac2) return decode_eac(info, block, rgba);
    if (info.kind == FormatKind::astc) {
        std::array<Bytes4, most_block_texels> texels;
        decode_astc(block, info.block_width, info.block_height, info.srgb, texels.data());
        return to_floats(info, texels.data(), rgba);
    }
    Block texels{};
    is_etc2(info.kind) ? decode_etc2(info, block, texels) : decode_s3tc(info, block, texels);
    to_floats(info, texels.data(), rgba);
}

}  // namespace models::functional
