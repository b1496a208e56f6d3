#include "io/frame_trace_check.h"

#include "io/frame_trace_check_rows.h"
#include "io/frame_trace_codec.h"

namespace io {

namespace {

constexpr std::uint64_t most_side = 16384;  // texels
constexpr std::uint64_t most_colours = 8;
constexpr std::uint64_t most_attributes = 256, most_attribute_bytes = 64;
constexpr std::uint64_t most_varyings = 256;
constexpr std::uint64_t most_levels = 16;

class FrameCheck : private RowCheck {
  public:
    FrameCheck(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where,
               const models::functional::Workers& workers)
        : RowCheck(frame, where),
          workers_(workers),
          frame_(frame),
          programs_(programs),
          path_rows_(count_path_rows(programs)),
          draws_left_(frame.draws.size()),
          vertices_left_(frame.vertices.size()),
          fetches_left_(frame.fetches.size()),
          primitives_left_(frame.primitives.size()),
          quads_left_(frame.quads.size()),
          constants_left_(frame.constants.size()) {}

    void run() {
        for (std::size_t i = 0; i < frame_.passes.size(); ++i) check_pass(i);
        for (std::size_t i = 0; i < frame_.attributes.size(); ++i) check_attribute(i);
        for (std::size_t i = 0; i < frame_.draws.size(); ++i) check_draw(i);
        check_accesses(frame_.accesses, frame_.blocks.size(), "accesses/", "blocks");
        check_accesses(frame_.kernel_accesses, frame_.kernel_blocks.size(), "kernel_accesses/", "kernel_blocks");
        check_accesses(frame_.vertex_accesses, frame_.vertex_blocks.size(), "vertex_accesses/", "vertex_blocks");
        for (std::size_t i = 0; i < frame_.primitives.size(); ++i) check_primitive(i);
        for (std::size_t i = 0; i < frame_.tiles.size(); ++i) {
            range("tiles/first_quad", i, frame_.tiles[i].first_quad, frame_.tiles[i].quad_count, frame_.quads.size(),
                  "quads");
            claim(quads_left_, "tiles/quad_count", i, frame_.tiles[i].quad_count, "quads");
        }
        for_rows(frame_.quads.size(), [&](std::size_t i) { check_quad(i); });
        for (std::size_t i = 0; i < frame_.presented.size(); ++i) check_presented(i);
        for (std::size_t i = 0; i < frame_.kernels.size(); ++i)
            check_constants("kernels/first_constant", i, frame_.kernels[i].first_constant,
                            frame_.kernels[i].constant_count, models::ShaderStage::compute);
        check_memory_tables(frame_, programs_, path_rows_, *this);
    }

  private:
    // Calls check(row) for so many rows, pieces side by side. Of those that fail the first one is heard.
    template <class Check>
    void for_rows(std::size_t rows, const Check& check) const {
        const Pieces pieces(rows, workers_);
        workers_.for_each(pieces.count(), [&](int item, int) {
            const Piece piece = pieces[item];
            for (std::size_t i = piece.first; i < piece.end; ++i) check(i);
        });
    }

    void check_surface(const models::Surface& surface, const std::string& prefix, std::size_t row) const {
        at_most((prefix + "width").c_str(), row, surface.width, most_side);
        at_most((prefix + "height").c_str(), row, surface.height, most_side);
        at_most((prefix + "bytes_per_texel").c_str(), row, surface.bytes_per_texel, models::most_texel_bytes);
        at_most((prefix + "address").c_str(), row, surface.address, address_end - 1);
    }

    void check_attribute(std::size_t i) const {
        at_most("attributes/bytes", i, frame_.attributes[i].bytes, most_attribute_bytes);
        at_most("attributes/address", i, frame_.attributes[i].address, address_end - 1);
    }

