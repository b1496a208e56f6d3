// The frame trace: what a GPU has to do for a frame, free of any timing. The functional renderer produces it, the
// timing models replay it, io/frame_trace_file stores it. Everything is plain arrays and indices: the trace is
// read-only during a run and every rank holds the same copy, so messages refer to it by index.
//
// A frame is a list of passes (draws to one set of render targets between two flushes of the tile buffers). A pass
// has draws, each draw its vertices and primitives, and the pass has tiles with the quads that cover them in the order
// in which a tile-based GPU meets them: by primitive, then by position along rows of quads.
//
// Memory: addresses are byte addresses in the simulated GPU's memory. Surfaces (textures and render targets) are stored
// as 4x4-texel blocks in Morton order; caches see 64-byte blocks, numbered address / 64.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/shader/program.h"

namespace models {

using Address = std::uint64_t;
using BlockNumber = std::uint32_t;  // address / block_bytes
inline constexpr std::uint32_t block_bytes = 64;
inline constexpr std::uint32_t trace_tile_pixels = 32;  // side of a tile; quads are 2x2, so 16x16 quads in a tile
inline constexpr std::uint32_t none = 0xffffffff;

// A render target: one level and layer of a texture, or the window's buffer. The target of a copy between compressed
// textures counts in blocks of texels.
struct Surface {
    Address address = 0;  // of the block that holds texel (0, 0)
    std::uint32_t width = 0, height = 0;
    std::uint32_t bytes_per_texel = 0;

    friend bool operator==(const Surface&, const Surface&) = default;
};

enum class DrawKind : std::uint8_t {
    geometry,  // vertices through the vertex program
    clear,     // fills the tile buffer: no vertices, no primitives, no quads
    transfer,  // a blit or copy: one primitive, a rectangle, whose quads read a texture with a built-in program; no
               // vertices
};

// One vertex attribute as fetched from memory: address = address + stride * (instance attribute ? instance : vertex
// id).
struct VertexAttribute {
    Address address = 0;  // of element 0, all offsets included
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
    std::uint32_t instance_divisor = 0;  // 0: per vertex

    friend bool operator==(const VertexAttribute&, const VertexAttribute&) = default;
};

struct Draw {
    DrawKind kind = DrawKind::geometry;
    std::uint8_t index_bytes = 0;  // 1, 2, 4; 0 when the draw has no index buffer
    std::uint8_t colour_targets = 0;
    bool early_depth = false;             // depth and stencil are tested before shading
    bool depth_test = false;              // depth or stencil test enabled
    bool depth_write = false;             // depth or stencil write enabled
    bool blend = false;                   // the old colour is read
    Address index_address = 0;            // of the first index used
    std::uint32_t vertex_program = none;  // in FrameTrace::programs
    std::uint32_t fragment_program = none;
    std::uint32_t varying_count = 0;                         // vec4 outputs of a vertex, position included
    std::uint32_t constant_bytes = 0;                        // constants bound for both stages
    std::uint32_t first_attribute = 0, attribute_count = 0;  // in Frame::attributes
    std::uint32_t first_vertex = 0, vertex_count = 0;        // in Frame::vertices: each shaded vertex once
    std::uint32_t first_fetch = 0, fetch_count = 0;  // in Frame::fetches: the order of the index buffer, instance by
                                                     // instance, without primitive-restart indices
    std::uint32_t first_primitive = 0, primitive_count = 0;  // in Frame::primitives: after clipping and culling
    std::uint32_t assembled_primitives = 0;                  // before clipping and culling
    std::uint32_t culled_primitives = 0;  // of those assembled: facing away, covering no pixel, or outside the volume

    friend bool operator==(const Draw&, const Draw&) = default;
};

// A vertex, shaded once for a draw however often the index buffer names it.
struct Vertex {
    std::uint32_t id = 0;  // what the attributes are addressed with
    std::uint32_t instance = 0;
    std::uint16_t path = 0;          // in the vertex program's paths
    std::uint32_t first_access = 0;  // in Frame::vertex_accesses: as many as texture instructions on the path

