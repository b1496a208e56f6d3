// The columns of a frame trace file, declared once: writing, reading, digests and the file's own documentation all walk
// these lists. Internal to io; frame_trace_file.md describes the result.
#pragma once

#include <vector>

#include "io/frame_trace_column.h"
#include "io/frame_trace_memory_columns.h"
#include "models/frame_trace/frame_trace.h"

namespace io {

// What the file adds to models::Frame's vectors to be flat.
struct PassRow {
    models::Pass pass;  // without its colour surfaces
    std::uint32_t colour_count = 0;
};
struct FlatPasses {
    std::vector<PassRow> rows;
    std::vector<models::Surface> colours;  // of all passes, one after another
};

inline constexpr auto pass_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain(
        "colour_count", [](auto& r) -> auto& { return r.colour_count; }, "1",
        "colour targets: so many rows of /colours, passes in order");
    make.plain(
        "depth_address", [](auto& r) -> auto& { return r.pass.depth.address; }, "byte", "address of the depth buffer");
    make.plain(
        "depth_width", [](auto& r) -> auto& { return r.pass.depth.width; }, "pixel", "width of the depth buffer");
    make.plain(
        "depth_height", [](auto& r) -> auto& { return r.pass.depth.height; }, "pixel", "height of the depth buffer");
    make.plain(
        "depth_bytes_per_texel", [](auto& r) -> auto& { return r.pass.depth.bytes_per_texel; }, "byte",
        "0: no depth buffer");
    make.plain("width", [](auto& r) -> auto& { return r.pass.width; }, "pixel", "width of the render targets");
    make.plain("height", [](auto& r) -> auto& { return r.pass.height; }, "pixel", "height of the render targets");
    make.plain("tiles_x", [](auto& r) -> auto& { return r.pass.tiles_x; }, "tile", "tiles in a row");
    make.plain("tiles_y", [](auto& r) -> auto& { return r.pass.tiles_y; }, "tile", "rows of tiles");
    make.plain("colour_load", [](auto& r) -> auto& { return r.pass.colour_load; }, "1", "old colours are read first");
    make.plain("depth_load", [](auto& r) -> auto& { return r.pass.depth_load; }, "1", "old depths are read first");
    make.plain(
        "colour_store", [](auto& r) -> auto& { return r.pass.colour_store; }, "1", "colours go to memory at the end");
    make.plain(
        "depth_store", [](auto& r) -> auto& { return r.pass.depth_store; }, "1", "depths go to memory at the end");
    make.plain("draw_count", [](auto& r) -> auto& { return r.pass.draw_count; }, "1", "draws of the pass");
    make.run(
        "first_draw", [](auto& r) -> auto& { return r.pass.first_draw; }, "draw_count",
        [](auto& r) { return r.pass.draw_count; }, "row of /draws");
    make.plain(
        "first_tile", [](auto& r) -> auto& { return r.pass.first_tile; }, "1",
        "row of /tiles; tiles_x * tiles_y of them, row by row");
    make.plain(
        "first_hash", [](auto& r) -> auto& { return r.pass.first_hash; }, "1",
        "row of /colour_hashes; colour_count for each tile");
};

inline constexpr auto surface_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("address", [](auto& s) -> auto& { return s.address; }, "byte", "address of the block with texel (0, 0)");
    make.plain("width", [](auto& s) -> auto& { return s.width; }, "pixel", "width");
    make.plain("height", [](auto& s) -> auto& { return s.height; }, "pixel", "height");
    make.plain("bytes_per_texel", [](auto& s) -> auto& { return s.bytes_per_texel; }, "byte", "size of a texel");
    make.plain(
        "compressed", [](auto& s) -> auto& { return s.compressed; }, "1",
        "a texel is a compressed block, stored by itself in Morton order, not with 4x4 others");
};