    void check_pass(std::size_t i) {
        const models::Pass& pass = frame_.passes[i];
        range("passes/first_draw", i, pass.first_draw, pass.draw_count, frame_.draws.size(), "draws");
        claim(draws_left_, "passes/draw_count", i, pass.draw_count, "draws");
        at_most("passes/colour_count", i, pass.colour.size(), most_colours);
        for (const models::Surface& colour : pass.colour) {
            if (colour.compressed && colour.bytes_per_texel != 8 && colour.bytes_per_texel != 16)
                fail("colours/compressed", colours_, "is 1 of texels with neither 8 nor 16 bytes");
            check_surface(colour, "colours/", colours_++);
        }
        check_surface(pass.depth, "passes/depth_", i);
        at_most("passes/width", i, pass.width, most_side);
        at_most("passes/height", i, pass.height, most_side);
        const auto tiles_across = [](std::uint64_t pixels) {
            return (pixels + models::trace_tile_pixels - 1) / models::trace_tile_pixels;
        };
        if (pass.tiles_x != tiles_across(pass.width)) fail("passes/tiles_x", i, "does not fit the width");
        if (pass.tiles_y != tiles_across(pass.height)) fail("passes/tiles_y", i, "does not fit the height");
        range("passes/first_tile", i, pass.first_tile, std::uint64_t{pass.tiles_x} * pass.tiles_y, frame_.tiles.size(),
              "tiles");
        range("passes/first_hash", i, pass.first_hash, std::uint64_t{pass.tiles_x} * pass.tiles_y * pass.colour.size(),
              frame_.colour_hashes.size(), "colour_hashes");
    }

    void check_program(const char* column, std::size_t row, std::uint32_t program, models::ShaderStage stage) const {
        if (program == models::none) return;
        below(column, row, program, programs_.size(), "rows of /programs");
        if (programs_[program].stage != stage) fail(column, row, "is a program of the other stage");
    }

    void check_draw(std::size_t i) {
        const models::Draw& draw = frame_.draws[i];
        check_program("draws/vertex_program", i, draw.vertex_program, models::ShaderStage::vertex);
        check_program("draws/fragment_program", i, draw.fragment_program, models::ShaderStage::fragment);
        range("draws/first_attribute", i, draw.first_attribute, draw.attribute_count, frame_.attributes.size(),
              "attributes");
        range("draws/first_vertex", i, draw.first_vertex, draw.vertex_count, frame_.vertices.size(), "vertices");
        range("draws/first_fetch", i, draw.first_fetch, draw.fetch_count, frame_.fetches.size(), "fetches");
        range("draws/first_primitive", i, draw.first_primitive, draw.primitive_count, frame_.primitives.size(),
              "primitives");
        claim(vertices_left_, "draws/vertex_count", i, draw.vertex_count, "vertices");
        claim(fetches_left_, "draws/fetch_count", i, draw.fetch_count, "fetches");
        claim(primitives_left_, "draws/primitive_count", i, draw.primitive_count, "primitives");
        at_most("draws/attribute_count", i, draw.attribute_count, most_attributes);
        at_most("draws/varying_count", i, draw.varying_count, most_varyings);
        at_most("draws/colour_targets", i, draw.colour_targets, most_colours);
        at_most("draws/index_address", i, draw.index_address, address_end - 1);
        if (draw.samples != 1 && draw.samples != 4) fail("draws/samples", i, "is neither 1 nor 4");
        if (draw.early_depth && !draw.early_test) fail("draws/early_test", i, "is 0 where early_depth is 1");
        if (draw.early_test && !draw.depth_test && !draw.stencil_test)
            fail("draws/early_test", i, "is 1 where nothing is tested");
        if (((draw.blend | draw.partial) & ~targets_written(draw)) != 0)
            fail("draws/colour_mask", i, "writes no channel of a target whose old colour is read");
        check_constants("draws/first_constant", i, draw.first_constant, draw.constant_count,
                        models::ShaderStage::fragment);
        if (draw.index_bytes > 4 || draw.index_bytes == 3) fail("draws/index_bytes", i, "is none of 0, 1, 2, 4");
        if (draw.vertex_count != 0 && draw.vertex_program == models::none)
            fail("draws/vertex_program", i, "is none, but the draw has vertices");
        for (std::uint32_t f = 0; f < draw.fetch_count; ++f)
            below("fetches/vertex", draw.first_fetch + f, frame_.fetches[draw.first_fetch + f], draw.vertex_count,
                  "vertices of its draw");
        for (std::uint32_t v = 0; v < draw.vertex_count; ++v) check_vertex(draw, draw.first_vertex + v);
    }

