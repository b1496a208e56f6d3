// One thread's registers and the run of a program over a batch: what Executor hides. Straight-line execution is in
// state.cpp, branches and the record of paths in control_flow.cpp, texture instructions in texture_request.cpp, loads
// and stores in storage_instruction.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/functional/tgsi/code.h"
#include "models/functional/tgsi/executor.h"

namespace models::functional::tgsi {

class State {
  public:
    State();

    void bind(const Code& code, const Environment& environment);
    void start(const Vec4Lanes* inputs, const Vec4Lanes* system_values, Vec4Lanes* outputs, LaneMask lanes);
    bool advance();  // to the next BARRIER, or to the end: true

    LaneMask killed() const { return killed_; }
    bool same_path() const { return !diverged_; }
    void path(LaneMask group, Path& path) const;

  private:
    // Consecutive instructions that the same lanes executed.
    struct Segment {
        std::uint16_t first = 0, count = 0;
        LaneMask lanes = 0;
    };
    // What a block gives back at its end.
    struct Block {
        LaneMask saved = 0;        // IF: condition_; loops: not_broken_; SWITCH: in_case_; CAL: running_
        LaneMask continuing = 0;   // loops: continuing_
        std::int32_t target = 0;   // CAL: where to go on
        std::uint32_t rounds = 0;  // loops
    };
    using Entries = std::array<std::int32_t, batch_lanes>;  // SWITCH: the label where each lane comes in

    static const float* floats(const Vec4Lanes* registers);
    void clear(std::uint8_t space, const std::vector<std::uint32_t>& rows);

    void execute(const Op& op);
    void compute(const Op& op);
    void prepare(const Preparation& preparation);
    void prepare_indirect(const Preparation& preparation);
    void prepare_from_buffers(const Preparation& preparation);
    void gather(const Preparation& preparation, int component, const std::array<std::int32_t, batch_lanes>& index,
                float* to);
    void modify(const Preparation& preparation, float* row) const;
    void kill(const Op& op);
    void store(const Op& op, float* const* rows);
    void scatter(const Op& op, float* const* rows);
    // The register that each lane selects.
    std::array<std::int32_t, batch_lanes> indices(const Indirect& indirect, std::int32_t base) const;
    void sample(const Op& op);
    void answer(const Op& op, TextureRequest& request);
    void answer_by_offsets(const Op& op, TextureRequest& request);
    void project(const Op& op, TextureRequest& request);
    void reach_storage(const Op& op);

    void run_straight();
    void begin_branching();
    bool run_branching();
    std::size_t step(std::size_t pc);
    std::size_t branch(const Op& op, std::size_t pc);
    std::size_t begin_if(const Op& op, std::size_t pc);
    std::size_t end_loop(const Op& op, std::size_t pc);
    void enter_case(std::size_t pc);
    void begin_switch(const Op& op, std::size_t pc);
    std::size_t call(const Op& op, std::size_t pc);
    LaneMask true_lanes(const Op& op) const;
    void update_mask();
    void record(std::size_t first, std::size_t end, LaneMask lanes);
    const float* source_row(const Op& op, std::size_t source, std::size_t component) const {
        return source_[op.sources[source].space] + op.sources[source].row[component];
    }

    const Code* code_ = nullptr;
    TextureSampler* textures_ = nullptr;
    std::vector<ConstantIndices>* constant_log_ = nullptr;
    StorageAccess* storage_ = nullptr;
    std::uint64_t most_instructions_ = 0;
    std::array<const float*, space_count> source_ = {};
    std::array<float*, writable_spaces> destination_ = {};
    std::vector<Vec4Lanes> temporaries_, addresses_, scratch_;
    std::vector<std::vector<float>> padded_constants_;  // for buffers shorter than the shader declares

    LaneMask lanes_ = 0;  // that run
    LaneMask killed_ = 0;
    // The lanes that execute are those in all of these.
    LaneMask active_ = 0;
    LaneMask condition_ = 0, not_broken_ = 0, continuing_ = 0, in_case_ = 0, running_ = 0;
    bool diverged_ = false;
    std::size_t pc_ = 0;          // of a program with branches: the next instruction
    std::uint64_t executed_ = 0;  // instructions
    std::vector<Block> blocks_, calls_;
    std::vector<Entries> entries_;
    std::vector<Segment> segments_;
};

}  // namespace models::functional::tgsi
