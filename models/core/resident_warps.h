// The warps of a core, whatever its pipeline is: which are resident and how old they are, where each is on its path,
// and which have finished. A part of a core: knows time, but no units.
//
// A warp is a few groups of threads (quads, or single vertices), each with its own path through the program. Groups
// run in lockstep: the warp executes the least program counter of its groups, for the groups that are there. A warp
// that has executed its path and has all its results leaves its slot in any order; the host of the core keeps the
// order of what follows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/archive.h"
#include "engine/counter.h"
#include "models/core/program_profile.h"
#include "models/core/texture_unit.h"
#include "models/workload/workload.h"

namespace models {

class ResidentWarps {
  public:
    static constexpr std::uint32_t most_cores = 16;  // of a host
    static constexpr std::size_t most = 64;

    // Threads whose path the trace gives together.
    struct Group {
        std::uint16_t path = 0;
        std::uint16_t lanes = 1;         // mask of the threads that are alive at the start
        std::uint32_t first_access = 0;  // in Frame::accesses or Frame::vertex_accesses
    };
    struct Launch {
        std::uint32_t program;  // in FrameTrace::programs
        bool vertex;
        std::uint32_t name;  // that its host gets back when it has finished
        Attribution attribution;
    };
    // Each in one cache line of the machine that simulates, as every instruction looks at most of it.
    struct alignas(64) Warp {
        engine::Time results_at = 0;  // when the last result is there, of textures of those whose time is known
        std::uint32_t program = 0, name = 0;
        std::uint32_t program_counter = 0;  // none: at the end of its path
        std::uint32_t groups = 0;
        std::uint32_t at_counter = 0;  // mask of the groups at the program counter
        std::uint32_t groups_at_counter = 0;
        std::uint32_t textures_pending = 0;
        std::uint32_t line = none;  // of the program, in the warp's instruction buffer, if there is one
        std::uint32_t vertex = 0;
        Attribution attribution;
        engine::Time textures_at = 0;  // when the last texture is there, of those whose time is known
    };
    // Which of the free slots a warp gets: the one that was freed last, the next in turn, or the lowest.
    enum class SlotChoice : std::uint8_t { last_freed, in_turn, lowest };

    // `core`: among the cores of its host.
    ResidentWarps(const engine::CounterScope& scope, int core, std::size_t slots, std::size_t groups_per_warp,
                  SlotChoice choice, const Workload& workload);

    std::size_t slots() const { return warps_.size(); }
    std::uint32_t count() const { return resident_; }
    bool has_room() const { return resident_ < warps_.size(); }
    // By age: 0 is the oldest.
    std::uint8_t by_age(std::size_t age) const { return order_[age]; }
    std::uint64_t resident() const { return occupied_; }  // mask of slots
    bool is_resident(std::uint32_t slot) const { return (occupied_ >> slot & 1U) != 0; }
    // It has instructions before it.
    bool is_on_path(std::uint32_t slot) const { return warps_[slot].program_counter != none; }
    Warp& operator[](std::uint32_t slot) { return warps_[slot]; }
    const Warp& operator[](std::uint32_t slot) const { return warps_[slot]; }
    const DecodedProgram& program_of(std::uint32_t slot) const { return workload_.program(warps_[slot].program); }

    // A warp begins; there must be room. Returns its slot.
    std::uint8_t launch(const Launch& launch, std::span<const Group> groups);

    // The groups that are at the program counter go on along their paths. Returns their threads.
    [[gnu::always_inline]] std::uint32_t move_on(std::uint32_t slot, const DecodedProgram& program) {
        Warp& warp = warps_[slot];
        Cursor* const cursors = &cursors_[slot * groups_per_warp_];
        const auto move = [&program](Cursor& cursor) {
            const std::uint32_t threads = cursor.threads;
            ++cursor.counter;
            if (--cursor.left == 0) begin_run(cursor, program);
            return threads;
        };
        if (warp.groups == 1) {
            const std::uint32_t threads = move(cursors[0]);
            warp.program_counter = cursors[0].counter;
            return threads;
        }
        std::uint32_t threads = 0;
        for (std::uint32_t g = 0; g < warp.groups; ++g)
            if ((warp.at_counter >> g & 1U) != 0) threads += move(cursors[g]);
        find_counter(slot);
        return threads;
    }
    // Those of the groups that are at the program counter.
    std::uint32_t threads_at_counter(std::uint32_t slot) const;
    // An instruction of the warp is issued, for so many threads.
    void count_issued(std::uint32_t slot, std::uint32_t threads) {
        if (warps_[slot].program != programs_.issuing()) [[unlikely]]
            programs_.set_issuing(warps_[slot].program, warp_instructions.value(), thread_instructions.value());
        ++warp_instructions;
        thread_instructions += threads;
    }
    // The next texture access of a group, in Frame::accesses or Frame::vertex_accesses.
    std::uint32_t take_access(std::uint32_t slot, std::uint32_t group) {
        return cursors_[slot * groups_per_warp_ + group].next_access++;
    }
    // Asks the texture unit for an access of a warp.
    void ask(engine::Time now, TextureUnit& textures, std::uint32_t slot, std::uint16_t destination,
             std::uint32_t access, std::uint32_t counter) {
        const Warp& warp = warps_[slot];
        const Frame& frame = workload_.frame();
        programs_.asked_texture(warp.program);
        Attribution attribution = warp.attribution;
        attribution.program_counter = program_of(slot).place(counter);
        textures.push(now, {core_, static_cast<std::uint16_t>(slot), destination, warp.vertex != 0},
                      (warp.vertex != 0 ? frame.vertex_accesses : frame.accesses)[access], attribution);
    }

