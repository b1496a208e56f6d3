// What holds for every frame trace.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "models/frame_trace/frame_trace.h"

namespace models::functional {

inline std::size_t textures_on(const Program& program, const Path& path) {
    std::size_t count = 0;
    for (const PathRun& run : path) {
        for (std::size_t pc = run.first; pc < std::size_t{run.first} + run.count; ++pc) {
            count += program.instructions.at(pc).texture_unit >= 0 ? 1U : 0U;
        }
    }
    return count;
}

// One quad of tile `t` of a pass.
inline void check_quad(const Frame& frame, const Pass& pass, std::uint32_t t, const Quad& quad) {
    const Primitive& primitive = frame.primitives.at(quad.primitive);
    const std::uint32_t x = t % pass.tiles_x;
    const std::uint32_t y = t / pass.tiles_x;
    const bool of_pass = primitive.draw >= pass.first_draw && primitive.draw < pass.first_draw + pass.draw_count;
    const bool subsets = (quad.early_pass & ~quad.coverage) == 0 && (quad.written & ~quad.early_pass) == 0;
    const bool boxed = primitive.tile_x0 <= x && x <= primitive.tile_x1 && primitive.tile_y0 <= y &&
                       y <= primitive.tile_y1 && x * trace_tile_pixels + quad.x * 2U < pass.width &&
                       y * trace_tile_pixels + quad.y * 2U < pass.height;
    ASSERT_TRUE(of_pass);
    ASSERT_TRUE(quad.coverage > 0 && quad.coverage < 16);
    ASSERT_TRUE(subsets);
    ASSERT_TRUE(boxed);
    ASSERT_TRUE(frame.draws[primitive.draw].early_depth || quad.early_pass == quad.coverage);
}

// Texture instructions that a quad executed.
inline std::size_t accesses_of(const Frame& frame, const std::vector<Program>& programs, const Quad& quad) {
    if (quad.early_pass == 0) return 0;
    const Program& program = programs.at(frame.draws[frame.primitives[quad.primitive].draw].fragment_program);
    return textures_on(program, program.paths.at(quad.path));
}

// Walks all quads of the passes; every list of the frame must be used up exactly.
inline void check_quads(const Frame& frame, const std::vector<Program>& programs) {
    std::size_t quads = 0, accesses = 0, tiles = 0;
    for (const Pass& pass : frame.passes) {
        ASSERT_EQ(pass.first_tile, tiles);
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t, ++tiles) {
            const Tile& tile = frame.tiles.at(tiles);
            ASSERT_EQ(tile.first_quad, quads);
            for (; quads < tile.first_quad + tile.quad_count; ++quads) {
                const Quad& quad = frame.quads.at(quads);
                check_quad(frame, pass, t, quad);
                ASSERT_TRUE(quads == tile.first_quad || quad.primitive >= frame.quads[quads - 1].primitive);
                accesses += accesses_of(frame, programs, quad);
            }
        }
    }
    EXPECT_EQ(quads, frame.quads.size());
    EXPECT_EQ(tiles, frame.tiles.size());
    EXPECT_EQ(accesses, frame.accesses.size());  // one for each texture instruction that was executed
}

// The vertices of one draw; returns how many texture instructions they and those before executed.
inline std::size_t check_vertices(const Frame& frame, const std::vector<Program>& programs, const Draw& draw,
                                  std::size_t accesses) {
    std::vector<bool> used(draw.vertex_count);
    for (std::uint32_t i = 0; i < draw.fetch_count; ++i) used.at(frame.fetches.at(draw.first_fetch + i)) = true;
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);  // no vertex is shaded in vain
    const Program& program = programs.at(draw.vertex_program);
    for (std::uint32_t i = 0; i < draw.vertex_count; ++i) {
        const Vertex& vertex = frame.vertices.at(draw.first_vertex + i);
        EXPECT_EQ(vertex.first_access, accesses);
        accesses += textures_on(program, program.paths.at(vertex.path));
    }
    return accesses;
}

// Vertices, fetches and primitives belong to the draws one after the other.
inline void check_draws(const Frame& frame, const std::vector<Program>& programs) {
    std::size_t vertices = 0, fetches = 0, primitives = 0, vertex_accesses = 0;
    for (const Draw& draw : frame.draws) {
        const bool geometry = draw.kind == DrawKind::geometry;
        const bool follows = !geometry || (draw.first_vertex == vertices && draw.first_fetch == fetches);
        EXPECT_TRUE(follows && (draw.primitive_count == 0 || draw.first_primitive == primitives));
        EXPECT_LE(draw.culled_primitives, draw.assembled_primitives);
        vertices += draw.vertex_count;
        fetches += draw.fetch_count;
        primitives += draw.primitive_count;
        if (geometry) vertex_accesses = check_vertices(frame, programs, draw, vertex_accesses);
    }
    EXPECT_EQ(std::vector({vertices, fetches, primitives, vertex_accesses}),
              std::vector({frame.vertices.size(), frame.fetches.size(), frame.primitives.size(),
                           frame.vertex_accesses.size()}));
}

inline void check_blocks(const std::vector<TextureAccess>& accesses, const std::vector<BlockNumber>& blocks) {
    std::size_t next = 0;
    for (const TextureAccess& access : accesses) {
        ASSERT_EQ(access.first_block, next);
        next += access.block_count;
        std::vector<BlockNumber> distinct(blocks.begin() + access.first_block,
                                          blocks.begin() + access.first_block + access.block_count);
        std::sort(distinct.begin(), distinct.end());
        ASSERT_EQ(std::adjacent_find(distinct.begin(), distinct.end()), distinct.end());
    }
    EXPECT_EQ(next, blocks.size());
}

inline void check_laws(const Frame& frame, const std::vector<Program>& programs) {
    std::uint32_t draws = 0;
    for (const Pass& pass : frame.passes) {
        EXPECT_EQ(pass.first_draw, draws);
        draws += pass.draw_count;
    }
    EXPECT_EQ(draws, frame.draws.size());
    check_quads(frame, programs);
    check_draws(frame, programs);
    check_blocks(frame.accesses, frame.blocks);
    check_blocks(frame.vertex_accesses, frame.vertex_blocks);
}

}  // namespace models::functional