inline constexpr auto draw_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("kind", [](auto& d) -> auto& { return d.kind; }, "1", "0 geometry, 1 clear, 2 transfer (blit or copy)");
    make.plain(
        "index_bytes", [](auto& d) -> auto& { return d.index_bytes; }, "byte", "size of an index; 0: no index buffer");
    make.plain("colour_targets", [](auto& d) -> auto& { return d.colour_targets; }, "1", "colour targets written");
    make.plain("samples", [](auto& d) -> auto& { return d.samples; }, "1", "samples of a pixel of the render targets");
    make.plain("depth_test", [](auto& d) -> auto& { return d.depth_test; }, "1", "depth test enabled");
    make.plain("stencil_test", [](auto& d) -> auto& { return d.stencil_test; }, "1", "stencil test enabled");
    make.plain("depth_write", [](auto& d) -> auto& { return d.depth_write; }, "1", "depths can change");
    make.plain("stencil_write", [](auto& d) -> auto& { return d.stencil_write; }, "1", "stencil values can change");
    make.plain(
        "early_depth", [](auto& d) -> auto& { return d.early_depth; }, "1",
        "depth and stencil are tested and written before shading");
    make.plain(
        "early_test", [](auto& d) -> auto& { return d.early_test; }, "1",
        "depth and stencil can be tested before shading");
    make.plain(
        "discards", [](auto& d) -> auto& { return d.discards; }, "1",
        "the program, the alpha test or a sample mask may drop fragments");
    make.plain(
        "blend", [](auto& d) -> auto& { return d.blend; }, "1",
        "mask of the colour targets whose old colour blending or a logic operation reads");
    make.plain(
        "partial", [](auto& d) -> auto& { return d.partial; }, "1",
        "mask of the colour targets of which a channel is kept while others are written");
    make.plain(
        "colour_mask", [](auto& d) -> auto& { return d.colour_mask; }, "1",
        "channels written, four bits a target: bit 4t is red of target t");
    make.plain(
        "index_address", [](auto& d) -> auto& { return d.index_address; }, "byte", "address of the first index used");
    make.plain(
        "vertex_program", [](auto& d) -> auto& { return d.vertex_program; }, "1", "row of /programs; 2^32-1: none");
    make.plain(
        "fragment_program", [](auto& d) -> auto& { return d.fragment_program; }, "1", "row of /programs; 2^32-1: none");
    make.plain(
        "varying_count", [](auto& d) -> auto& { return d.varying_count; }, "1",
        "vec4 outputs of a vertex, position included");
    make.plain(
        "constant_bytes", [](auto& d) -> auto& { return d.constant_bytes; }, "byte", "constants bound, both stages");
    make.plain("attribute_count", [](auto& d) -> auto& { return d.attribute_count; }, "1", "vertex attributes");
    make.run(
        "first_attribute", [](auto& d) -> auto& { return d.first_attribute; }, "attribute_count",
        [](auto& d) { return d.attribute_count; }, "row of /attributes");
    make.plain("vertex_count", [](auto& d) -> auto& { return d.vertex_count; }, "1", "vertices shaded");
    make.run(
        "first_vertex", [](auto& d) -> auto& { return d.first_vertex; }, "vertex_count",
        [](auto& d) { return d.vertex_count; }, "row of /vertices");
    make.plain("fetch_count", [](auto& d) -> auto& { return d.fetch_count; }, "1", "indices fetched");
    make.run(
        "first_fetch", [](auto& d) -> auto& { return d.first_fetch; }, "fetch_count",
        [](auto& d) { return d.fetch_count; }, "row of /fetches");
    make.plain(
        "primitive_count", [](auto& d) -> auto& { return d.primitive_count; }, "1",
        "primitives after clipping and culling");
    make.run(
        "first_primitive", [](auto& d) -> auto& { return d.first_primitive; }, "primitive_count",
        [](auto& d) { return d.primitive_count; }, "row of /primitives");
    make.plain(
        "assembled_primitives", [](auto& d) -> auto& { return d.assembled_primitives; }, "1",
        "primitives before clipping and culling");
    make.plain(
        "culled_primitives", [](auto& d) -> auto& { return d.culled_primitives; }, "1",
        "primitives facing away, without area, outside the view volume or discarded by the rasteriser");
    make.plain(
        "constant_count", [](auto& d) -> auto& { return d.constant_count; }, "1",
        "constant buffers that the programs read");
    make.run(
        "first_constant", [](auto& d) -> auto& { return d.first_constant; }, "constant_count",
        [](auto& d) { return d.constant_count; }, "row of /constants");
};

inline constexpr auto attribute_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("address", [](auto& a) -> auto& { return a.address; }, "byte", "address of element 0");
    make.plain("stride", [](auto& a) -> auto& { return a.stride; }, "byte", "from one element to the next");
    make.plain("bytes", [](auto& a) -> auto& { return a.bytes; }, "byte", "size of an element");
    make.plain(
        "instance_divisor", [](auto& a) -> auto& { return a.instance_divisor; }, "1",
        "element: the instance number / this, rounded down; 0: the vertex id");
};