    static unsigned targets_written(const models::Draw& draw) {
        unsigned targets = 0;
        for (unsigned t = 0; t < most_colours; ++t)
            if ((draw.colour_mask >> (4 * t) & 15U) != 0) targets |= 1U << t;
        return targets;
    }

    // `last`: of the stages whose constants these may be; draws have those of two stages.
    void check_constants(const char* column, std::size_t row, std::uint32_t first, std::uint32_t count,
                         models::ShaderStage last) {
        range(column, row, first, count, frame_.constants.size(), "constants");
        claim(constants_left_, column, row, count, "constants");
        for (std::uint32_t c = first; c < first + count; ++c) {
            const models::ShaderStage stage = frame_.constants[c].stage;
            if ((stage == models::ShaderStage::compute) != (last == models::ShaderStage::compute))
                fail("constants/stage", c, "is another than that of its draw or kernel");
        }
    }

    void check_vertex(const models::Draw& draw, std::size_t i) const {
        const models::Vertex& vertex = frame_.vertices[i];
        const std::vector<PathRows>& paths = path_rows_[draw.vertex_program];
        below("vertices/path", i, vertex.path, paths.size(), "paths of its program");
        range("vertices/first_access", i, vertex.first_access, paths[vertex.path].textures,
              frame_.vertex_accesses.size(), "vertex_accesses");
        range("vertices/first_constant_access", i, vertex.first_constant_access, paths[vertex.path].constants,
              frame_.constant_accesses.size(), "constant_accesses");
    }

    void check_accesses(const std::vector<models::TextureAccess>& accesses, std::size_t blocks,
                        const std::string& table, const char* block_table) const {
        const std::string first_block = table + "first_block";
        for_rows(accesses.size(), [&](std::size_t i) {
            range(first_block.c_str(), i, accesses[i].first_block, accesses[i].block_count, blocks, block_table);
            check_access(accesses[i], i, table);
        });
    }

    void check_access(const models::TextureAccess& access, std::size_t i, const std::string& table) const {
        const auto refuse = [&](const char* column, const char* problem) {
            fail((table + column).c_str(), i, problem);
        };
        if (access.texel_bytes > models::most_texel_bytes) refuse("texel_bytes", "is more than 64");
        if (access.lod >> 8U >= most_levels) refuse("lod", "is beyond the last level possible");
        const bool reads =
            access.filter != models::TextureFilter::nothing && access.filter < models::TextureFilter::size_query;
        if (!reads && access.samples != 0) refuse("samples", "is not 0 though the filter reads nothing");
        if (!reads && access.block_count != 0) refuse("block_count", "is not 0 though the filter reads nothing");
        if (reads && access.texel_bytes == 0) refuse("texel_bytes", "is 0 though the filter reads texels");
    }

    void check_primitive(std::size_t i) const {
        const models::Primitive& primitive = frame_.primitives[i];
        below("primitives/draw", i, primitive.draw, frame_.draws.size(), "rows of /draws");
        const models::Draw& draw = frame_.draws[primitive.draw];
        if (draw.kind == models::DrawKind::geometry)
            for (const std::uint32_t vertex : primitive.vertices)
                below("primitives/vertex", i, vertex, draw.fetch_count, "fetches of its draw");
        if (primitive.tile_x0 > primitive.tile_x1 || primitive.tile_y0 > primitive.tile_y1)
            fail("primitives/tile_x0", i, "the bounding box is inside out");
    }

