// The in-order multithreaded core of a processor of shader programs: several resident warps, a scoreboard over their
// registers, one instruction issued a cycle. Results are used when they are there; a warp waits only at the first use.
// A component: its host gives it an instruction cache and a texture unit, which it may share with other cores.
//
// A warp is a few groups of threads (quads, or single vertices), each with its own path through the program. Groups
// run in lockstep: the warp executes the least program counter of its groups, for the groups that are there. A warp
// that has executed its path and has all its results leaves its slot in any order; its host keeps the order of what
// follows.
//
// Not modelled: inputs are in registers when a warp starts, as constants are, which ConstantLoader brings; branches
// cost their issue slot only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/core/texture_unit.h"
#include "models/workload/workload.h"

namespace models {

class ShaderCore {
  public:
    // Threads whose path the trace gives together.
    struct Group {
        std::uint16_t path = 0;
        std::uint16_t threads = 1;       // alive at the start, for counting
        std::uint32_t first_access = 0;  // in Frame::accesses or Frame::vertex_accesses
    };
    struct Launch {
        std::uint32_t program;  // in FrameTrace::programs
        bool vertex;
        std::uint32_t name;  // that finished() gives back
        Attribution attribution;
    };

    // The kinds of unit that it may wait for: who gives it warps, its texture unit, who takes what they have computed.
    struct Neighbours {
        std::string source, textures, sink;
    };
    // `index`: among the cores of its host. `most_groups`: of a warp, if some have more than the parameters say (warps
    // of vertices on unified cores have a group for every thread).
    ShaderCore(const engine::CounterScope& scope, int index, const ShaderCoreParameters& parameters,
               const Workload& workload, Cache& instruction_cache, engine::Time period, const Neighbours& neighbours,
               int most_groups = 0);

    // Between frames, when no warp is resident; but a copy whose process another rank runs may be left in any state.
    void begin_frame();

    bool has_room() const { return resident_ < warps_.size(); }
    bool is_empty() const { return resident_ == 0; }

    // Starts a warp. Needs room.
    void launch(engine::Time now, const Launch& launch, std::span<const Group> groups);

    // One cycle: at most one instruction. Returns the next cycle at which it has something to do by itself; `never` if
    // only an answer or its host can change that.
    engine::Time step(engine::Time now, TextureUnit& textures);

    // Goes on from `at`, which step() returned, for as long as nothing else comes first: not before `others`, no warp
    // has finished, the texture unit has nothing to look up. go_on_at(t) moves the host's now() to t; false: it cannot.
    // Returns as step() does.
    template <class GoOnAt>
    engine::Time run(engine::Time at, engine::Time others, TextureUnit& textures, GoOnAt&& go_on_at) {
        while (at < std::min(others, finish_at_) && !textures.wants_step() && go_on_at(at)) at = step(at, textures);
        return at;
    }

    // Whether a warp has executed its path and has all its results.
    bool has_finished(engine::Time now) const { return finish_at_ <= now || some_wait_; }
    // The oldest of those for which may_leave(name) holds leaves its slot. False if there is none.
    template <class Predicate>
    bool take_finished(engine::Time now, Predicate&& may_leave, std::uint32_t& name) {
        for (std::size_t age = 0; age < resident_; ++age) {
            const std::uint8_t slot = order_[age];
            const Warp& warp = warps_[slot];
            if (!is_done(slot, now) || !may_leave(warp.name)) continue;
            name = warp.name;
            leave(age);
            find_finish(now);
            return true;
        }
        find_finish(now);
        return false;
    }

    // Answers: a line of the instruction cache for this warp; a texture access; any answer from memory.
    void instruction_arrived(engine::Time now, std::uint32_t slot);
    // Warps are there to be launched, and their constants are not.
    void set_awaits_constants(bool awaits) { awaits_constants_ = awaits; }
    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time time);
    void retry(engine::Time now) {
        if (fetch_refused_) retry_fetches(now);
    }
    // After answers: what it waits for is another thing now. Returns when it has something to do.
    engine::Time look(engine::Time now);

    void serialize(engine::Archive& archive);

  private:
    static constexpr std::size_t most_warps = 64;
    enum class Wait : std::uint8_t { operands, texture, fetch, fetch_refused, done };
    enum State : std::uint8_t {
        empty,
        constants,
        issue,
        dependency,
        texture_data,
        texture_unit,
        fetching,
        finishing,
        states
    };

