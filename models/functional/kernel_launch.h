// Launches of compute programs (LAUNCH_GRID): a grid of blocks, each of threads that run in batches of 64 lanes, a
// thread's number in its block being x + width * (y + height * z).
//
// What a launch leaves in memory is what it would leave if its blocks ran one after another, x fastest, and in a block
// the batches, each up to the next BARRIER or the end, whatever the number of workers. Blocks of which none can see
// what another one wrote run in parallel; their writes are kept apart and done in the order of the blocks. Blocks that
// could see it do run one after another: those of a program with atomic operations on buffers or images, or that reads
// a buffer, image or texture which it also writes.
//
// A barrier that not all threads of a block reach is undefined in OpenGL: here those that reach it wait for the others
// to reach one too, or their end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/functional/memory_meter.h"
#include "models/functional/program_library.h"
#include "models/functional/virgl/context.h"
#include "models/functional/workers.h"

namespace models::functional {

inline constexpr std::uint32_t most_block_threads = 1024;
inline constexpr std::uint32_t most_grid_blocks = 65535;                      // along an axis
inline constexpr std::uint64_t most_launch_threads = std::uint64_t{1} << 28;  // of all blocks

struct LaunchCall {
    std::array<std::uint32_t, 3> block{};  // threads
    std::array<std::uint32_t, 3> grid{};   // blocks; may be none

    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }  // of a block
    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
};

// An indirect launch reads its grid from memory. Refuses more than there can be.
LaunchCall decode_launch(const Words& words, const Context& context);

// Whether blocks can see what others of the same launch wrote.
bool blocks_depend(const tgsi::Shader& shader, const StageState& stage);

class KernelLauncher {
  public:
    // `undefined_as_zero`: as in FunctionalRenderer::Options.
    KernelLauncher(const Workers& workers, ProgramLibrary& library, MemoryMeter& memory, bool undefined_as_zero);
    ~KernelLauncher();
    KernelLauncher(const KernelLauncher&) = delete;
    KernelLauncher& operator=(const KernelLauncher&) = delete;

    // `frame` may be null: no trace. Blocks that run are added to it.
    void launch(const LaunchCall& call, const StageState& stage, Frame* frame);

  private:
    class Worker;
    struct Job;

    const CompiledShader& program_of(const StageState& stage, const LaunchCall& call);
    void run_in_order(const Job& job);
    void run_in_parallel(const Job& job);
    void record_kernel(const Job& job) const;

    const Workers* workers_;
    ProgramLibrary* library_;
    MemoryMeter* memory_;
    bool undefined_as_zero_;
    std::unique_ptr<Worker[]> scratch_;  // by worker
};

}  // namespace models::functional