    friend bool operator==(const Vertex&, const Vertex&) = default;
};

// The 64-byte blocks that one executed texture instruction touches for one quad (or one vertex), without repetition,
// in the order of the lanes.
struct TextureAccess {
    std::uint32_t first_block = 0;  // in Frame::blocks or Frame::vertex_blocks
    std::uint16_t block_count = 0;  // 0 where every lane fell outside (border colour)

    friend bool operator==(const TextureAccess&, const TextureAccess&) = default;
};

struct Primitive {
    std::uint32_t draw = 0;                  // in Frame::draws
    std::uint32_t source = 0;                // which assembled primitive of the draw it was clipped from
    std::uint32_t vertices[3] = {};          // positions in the draw's fetches; points and lines repeat the last
    std::uint16_t tile_x0 = 0, tile_y0 = 0;  // bounding box in tiles, both ends included
    std::uint16_t tile_x1 = 0, tile_y1 = 0;

    friend bool operator==(const Primitive&, const Primitive&) = default;
};

struct Quad {
    std::uint32_t primitive = 0;  // in Frame::primitives
    std::uint8_t x = 0, y = 0;    // in quads within the tile, 0..15
    std::uint8_t coverage = 0;    // lanes (bit 0 = top left, 1 = top right, 2 = bottom left) inside the primitive
    std::uint8_t early_pass = 0;  // lanes left after the early depth test; = coverage when the draw has no early test
    std::uint8_t written = 0;     // lanes whose colour or depth reached the tile buffer
    std::uint16_t path = 0;       // in the fragment program's paths; meaningless when early_pass is 0
    std::uint32_t first_access = 0;  // in Frame::accesses: as many as texture instructions on the path

    friend bool operator==(const Quad&, const Quad&) = default;
};

struct Tile {
    std::uint32_t first_quad = 0, quad_count = 0;  // in Frame::quads

    friend bool operator==(const Tile&, const Tile&) = default;
};

struct Pass {
    std::vector<Surface> colour;
    Surface depth;                        // bytes_per_texel 0: no depth buffer
    std::uint32_t width = 0, height = 0;  // pixels
    std::uint32_t tiles_x = 0, tiles_y = 0;
    // Old contents are read at the start: something uses them before, or without, a clear of the whole surface.
    bool colour_load = false, depth_load = false;
    // Contents are written to memory at the end: colour that anything wrote; depth that is loaded later in the frame,
    // read by a transfer, or a texture that shaders may sample. What the next frame would load is not known here: a
    // window's depth is never stored.
    bool colour_store = true, depth_store = false;
    std::uint32_t first_draw = 0, draw_count = 0;
    std::uint32_t first_tile = 0;  // in Frame::tiles: tiles_x * tiles_y of them, row by row

    friend bool operator==(const Pass&, const Pass&) = default;
};

// How near the image is to the recorded reference. Compared over the R, G and B of every pixel.
struct ImageCheck {
    bool present = false;  // the recording holds a reference for this frame
    double psnr = 0;       // dB; infinity when equal
    std::uint32_t largest_difference = 0;
    double ssim = 0;       // structural similarity of the luma, at most 1; 1 when equal
    double share_off = 0;  // of the pixels: those with a colour that differs by more than 2

    friend bool operator==(const ImageCheck&, const ImageCheck&) = default;
};

struct Frame {
    std::uint32_t number = 0;  // in the recording, from 0
    std::vector<Pass> passes;
    std::vector<Draw> draws;
    std::vector<VertexAttribute> attributes;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> fetches;  // positions in the draw's vertices, in index order
    std::vector<TextureAccess> vertex_accesses;
    std::vector<BlockNumber> vertex_blocks;
    std::vector<Primitive> primitives;
    std::vector<Tile> tiles;
    std::vector<Quad> quads;
    std::vector<TextureAccess> accesses;
    std::vector<BlockNumber> blocks;
    ImageCheck check;

    friend bool operator==(const Frame&, const Frame&) = default;
};

// What is common to all frames. Programs are met as frames go by: a frame refers only to programs present when it ends.
struct FrameTrace {
    std::vector<Program> programs;
    std::vector<Frame> frames;
};

}  // namespace models
