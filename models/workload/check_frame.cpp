#include <algorithm>
#include <string>

#include "models/workload/surface_blocks.h"
#include "models/workload/workload.h"

namespace models {
namespace {

class Checker {
  public:
    Checker(const FrameTrace& trace, const Frame& frame, Address memory_end, bool all_targets, const ForEach& for_each)
        : trace_(trace),
          frame_(frame),
          for_each_(for_each),
          memory_end_(memory_end),
          all_targets_(all_targets) {}

    void check() const {
        if (!frame_.kernels.empty())
            fail("expected no compute kernels, which the machine does not play yet, found " +
                 std::to_string(frame_.kernels.size()));
        for (const Primitive& primitive : frame_.primitives)
            require(primitive.draw < frame_.draws.size(), "a primitive", "a draw", primitive.draw);
        Bands(frame_.quads.size()).for_each_row(for_each_, [&](std::size_t quad) { check_quad(frame_.quads[quad]); });
        std::uint64_t next_tile = 0, next_primitive = 0, next_quad = 0, next_draw = 0;
        for (const Tile& tile : frame_.tiles) {
            require(inside(tile.first_quad, tile.quad_count, frame_.quads.size()), "a tile", "quads", tile.first_quad);
            if (tile.first_quad < next_quad) fail("expected the quads of tiles one after the other");
            next_quad = std::uint64_t{tile.first_quad} + tile.quad_count;
        }
        for (const Pass& pass : frame_.passes) {
            if (pass.first_tile < next_tile) fail("expected the tiles of passes one after the other");
            if (pass.first_draw < next_draw) fail("expected the draws of passes one after the other");
            next_draw = std::uint64_t{pass.first_draw} + pass.draw_count;
            next_tile = std::uint64_t{pass.first_tile} + std::uint64_t{pass.tiles_x} * pass.tiles_y;
            check_pass(pass);
        }
        for (const Draw& draw : frame_.draws) {
            check_draw(draw);
            if (draw.primitive_count == 0) continue;
            if (draw.first_primitive < next_primitive) fail("expected the primitives of draws one after the other");
            next_primitive = std::uint64_t{draw.first_primitive} + draw.primitive_count;
        }
        for (const Upload& upload : frame_.uploads) check_upload(upload);
        check_accesses(frame_.accesses, frame_.blocks, "fragment");
        check_accesses(frame_.vertex_accesses, frame_.vertex_blocks, "vertex");
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw engine::InputError("frame " + std::to_string(frame_.number) + " of the frame trace: " + what);
    }
    void require(bool condition, const char* who, const char* what, std::uint64_t found) const {
        if (!condition)
            fail(std::string("expected ") + who + " to name " + what + " of the frame, found " + std::to_string(found));
    }
    static bool inside(std::uint64_t first, std::uint64_t count, std::size_t size) { return first + count <= size; }
    // `bytes` at `offset` behind the address; their sum may not fit in 64 bits.
    void check_address(Address address, std::uint64_t offset, std::uint64_t bytes) const {
        Address end = 0;
        const bool overflows =
            __builtin_add_overflow(address, offset, &end) || __builtin_add_overflow(end, bytes, &end);
        if (overflows || end > memory_end_)
            fail("expected addresses below " + std::to_string(memory_end_) +
                 " (dram.size less what the GPU keeps), found " +
                 (overflows ? std::string("one beyond 64 bits") : std::to_string(end) + "; set dram.size to more"));
    }

    // Only what is loaded or stored is in memory.
    void check_surface(const Surface& surface) const {
        constexpr std::uint32_t most_side = 16384;
        if (std::max(surface.width, surface.height) > most_side || surface.bytes_per_texel > most_texel_bytes)
            fail("expected render targets of at most " + std::to_string(most_side) + " x " + std::to_string(most_side) +
                 " texels of " + std::to_string(most_texel_bytes) + " bytes, found " + std::to_string(surface.width) +
                 " x " + std::to_string(surface.height) + " of " + std::to_string(surface.bytes_per_texel));
        if (const SurfaceBlocks blocks(surface); blocks.count() > 0)
            check_address(surface.address, 0, std::uint64_t{blocks.count()} * block_bytes);
    }

