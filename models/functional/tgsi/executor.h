// Runs shaders over batches of 64 lanes, one array per register component. An Executable is a shader in executable
// form, immutable, made once and shared by threads; an Executor is one thread's registers. Neither knows vertices or
// fragments: the pipeline fills inputs and reads outputs.
//
//     executor.bind(executable, {constants, &textures});      // once for a draw
//     executor.run(inputs, system_values, outputs, lanes);    // for each batch
//     if (executor.killed() & lane) ...
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/functional/shader_batch.h"
#include "models/functional/storage_request.h"
#include "models/functional/tgsi/shader.h"
#include "models/shader/program.h"

namespace models::functional::tgsi {

class Code;
class State;

class Executable {
  public:
    explicit Executable(const Shader& shader);
    ~Executable();
    Executable(Executable&&) noexcept;
    Executable& operator=(Executable&&) noexcept;

    // No control flow: every quad and every vertex takes straight_path().
    bool straight_line() const { return straight_line_; }
    const Path& straight_path() const { return straight_path_; }

  private:
    friend class Executor;
    std::unique_ptr<const Code> code_;
    Path straight_path_;
    bool straight_line_ = false;
};

// More than any shader of use: half a second for one batch, more than a GPU would grant it.
inline constexpr std::uint64_t endless_instructions = std::uint64_t{1} << 24;

// The constants that an indirect operand read in a batch: a vec4 of its buffer for each lane that executed it, as
// ConstantAccess counts them.
struct ConstantIndices {
    LaneMask active = 0;
    std::array<std::int32_t, batch_lanes> index{};
};

// What a draw binds for one stage. A constant buffer is vec4s of floats (integers as their bits); what lies beyond its
// end reads as zero. The spans must outlive the runs.
struct Environment {
    std::span<const std::span<const float>> constants;       // by buffer
    TextureSampler* textures = nullptr;                      // may be null for a shader without texture instructions
    std::uint64_t most_instructions = endless_instructions;  // of a run of a shader with loops or calls
    std::vector<ConstantIndices>* constant_log = nullptr;    // what indirect operands read is appended; may be null
    StorageAccess* storage = nullptr;                        // may be null for a shader without buffers and images
};

class Executor {
  public:
    Executor();
    ~Executor();
    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;

    // Allocates only when this shader needs more registers than those before.
    void bind(const Executable& executable, const Environment& environment);

    // Registers by number, as the shader declares them; null where it declares none. `lanes` run, helper lanes
    // included; in the outputs of the others is rubbish. Throws engine::InputError when a loop does not end within
    // 65536 rounds, and when loops within loops or calls add up to more than the environment's most instructions.
    // Denormal floats are zeros (flush_denormals.h).
    void run(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes);

    // The same in pieces, for programs with barriers: start() begins a run, and each advance() goes on to the next
    // BARRIER or to the end, which it tells by true. Registers stay where they are until then. Denormal floats are
    // kept, as llvmpipe keeps them in compute programs.
    void start(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes);
    bool advance();

    // Of the last run: the lanes that met KILL, or KILL_IF with its condition true. They went on as helper lanes.
    LaneMask killed() const;

    // Of the last run: true when all lanes executed the same instructions.
    bool same_path() const;
    // Of the last run: the instructions that at least one lane of the group executed, and which lanes, counted from the
    // group's first. A group has at most 32 lanes, side by side.
    void path(LaneMask group, Path& path) const;

  private:
    std::unique_ptr<State> state_;
};

}  // namespace models::functional::tgsi