inline constexpr auto vertex_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("id", [](auto& v) -> auto& { return v.id; }, "1", "what attributes are addressed with");
    make.delta("instance", [](auto& v) -> auto& { return v.instance; }, "1", "instance number");
    make.steady("path", [](auto& v) -> auto& { return v.path; }, "1", "path of the draw's vertex program");
    make.delta(
        "first_access", [](auto& v) -> auto& { return v.first_access; }, "1",
        "row of /vertex_accesses; as many as texture instructions on the path");
    make.delta(
        "first_constant_access", [](auto& v) -> auto& { return v.first_constant_access; }, "1",
        "row of /constant_accesses; as many as indirect constant operands on the path");
};

inline constexpr auto fetch_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("vertex", [](auto& f) -> auto& { return f; }, "1", "row within the draw's vertices");
};

inline constexpr auto access_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("block_count", [](auto& a) -> auto& { return a.block_count; }, "1", "blocks read");
    make.run(
        "first_block", [](auto& a) -> auto& { return a.first_block; }, "block_count",
        [](auto& a) { return a.block_count; }, "row of the table of blocks");
    make.steady("samples", [](auto& a) -> auto& { return a.samples; }, "1", "bilinear samples of all lanes");
    make.plain("lod", [](auto& a) -> auto& { return a.lod; }, "1", "level of detail read by the first lane, in 1/256");
    make.steady(
        "filter", [](auto& a) -> auto& { return a.filter; }, "1",
        "0 nothing, 1 fetch, 2 nearest, 3 bilinear, 4 trilinear, 5 anisotropic, 6 gather, 7 size query, 8 LOD query");
    make.steady(
        "texel_bytes", [](auto& a) -> auto& { return a.texel_bytes; }, "byte",
        "size of a texel as the filter takes it: as stored, of a compressed format as decoded");
    make.steady(
        "bias", [](auto& a) -> auto& { return a.bias; }, "1",
        "added to the level of detail by an approximation, in 1/16");
};

inline constexpr auto block_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("number", [](auto& b) -> auto& { return b; }, "1", "address / 64");
};

inline constexpr auto primitive_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("draw", [](auto& p) -> auto& { return p.draw; }, "1", "row of /draws");
    make.delta("source", [](auto& p) -> auto& { return p.source; }, "1", "assembled primitive of the draw");
    make.delta("vertex_0", [](auto& p) -> auto& { return p.vertices[0]; }, "1", "row within the draw's fetches");
    make.delta("vertex_1", [](auto& p) -> auto& { return p.vertices[1]; }, "1", "row within the draw's fetches");
    make.delta("vertex_2", [](auto& p) -> auto& { return p.vertices[2]; }, "1", "row within the draw's fetches");
    make.delta("tile_x0", [](auto& p) -> auto& { return p.tile_x0; }, "1", "leftmost tile of the bounding box");
    make.delta("tile_y0", [](auto& p) -> auto& { return p.tile_y0; }, "1", "topmost tile");
    make.delta("tile_x1", [](auto& p) -> auto& { return p.tile_x1; }, "1", "rightmost tile, included");
    make.delta("tile_y1", [](auto& p) -> auto& { return p.tile_y1; }, "1", "lowest tile, included");
};

inline constexpr auto tile_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("quad_count", [](auto& t) -> auto& { return t.quad_count; }, "1", "quads that cover the tile");
    make.run(
        "first_quad", [](auto& t) -> auto& { return t.first_quad; }, "quad_count", [](auto& t) { return t.quad_count; },
        "row of /quads");
    make.plain(
        "input_hash", [](auto& t) -> auto& { return t.input_hash; }, "1", "of all that decides the final colours");
};

