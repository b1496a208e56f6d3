// The columns of a frame trace file, declared once: writing, reading, digests and the file's own documentation all walk
// these lists. Internal to io; frame_trace_file.md describes the result.
//
// A table is a vector of rows; each column is one number of a row, stored as one dataset. A column is coded so that it
// compresses well; every code starts afresh in each frame:
//   plain      as it is
//   delta      zigzag(value - value of the row before)
//   run        zigzag(value - (value + count of the row before)): zero where ranges follow each other
//   xor        value XOR another column of the same row
// All arithmetic wraps at the width of the column. zigzag(d) = (d << 1) XOR (d >> width-1): small for small |d|.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

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

enum class Coding { plain, delta, run, exclusive_or };

struct NoPartner {};

template <class Get, class Partner = NoPartner>
struct Column {
    const char* name;
    Get get;  // row -> reference to the number
    const char* unit;
    const char* doc;
    Coding coding = Coding::plain;
    const char* partner_name = "";  // the column that `run` and `exclusive_or` refer to, listed before this one
    Partner partner = {};
};

// Booleans and enumerations are stored as bytes.
template <class Value>
using Stored = std::conditional_t<std::is_enum_v<Value> || std::is_same_v<Value, bool>, std::uint8_t, Value>;

inline constexpr auto pass_columns = [](auto&& column) {
    const auto plain = [&](const char* name, auto get, const char* unit, const char* doc) {
        column(Column<decltype(get)>{name, get, unit, doc});
    };
    const auto run = [&](const char* name, auto get, const char* count_name, auto count, const char* doc) {
        column(Column<decltype(get), decltype(count)>{name, get, "1", doc, Coding::run, count_name, count});
    };
    plain(
        "colour_count", [](auto& r) -> auto& { return r.colour_count; }, "1",
        "colour targets: so many rows of /colours, passes in order");
    plain(
        "depth_address", [](auto& r) -> auto& { return r.pass.depth.address; }, "byte", "address of the depth buffer");
    plain(
        "depth_width", [](auto& r) -> auto& { return r.pass.depth.width; }, "pixel", "width of the depth buffer");
    plain(
        "depth_height", [](auto& r) -> auto& { return r.pass.depth.height; }, "pixel", "height of the depth buffer");
    plain(
        "depth_bytes_per_texel", [](auto& r) -> auto& { return r.pass.depth.bytes_per_texel; }, "byte",
        "0: no depth buffer");
    plain(
        "width", [](auto& r) -> auto& { return r.pass.width; }, "pixel", "width of the render targets");
    plain(
        "height", [](auto& r) -> auto& { return r.pass.height; }, "pixel", "height of the render targets");
    plain(
        "tiles_x", [](auto& r) -> auto& { return r.pass.tiles_x; }, "tile", "tiles in a row");
    plain(
        "tiles_y", [](auto& r) -> auto& { return r.pass.tiles_y; }, "tile", "rows of tiles");
    plain(
        "colour_load", [](auto& r) -> auto& { return r.pass.colour_load; }, "1", "old colours are read first");
    plain(
        "depth_load", [](auto& r) -> auto& { return r.pass.depth_load; }, "1", "old depths are read first");
    plain(
        "colour_store", [](auto& r) -> auto& { return r.pass.colour_store; }, "1", "colours go to memory at the end");
    plain(
        "depth_store", [](auto& r) -> auto& { return r.pass.depth_store; }, "1", "depths go to memory at the end");
    plain(
        "draw_count", [](auto& r) -> auto& { return r.pass.draw_count; }, "1", "draws of the pass");
    run(
        "first_draw", [](auto& r) -> auto& { return r.pass.first_draw; }, "draw_count",
        [](auto& r) { return r.pass.draw_count; }, "row of /draws");
    plain(
        "first_tile", [](auto& r) -> auto& { return r.pass.first_tile; }, "1",
        "row of /tiles; tiles_x * tiles_y of them, row by row");
};

inline constexpr auto surface_columns = [](auto&& column) {
    const auto plain = [&](const char* name, auto get, const char* unit, const char* doc) {
        column(Column<decltype(get)>{name, get, unit, doc});
    };
    plain(
        "address", [](auto& s) -> auto& { return s.address; }, "byte", "address of the block with texel (0, 0)");
    plain(
        "width", [](auto& s) -> auto& { return s.width; }, "pixel", "width");
    plain(
        "height", [](auto& s) -> auto& { return s.height; }, "pixel", "height");
    plain(
        "bytes_per_texel", [](auto& s) -> auto& { return s.bytes_per_texel; }, "byte", "size of a texel");
};

