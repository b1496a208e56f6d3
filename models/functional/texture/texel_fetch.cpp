#include "models/functional/texture/texel_fetch.h"

#include <bit>

#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

std::uint32_t to_word(const float* rgba) {
    std::uint32_t word = 0;
    for (unsigned c = 0; c < 4; ++c) word |= to_unorm(rgba[c], 8) << (8 * c);
    return word;
}

const BlockCache::Entry& block_of(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y,
                                  int z) {
    const std::byte* block = texel_pointer(level, texture.format->block_bytes, x >> 2, y >> 2, z);
    return cache.decoded(*texture.format, block);
}

std::size_t within_block(int x, int y) {
    const int texel = (y & 3) * 4 + (x & 3);
    return static_cast<std::size_t>(texel);
}

}  // namespace

const BlockCache::Entry& BlockCache::decoded(const FormatInfo& format, const std::byte* block) {
    // Blocks are 8 or 16 bytes: neighbours get different entries.
    Entry& entry = entries_[(std::bit_cast<std::uintptr_t>(block) >> 3) % entry_count];
    if (entry.block == block && entry.generation == generation_) return entry;
    entry.block = block;
    entry.generation = generation_;
    decode_block(format, block, entry.texels);
    for (std::size_t i = 0; i < 16; ++i) entry.words[i] = to_word(entry.texels[i]);
    return entry;
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
            return block_of(texture, level, cache, x, y, z).words[within_block(x, y)];
        case ByteTexels::small:
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
        std::memcpy(rgba, block_of(texture, level, cache, x, y, z).texels[within_block(x, y)], 4 * sizeof(float));
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