inline constexpr auto quad_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("primitive", [](auto& q) -> auto& { return q.primitive; }, "1", "row of /primitives");
    make.delta("x", [](auto& q) -> auto& { return q.x; }, "1", "column in quads within the tile, 0..15");
    make.delta("y", [](auto& q) -> auto& { return q.y; }, "1", "row in quads within the tile, 0..15");
    make.plain(
        "coverage", [](auto& q) -> auto& { return q.coverage; }, "1",
        "lanes inside the primitive; bit 0 top left, 1 top right, 2 bottom left");
    make.exclusive_or(
        "early_pass", [](auto& q) -> auto& { return q.early_pass; }, "coverage", [](auto& q) { return q.coverage; },
        "lanes left after an early depth test that writes");
    make.exclusive_or(
        "written", [](auto& q) -> auto& { return q.written; }, "early_pass", [](auto& q) { return q.early_pass; },
        "lanes that passed all tests and were not discarded: whose colour reached the tile buffer");
    make.exclusive_or(
        "visible", [](auto& q) -> auto& { return q.visible; }, "early_pass", [](auto& q) { return q.early_pass; },
        "lanes of early_pass that a tile-based deferred renderer shades");
    make.exclusive_or(
        "early_test", [](auto& q) -> auto& { return q.early_test; }, "early_pass", [](auto& q) { return q.early_pass; },
        "lanes left after an early depth test that does not write");
    make.exclusive_or(
        "shaded", [](auto& q) -> auto& { return q.shaded; }, "early_test", [](auto& q) { return q.early_test; },
        "lanes whose program runs for their own sake");
    make.steady(
        "reconstructed", [](auto& q) -> auto& { return q.reconstructed; }, "1",
        "lanes whose colour comes from neighbours");
    make.steady("cluster", [](auto& q) -> auto& { return q.cluster; }, "1", "that has to shade the quad; 255: any");
    make.steady("path", [](auto& q) -> auto& { return q.path; }, "1", "path of the draw's fragment program");
    make.delta(
        "first_access", [](auto& q) -> auto& { return q.first_access; }, "1",
        "row of /accesses; as many as texture instructions on the path");
    make.steady_delta(
        "first_constant_access", [](auto& q) -> auto& { return q.first_constant_access; }, "1",
        "row of /constant_accesses; as many as indirect constant operands on the path");
};

inline constexpr auto hash_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("hash", [](auto& h) -> auto& { return h; }, "1", "of the final colours of a tile, target by target");
};

inline constexpr auto presented_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("address", [](auto& p) -> auto& { return p.surface.address; }, "byte", "of the surface that is shown");
    make.plain("width", [](auto& p) -> auto& { return p.surface.width; }, "pixel", "width");
    make.plain("height", [](auto& p) -> auto& { return p.surface.height; }, "pixel", "height");
    make.plain(
        "bytes_per_texel", [](auto& p) -> auto& { return p.surface.bytes_per_texel; }, "byte", "size of a texel");
    make.plain("red", [](auto& p) -> auto& { return p.red; }, "1", "sum of the red of all pixels, 0 to 255 each");
    make.plain("green", [](auto& p) -> auto& { return p.green; }, "1", "sum of the green of all pixels, 0 to 255 each");
    make.plain("blue", [](auto& p) -> auto& { return p.blue; }, "1", "sum of the blue of all pixels, 0 to 255 each");
    make.plain("red_squared", [](auto& p) -> auto& { return p.red_squared; }, "1", "sum of the squares of the red");
    make.plain(
        "green_squared", [](auto& p) -> auto& { return p.green_squared; }, "1", "sum of the squares of the green");
    make.plain("blue_squared", [](auto& p) -> auto& { return p.blue_squared; }, "1", "sum of the squares of the blue");
};

// Calls visit(name, rows, columns) for every table of a frame, in the order of the file and of the digest.
template <class Frame, class Passes, class Visit>
void visit_tables(Frame& frame, Passes& passes, Visit&& visit) {
    visit("passes", passes.rows, pass_columns);
    visit("colours", passes.colours, surface_columns);
    visit("draws", frame.draws, draw_columns);
    visit("attributes", frame.attributes, attribute_columns);
    visit("vertices", frame.vertices, vertex_columns);
    visit("fetches", frame.fetches, fetch_columns);
    visit("vertex_accesses", frame.vertex_accesses, access_columns);
    visit("vertex_blocks", frame.vertex_blocks, block_columns);
    visit("primitives", frame.primitives, primitive_columns);
    visit("tiles", frame.tiles, tile_columns);
    visit("quads", frame.quads, quad_columns);
    visit("accesses", frame.accesses, access_columns);
    visit("blocks", frame.blocks, block_columns);
    visit("colour_hashes", frame.colour_hashes, hash_columns);
    visit("constants", frame.constants, constant_columns);
    visit("constant_accesses", frame.constant_accesses, constant_access_columns);
    visit("constant_indices", frame.constant_indices, constant_index_columns);
    visit("uploads", frame.uploads, upload_columns);
    visit("kernels", frame.kernels, kernel_columns);
    visit("thread_groups", frame.thread_groups, thread_group_columns);
    visit("memory_accesses", frame.memory_accesses, memory_access_columns);
    visit("thread_addresses", frame.thread_addresses, address_columns);
    visit("kernel_accesses", frame.kernel_accesses, access_columns);
    visit("kernel_blocks", frame.kernel_blocks, block_columns);
    visit("presented", frame.presented, presented_columns);
}

}  // namespace io