inline constexpr auto draw_columns = [](auto&& column) {
    const auto plain = [&](const char* name, auto get, const char* unit, const char* doc) {
        column(Column<decltype(get)>{name, get, unit, doc});
    };
    const auto run = [&](const char* name, auto get, const char* count_name, auto count, const char* doc) {
        column(Column<decltype(get), decltype(count)>{name, get, "1", doc, Coding::run, count_name, count});
    };
    plain(
        "kind", [](auto& d) -> auto& { return d.kind; }, "1", "0 geometry, 1 clear, 2 transfer (blit or copy)");
    plain(
        "index_bytes", [](auto& d) -> auto& { return d.index_bytes; }, "byte", "size of an index; 0: no index buffer");
    plain(
        "colour_targets", [](auto& d) -> auto& { return d.colour_targets; }, "1", "colour targets written");
    plain(
        "early_depth", [](auto& d) -> auto& { return d.early_depth; }, "1", "depth and stencil tested before shading");
    plain(
        "depth_test", [](auto& d) -> auto& { return d.depth_test; }, "1", "depth or stencil test enabled");
    plain(
        "depth_write", [](auto& d) -> auto& { return d.depth_write; }, "1", "depth or stencil write enabled");
    plain(
        "blend", [](auto& d) -> auto& { return d.blend; }, "1", "the old colour is read");
    plain(
        "index_address", [](auto& d) -> auto& { return d.index_address; }, "byte", "address of the first index used");
    plain(
        "vertex_program", [](auto& d) -> auto& { return d.vertex_program; }, "1", "row of /programs; 2^32-1: none");
    plain(
        "fragment_program", [](auto& d) -> auto& { return d.fragment_program; }, "1", "row of /programs; 2^32-1: none");
    plain(
        "varying_count", [](auto& d) -> auto& { return d.varying_count; }, "1",
        "vec4 outputs of a vertex, position included");
    plain(
        "constant_bytes", [](auto& d) -> auto& { return d.constant_bytes; }, "byte", "constants bound, both stages");
    plain(
        "attribute_count", [](auto& d) -> auto& { return d.attribute_count; }, "1", "vertex attributes");
    run(
        "first_attribute", [](auto& d) -> auto& { return d.first_attribute; }, "attribute_count",
        [](auto& d) { return d.attribute_count; }, "row of /attributes");
    plain(
        "vertex_count", [](auto& d) -> auto& { return d.vertex_count; }, "1", "vertices shaded");
    run(
        "first_vertex", [](auto& d) -> auto& { return d.first_vertex; }, "vertex_count",
        [](auto& d) { return d.vertex_count; }, "row of /vertices");
    plain(
        "fetch_count", [](auto& d) -> auto& { return d.fetch_count; }, "1", "indices fetched");
    run(
        "first_fetch", [](auto& d) -> auto& { return d.first_fetch; }, "fetch_count",
        [](auto& d) { return d.fetch_count; }, "row of /fetches");
    plain(
        "primitive_count", [](auto& d) -> auto& { return d.primitive_count; }, "1",
        "primitives after clipping and culling");
    run(
        "first_primitive", [](auto& d) -> auto& { return d.first_primitive; }, "primitive_count",
        [](auto& d) { return d.primitive_count; }, "row of /primitives");
    plain(
        "assembled_primitives", [](auto& d) -> auto& { return d.assembled_primitives; }, "1",
        "primitives before clipping and culling");
    plain(
        "culled_primitives", [](auto& d) -> auto& { return d.culled_primitives; }, "1",
        "primitives facing away, without area or outside the view volume");
};

inline constexpr auto attribute_columns = [](auto&& column) {
    const auto plain = [&](const char* name, auto get, const char* unit, const char* doc) {
        column(Column<decltype(get)>{name, get, unit, doc});
    };
    plain(
        "address", [](auto& a) -> auto& { return a.address; }, "byte", "address of element 0");
    plain(
        "stride", [](auto& a) -> auto& { return a.stride; }, "byte", "from one element to the next");
    plain(
        "bytes", [](auto& a) -> auto& { return a.bytes; }, "byte", "size of an element");
    plain(
        "instance_divisor", [](auto& a) -> auto& { return a.instance_divisor; }, "1", "0: per vertex");
};

inline constexpr auto vertex_columns = [](auto&& column) {
    const auto add = [&](const char* name, auto get, Coding coding, const char* doc) {
        column(Column<decltype(get)>{name, get, "1", doc, coding});
    };
    add(
        "id", [](auto& v) -> auto& { return v.id; }, Coding::delta, "what attributes are addressed with");
    add(
        "instance", [](auto& v) -> auto& { return v.instance; }, Coding::delta, "instance number");
    add(
        "path", [](auto& v) -> auto& { return v.path; }, Coding::plain, "path of the draw's vertex program");
    add(
        "first_access", [](auto& v) -> auto& { return v.first_access; }, Coding::delta,
        "row of /vertex_accesses; as many as texture instructions on the path");
};

