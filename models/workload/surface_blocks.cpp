#include "models/workload/surface_blocks.h"

#include <algorithm>
#include <bit>

namespace models {

SurfaceBlocks::SurfaceBlocks(const Surface& surface) {
    if (surface.bytes_per_texel == 0 || surface.width == 0 || surface.height == 0) return;
    side_shift_ = surface.compressed ? 0 : 2;
    const std::uint32_t rest = (1U << side_shift_) - 1;
    tiles_x_ = (surface.width + rest) >> side_shift_;
    tiles_y_ = (surface.height + rest) >> side_shift_;
    tile_shift_ = static_cast<std::uint32_t>(std::bit_width(surface.bytes_per_texel - 1)) + 2 * side_shift_;
    order_ = MortonSquares(tiles_x_, tiles_y_);
    first_ = static_cast<BlockNumber>(surface.address / block_bytes);
    const std::uint64_t bytes = order_.count() << tile_shift_;
    count_ = static_cast<BlockNumber>((bytes + block_bytes - 1) / block_bytes);
}

std::uint64_t SurfaceBlocks::offset(std::uint32_t x, std::uint32_t y) const {
    return order_.position(x, y) << tile_shift_;
}

// Within 4x4 texels rows follow one another.
SurfaceBlocks::Run SurfaceBlocks::of_quad(std::uint32_t x, std::uint32_t y) const {
    if (count_ == 0) return {};
    if (side_shift_ == 0) return of_compressed_quad(x, y);
    const std::uint64_t row_bytes = (1ULL << tile_shift_) / 4;
    const std::uint64_t texel_bytes = row_bytes / 4;
    const std::uint64_t begin = offset(x / 2, y / 2) + y % 2 * 2 * row_bytes + x % 2 * 2 * texel_bytes;
    const std::uint64_t end = begin + row_bytes + 2 * texel_bytes;
    const std::uint64_t first = begin / block_bytes;
    const auto at = static_cast<BlockNumber>(first_ + first);
    if (row_bytes > block_bytes) {
        const auto of_row = static_cast<std::uint32_t>(2 * texel_bytes / block_bytes);
        return {at, 2 * of_row, of_row, static_cast<std::uint32_t>(row_bytes / block_bytes)};
    }
    const auto count = static_cast<std::uint32_t>((end + block_bytes - 1) / block_bytes - first);
    return {at, count, count, 0};
}

// Two tiles side by side are neighbours in memory: in Morton order as in rows, where the rows of a surface whose sides
// are odd begin anywhere in a block.
SurfaceBlocks::Run SurfaceBlocks::of_compressed_quad(std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t left = 2 * x, right = std::min(2 * x + 1, tiles_x_ - 1);
    const auto row = [&](std::uint32_t tile_y) {
        const std::uint64_t first = offset(left, tile_y) / block_bytes;
        const std::uint64_t end = (offset(right, tile_y) + (1ULL << tile_shift_) - 1) / block_bytes + 1;
        return BlockRun{static_cast<BlockNumber>(first_ + first), static_cast<BlockNumber>(end - first)};
    };
    const BlockRun upper = row(2 * y), lower = row(std::min(2 * y + 1, tiles_y_ - 1));
    if (lower.first > upper.end())
        return {upper.first, upper.count + lower.count, upper.count, lower.first - upper.first};
    const BlockNumber count = lower.end() - upper.first;
    return {upper.first, count, count, 0};
}

BlockRuns SurfaceBlocks::with_texels() const {
    BlockRuns runs;
    const std::uint32_t bytes = 1U << tile_shift_;
    for (std::uint32_t y = 0; y < tiles_y_; ++y)
        for (std::uint32_t x = 0; x < tiles_x_; ++x) {
            const std::uint64_t begin = offset(x, y);
            const auto first = static_cast<BlockNumber>(begin / block_bytes);
            runs.add(
                {first_ + first, static_cast<BlockNumber>((begin + bytes + block_bytes - 1) / block_bytes) - first});
        }
    runs.settle();
    return runs;
}

// Morton order keeps squares of a power of two together, while they are inside its own squares. A surface whose own
// squares are smaller (it is small or narrow) is one square.
std::uint32_t SurfaceBlocks::square_quads() const {
    if (count_ == 0) return 2;
    std::uint32_t shift = 0;  // log2 of the side, in tiles
    for (std::uint32_t bytes = 1U << tile_shift_; bytes < block_bytes; bytes *= 4) ++shift;
    if (shift > order_.square_shift)
        shift = static_cast<std::uint32_t>(std::bit_width(std::max(tiles_x_, tiles_y_) - 1));
    return std::max(2U, (1U << (shift + side_shift_)) / 2);
}

void SurfaceBlocks::append(std::uint32_t tile_x, std::uint32_t tile_y, std::vector<BlockNumber>& blocks) const {
    const auto before = static_cast<std::ptrdiff_t>(blocks.size());
    const std::uint32_t side = trace_tile_pixels >> side_shift_;  // of a tile of pixels
    const std::uint32_t end_x = std::min(tiles_x_, (tile_x + 1) * side);
    const std::uint32_t end_y = std::min(tiles_y_, (tile_y + 1) * side);
    for (std::uint32_t y = tile_y * side; y < end_y; ++y) {
        for (std::uint32_t x = tile_x * side; x < end_x; ++x) {
            const std::uint64_t begin = offset(x, y), end = begin + (1ULL << tile_shift_);
            for (std::uint64_t at = begin / block_bytes; at * block_bytes < end; ++at)
                blocks.push_back(static_cast<BlockNumber>(first_ + at));
        }
    }
    std::sort(blocks.begin() + before, blocks.end());
    blocks.erase(std::unique(blocks.begin() + before, blocks.end()), blocks.end());
}

}  // namespace models