    void check_pass(const Pass& pass) const {
        constexpr std::size_t most_targets = 8;  // Draw::colour_mask has as many
        if (pass.colour.size() > most_targets)
            fail("expected passes of at most " + std::to_string(most_targets) + " colour targets, found " +
                 std::to_string(pass.colour.size()));
        if (all_targets_ || pass.colour_load || pass.colour_store)
            for (const Surface& colour : pass.colour) check_surface(colour);
        if (all_targets_ || pass.depth_load || pass.depth_store) check_surface(pass.depth);
        const std::uint64_t hashes = std::uint64_t{pass.tiles_x} * pass.tiles_y * pass.colour.size();
        require(inside(pass.first_hash, hashes, frame_.colour_hashes.size()), "a pass", "hashes of tiles",
                pass.first_hash);
        require(inside(pass.first_draw, pass.draw_count, frame_.draws.size()), "a pass", "draws", pass.first_draw);
        const std::uint64_t tiles = std::uint64_t{pass.tiles_x} * pass.tiles_y;
        require(inside(pass.first_tile, tiles, frame_.tiles.size()), "a pass", "tiles", pass.first_tile);
        for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d)
            for (std::uint32_t i = 0; i < frame_.draws[d].primitive_count; ++i) check_bounds(pass, frame_.draws[d], i);
        Bands(tiles, Bands::tiles).for_each_row(for_each_, [&](std::size_t tile) {
            check_tile(pass, static_cast<std::uint32_t>(tile));
        });
    }
    void check_bounds(const Pass& pass, const Draw& draw, std::uint32_t i) const {
        const std::uint64_t index = std::uint64_t{draw.first_primitive} + i;
        require(index < frame_.primitives.size(), "a draw", "primitives", index);
        const Primitive& p = frame_.primitives[index];
        if (p.tile_x0 > p.tile_x1 || p.tile_y0 > p.tile_y1 || p.tile_x1 >= pass.tiles_x || p.tile_y1 >= pass.tiles_y)
            fail("expected the bounding box of primitive " + std::to_string(index) + " to lie in its pass");
        for (const std::uint32_t vertex : p.vertices)
            require(draw.kind != DrawKind::geometry || vertex < draw.fetch_count, "a primitive", "a vertex", vertex);
    }
    void check_tile(const Pass& pass, std::uint32_t index) const {
        const Tile& tile = frame_.tiles[pass.first_tile + index];
        std::uint32_t last = 0;
        for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q) {
            const Quad& quad = frame_.quads[q];
            if (quad.primitive < last) fail("expected the quads of a tile by primitive, found them out of order");
            const Primitive& primitive = frame_.primitives[quad.primitive];
            const std::uint32_t x = index % pass.tiles_x, y = index / pass.tiles_x;
            if (x < primitive.tile_x0 || x > primitive.tile_x1 || y < primitive.tile_y0 || y > primitive.tile_y1)
                fail("expected quads inside the bounding boxes of their primitives");
            last = quad.primitive;
            check_owner(pass, quad);
            if (!all_targets_) continue;
            for (const Surface& colour : pass.colour) check_place(colour, x, y, quad);
            check_place(pass.depth, x, y, quad);
        }
    }
    // What a tile meets is in the lists of its pass, or rasterisation would wait for it.
    void check_owner(const Pass& pass, const Quad& quad) const {
        const std::uint32_t draw = frame_.primitives[quad.primitive].draw;
        require(draw >= pass.first_draw && draw - pass.first_draw < pass.draw_count, "a quad", "a draw of its pass",
                draw);
        const Draw& owner = frame_.draws[draw];
        require(
            quad.primitive >= owner.first_primitive && quad.primitive - owner.first_primitive < owner.primitive_count,
            "a quad", "a primitive of its draw", quad.primitive);
    }
    // Who blends in memory looks up the lines of every quad.
    void check_place(const Surface& surface, std::uint32_t tile_x, std::uint32_t tile_y, const Quad& quad) const {
        const std::uint64_t x = std::uint64_t{tile_x} * trace_tile_pixels + 2U * quad.x;
        const std::uint64_t y = std::uint64_t{tile_y} * trace_tile_pixels + 2U * quad.y;
        if (surface.bytes_per_texel != 0 && (x >= surface.width || y >= surface.height))
            fail("expected quads inside the render targets of their pass, found one at pixel (" + std::to_string(x) +
                 ", " + std::to_string(y) + ") of " + std::to_string(surface.width) + " x " +
                 std::to_string(surface.height));
    }
    void check_upload(const Upload& upload) const {
        if (upload.address < constant_ring) {
            check_address(upload.address, 0, upload.bytes);
            return;
        }
        Address end = 0;
        if (__builtin_add_overflow(upload.address, upload.bytes, &end) || end > constant_ring + constant_ring_bytes)
            fail("expected uploads of constants inside of their ring, found " + std::to_string(upload.bytes) +
                 " bytes at " + std::to_string(upload.address));
    }
    void check_quad(const Quad& quad) const {
        require(quad.primitive < frame_.primitives.size(), "a quad", "a primitive", quad.primitive);
        if ((quad.early_pass & ~quad.coverage) != 0 ||
            ((quad.visible | quad.early_test | quad.shaded) & ~quad.coverage) != 0)
            fail("expected lanes of quads among those that they cover");
        if (quad.reconstructed != 0)
            fail("expected quads without reconstructed lanes, which the machine does not play yet");
        if (quad.cluster != Quad::any_cluster)
            fail("expected quads that any cluster may shade, found one for cluster " + std::to_string(quad.cluster) +
                 ", which the machine does not play yet");
        if (quad.x >= trace_tile_pixels / 2 || quad.y >= trace_tile_pixels / 2)
            fail("expected quads inside their tile");
        if (quad.early_pass == 0 && quad.shaded == 0) return;
        const std::uint32_t draw = frame_.primitives[quad.primitive].draw;
        check_path(frame_.draws[draw].fragment_program, quad.path);
        require(quad.first_access <= frame_.accesses.size(), "a quad", "texture accesses", quad.first_access);
    }
    void check_path(std::uint32_t program, std::uint32_t path) const {
        require(program < trace_.programs.size(), "a draw", "a program", program);
        require(path < trace_.programs[program].paths.size(), "a quad or vertex", "a path", path);
    }
    void check_constants(const Draw& draw) const {
        require(inside(draw.first_constant, draw.constant_count, frame_.constants.size()), "a draw", "constants",
                draw.first_constant);
        for (std::uint32_t i = 0; i < draw.constant_count; ++i) {
            const ConstantRange& range = frame_.constants[draw.first_constant + i];
            if (range.address < constant_ring)
                check_address(range.address, 0, range.bytes);
            else if (range.address - constant_ring + range.bytes > constant_ring_bytes)
                fail("expected constants to lie in the ring of " + std::to_string(constant_ring_bytes) +
                     " bytes, found an end " + std::to_string(range.address - constant_ring + range.bytes) +
                     " bytes behind its start");
        }
    }
    void check_draw(const Draw& draw) const {
        check_constants(draw);
        if (draw.kind != DrawKind::geometry) return;
        require(inside(draw.first_attribute, draw.attribute_count, frame_.attributes.size()), "a draw", "attributes",
                draw.first_attribute);
        require(inside(draw.first_vertex, draw.vertex_count, frame_.vertices.size()), "a draw", "vertices",
                draw.first_vertex);
        require(inside(draw.first_fetch, draw.fetch_count, frame_.fetches.size()), "a draw", "fetches",
                draw.first_fetch);
        for (std::uint32_t i = 0; i < draw.fetch_count; ++i)
            require(frame_.fetches[draw.first_fetch + i] < draw.vertex_count, "an index", "a vertex",
                    frame_.fetches[draw.first_fetch + i]);
        require(draw.fetch_count == 0 || draw.vertex_count > 0, "a draw", "vertices", draw.vertex_count);
        check_address(draw.index_address, 0, draw.index_bytes);
        for (std::uint32_t i = 0; i < draw.vertex_count; ++i)
            check_vertex(draw, frame_.vertices[draw.first_vertex + i]);
    }
    void check_vertex(const Draw& draw, const Vertex& vertex) const {
        check_path(draw.vertex_program, vertex.path);
        require(vertex.first_access <= frame_.vertex_accesses.size(), "a vertex", "texture accesses",
                vertex.first_access);
        for (std::uint32_t i = 0; i < draw.attribute_count; ++i) {
            const VertexAttribute& attribute = frame_.attributes[draw.first_attribute + i];
            check_address(attribute.address, attribute_offset(attribute, vertex), attribute.bytes);
        }
    }
    void check_accesses(const std::vector<TextureAccess>& accesses, const std::vector<BlockNumber>& blocks,
                        const char* stage) const {
        Bands(accesses.size()).for_each_row(for_each_, [&](std::size_t row) {
            const TextureAccess& access = accesses[row];
            if (!inside(access.first_block, access.block_count, blocks.size()))
                fail(std::string("expected a ") + stage + "'s texture access to name blocks of the frame, found " +
                     std::to_string(access.first_block));
        });
        const Bands bands(blocks.size());
        std::vector<BlockNumber> highest(static_cast<std::size_t>(bands.count()));
        for_each_(bands.count(), [&](int band) {
            BlockNumber most = 0;
            for (std::size_t i = bands.first(band); i < bands.end(band); ++i) most = std::max(most, blocks[i]);
            highest[static_cast<std::size_t>(band)] = most;
        });
        if (blocks.empty()) return;
        const BlockNumber most = *std::max_element(highest.begin(), highest.end());
        check_address(std::uint64_t{most} * block_bytes, 0, block_bytes);
    }

