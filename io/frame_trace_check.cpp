#include "io/frame_trace_check.h"

#include "engine/error.h"
#include "models/shader/opcode.h"

namespace io {

namespace {

// Texture instructions on each path of each program: what the accesses of vertices and quads are counted by.
using PathTextures = std::vector<std::vector<std::uint64_t>>;

PathTextures count_path_textures(const std::vector<models::Program>& programs) {
    PathTextures counts;
    for (const models::Program& program : programs) {
        std::vector<std::uint64_t>& of_paths = counts.emplace_back();
        for (const models::Path& path : program.paths) {
            std::uint64_t& count = of_paths.emplace_back(0);
            for (const models::PathRun& run : path)
                for (std::size_t pc = run.first; pc < std::size_t{run.first} + run.count; ++pc)
                    if (models::opcode_info(program.instructions[pc].opcode).is_texture) ++count;
        }
    }
    return counts;
}

class FrameCheck {
  public:
    FrameCheck(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where)
        : frame_(frame),
          programs_(programs),
          path_textures_(count_path_textures(programs)),
          where_(where) {}

    void run() const {
        for (std::size_t i = 0; i < frame_.passes.size(); ++i) check_pass(i);
        for (std::size_t i = 0; i < frame_.draws.size(); ++i) check_draw(i);
        check_accesses(frame_.accesses, frame_.blocks.size(), "accesses/first_block", "blocks");
        check_accesses(frame_.vertex_accesses, frame_.vertex_blocks.size(), "vertex_accesses/first_block",
                       "vertex_blocks");
        for (std::size_t i = 0; i < frame_.primitives.size(); ++i) check_primitive(i);
        for (std::size_t i = 0; i < frame_.tiles.size(); ++i)
            range("tiles/first_quad", i, frame_.tiles[i].first_quad, frame_.tiles[i].quad_count, frame_.quads.size(),
                  "quads");
        for (std::size_t i = 0; i < frame_.quads.size(); ++i) check_quad(i);
    }

  private:
    [[noreturn]] void fail(const char* column, std::size_t row, const std::string& problem) const {
        throw engine::InputError(where_ + ": frame " + std::to_string(frame_.number) + ": /" + column + ": row " +
                                 std::to_string(row) + ": " + problem);
    }

    void below(const char* column, std::size_t row, std::uint64_t value, std::uint64_t limit, const char* what) const {
        if (value >= limit)
            fail(column, row, std::to_string(value) + " is beyond the " + std::to_string(limit) + " " + what);
    }

    void range(const char* column, std::size_t row, std::uint64_t first, std::uint64_t count, std::uint64_t rows,
               const char* table) const {
        if (first > rows || count > rows - first)
            fail(column, row,
                 std::to_string(first) + "+" + std::to_string(count) + " is beyond the " + std::to_string(rows) +
                     " rows of /" + table);
    }

    void check_pass(std::size_t i) const {
        const models::Pass& pass = frame_.passes[i];
        range("passes/first_draw", i, pass.first_draw, pass.draw_count, frame_.draws.size(), "draws");
        const auto tiles_across = [](std::uint64_t pixels) {
            return (pixels + models::trace_tile_pixels - 1) / models::trace_tile_pixels;
        };
        if (pass.tiles_x != tiles_across(pass.width)) fail("passes/tiles_x", i, "does not fit the width");
        if (pass.tiles_y != tiles_across(pass.height)) fail("passes/tiles_y", i, "does not fit the height");
        range("passes/first_tile", i, pass.first_tile, std::uint64_t{pass.tiles_x} * pass.tiles_y, frame_.tiles.size(),
              "tiles");
    }

    void check_program(const char* column, std::size_t row, std::uint32_t program, models::ShaderStage stage) const {
        if (program == models::none) return;
        below(column, row, program, programs_.size(), "rows of /programs");
        if (programs_[program].stage != stage) fail(column, row, "is a program of the other stage");
    }

    void check_draw(std::size_t i) const {
        const models::Draw& draw = frame_.draws[i];
        check_program("draws/vertex_program", i, draw.vertex_program, models::ShaderStage::vertex);
        check_program("draws/fragment_program", i, draw.fragment_program, models::ShaderStage::fragment);
        range("draws/first_attribute", i, draw.first_attribute, draw.attribute_count, frame_.attributes.size(),
              "attributes");
        range("draws/first_vertex", i, draw.first_vertex, draw.vertex_count, frame_.vertices.size(), "vertices");
        range("draws/first_fetch", i, draw.first_fetch, draw.fetch_count, frame_.fetches.size(), "fetches");
        range("draws/first_primitive", i, draw.first_primitive, draw.primitive_count, frame_.primitives.size(),
              "primitives");
        if (draw.index_bytes > 4 || draw.index_bytes == 3) fail("draws/index_bytes", i, "is none of 0, 1, 2, 4");
        if (draw.vertex_count != 0 && draw.vertex_program == models::none)
            fail("draws/vertex_program", i, "is none, but the draw has vertices");
        for (std::uint32_t f = 0; f < draw.fetch_count; ++f)
            below("fetches/vertex", draw.first_fetch + f, frame_.fetches[draw.first_fetch + f], draw.vertex_count,
                  "vertices of its draw");
        for (std::uint32_t v = 0; v < draw.vertex_count; ++v) check_vertex(draw, draw.first_vertex + v);
    }

    void check_vertex(const models::Draw& draw, std::size_t i) const {
        const models::Vertex& vertex = frame_.vertices[i];
        const std::vector<std::uint64_t>& paths = path_textures_[draw.vertex_program];
        below("vertices/path", i, vertex.path, paths.size(), "paths of its program");
        range("vertices/first_access", i, vertex.first_access, paths[vertex.path], frame_.vertex_accesses.size(),
              "vertex_accesses");
    }

    void check_accesses(const std::vector<models::TextureAccess>& accesses, std::size_t blocks, const char* column,
                        const char* block_table) const {
        for (std::size_t i = 0; i < accesses.size(); ++i)
            range(column, i, accesses[i].first_block, accesses[i].block_count, blocks, block_table);
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
        if (quad.early_pass == 0 || draw.fragment_program == models::none) return;
        const std::vector<std::uint64_t>& paths = path_textures_[draw.fragment_program];
        below("quads/path", i, quad.path, paths.size(), "paths of its program");
        range("quads/first_access", i, quad.first_access, paths[quad.path], frame_.accesses.size(), "accesses");
    }

    const models::Frame& frame_;
    const std::vector<models::Program>& programs_;
    PathTextures path_textures_;
    const std::string& where_;
};

}  // namespace

void check_frame(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where) {
    FrameCheck(frame, programs, where).run();
}

}  // namespace io
