// Which pixels a primitive covers, as quads of 2x2 pixels within a tile. Exact: a pixel is covered when its sample is
// inside all edges in integers, with the fill rule, so triangles that share an edge never overlap and leave no gap.
#pragma once

#include <cstdint>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/raster/setup.h"

namespace models::functional {

inline constexpr std::int32_t tile_pixels = static_cast<std::int32_t>(trace_tile_pixels);
inline constexpr std::int32_t tile_quads = tile_pixels / 2;  // along a side

// Coverage: bit 0 top left, 1 top right, 2 bottom left, 3 bottom right; never 0.
struct CoveredQuad {
    std::uint8_t x = 0, y = 0;  // in quads within the tile
    std::uint8_t coverage = 0;

    bool operator==(const CoveredQuad&) const = default;
};

// The covered quads of tile (tile_x, tile_y), row by row, from left to right.
struct TileCoverage {
    std::int32_t count = 0;
    CoveredQuad quads[tile_quads * tile_quads];
};

void cover_tile(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y, TileCoverage& out);

// Whether the primitive may cover a pixel of the tile: false only when it covers none. Cheaper than cover_tile.
bool touches_tile(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y);

}  // namespace models::functional