    // Where a group is on its path.
    struct Cursor {
        std::uint32_t counter;      // program counter; none: at the end
        std::uint32_t left;         // instructions of its run of the path, this one included
        std::uint32_t run, end;     // the next run, in DecodedProgram::runs
        std::uint32_t next_access;  // in Frame::accesses or Frame::vertex_accesses
        std::uint32_t threads;
    };
    struct Warp {
        engine::Time results_at = 0;  // when the last result but textures is there
        std::uint32_t program = 0, name = 0;
        std::uint32_t program_counter = 0;
        std::uint32_t groups = 0;
        std::uint32_t at_counter = 0;  // mask of the groups at the program counter
        std::uint32_t groups_at_counter = 0;
        std::uint32_t textures_pending = 0;
        std::uint32_t line = none;  // of the program, in the warp's instruction buffer
        std::uint32_t vertex = 0;
        Attribution attribution;
    };

    // What the choice of a warp looks at.
    struct Slot {
        engine::Time issue_at = engine::never;  // when the operands of the next instruction are there; never: not known
        Unit unit = Unit::alu;                  // of it
        Wait wait = Wait::operands;
        std::uint8_t groups = 0;  // at the program counter
        std::array<std::uint8_t, 5> spare = {};
    };

    const DecodedProgram& program_of(const Warp& warp) const { return workload_.program(warp.program); }
    bool is_done(std::uint32_t slot, engine::Time now) const {
        const Warp& warp = warps_[slot];
        return (draining_ >> slot & 1U) != 0 && warp.textures_pending == 0 && warp.results_at <= now;
    }
    void leave(std::size_t age);
    void find_finish(engine::Time now);
    void note_finish(const Warp& warp) {
        if (warp.textures_pending == 0) finish_at_ = std::min(finish_at_, warp.results_at);
    }
    int pick(engine::Time now, const TextureUnit& textures);
    bool can_issue(engine::Time now, std::uint32_t slot, const TextureUnit& textures);
    void execute(engine::Time now, std::uint32_t slot, TextureUnit& textures);
    void execute_texture(std::uint32_t slot, std::uint16_t destination, TextureUnit& textures);
    std::uint32_t move_on(std::uint32_t slot, const DecodedProgram& program);
    void advance(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    static void begin_run(Cursor& cursor, const DecodedProgram& program);
    void find_counter(std::uint32_t slot);
    void fetch(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void fetch_line(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void await_operands(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void retry_fetches(engine::Time now);
    State classify(engine::Time at) const;
    void account(engine::Time now);
    engine::Time next_step(engine::Time now, bool issued);
    engine::Time next_of_refused(engine::Time now);
    engine::Time* ready(std::uint32_t slot) { return &ready_[std::size_t{slot} * registers_]; }
    std::uint8_t* pending(std::uint32_t slot) { return &pending_[std::size_t{slot} * registers_]; }

    // State that every step looks at. A warp's slot indexes the vectors.
    engine::Time issue_free_ = 0, special_free_ = 0;
    engine::Time wake_ = engine::never;       // no warp can issue before
    engine::Time finish_at_ = engine::never;  // when the next of draining_ has all its results, as far as that is known
    std::uint64_t draining_ = 0;              // mask of slots whose warps have executed their paths
    std::uint32_t resident_ = 0;              // warps
    std::uint32_t turn_ = 0;                  // round robin: how far from the oldest to begin
    std::uint32_t candidate_ = none;          // by age: who issues next if nothing comes in between; none: not known
    bool some_wait_ = false;                  // of draining_, some are done and have not left
    bool fetch_refused_ = false;              // some warps may wait so
    bool awaits_constants_ = false;           // its next warp does
    std::array<std::uint8_t, most_warps> order_ = {};  // slots of the resident warps, oldest first
    std::vector<Slot> slots_;
    std::vector<Warp> warps_;
    std::vector<Cursor> cursors_;        // [slot][group]
    std::vector<engine::Time> ready_;    // [slot][register]: when its value can be used
    std::vector<std::uint8_t> pending_;  // [slot][register]: texture accesses under way to it
    std::uint32_t registers_ = 1;
    std::vector<std::uint8_t> free_;  // the other slots

    // Shape.
    std::uint32_t groups_per_warp_;
    bool oldest_first_;
    std::uint16_t index_;
    engine::Time period_;
    const Workload& workload_;
    Cache* instruction_cache_;
    std::uint32_t line_shift_;                    // a warp's instruction buffer holds 2^line_shift_ instructions
    std::array<engine::Time, 4> result_latency_;  // by Unit
    engine::Time special_interval_;
    std::array<engine::Time, 5> issue_time_;  // by components: how long the issue port is taken

  public:
    engine::Counter warps_launched, threads_launched, warp_instructions, thread_instructions;
    TimeAccount<states> time;
};

}  // namespace models
