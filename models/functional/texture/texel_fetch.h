// Single texels of a bound texture, as bytes for the 8-bit filters or as floats.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "models/functional/texture/bound_texture.h"

namespace models::functional {

// Compressed blocks decoded lately. Valid for one request only, since textures may change between requests.
class BlockCache {
  public:
    // A texel by its number in the block: as floats, and as four bytes.
    struct Texel {
        float rgba[4];
        std::uint32_t word;
    };

    BlockCache() : entries_(entry_count) {}
    void invalidate() { ++generation_; }
    const Texel* decoded(const FormatInfo& format, const std::byte* block);

  private:
    struct Entry {
        const std::byte* block = nullptr;
        std::uint64_t generation = 0;
    };
    static constexpr std::size_t entry_count = 64;
    void make_room(std::size_t block_texels);

    std::vector<Entry> entries_;
    std::vector<Texel> texels_;     // of all entries
    std::size_t block_texels_ = 0;  // of an entry, at most
    std::uint64_t generation_ = 1;
};

inline const std::byte* texel_pointer(const BoundLevel& level, std::size_t texel_bytes, int x, int y, int z) {
    return level.texels + static_cast<std::size_t>(z) * level.layer_bytes +
           static_cast<std::size_t>(y) * level.row_bytes + static_cast<std::size_t>(x) * texel_bytes;
}

inline std::uint32_t load_word(const std::byte* from) {
    std::uint32_t word = 0;
    std::memcpy(&word, from, 4);
    return word;
}

// Four bytes in the order of BoundTexture::byte_source.
std::uint32_t fetch_bytes(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y, int z);

// r, g, b, a before the view's swizzle; bits of integers for integer formats.
void fetch_floats(const BoundTexture& texture, const BoundLevel& level, BlockCache& cache, int x, int y, int z,
                  float* rgba);

}  // namespace models::functional