inline constexpr auto fetch_columns = [](auto&& column) {
    const auto get = [](auto& f) -> auto& {
        return f;
    };
    column(Column<decltype(get)>{"vertex", get, "1", "row within the draw's vertices", Coding::delta});
};

inline constexpr auto access_columns = [](auto&& column) {
    const auto count = [](auto& a) -> auto& {
        return a.block_count;
    };
    const auto first = [](auto& a) -> auto& {
        return a.first_block;
    };
    column(Column<decltype(count)>{"block_count", count, "1", "64-byte blocks touched; 0: all lanes outside"});
    column(Column<decltype(first), decltype(count)>{"first_block", first, "1",
                                                    "row of /blocks (of /vertex_blocks for vertices)", Coding::run,
                                                    "block_count", count});
};

inline constexpr auto block_columns = [](auto&& column) {
    const auto get = [](auto& b) -> auto& {
        return b;
    };
    column(Column<decltype(get)>{"number", get, "1", "address / 64 of a block that is read", Coding::delta});
};

inline constexpr auto primitive_columns = [](auto&& column) {
    const auto add = [&](const char* name, auto get, Coding coding, const char* doc) {
        column(Column<decltype(get)>{name, get, "1", doc, coding});
    };
    add(
        "draw", [](auto& p) -> auto& { return p.draw; }, Coding::delta, "row of /draws");
    add(
        "source", [](auto& p) -> auto& { return p.source; }, Coding::delta, "assembled primitive of the draw");
    add(
        "vertex_0", [](auto& p) -> auto& { return p.vertices[0]; }, Coding::delta, "row within the draw's fetches");
    add(
        "vertex_1", [](auto& p) -> auto& { return p.vertices[1]; }, Coding::delta, "row within the draw's fetches");
    add(
        "vertex_2", [](auto& p) -> auto& { return p.vertices[2]; }, Coding::delta, "row within the draw's fetches");
    add(
        "tile_x0", [](auto& p) -> auto& { return p.tile_x0; }, Coding::delta, "leftmost tile of the bounding box");
    add(
        "tile_y0", [](auto& p) -> auto& { return p.tile_y0; }, Coding::delta, "topmost tile");
    add(
        "tile_x1", [](auto& p) -> auto& { return p.tile_x1; }, Coding::delta, "rightmost tile, included");
    add(
        "tile_y1", [](auto& p) -> auto& { return p.tile_y1; }, Coding::delta, "lowest tile, included");
};

inline constexpr auto tile_columns = [](auto&& column) {
    const auto count = [](auto& t) -> auto& {
        return t.quad_count;
    };
    const auto first = [](auto& t) -> auto& {
        return t.first_quad;
    };
    column(Column<decltype(count)>{"quad_count", count, "1", "quads that cover the tile"});
    column(Column<decltype(first), decltype(count)>{"first_quad", first, "1", "row of /quads", Coding::run,
                                                    "quad_count", count});
};

inline constexpr auto quad_columns = [](auto&& column) {
    const auto add = [&](const char* name, auto get, Coding coding, const char* doc) {
        column(Column<decltype(get)>{name, get, "1", doc, coding});
    };
    const auto coverage = [](auto& q) -> auto& {
        return q.coverage;
    };
    const auto early_pass = [](auto& q) -> auto& {
        return q.early_pass;
    };
    const auto written = [](auto& q) -> auto& {
        return q.written;
    };
    add(
        "primitive", [](auto& q) -> auto& { return q.primitive; }, Coding::delta, "row of /primitives");
    add(
        "x", [](auto& q) -> auto& { return q.x; }, Coding::delta, "column in quads within the tile, 0..15");
    add(
        "y", [](auto& q) -> auto& { return q.y; }, Coding::delta, "row in quads within the tile, 0..15");
    add("coverage", coverage, Coding::plain, "lanes inside the primitive; bit 0 top left, 1 top right, 2 bottom left");
    column(Column<decltype(early_pass), decltype(coverage)>{"early_pass", early_pass, "1",
                                                            "lanes left after the early depth test",
                                                            Coding::exclusive_or, "coverage", coverage});
    column(Column<decltype(written), decltype(early_pass)>{"written", written, "1",
                                                           "lanes whose colour or depth reached the tile buffer",
                                                           Coding::exclusive_or, "early_pass", early_pass});
    add(
        "path", [](auto& q) -> auto& { return q.path; }, Coding::plain, "path of the draw's fragment program");
    add(
        "first_access", [](auto& q) -> auto& { return q.first_access; }, Coding::delta,
        "row of /accesses; as many as texture instructions on the path");
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
}

}  // namespace io
