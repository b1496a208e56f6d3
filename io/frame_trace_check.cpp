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
        std::vector<std::uint64_t> before{0};  // each instruction: runs may be many and long
        for (const models::Instruction& instruction : program.instructions)
            before.push_back(before.back() + (models::opcode_info(instruction.opcode).is_texture ? 1 : 0));
        std::vector<std::uint64_t>& of_paths = counts.emplace_back();
        for (const models::Path& path : program.paths) {
            std::uint64_t& count = of_paths.emplace_back(0);
            for (const models::PathRun& run : path)
                count += before[std::size_t{run.first} + run.count] - before[run.first];
        }
    }
    return counts;
}

// More than any renderer makes: larger numbers come from damaged or forged files, and would only cost memory and time.
constexpr std::uint64_t address_end = std::uint64_t{models::block_bytes} << 32;  // blocks have numbers of 32 bits
constexpr std::uint64_t most_side = 16384;                                       // texels
constexpr std::uint64_t most_texel_bytes = 16;
constexpr std::uint64_t most_colours = 8;
constexpr std::uint64_t most_attributes = 256, most_attribute_bytes = 64;
constexpr std::uint64_t most_varyings = 256;

// Rows of a table that rows of another claim, one after another: none twice, or the work of a frame could be endless.
class Claims {
  public:
    explicit Claims(std::uint64_t rows) : rows_(rows) {}
    bool take(std::uint64_t count) {  // false if there are not so many
        if (count > rows_) return false;
        rows_ -= count;
        return true;
    }

  private:
    std::uint64_t rows_;
};

class FrameCheck {
  public:
    FrameCheck(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where)
        : frame_(frame),
          programs_(programs),
          path_textures_(count_path_textures(programs)),
          where_(where),
          draws_left_(frame.draws.size()),
          vertices_left_(frame.vertices.size()),
          fetches_left_(frame.fetches.size()),
          primitives_left_(frame.primitives.size()),
          quads_left_(frame.quads.size()) {}

    void run() {
        for (std::size_t i = 0; i < frame_.passes.size(); ++i) check_pass(i);
        for (std::size_t i = 0; i < frame_.attributes.size(); ++i) check_attribute(i);
        for (std::size_t i = 0; i < frame_.draws.size(); ++i) check_draw(i);
        check_accesses(frame_.accesses, frame_.blocks.size(), "accesses/first_block", "blocks");
        check_accesses(frame_.vertex_accesses, frame_.vertex_blocks.size(), "vertex_accesses/first_block",
                       "vertex_blocks");
        for (std::size_t i = 0; i < frame_.primitives.size(); ++i) check_primitive(i);
        for (std::size_t i = 0; i < frame_.tiles.size(); ++i) {
            range("tiles/first_quad", i, frame_.tiles[i].first_quad, frame_.tiles[i].quad_count, frame_.quads.size(),
                  "quads");
            claim(quads_left_, "tiles/quad_count", i, frame_.tiles[i].quad_count, "quads");
        }
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

    void at_most(const char* column, std::size_t row, std::uint64_t value, std::uint64_t most) const {
        if (value > most)
            fail(column, row, "expected at most " + std::to_string(most) + ", found " + std::to_string(value));
    }

    void claim(Claims& claims, const char* column, std::size_t row, std::uint64_t count, const char* table) const {
        if (!claims.take(count))
            fail(column, row, "claims rows of /" + std::string(table) + " that rows before it have");
    }

    void check_surface(const models::Surface& surface, const std::string& prefix, std::size_t row) const {
        at_most((prefix + "width").c_str(), row, surface.width, most_side);
        at_most((prefix + "height").c_str(), row, surface.height, most_side);
        at_most((prefix + "bytes_per_texel").c_str(), row, surface.bytes_per_texel, most_texel_bytes);
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
        for (const models::Surface& colour : pass.colour) check_surface(colour, "colours/", colours_++);
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
    Claims draws_left_, vertices_left_, fetches_left_, primitives_left_, quads_left_;
    std::size_t colours_ = 0;  // rows of /colours met
};

}  // namespace

void check_frame(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where) {
    FrameCheck(frame, programs, where).run();
}

}  // namespace io
