// What holds for every frame trace.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "models/frame_trace/frame_trace.h"

namespace models::functional {

inline std::size_t indirect_constants_on(const Program& program, const Path& path) {
    std::size_t count = 0;
    for (const PathRun& run : path)
        for (std::size_t pc = run.first; pc < std::size_t{run.first} + run.count; ++pc)
            count += indirect_constants(program.instructions.at(pc));
    return count;
}

inline std::size_t textures_on(const Program& program, const Path& path) {
    std::size_t count = 0;
    for (const PathRun& run : path)
        for (std::size_t pc = run.first; pc < std::size_t{run.first} + run.count; ++pc)
            count += program.instructions.at(pc).texture_unit >= 0 ? 1U : 0U;
    return count;
}

// One quad of tile `t` of a pass.
inline void check_quad(const Frame& frame, const Pass& pass, std::uint32_t t, const Quad& quad) {
    const Primitive& primitive = frame.primitives.at(quad.primitive);
    const std::uint32_t x = t % pass.tiles_x;
    const std::uint32_t y = t / pass.tiles_x;
    const bool of_pass = primitive.draw >= pass.first_draw && primitive.draw < pass.first_draw + pass.draw_count;
    const Draw& draw = frame.draws.at(primitive.draw);
    const bool subsets = (quad.early_pass & ~quad.coverage) == 0 && (quad.written & ~quad.early_pass) == 0 &&
                         (quad.visible & ~quad.early_pass) == 0 && (quad.written & ~quad.early_test) == 0 &&
                         (draw.early_depth ? quad.early_test == quad.early_pass : quad.early_pass == quad.coverage) &&
                         (draw.early_test || quad.early_test == quad.coverage);
    const bool boxed = primitive.tile_x0 <= x && x <= primitive.tile_x1 && primitive.tile_y0 <= y &&
                       y <= primitive.tile_y1 && x * trace_tile_pixels + quad.x * 2U < pass.width &&
                       y * trace_tile_pixels + quad.y * 2U < pass.height;
    ASSERT_TRUE(of_pass);
    ASSERT_TRUE(quad.coverage > 0 && quad.coverage < 16);
    ASSERT_TRUE(subsets);
    ASSERT_TRUE(boxed);
}

// Whether a draw replaces what is behind its fragments, by what the trace says of it.
inline bool replaces_colours(const Pass& pass, const Draw& draw) {
    return draw.kind == DrawKind::geometry && draw.early_depth && draw.depth_write && !draw.stencil_write &&
           !draw.discards && draw.colour_mask != 0 && draw.blend == 0 && draw.partial == 0 &&
           draw.colour_targets == pass.colour.size();
}

// Hidden lanes never change the picture: each has a later fragment at its pixel that passed, and whose draw replaces
// all colours without reading them. Of pixels with one sample. Where nothing can have come between them, of the
// fragments of opaque draws exactly the last is visible.
inline void check_hidden(const Frame& frame, const Pass& pass, const Tile& tile) {
    struct Pixel {
        std::int64_t last = -1;  // quad that replaced the colours last
        std::uint32_t draw = 0;  // of it
    };
    std::array<std::array<Pixel, 4>, 256> pixels;
    // From the last quad to the first: what is at a pixel came later.
    for (std::int64_t q = std::int64_t{tile.first_quad} + tile.quad_count; q-- > tile.first_quad;) {
        const Quad& quad = frame.quads[static_cast<std::size_t>(q)];
        const std::uint32_t number = frame.primitives[quad.primitive].draw;
        const Draw& draw = frame.draws[number];
        if (draw.samples > 1) return;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if ((quad.early_pass >> lane & 1U) == 0) continue;
            Pixel& pixel = pixels[quad.y * 16U + quad.x][lane];
            const bool hidden = (quad.visible >> lane & 1U) == 0;
            if (pixel.last < 0) {
                const bool stays = !hidden || draw.colour_mask == 0;
                ASSERT_TRUE(stays) << "quad " << q;
            } else if (replaces_colours(pass, draw) && !draw.stencil_test && pixel.draw == number) {
                ASSERT_TRUE(hidden) << "quad " << q;  // in one draw nothing comes between
            }
            if (replaces_colours(pass, draw)) {
                ASSERT_TRUE((quad.written >> lane & 1U) != 0);
                if (pixel.last < 0 || !draw.stencil_test) pixel = {q, number};
            }
        }
    }
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
            check_hidden(frame, pass, tile);
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
        EXPECT_LE(vertex.first_constant_access + indirect_constants_on(program, program.paths.at(vertex.path)),
                  frame.constant_accesses.size());
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

inline std::size_t memory_instructions_on(const Program& program, const Path& path) {
    std::size_t count = 0;
    for (const PathRun& run : path)
        for (std::size_t pc = run.first; pc < std::size_t{run.first} + run.count; ++pc)
            count += program.instructions.at(pc).kind == InstructionClass::memory ? 1U : 0U;
    return count;
}

// Groups belong to the kernels one after the other, and accesses to the groups.
inline void check_kernels(const Frame& frame, const std::vector<Program>& programs) {
    std::size_t groups = 0, memory = 0, textures = 0;
    for (const Kernel& kernel : frame.kernels) {
        const Program& program = programs.at(kernel.program);
        ASSERT_EQ(program.stage, ShaderStage::compute);
        ASSERT_EQ(kernel.first_group, groups);
        for (std::uint64_t i = 0; i < blocks_of(kernel) * groups_of_block(kernel); ++i, ++groups) {
            const ThreadGroup& group = frame.thread_groups.at(groups);
            ASSERT_EQ(group.first_memory_access, memory);
            ASSERT_EQ(group.first_access, textures);
            const Path& path = program.paths.at(group.path);
            memory += memory_instructions_on(program, path);
            textures += textures_on(program, path);
        }
    }
    EXPECT_EQ(groups, frame.thread_groups.size());
    EXPECT_EQ(memory, frame.memory_accesses.size());
    EXPECT_EQ(textures, frame.kernel_accesses.size());
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
    check_blocks(frame.kernel_accesses, frame.kernel_blocks);
    check_kernels(frame, programs);
}

}  // namespace models::functional
