#include "models/workload/surface_blocks.h"

#include <algorithm>
#include <bit>

namespace models {
namespace {

constexpr std::uint32_t side = trace_tile_pixels / 4;  // of a tile, in 4x4 texels

constexpr std::uint64_t round_up(std::uint64_t value, std::uint32_t shift) {
    return (value + (1ULL << shift) - 1) >> shift << shift;
}

std::uint64_t morton(std::uint32_t x, std::uint32_t y) {
    std::uint64_t code = 0;
    for (int bit = 0; bit < 16; ++bit)
        code |= (std::uint64_t{x >> bit & 1U} << (2 * bit)) | (std::uint64_t{y >> bit & 1U} << (2 * bit + 1));
    return code;
}

}  // namespace

SurfaceBlocks::SurfaceBlocks(const Surface& surface) {
    if (surface.bytes_per_texel == 0 || surface.width == 0 || surface.height == 0) return;
    texels_x_ = (surface.width + 3) / 4;
    texels_y_ = (surface.height + 3) / 4;
    texel_tile_shift_ = static_cast<std::uint32_t>(std::bit_width(surface.bytes_per_texel - 1)) + 4;
    const std::uint64_t area = std::uint64_t{texels_x_} * texels_y_;
    const auto padded = [&](std::uint32_t shift) { return round_up(texels_x_, shift) * round_up(texels_y_, shift); };
    square_shift_ = static_cast<std::uint32_t>(std::bit_width(std::min(texels_x_, texels_y_))) - 1;
    while (square_shift_ > 0 && padded(square_shift_) * 4 > area * 5) --square_shift_;
    squares_x_ = static_cast<std::uint32_t>(round_up(texels_x_, square_shift_) >> square_shift_);
    first_ = static_cast<BlockNumber>(surface.address / block_bytes);
    const std::uint64_t bytes = padded(square_shift_) << texel_tile_shift_;
    count_ = static_cast<BlockNumber>((bytes + block_bytes - 1) / block_bytes);
}

std::uint64_t SurfaceBlocks::offset(std::uint32_t x, std::uint32_t y) const {
    const std::uint64_t square = std::uint64_t{y >> square_shift_} * squares_x_ + (x >> square_shift_);
    const std::uint32_t within = (1U << square_shift_) - 1;
    return ((square << (2 * square_shift_)) + morton(x & within, y & within)) << texel_tile_shift_;
}

// Within 4x4 texels rows follow one another.
SurfaceBlocks::Run SurfaceBlocks::of_quad(std::uint32_t x, std::uint32_t y) const {
    if (count_ == 0) return {};
    const std::uint64_t row_bytes = (1ULL << texel_tile_shift_) / 4;
    const std::uint64_t texel_bytes = row_bytes / 4;
    const std::uint64_t begin = offset(x / 2, y / 2) + y % 2 * 2 * row_bytes + x % 2 * 2 * texel_bytes;
    const std::uint64_t end = begin + row_bytes + 2 * texel_bytes;
    const std::uint64_t first = begin / block_bytes;
    return {static_cast<BlockNumber>(first_ + first),
            static_cast<std::uint32_t>((end + block_bytes - 1) / block_bytes - first)};
}

// Morton order keeps squares of a power of two together, while they are inside its own squares. A surface whose own
// squares are smaller (it is small or narrow) is one square.
std::uint32_t SurfaceBlocks::square_quads() const {
    if (count_ == 0) return 2;
    std::uint32_t shift = 0;  // log2 of the side, in 4x4 texels
    for (std::uint32_t bytes = 1U << texel_tile_shift_; bytes < block_bytes; bytes *= 4) ++shift;
    if (shift > square_shift_) shift = static_cast<std::uint32_t>(std::bit_width(std::max(texels_x_, texels_y_) - 1));
    return 2U << shift;
}

void SurfaceBlocks::append(std::uint32_t tile_x, std::uint32_t tile_y, std::vector<BlockNumber>& blocks) const {
    const auto before = static_cast<std::ptrdiff_t>(blocks.size());
    const std::uint32_t end_x = std::min(texels_x_, (tile_x + 1) * side);
    const std::uint32_t end_y = std::min(texels_y_, (tile_y + 1) * side);
    for (std::uint32_t y = tile_y * side; y < end_y; ++y) {
        for (std::uint32_t x = tile_x * side; x < end_x; ++x) {
            const std::uint64_t begin = offset(x, y), end = begin + (1ULL << texel_tile_shift_);
            for (std::uint64_t at = begin / block_bytes; at * block_bytes < end; ++at)
                blocks.push_back(static_cast<BlockNumber>(first_ + at));
        }
    }
    std::sort(blocks.begin() + before, blocks.end());
    blocks.erase(std::unique(blocks.begin() + before, blocks.end()), blocks.end());
}

}  // namespace models
