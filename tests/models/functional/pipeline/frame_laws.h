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

// Walks all quads of the passes and checks them; every list of the frame must be used up exactly.
inline void check_quads(const Frame& frame, const std::vector<Program>& programs) {
    std::size_t quads = 0, accesses = 0, tiles = 0;
    for (const Pass& pass : frame.passes) {
        ASSERT_EQ(pass.first_tile, tiles);
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t, ++tiles) {
            const Tile& tile = frame.tiles.at(tiles);
            ASSERT_EQ(tile.first_quad, quads);
            std::uint32_t last = 0;
            for (; quads < tile.first_quad + tile.quad_count; ++quads) {
                const Quad& quad = frame.quads.at(quads);
                const Primitive& primitive = frame.primitives.at(quad.primitive);
                const Draw& draw = frame.draws.at(primitive.draw);
                ASSERT_GE(quad.primitive, last);
                last = quad.primitive;
                ASSERT_GE(primitive.draw, pass.first_draw);
                ASSERT_LT(primitive.draw, pass.first_draw + pass.draw_count);
                ASSERT_NE(quad.coverage, 0);
                ASSERT_EQ(quad.coverage & ~0xf, 0);
                ASSERT_EQ(quad.early_pass & ~quad.coverage, 0);
                ASSERT_EQ(quad.written & ~quad.early_pass, 0);
                ASSERT_TRUE(draw.early_depth || quad.early_pass == quad.coverage);
                const std::uint32_t x = t % pass.tiles_x, y = t / pass.tiles_x;
                ASSERT_TRUE(primitive.tile_x0 <= x && x <= primitive.tile_x1);
                ASSERT_TRUE(primitive.tile_y0 <= y && y <= primitive.tile_y1);
                ASSERT_LT(x * trace_tile_pixels + quad.x * 2U, pass.width);
                ASSERT_LT(y * trace_tile_pixels + quad.y * 2U, pass.height);
                if (quad.early_pass != 0) {
                    ASSERT_LT(quad.path, programs.at(draw.fragment_program).paths.size());
                    accesses +=
                        textures_on(programs[draw.fragment_program], programs[draw.fragment_program].paths[quad.path]);
                }
            }
        }
    }
    EXPECT_EQ(quads, frame.quads.size());
    EXPECT_EQ(tiles, frame.tiles.size());
    EXPECT_EQ(accesses, frame.accesses.size());  // one for each texture instruction that was executed
}

inline void check_draws(const Frame& frame, const std::vector<Program>& programs) {
    std::size_t vertices = 0, fetches = 0, primitives = 0, vertex_accesses = 0;
    for (const Draw& draw : frame.draws) {
        if (draw.kind == DrawKind::clear) continue;
        ASSERT_EQ(draw.first_primitive, primitives);
        primitives += draw.primitive_count;
        ASSERT_LE(draw.culled_primitives, draw.assembled_primitives);
        if (draw.kind != DrawKind::geometry) continue;
        ASSERT_EQ(draw.first_vertex, vertices);
        ASSERT_EQ(draw.first_fetch, fetches);
        std::vector<bool> used(draw.vertex_count);
        for (std::uint32_t i = 0; i < draw.fetch_count; ++i) used.at(frame.fetches.at(fetches++)) = true;
        EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);  // no vertex is shaded in vain
        for (std::uint32_t i = 0; i < draw.vertex_count; ++i) {
            const Vertex& vertex = frame.vertices.at(vertices++);
            ASSERT_EQ(vertex.first_access, vertex_accesses);
            vertex_accesses +=
                textures_on(programs.at(draw.vertex_program), programs[draw.vertex_program].paths.at(vertex.path));
        }
    }
    EXPECT_EQ(vertices, frame.vertices.size());
    EXPECT_EQ(fetches, frame.fetches.size());
    EXPECT_EQ(primitives, frame.primitives.size());
    EXPECT_EQ(vertex_accesses, frame.vertex_accesses.size());
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
