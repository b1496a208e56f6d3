// What the processes of the graphics pipeline say to one another, on one page; memory/requests.h has the way to memory.
// Plain values of at most 40 bytes without padding (`spare` fills it); what a message names (a quad, a tile, a pass) is
// an index into the frame, which every process can read. Those of at most 8 bytes travel at half the cost.
//
// Credits: whoever sends into a finite queue holds one credit per free entry and gets it back by the answer named in
// the second column.
//
//   geometry -> raster              PassReady                        PassFreed (two parameter buffers)
//   geometry -> vertex processor    ShadeVertices                    VerticesShaded
//   raster -> cluster               ShadeQuad or ShadeWarp           QuadsTaken
//   raster -> colour                TileStart, TileEnd, PassSkipped  TileFree, PassStored
//   cluster -> colour               ShadedQuad                       QuadsBlended
//   raster -> cluster               PrefetchBlock                    PrefetchesTaken (with access/execute)
//   tile dispatcher -> cluster      RenderTile                       TileRasterised, then TileStored
//
// In immediate rendering:
//
//   geometry -> raster              StreamedPrimitive                PrimitivesTaken
//   raster -> cluster               ShadeQuad or ShadeWarp           QuadsTaken, then QuadsBlended
//   cluster -> raster               TestDepth (room for all)         DepthTested
//   raster -> cluster               FlushPixels (one at a time)      PixelsFlushed
//   raster -> geometry              PassStored
#pragma once

#include <array>
#include <cstdint>

#include "models/frame_trace/frame_trace.h"

namespace models {

// The lists of a pass are complete in memory.
struct PassReady {
    std::uint32_t pass = 0;
};

// The parameter buffer of a pass may be written again.
struct PassFreed {
    std::uint32_t pass = 0;
};

// All tiles of a pass have arrived in memory. In the order of passes.
struct PassStored {
    std::uint32_t pass = 0;
};

// A pass that renders nothing.
struct PassSkipped {
    std::uint32_t pass = 0;
};

// A warp of vertices: those that these indices of a draw name.
struct ShadeVertices {
    static constexpr std::uint32_t span = 192;
    std::uint32_t draw = 0;
    std::uint32_t first = 0;                         // in the draw's fetches
    std::array<std::uint64_t, span / 64> mask = {};  // bit i: the fetch first + i
};

// So many vertices, in the order in which they were sent.
struct VerticesShaded {
    std::uint32_t count = 0;
};

struct ShadeQuad {
    std::uint32_t quad = 0;  // in Frame::quads
    std::uint32_t buffer = 0;
};

// Several quads of one tile, to be shaded together.
struct ShadeWarp {
    static constexpr std::size_t most = 16;
    static constexpr std::int64_t most_distance = 32767;
    std::uint32_t first = 0;                           // in Frame::quads
    std::uint32_t tile = 0;                            // in Frame::tiles
    std::array<std::int16_t, most - 1> distance = {};  // of the other quads from the first
    std::uint8_t count = 0;
    std::uint8_t buffer = 0;
};

// A block that a quad on its way to a core of the cluster will access.
struct PrefetchBlock {
    static constexpr std::uint8_t textures = 0, pixels = 1, caches_of_cluster = 2;  // caches
    static constexpr std::uint16_t no_source = 0xffff;
    std::uint32_t quad = 0;  // in Frame::quads
    BlockNumber block = 0;
    std::uint16_t program_counter = 0;  // of the texture instruction
    std::uint16_t source = no_source;   // cache that is likely to hold the block, too: 2 x cluster + `cache`
    std::uint8_t cache = textures;
    std::array<std::uint8_t, 3> spare = {};
};

// Caches have looked for so many.
struct PrefetchesTaken {
    std::uint32_t count = 0;
};

struct QuadsTaken {
    std::uint32_t count = 0;
};

struct ShadedQuad {
    std::uint32_t quad = 0;
    std::uint32_t buffer = 0;
};

struct QuadsBlended {
    std::uint32_t count = 0;
};

struct TileStart {
    std::uint32_t pass = 0;
    std::uint32_t tile = 0;  // in the pass: y * tiles_x + x
    std::uint16_t buffer = 0;
    std::uint16_t last_of_pass = 0;
};

struct TileEnd {
    std::uint32_t quads = 0;  // shaded in this tile
    std::uint32_t buffer = 0;
};

struct TileFree {
    std::uint32_t buffer = 0;
};

// Where clusters render tiles of their own.
struct RenderTile {
    std::uint32_t pass = 0;
    std::uint32_t tile = 0;  // in the pass
};

// All quads of a tile of the pass have gone to the cores of the cluster.
struct TileRasterised {
    std::uint32_t pass = 0;
};

// All lines of a tile of the pass have arrived in memory.
struct TileStored {
    std::uint32_t pass = 0;
};

// What the rasteriser of immediate rendering gets, in the order of commands.
struct StreamedPrimitive {
    std::uint32_t primitive = none;  // in Frame::primitives; none: a clear, or the end of the pass
    std::uint32_t draw = none;       // in Frame::draws; none: the end of the pass
};

struct PrimitivesTaken {
    std::uint32_t count = 0;
};

// A shaded quad whose depth has to be tested now.
struct TestDepth {
    std::uint32_t quad = 0;
    std::uint32_t pass = 0;
};

// So many, in the order in which they came.
struct DepthTested {
    std::uint32_t count = 0;
};

// All quads are blended: what the pixel cache holds has to go to memory.
struct FlushPixels {
    std::uint32_t pass = 0;
};

struct PixelsFlushed {
    std::uint32_t pass = 0;
};

}  // namespace models
