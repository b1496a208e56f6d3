// Which memory blocks hold a tile of a render target: what blending writes back and loads. Surfaces are laid out as
// models/functional/texture/layout.h says, in the same order of tiles; a tile of a compressed surface is one texel of
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/frame_trace/morton_squares.h"
#include "models/workload/block_runs.h"

namespace models {

class SurfaceBlocks {
  public:
    // A surface with a size and bytes per texel, or an absent one (bytes_per_texel 0), which has no blocks.
    explicit SurfaceBlocks(const Surface& surface);

    // Appends the blocks of a tile of 32x32 pixels, ascending, each once, those outside of the surface left out.
    void append(std::uint32_t tile_x, std::uint32_t tile_y, std::vector<BlockNumber>& blocks) const;

    // The blocks of a quad, numbered from the surface's corner in quads: those of its upper row, then those of its
    // lower one, which are neighbours unless others have blocks in between: the quad beside it, if texels are large, or
    // the rest of the row, if the surface is compressed and stored row by row.
    struct Run {
        BlockNumber first = 0;
        std::uint32_t count = 0;
        std::uint32_t of_row = 1;      // so many neighbours in the upper row
        std::uint32_t row_stride = 1;  // blocks from the first of them to the first of the lower row
        BlockNumber block(std::uint32_t i) const { return first + (i < of_row ? i : row_stride + i - of_row); }
    };
    Run of_quad(std::uint32_t x, std::uint32_t y) const;
    // Side of squares, in quads, of which no two share a block: a power of two.
    std::uint32_t square_quads() const;

    // All blocks of the surface, padding included.
    BlockNumber first() const { return first_; }
    BlockNumber count() const { return count_; }
    // Those that hold texels, as runs.
    BlockRuns with_texels() const;

  private:
    std::uint64_t offset(std::uint32_t x, std::uint32_t y) const;  // of the tile at (x, y)
    Run of_compressed_quad(std::uint32_t x, std::uint32_t y) const;

    BlockNumber first_ = 0, count_ = 0;
    std::uint32_t side_shift_ = 2;             // log2 of the side of a tile, in texels
    std::uint32_t tiles_x_ = 0, tiles_y_ = 0;  // of texels
    std::uint32_t tile_shift_ = 0;             // log2 of the bytes of one
    MortonSquares order_;
};

}  // namespace models
