#include "models/functional/texture/texel_fetch.h"

#include <bit>

#include "models/functional/texture/format_astc.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

std::uint32_t to_word(const float* rgba) {
    std::uint32_t word = 0;
    for (unsigned c = 0; c < 4; ++c) word |= to_unorm(rgba[c], 8) << (8 * c);
    return word;
}

const BlockCache::Texel& texel_of(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y,
                                  int z) {
    const FormatInfo& format = *texture.format;
    if (format.block_width == 4 && format.block_height == 4) {
        const std::byte* block = texel_pointer(level, format.block_bytes, x >> 2, y >> 2, z);
        return cache.decoded(format, block)[(y & 3) * 4 + (x & 3)];
    }
    const int width = format.block_width, height = format.block_height;
    const std::byte* block = texel_pointer(level, format.block_bytes, x / width, y / height, z);
    return cache.decoded(format, block)[y % height * width + x % width];
}

// r, g, b and a of a texel whose channels have at most 8 bits.
std::uint32_t expand(const FormatInfo& format, const std::byte* texel) {
    std::uint32_t packed = 0, word = 0;
    std::memcpy(&packed, texel, format.block_bytes);
    for (unsigned c = 0; c < 4; ++c) {
        std::uint32_t byte = format.source[c] == source_one ? 255 : 0;
        if (format.source[c] < format.channel_count) {
            const Channel channel = format.channels[format.source[c]];
            byte = repeated_in_byte((packed >> channel.shift) & ((1U << channel.bits) - 1), channel.bits);
        }
        word |= byte << (8 * c);
    }
    return word;
}

}  // namespace

void BlockCache::make_room(std::size_t block_texels) {
    block_texels_ = block_texels;
    texels_.resize(entry_count * block_texels);
    ++generation_;
}

const BlockCache::Texel* BlockCache::decoded(const FormatInfo& format, const std::byte* block) {
    const std::size_t count = format.block_texels();
    if (count > block_texels_) make_room(count);
    // Blocks are 8 or 16 bytes: neighbours get different entries.
    const std::size_t number = (std::bit_cast<std::uintptr_t>(block) >> 3) % entry_count;
    Entry& entry = entries_[number];
    Texel* const texels = &texels_[number * block_texels_];
    if (entry.block == block && entry.generation == generation_) return texels;
    entry = {block, generation_};
    float rgba[most_block_texels][4];
    decode_block(format, block, rgba);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(texels[i].rgba, rgba[i], sizeof rgba[i]);
        texels[i].word = to_word(rgba[i]);
    }
    return texels;
}

std::uint32_t fetch_bytes(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y,
                          int z) {
    const std::size_t bytes = texture.format->block_bytes;
    switch (texture.byte_texels) {
        case ByteTexels::words:
            return load_word(texel_pointer(level, 4, x, y, z));
        case ByteTexels::bytes: {
            std::uint32_t word = 0;
            const std::byte* from = texel_pointer(level, bytes, x, y, z);
            for (std::size_t k = 0; k < bytes; ++k) word |= static_cast<std::uint32_t>(from[k]) << (8 * k);
            return word;
        }
        case ByteTexels::compressed:
            return texel_of(texture, level, cache, x, y, z).word;
        case ByteTexels::small:
            return expand(*texture.format, texel_pointer(level, bytes, x, y, z));
        case ByteTexels::none:
            break;
    }
    float rgba[1][4];
    unpack_floats(*texture.format, texel_pointer(level, bytes, x, y, z), 1, rgba);
    return to_word(rgba[0]);
}

void fetch_floats(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y, int z,
                  float* rgba) {
    const FormatInfo& format = *texture.format;
    if (format.compressed()) {
        std::memcpy(rgba, texel_of(texture, level, cache, x, y, z).rgba, 4 * sizeof(float));
        return;
    }
    const std::byte* from = texel_pointer(level, format.block_bytes, x, y, z);
    if (format.integer) {
        std::uint32_t integers[1][4];
        unpack_integers(format, from, 1, integers);
        std::memcpy(rgba, integers, sizeof integers);
        return;
    }
    float floats[1][4];
    unpack_floats(format, from, 1, floats);
    std::memcpy(rgba, floats, sizeof floats);
}

}  // namespace models::functional
