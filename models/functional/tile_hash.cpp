#include "models/functional/tile_hash.h"

#include <algorithm>
#include <array>
#include <vector>

#include "models/functional/texture/content_hash.h"

namespace models::functional {

namespace {

// Rows of texels without the bits that no channel has (X8, say): a draw may leave there what it likes.
class RowHash {
  public:
    explicit RowHash(const FormatInfo& format) : texel_bytes_(format.block_bytes) {
        if (format.kind != FormatKind::plain) return;
        for (int k = 0; k < format.channel_count; ++k) {
            const Channel& channel = format.channels[k];
            for (unsigned bit = channel.shift; bit < channel.shift + unsigned{channel.bits}; ++bit) {
                if (channel.type == ChannelType::none) {
                    kept_[bit / 8] &= ~(std::byte{1} << (bit % 8));
                    masked_ = true;
                }
            }
        }
    }

    void add(std::span<const std::byte> row, ContentHash& hash) {
        if (!masked_) {
            hash.add_bytes(row);
            return;
        }
        row_.assign(row.begin(), row.end());
        for (std::size_t i = 0; i < row_.size(); ++i) row_[i] &= kept_[i % texel_bytes_];
        hash.add_bytes(row_);
    }

  private:
    static constexpr std::size_t most_texel_bytes = 16;
    static constexpr std::array<std::byte, most_texel_bytes> all_bits() {
        std::array<std::byte, most_texel_bytes> bits{};
        bits.fill(std::byte{0xff});
        return bits;
    }

    std::array<std::byte, most_texel_bytes> kept_ = all_bits();
    std::size_t texel_bytes_;
    bool masked_ = false;
    std::vector<std::byte> row_;
};

}  // namespace

std::uint64_t hash_of_tile(const SurfaceView& surface, std::uint32_t width, std::uint32_t height, std::uint32_t tile_x,
                           std::uint32_t tile_y) {
    const std::uint32_t x = tile_x * trace_tile_pixels, y = tile_y * trace_tile_pixels;
    const std::size_t row_bytes = std::size_t{std::min(trace_tile_pixels, width - x)} * surface.format->block_bytes;
    ContentHash hash;
    RowHash rows(*surface.format);
    for (std::uint32_t sample = 0; sample < surface.samples; ++sample) {
        const SurfaceView view = surface.sample(sample);
        for (std::uint32_t row = y; row < std::min(y + trace_tile_pixels, height); ++row)
            rows.add({view.texel(x, row), row_bytes}, hash);
    }
    return hash.value();
}

}  // namespace models::functional