    const FrameTrace& trace_;
    const Frame& frame_;
    const ForEach& for_each_;
    Address memory_end_;
    bool all_targets_;
};

// The texture accesses that quads and vertices need are all there.
void check_access_counts(const Frame& frame, const std::vector<DecodedProgram>& programs, const ForEach& for_each) {
    const auto fail = [&](const char* who) {
        throw engine::InputError("frame " + std::to_string(frame.number) +
                                 " of the frame trace: expected a texture access for each texture instruction of a " +
                                 std::string(who) + "'s path, found fewer");
    };
    Bands(frame.quads.size()).for_each_row(for_each, [&](std::size_t row) {
        const Quad& quad = frame.quads[row];
        if (quad.early_pass == 0 && quad.shaded == 0) return;
        const Draw& draw = frame.draws[frame.primitives[quad.primitive].draw];
        if (std::size_t{quad.first_access} + programs[draw.fragment_program].textures[quad.path] >
            frame.accesses.size())
            fail("quad");
    });
    for (const Draw& draw : frame.draws) {
        if (draw.kind != DrawKind::geometry) continue;
        const DecodedProgram& program = programs[draw.vertex_program];
        for (std::uint32_t i = 0; i < draw.vertex_count; ++i) {
            const Vertex& vertex = frame.vertices[draw.first_vertex + i];
            if (std::size_t{vertex.first_access} + program.textures[vertex.path] > frame.vertex_accesses.size())
                fail("vertex");
        }
    }
}

}  // namespace

void check_frame(const FrameTrace& trace, const Frame& frame, const std::vector<DecodedProgram>& programs,
                 Address memory_end, bool all_targets, const ForEach& for_each) {
    Checker(trace, frame, memory_end, all_targets, for_each).check();
    check_access_counts(frame, programs, for_each);
}

}  // namespace models