    void check_quad(std::size_t i) const {
        constexpr unsigned lanes = 15;
        const models::Quad& quad = frame_.quads[i];
        below("quads/primitive", i, quad.primitive, frame_.primitives.size(), "rows of /primitives");
        below("quads/x", i, quad.x, models::trace_tile_pixels / 2, "columns of a tile");
        below("quads/y", i, quad.y, models::trace_tile_pixels / 2, "rows of a tile");
        if (quad.coverage > lanes) fail("quads/coverage", i, "names more than four lanes");
        if ((quad.early_pass & ~quad.coverage) != 0) fail("quads/early_pass", i, "has lanes outside the coverage");
        if ((quad.written & ~quad.early_pass) != 0) fail("quads/written", i, "has lanes that failed the early test");
        const models::Draw& draw = frame_.draws[frame_.primitives[quad.primitive].draw];
        check_lanes(draw, quad, i);
        if (quad.early_pass == 0 || draw.fragment_program == models::none) return;
        const std::vector<PathRows>& paths = path_rows_[draw.fragment_program];
        below("quads/path", i, quad.path, paths.size(), "paths of its program");
        range("quads/first_access", i, quad.first_access, paths[quad.path].textures, frame_.accesses.size(),
              "accesses");
        range("quads/first_constant_access", i, quad.first_constant_access, paths[quad.path].constants,
              frame_.constant_accesses.size(), "constant_accesses");
    }

    void check_lanes(const models::Draw& draw, const models::Quad& quad, std::size_t i) const {
        if (!draw.early_depth && quad.early_pass != quad.coverage)
            fail("quads/early_pass", i, "is not the coverage though its draw has no early_depth");
        if (draw.early_depth && quad.early_test != quad.early_pass)
            fail("quads/early_test", i, "is not early_pass though its draw has early_depth");
        if (!draw.early_test && quad.early_test != quad.coverage)
            fail("quads/early_test", i, "is not the coverage though its draw has no early_test");
        if ((quad.early_test & ~quad.coverage) != 0) fail("quads/early_test", i, "has lanes outside the coverage");
        if ((quad.written & ~quad.early_test) != 0)
            fail("quads/written", i, "has lanes that failed the test before shading");
        if ((quad.visible & ~quad.early_pass) != 0) fail("quads/visible", i, "has lanes that failed the early test");
        if ((quad.shaded & ~quad.early_test) != 0)
            fail("quads/shaded", i, "has lanes that failed the test before shading");
        if ((quad.reconstructed & ~quad.early_test) != 0 || (quad.reconstructed & quad.shaded) != 0)
            fail("quads/reconstructed", i, "has lanes that are shaded, or failed the test before shading");
    }

    void check_presented(std::size_t i) const {
        constexpr std::uint64_t brightest = 255;
        const models::Presented& shown = frame_.presented[i];
        check_surface(shown.surface, "presented/", i);
        const std::uint64_t pixels = std::uint64_t{shown.surface.width} * shown.surface.height;
        at_most("presented/red", i, shown.red, pixels * brightest);
        at_most("presented/green", i, shown.green, pixels * brightest);
        at_most("presented/blue", i, shown.blue, pixels * brightest);
        at_most("presented/red_squared", i, shown.red_squared, shown.red * brightest);
        at_most("presented/green_squared", i, shown.green_squared, shown.green * brightest);
        at_most("presented/blue_squared", i, shown.blue_squared, shown.blue * brightest);
    }

    const models::functional::Workers& workers_;
    const models::Frame& frame_;
    const std::vector<models::Program>& programs_;
    ProgramRows path_rows_;
    std::uint64_t draws_left_, vertices_left_, fetches_left_, primitives_left_, quads_left_, constants_left_;
    std::size_t colours_ = 0;  // rows of /colours met
};

}  // namespace

void check_frame(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where,
                 const models::functional::Workers& workers) {
    FrameCheck(frame, programs, where, workers).run();
}

}  // namespace io
