#include "models/workload/frame_work.h"

#include <algorithm>
#include <bit>

namespace models {
namespace {

using FilterCycles = std::function<std::uint32_t(const TextureAccess&)>;

// Instructions of a path, summed over the lanes of the mask that execute them.
std::uint64_t path_length(const Path& path, std::uint32_t lanes) {
    std::uint64_t length = 0;
    for (const PathRun& run : path)
        length += std::uint64_t{run.count} * static_cast<std::uint64_t>(std::popcount(run.lanes & lanes));
    return length;
}

void add_quad(const FrameTrace& trace, const Workload& workload, std::uint32_t number,
              const FilterCycles& filter_cycles, FrameWork& work) {
    const Frame& frame = workload.frame();
    const Quad& quad = frame.quads[number];
    const std::uint8_t lanes = workload.quads().lanes(number);
    ++work.quads;
    if (lanes == 0) {
        ++(is_depth_only(workload.draw_of(number)) ? work.depth_only : work.killed);
        return;
    }
    const Program& program = trace.programs[frame.draws[frame.primitives[quad.primitive].draw].fragment_program];
    const Path& path = program.paths[quad.path];
    work.fragments += static_cast<std::uint64_t>(std::popcount(lanes));
    work.thread_instructions += path_length(path, lanes);
    std::uint32_t access = quad.first_access;
    for (const PathRun& run : path) work.quad_instructions += run.count;
    for (const PathRun& run : path)
        for (std::uint32_t i = run.first; i < std::uint32_t{run.first} + run.count; ++i) {
            if (opcode_info(program.instructions[i].opcode).unit != Unit::texture) continue;
            ++work.accesses;
            work.samples += frame.accesses[access].samples;
            work.filter_cycles += filter_cycles(frame.accesses[access]);
            work.blocks += frame.accesses[access++].block_count;
        }
}

void add_draw(const Frame& frame, const Draw& draw, FrameWork& work) {
    work.primitives += draw.primitive_count;
    if (draw.kind != DrawKind::geometry) return;
    work.indices += draw.fetch_count;
    std::vector<bool> named(draw.vertex_count);
    for (std::uint32_t i = 0; i < draw.fetch_count; ++i) named[frame.fetches[draw.first_fetch + i]] = true;
    work.vertices += static_cast<std::uint64_t>(std::count(named.begin(), named.end(), true));
}

}  // namespace

FrameWork count_work(const FrameTrace& trace, const Workload& workload, const FilterCycles& filter_cycles) {
    FrameWork work;
    const Frame& frame = workload.frame();
    for (std::uint32_t p = 0; p < frame.passes.size(); ++p) {
        if (workload.resolves().is_resolved(p)) continue;
        const Pass& pass = frame.passes[p];
        for (std::uint32_t t = 0; t < pass.tiles_x * pass.tiles_y; ++t) {
            const Tile& tile = frame.tiles[pass.first_tile + t];
            for (std::uint32_t q = 0; q < tile.quad_count; ++q)
                add_quad(trace, workload, tile.first_quad + q, filter_cycles, work);
        }
        if (workload.has_lists())
            for (const std::uint32_t tile : workload.lists(p).order)
                work.unchanged_tiles += workload.signatures().is_unchanged(pass, tile) ? 1 : 0;
        work.draws += pass.draw_count;
        for (std::uint32_t d = 0; d < pass.draw_count; ++d) add_draw(frame, frame.draws[pass.first_draw + d], work);
    }
    for (const BlockRun& run : workload.uploads().runs()) work.upload_lines += run.count;
    return work;
}

}  // namespace models
