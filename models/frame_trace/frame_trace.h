// The frame trace: what a GPU has to do for a frame, free of any timing. The functional renderer produces it, the
// timing models replay it, io/frame_trace_file stores it. Everything is plain arrays and indices: the trace is
// read-only during a run and every rank holds the same copy, so messages refer to it by index.
//
// A frame is a list of passes (draws to one set of render targets between two flushes of the tile buffers). A pass
// has draws, each draw its vertices and primitives, and the pass has tiles with the quads that cover them in the order
// in which a tile-based GPU meets them: by primitive, then by position along rows of quads.
//
// Memory: addresses are byte addresses in the simulated GPU's memory. Surfaces (textures and render targets) are stored
// as 4x4-texel blocks in Morton order, compressed ones as their compressed blocks in that order; the blocks that
// textures read are told by number, address / 64.
//
// A frame may also run compute kernels, before, between and after its passes (kernels.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/frame_trace/kernels.h"
#include "models/frame_trace/memory.h"
#include "models/shader/program.h"

namespace models {

inline constexpr std::uint32_t trace_tile_pixels = 32;  // side of a tile; quads are 2x2, so 16x16 quads in a tile

inline constexpr std::uint32_t most_texel_bytes = 4 * 16;  // four samples of four floats

// A render target: one level and layer of a texture, or the window's buffer. In the target of a copy between compressed
// textures a texel is a compressed block.
struct Surface {
    Address address = 0;  // of the block that holds texel (0, 0)
    std::uint32_t width = 0, height = 0;
    std::uint32_t bytes_per_texel = 0;  // of all its samples
    bool compressed = false;            // each texel has a place of its own in Morton order, not each 4x4 of them

    friend bool operator==(const Surface&, const Surface&) = default;
};

enum class DrawKind : std::uint8_t {
    geometry,  // vertices through the vertex program
    clear,     // fills the tile buffer: no vertices, no primitives, no quads
    transfer,  // a blit or copy: one primitive, a rectangle, whose quads read a texture with a built-in program; no
               // vertices
};

// One vertex attribute as fetched from memory, from address + stride * element: the element is the vertex id, or of an
// attribute per instance the instance number / instance_divisor, rounded down.
struct VertexAttribute {
    Address address = 0;  // of element 0, all offsets included
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
    std::uint32_t instance_divisor = 0;  // instances that share an element; 0: per vertex

    friend bool operator==(const VertexAttribute&, const VertexAttribute&) = default;
};

struct Draw {
    DrawKind kind = DrawKind::geometry;
    std::uint8_t index_bytes = 0;  // 1, 2, 4; 0 when the draw has no index buffer
    std::uint8_t colour_targets = 0;
    std::uint8_t samples = 1;                         // of a pixel of the render targets
    bool depth_test = false, stencil_test = false;    // enabled
    bool depth_write = false, stencil_write = false;  // the buffer can change
    bool early_depth = false;                         // depth and stencil are tested and written before shading
    bool early_test = false;        // they can be tested before shading; if not early_depth, they are written after
    bool discards = false;          // fragments may be dropped by the program, the alpha test or a sample mask
    std::uint8_t blend = 0;         // colour targets (bits) whose old colour blending or a logic operation reads
    std::uint8_t partial = 0;       // colour targets of which a channel is kept while others are written
    std::uint32_t colour_mask = 0;  // channels written, four bits a target: bit 4t is red of target t
    Address index_address = 0;      // of the first index used
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
    // Of those assembled: facing away, without area, or outside the volume; all of them where the rasteriser discards
    // (GL_RASTERIZER_DISCARD). Such a draw has no fragment work, though a fragment program is bound.
    std::uint32_t culled_primitives = 0;
    std::uint32_t first_constant = 0, constant_count = 0;  // in Frame::constants: buffers bound, by stage and slot

    friend bool operator==(const Draw&, const Draw&) = default;
};

// A vertex, shaded once for a draw however often the index buffer names it.
struct Vertex {
    std::uint32_t id = 0;  // what the attributes are addressed with
    std::uint32_t instance = 0;
    std::uint16_t path = 0;                   // in the vertex program's paths
    std::uint32_t first_access = 0;           // in Frame::vertex_accesses: as many as texture instructions on the path
    std::uint32_t first_constant_access = 0;  // in Frame::constant_accesses: one for each indirect constant operand

    friend bool operator==(const Vertex&, const Vertex&) = default;
};

enum class TextureFilter : std::uint8_t {
    nothing,  // no texture is bound, or one that reads as black
    fetch,    // texels by their coordinates
    nearest,
    bilinear,     // four texels of a level; eight of two slices in a volume
    trilinear,    // two levels are mixed, whatever the filter within a level
    anisotropic,  // texels of an ellipse, weighted
    gather,
    size_query,
    lod_query,
};

// What one executed texture instruction does for a group of lanes: a quad, a vertex, or threads of a kernel. The
// 64-byte blocks it touches stand without repetition, in the order of the lanes; where lanes choose several
// textures of an array, or several texel offsets, choice by choice.
struct TextureAccess {
    std::uint32_t first_block = 0;  // in Frame::blocks, Frame::vertex_blocks or Frame::kernel_blocks
    std::uint16_t block_count = 0;  // 0 where every lane fell outside (border colour)
    // Bilinear samples of all lanes, helpers included, also those of a copy: a lane needs one for each level it reads,
    // nearest texels and fetches count as one, a linear filter in a volume as two, an ellipse of n texels as n / 4,
    // rounded up.
    std::uint16_t samples = 0;
    std::uint16_t lod = 0;  // level read by the first lane, in 1/256 levels: the fraction is the second level's share
    TextureFilter filter = TextureFilter::nothing;  // of the lane with the most costly one
    std::uint8_t texel_bytes = 0;  // as the filter takes them: as stored, of compressed formats as decoded
    std::uint8_t bias = 0;         // that an approximation added to the LOD, in 1/16 levels