    // The warp has executed its path: it finishes when its results are there.
    void end(std::uint32_t slot) {
        draining_ |= std::uint64_t{1} << slot;
        note_finish(warps_[slot]);
    }
    bool has_ended(std::uint32_t slot) const { return (draining_ >> slot & 1U) != 0; }
    // A warp that has ended has got its last texture.
    void note_finish(const Warp& warp) {
        if (warp.textures_pending == 0) finish_at_ = std::min(finish_at_, warp.results_at);
    }
    // When the next one has all its results, as far as that is known.
    engine::Time finish_at() const { return finish_at_; }

    // Whether a warp has executed its path and has all its results.
    bool has_finished(engine::Time now) const { return finish_at_ <= now || some_wait_; }
    // The oldest of those for which may_leave(name) holds leaves its slot; left(age, slot) is told. False if there is
    // none.
    template <class Predicate, class Left>
    bool take_finished(engine::Time now, Predicate&& may_leave, Left&& left, std::uint32_t& name) {
        for (std::size_t age = 0; age < resident_; ++age) {
            const std::uint8_t slot = order_[age];
            const Warp& warp = warps_[slot];
            if (!is_done(slot, now) || !may_leave(warp.name)) continue;
            name = warp.name;
            leave(age);
            left(age, slot);
            find_finish(now);
            return true;
        }
        find_finish(now);
        return false;
    }

    // What the programs of the warps cost.
    ProgramProfile& programs() { return programs_; }
    const ProgramProfile& programs() const { return programs_; }
    // When the programs have been told of all time.
    void end_frame() {
        programs_.set_issuing(programs_.issuing(), warp_instructions.value(), thread_instructions.value());
        programs_.end_frame();
    }

    void serialize(engine::Archive& archive);

  private:
    // Where a group is on its path.
    struct Cursor {
        std::uint32_t counter;      // program counter; none: at the end
        std::uint32_t left;         // instructions of its run of the path, this one included
        std::uint32_t run, end;     // the next run, in DecodedProgram::runs
        std::uint32_t next_access;  // in Frame::accesses or Frame::vertex_accesses
        std::uint16_t lanes;        // mask of the threads that are alive at the start
        std::uint16_t threads;      // of them, that execute the run
    };
    static void begin_run(Cursor& cursor, const DecodedProgram& program) {
        if (cursor.run == cursor.end) {
            cursor.counter = none;
            return;
        }
        const PathRun& run = program.runs[cursor.run++];
        cursor.counter = run.first;
        cursor.left = run.count;
        cursor.threads = static_cast<std::uint16_t>(std::popcount(cursor.lanes & run.lanes));
    }
    void find_counter(std::uint32_t slot);
    bool is_done(std::uint32_t slot, engine::Time now) const {
        const Warp& warp = warps_[slot];
        return has_ended(slot) && warp.textures_pending == 0 && warp.results_at <= now;
    }
    std::uint8_t choose_slot();
    void leave(std::size_t age);
    void find_finish(engine::Time now);

    // State. A warp's slot indexes the vectors.
    ProgramProfile programs_;
    engine::Time finish_at_ = engine::never;
    std::uint64_t draining_ = 0;  // mask of slots whose warps have executed their paths
    std::uint64_t occupied_ = 0;  // mask of slots
    std::uint32_t resident_ = 0;
    std::uint32_t next_slot_ = 0;                // in turn
    bool some_wait_ = false;                     // of draining_, some are done and have not left
    std::array<std::uint8_t, most> order_ = {};  // slots of the resident warps, oldest first
    std::vector<Warp> warps_;
    std::vector<Cursor> cursors_;     // [slot][group]
    std::vector<std::uint8_t> free_;  // slots

    // Shape.
    std::size_t groups_per_warp_;
    SlotChoice choice_;
    std::uint16_t core_;
    const Workload& workload_;

  public:
    engine::Counter warps_launched, threads_launched, warp_instructions, thread_instructions;
};

}  // namespace models
