// The in-order multithreaded core of a vertex or fragment processor: several resident warps, a scoreboard over their
// registers, one instruction issued a cycle, a texture unit and an instruction cache. Results are used when they are
// there; a warp waits only at the first use. Not a process: a member of one.
//
// A warp is a few groups of threads (quads, or single vertices), each with its own path through the program. Groups
// run in lockstep: the warp executes the least program counter of its groups, for the groups that are there.
//
// Warps leave in the order in which they came, so that what follows (assembly, blending) sees work in order.
//
// Not modelled: constants and inputs are in registers when a warp starts; branches cost their issue slot only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/decoded_program.h"
#include "models/texture_unit.h"

namespace models {

class ShaderCore {
  public:
    // Threads whose path the trace gives together.
    struct Group {
        std::uint16_t path = 0;
        std::uint16_t threads = 1;  // alive at the start, for counting
        const TextureAccess* accesses = nullptr;
    };
    struct Caches {
        LineCache* texture;
        LineCache* instruction;
    };

    ShaderCore(const engine::CounterScope& scope, const ShaderCoreParameters& parameters,
               const TextureUnitParameters& texture, const Caches& caches, engine::Time period);

    // Between frames, when no warp is resident. `registers`: the most a program has.
    void begin_frame(std::uint32_t registers, const BlockNumber* blocks);

    bool has_room() const { return resident_ < warps_.size(); }
    bool empty() const { return resident_ == 0; }

    // Starts a warp; returns its slot, which names it until it retires. Needs room.
    std::uint32_t launch(engine::Time now, const DecodedProgram& program, std::span<const Group> groups,
                         const Attribution& attribution);

    // The oldest warp has executed its path and has all its results.
    bool oldest_done(engine::Time now) const {
        const Warp& warp = warps_[oldest_];
        return resident_ > 0 && warp.finished && warp.textures_pending == 0 && warp.results_at <= now;
    }
    std::uint32_t oldest() const { return oldest_; }
    void retire();

    // One cycle: lookups of the texture unit, then at most one instruction. Returns the next cycle at which it has
    // something to do by itself; `never` if only an answer from memory or the owner can change that.
    engine::Time step(engine::Time now);

    // Answers from memory: a line of the instruction cache for this warp; a line for this texture access; any.
    void instruction_arrived(engine::Time now, std::uint32_t slot);
    void texture_arrived(engine::Time now, std::uint32_t place) { texture_.fill(now, place, *this); }
    void retry(engine::Time now);

    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time time);  // called by the texture unit

    bool texture_idle() const { return texture_.idle(); }

  private:
    enum class Wait : std::uint8_t { operands, texture, fetch, fetch_refused, done };
    enum Use : std::uint8_t { issue, dependency, texture_data, texture_unit, fetching, finishing, vacant, uses };

    struct Cursor {
        const PathRun* run;
        const PathRun* end;
        std::uint32_t position;  // in the run
        const TextureAccess* next_access;
        std::uint16_t threads;
        std::uint32_t program_counter() const {
            return run == end ? none : static_cast<std::uint32_t>(run->first) + position;
        }
    };
    struct Warp {
        const DecodedProgram* program = nullptr;
        engine::Time results_at = 0;  // when the last result but textures is there
        std::uint32_t program_counter = 0;
        std::uint32_t groups = 0;
        std::uint32_t at_counter = 0;  // mask of the groups at the program counter
        std::uint32_t textures_pending = 0;
        std::uint32_t line = none;  // of the program, in the warp's instruction buffer
        Wait wait = Wait::operands;
        bool finished = false;
        Attribution attribution;
    };

    int pick(engine::Time now);
    bool can_issue(engine::Time now, Warp& warp, std::uint32_t slot);
    void execute(engine::Time now, std::uint32_t slot);
    void execute_texture(Warp& warp, std::uint32_t slot, std::uint16_t destination);
    void advance(engine::Time now, std::uint32_t slot);
    void find_counter(Warp& warp, std::uint32_t slot);
    void fetch(engine::Time now, std::uint32_t slot);
    void fetch_line(engine::Time now, std::uint32_t slot);
    void await_operands(engine::Time now, std::uint32_t slot);
    Use classify(engine::Time now) const;
    engine::Time next_step(engine::Time now) const;
    std::uint32_t slot_at(std::uint32_t age) const {
        const std::uint32_t slot = oldest_ + age;
        return slot < warps_.size() ? slot : slot - static_cast<std::uint32_t>(warps_.size());
    }
    engine::Time* ready(std::uint32_t slot) { return &ready_[std::size_t{slot} * registers_]; }
    std::uint8_t* pending(std::uint32_t slot) { return &pending_[std::size_t{slot} * registers_]; }

    // Shape.
    engine::Time period_;
    std::array<engine::Time, 4> result_latency_;  // by Unit
    engine::Time special_interval_;
    std::array<engine::Time, 5> issue_time_;  // by components: how long the issue port is taken
    std::uint32_t groups_per_warp_;
    bool oldest_first_;

    // State. A warp's slot indexes all of these.
    std::vector<engine::Time> next_issue_;  // when the operands of the next instruction are there; never: not known
    std::vector<Warp> warps_;
    std::vector<Cursor> cursors_;        // [slot][group]
    std::vector<engine::Time> ready_;    // [slot][register]: when its value can be used
    std::vector<std::uint8_t> pending_;  // [slot][register]: texture accesses under way to it
    std::uint32_t registers_ = 1;
    std::uint32_t oldest_ = 0, resident_ = 0;
    std::uint32_t turn_ = 0;  // round robin: how far from the oldest to begin
    engine::Time issue_free_ = 0, special_free_ = 0;
    engine::Time last_step_ = 0;
    Use last_use_ = vacant;

    LineCache* instruction_cache_;
    TextureUnit texture_;
    engine::Counter warps_launched_, warp_instructions_, thread_instructions_;
    std::array<engine::Counter, uses - 1> cycles_;  // by Use, but vacant
};

}  // namespace models