    friend bool operator==(const TextureAccess&, const TextureAccess&) = default;
};

// The vec4s that one indirect constant operand reads for a group of lanes, without repetition, in the order of the
// lanes. Where the buffer is computed, too, they count on from the operand's buffer to those after it: each has
// computed_buffer_vectors numbers.
struct ConstantAccess {
    std::uint32_t first_index = 0;  // in Frame::constant_indices
    std::uint8_t index_count = 0;

    friend bool operator==(const ConstantAccess&, const ConstantAccess&) = default;
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
    std::uint8_t early_pass = 0;  // lanes left after an early depth test that writes; = coverage without early_depth
    // Lanes that got through all tests and were not discarded: their colour reached the tile buffer, and their depth
    // and stencil where these are written after shading. With early_depth, those of all of early_pass were written
    // before.
    std::uint8_t written = 0;
    // Lanes of early_pass that a tile-based deferred renderer shades. Ahead of shading, its depth pass has gone over
    // the tile's opaque draws: with an early depth test that writes depth, no stencil writes, no discarded fragments,
    // and all channels of all bound targets written without reading them, or no target at all. A draw that tests
    // stencil is opaque only until a draw in the tile may have changed stencil, as what it would find is not known
    // ahead of shading. Of opaque fragments of a pixel, the last that passed is visible. Other fragments are hidden
    // where a later opaque one replaced their colour and their depth test fails against the depth that the opaque draws
    // leave, whatever their stencil test says; not where they write stencil or the program writes depth. With several
    // samples a lane is hidden if all samples are. A clear in mid-pass, or a texture that changes there, begins anew:
    // what came before stays visible.
    std::uint8_t visible = 0;
    // Lanes that pass a depth and stencil test before shading which writes nothing yet: = early_pass with early_depth,
    // = coverage without early_test.
    std::uint8_t early_test = 0;
    std::uint8_t shaded = 0;         // lanes whose program runs for their own sake: early_test, if nothing approximates
    std::uint8_t reconstructed = 0;  // lanes whose colour comes from neighbours instead
    std::uint8_t cluster = any_cluster;       // that has to shade the quad
    std::uint16_t path = 0;                   // in the fragment program's paths; meaningless when early_pass is 0
    std::uint32_t first_access = 0;           // in Frame::accesses: as many as texture instructions on the path
    std::uint32_t first_constant_access = 0;  // in Frame::constant_accesses: one for each indirect constant operand

    static constexpr std::uint8_t any_cluster = 0xff;

    friend bool operator==(const Quad&, const Quad&) = default;
};

struct Tile {
    std::uint32_t first_quad = 0, quad_count = 0;  // in Frame::quads
    // Of all that decides the tile's final colours: primitives with their shaded vertices, programs, constants, state,
    // contents of the textures and of what is loaded. Equal for equal inputs in all frames of a recording.
    std::uint64_t input_hash = 0;

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
    // In Frame::colour_hashes: of the final colours of each tile, one for each entry of `colour`.
    std::uint32_t first_hash = 0;

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

// A surface that is shown, and sums over its pixels of their colours (0 to 255) and the squares of these, as the energy
// of a display needs them.
struct Presented {
    Surface surface;
    std::uint64_t red = 0, green = 0, blue = 0;
    std::uint64_t red_squared = 0, green_squared = 0, blue_squared = 0;

    friend bool operator==(const Presented&, const Presented&) = default;
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
    std::vector<std::uint64_t> colour_hashes;
    std::vector<ConstantRange> constants;
    std::vector<ConstantAccess> constant_accesses;  // of vertices, quads and groups of threads
    std::vector<std::uint16_t> constant_indices;    // vec4s within the buffer
    std::vector<Upload> uploads;                    // in the order of commands
    std::vector<Kernel> kernels;                    // in the order of commands
    std::vector<ThreadGroup> thread_groups;
    std::vector<MemoryAccess> memory_accesses;
    std::vector<Address> thread_addresses;
    std::vector<TextureAccess> kernel_accesses;
    std::vector<BlockNumber> kernel_blocks;
    std::vector<Presented> presented;  // none where the frame only computes
    ImageCheck check;

    friend bool operator==(const Frame&, const Frame&) = default;
};

// What is common to all frames. Programs are met as frames go by: a frame refers only to programs present when it ends.
struct FrameTrace {
    std::vector<Program> programs;
    std::vector<Frame> frames;
};

}  // namespace models
