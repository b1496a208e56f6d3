#include "models/workload/frame_work.h"

#include <algorithm>
#include <array>
#include <bit>

namespace models {
namespace {

using FilterCycles = std::function<std::uint32_t(const TextureAccess&)>;

// What a quad executes on a path: counted when the path is first met, as millions of quads take a few of them.
struct PathWork {
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};
    std::uint64_t instructions = unknown;
    std::array<std::uint64_t, 16> thread_instructions = {};  // by lanes: summed over those that execute them
    std::uint32_t textures = 0;                              // instructions
};

void count_path(const Program& program, const Path& path, PathWork& work) {
    work.instructions = 0;
    for (const PathRun& run : path) {
        work.instructions += run.count;
        for (std::uint32_t lanes = 0; lanes < work.thread_instructions.size(); ++lanes)
            work.thread_instructions[lanes] +=
                std::uint64_t{run.count} * static_cast<std::uint64_t>(std::popcount(run.lanes & lanes));
        for (std::uint32_t i = run.first; i < std::uint32_t{run.first} + run.count; ++i)
            if (opcode_info(program.instructions[i].opcode).unit == Unit::texture) ++work.textures;
    }
}

// By program and path.
class PathWorks {
  public:
    explicit PathWorks(const std::vector<Program>& programs) : programs_(programs) {
        for (const Program& program : programs) works_.emplace_back(program.paths.size());
    }
    const PathWork& of(std::uint32_t program, std::uint32_t path) {
        PathWork& work = works_[program][path];
        if (work.instructions == PathWork::unknown)
            count_path(programs_[program], programs_[program].paths[path], work);
        return work;
    }

  private:
    const std::vector<Program>& programs_;
    std::vector<std::vector<PathWork>> works_;
};

void add_quad(PathWorks& paths, const Workload& workload, std::uint32_t number, const FilterCycles& filter_cycles,
              FrameWork& work) {
    const Frame& frame = workload.frame();
    const Quad& quad = frame.quads[number];
    const std::uint8_t lanes = workload.quads().lanes(number);
    ++work.quads;
    if (lanes == 0) {
        ++(is_depth_only(workload.draw_of(number)) ? work.depth_only : work.killed);
        return;
    }
    const PathWork& path = paths.of(frame.draws[frame.primitives[quad.primitive].draw].fragment_program, quad.path);
    work.fragments += static_cast<std::uint64_t>(std::popcount(lanes));
    work.thread_instructions += path.thread_instructions[lanes];
    work.quad_instructions += path.instructions;
    work.accesses += path.textures;
    for (std::uint32_t i = 0; i < path.textures; ++i) {
        const TextureAccess& access = frame.accesses[quad.first_access + i];
        work.samples += access.samples;
        work.filter_cycles += filter_cycles(access);
        work.blocks += access.block_count;
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

FrameWork& FrameWork::operator+=(const FrameWork& other) {
    static_assert(sizeof(FrameWork) == 16 * sizeof(std::uint64_t));
    for (std::uint64_t FrameWork::* const field :
         {&FrameWork::quads, &FrameWork::killed, &FrameWork::depth_only, &FrameWork::fragments, &FrameWork::accesses,
          &FrameWork::samples, &FrameWork::filter_cycles, &FrameWork::blocks, &FrameWork::quad_instructions,
          &FrameWork::thread_instructions, &FrameWork::draws, &FrameWork::primitives, &FrameWork::indices,
          &FrameWork::upload_lines, &FrameWork::unchanged_tiles, &FrameWork::vertices})
        this->*field += other.*field;
    return *this;
}

FrameWork count_work(const FrameTrace& trace, const Workload& workload, const FilterCycles& filter_cycles,
                     const ForEach& for_each) {
    FrameWork work;
    const Frame& frame = workload.frame();
    for (std::uint32_t p = 0; p < frame.passes.size(); ++p) {
        if (workload.resolves().is_resolved(p)) continue;
        const Pass& pass = frame.passes[p];
        const Bands bands(std::size_t{pass.tiles_x} * pass.tiles_y, Bands::tiles);
        std::vector<FrameWork> works(static_cast<std::size_t>(bands.count()));
        for_each(bands.count(), [&](int band) {
            PathWorks paths(trace.programs);
            FrameWork sum;
            for (std::size_t t = bands.first(band); t < bands.end(band); ++t) {
                const Tile& tile = frame.tiles[pass.first_tile + t];
                for (std::uint32_t q = 0; q < tile.quad_count; ++q)
                    add_quad(paths, workload, tile.first_quad + q, filter_cycles, sum);
            }
            works[static_cast<std::size_t>(band)] = sum;
        });
        for (const FrameWork& some : works) work += some;
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
