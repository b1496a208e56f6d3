// Fetch of the pipelines that hold instructions in buffers: reads the instruction cache for a warp, and takes its next
// instructions along its path. What comes after a branch is fetched when that has been executed. What was squashed is
// fetched again, before anything else of its warp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/pipelines/pipeline_site.h"

namespace models {

class InstructionFetch {
  public:
    // An instruction of a warp, from its fetch until a unit has it.
    struct Instruction {
        RegisterUse use;
        std::uint32_t groups = 0;     // mask of those that execute it
        std::uint32_t threads = 0;    // of them
        std::uint32_t traced = none;  // InstructionTrace
        std::uint16_t counter = 0;
        std::uint8_t warp = 0;  // its slot
        Unit unit = Unit::alu;
        std::uint8_t group_count = 0;  // of `groups`
        InstructionClass kind = InstructionClass::floating;
        std::uint8_t steps = 1;  // MicroInstruction
        std::uint8_t spare = 0;
        bool is_texture() const { return unit == Unit::texture; }
        bool writes() const { return use.destination != RegisterUse::no_register; }
    };
    static constexpr std::uint16_t nobody = 0xffff;
    static constexpr std::size_t most_together = 2;
    struct Taken {
        std::array<std::uint16_t, most_together> numbers = {nobody, nobody};
        std::uint32_t count = 0;
    };

    // `instructions`: that may be under way; `together`: that are fetched of a warp at once.
    InstructionFetch(const PipelineSite& site, std::size_t instructions, std::uint32_t together);

    // A warp has begun in the slot; it has left. / Its buffer is empty.
    void begin(std::uint32_t slot);
    void end(std::uint32_t slot) { fetching_[slot].state = State::idle; }
    void wants(std::uint32_t slot) {
        const Warp& warp = fetching_[slot];
        const bool goes_on = !warp.waits_for_branch && warps_.is_on_path(slot);
        if (warp.state == State::ready && (goes_on || warp.again.count > 0)) ready_ |= std::uint64_t{1} << slot;
    }
    // Mask of slots: may be fetched for.
    std::uint64_t ready() const { return ready_; }
    bool waits_for_branch(std::uint32_t slot) const { return fetching_[slot].waits_for_branch != 0; }
    // Its next instruction is not in the cache.
    bool waits_for_line(std::uint32_t slot) const { return fetching_[slot].state >= State::line; }
    // The next of the warp is one that was squashed.
    bool fetches_again(std::uint32_t slot) const { return fetching_[slot].again.count > 0; }
    std::uint16_t squashed(std::uint32_t slot) const { return fetching_[slot].again.numbers[0]; }

    // Reads the cache for one of them. What is taken can be decoded after the cache's latency; nothing if it is a miss.
    Taken fetch(engine::Time now, std::uint32_t slot);
    // The line that a warp waits for has come.
    Taken line_arrived(engine::Time now, std::uint32_t slot);
    void branch_done(std::uint32_t slot) { fetching_[slot].waits_for_branch = 0; }
    // To be fetched again; those of a warp from the youngest to the oldest.
    void squash(std::uint16_t number);
    void retry();

    const Instruction& operator[](std::uint16_t number) const { return instructions_[number]; }
    // Of a texture instruction, by group.
    std::span<const std::uint32_t> accesses(std::uint16_t number) const {
        return {&accesses_[std::size_t{number} * groups_per_warp_], instructions_[number].group_count};
    }
    void release(std::uint16_t number) { free_.push_back(number); }
    std::size_t capacity() const { return instructions_.size(); }

    void serialize(engine::Archive& archive) { archive(fetching_, ready_, instructions_, accesses_, free_); }

    engine::Counter fetched, fetched_again;

  private:
    enum class State : std::uint8_t { idle, ready, line, refused };
    struct Warp {
        Taken again;  // squashed
        State state = State::idle;
        std::uint8_t waits_for_branch = 0;
        std::uint16_t spare = 0;
    };
    Taken take(engine::Time now, std::uint32_t slot);
    std::uint16_t take_one(engine::Time now, std::uint32_t slot);

    ResidentWarps& warps_;
    InstructionTrace& trace_;
    Cache* cache_;
    std::uint32_t core_, line_shift_, together_;
    std::size_t groups_per_warp_;

    std::vector<Warp> fetching_;  // by slot
    std::uint64_t ready_ = 0;
    std::vector<Instruction> instructions_;
    std::vector<std::uint32_t> accesses_;  // [instruction][group]
    std::vector<std::uint16_t> free_;      // of instructions_
};

}  // namespace models
