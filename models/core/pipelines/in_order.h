// A pipeline as short as can be: one instruction issued a cycle, a scoreboard, results used when they are there. A warp
// waits only at the first use of a result, and at a branch: what comes after it is fetched when its latency has passed.
// In order within a warp; of the warps that are ready a scheduler chooses one (schedulers/scheduler.h). A machine of
// less than a vec4 waits for the components that each step of an instruction reads, not for registers.
//
// Not modelled: registers have as many ports as it takes, results too; a warp holds as many registers as it likes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/core/instruction_timing.h"
#include "models/core/pipelines/pipeline_site.h"
#include "models/core/schedulers/scheduler.h"

namespace models {

class InOrder {
  public:
    static constexpr std::string_view name = "in_order";
    static constexpr auto slot_choice = ResidentWarps::SlotChoice::last_freed;

    explicit InOrder(const PipelineSite& site);

    void begin_frame();
    bool has_registers_for(const DecodedProgram& /*program*/) const { return true; }
    void launch(engine::Time now, std::uint32_t slot);
    void left(std::size_t age, std::uint32_t slot);
    engine::Time step(engine::Time now, TextureUnit& textures);
    void instruction_arrived(engine::Time now, std::uint32_t slot);
    void set_awaits_constants(bool awaits) { awaits_constants_ = awaits; }
    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time time);
    void retry(engine::Time now) {
        if (fetch_refused_) retry_fetches(now);
    }
    engine::Time look(engine::Time now);
    void settle(engine::Time now) { time_.settle(now); }
    void add_laws(Laws& /*laws*/, const std::string& /*core*/) const {}
    void serialize(engine::Archive& archive);

  private:
    using Warp = ResidentWarps::Warp;
    // From fetch_refused on it fetches when its time has come.
    enum class Wait : std::uint8_t { operands, texture, fetch, done, fetch_refused, branch };

    // The next instruction of a warp, as its choice and its issue look at it.
    struct Slot {
        engine::Time issue_at = engine::never;  // when its operands are there; never: not known
        Unit unit = Unit::alu;
        InstructionClass kind = InstructionClass::floating;
        Wait wait = Wait::operands;
        std::uint8_t groups = 0;  // at the program counter
        std::uint16_t destination = 0;
        std::uint8_t steps = 1;
        std::uint8_t spare = 0;
    };

    int pick(engine::Time now, TextureUnit& textures);
    bool can_issue(engine::Time now, std::uint32_t slot, TextureUnit& textures);
    bool fetch_again(engine::Time now, std::uint32_t slot);
    void execute(engine::Time now, std::uint32_t slot, TextureUnit& textures);
    std::uint32_t open_trace(engine::Time now, std::uint32_t slot, Unit unit);
    std::uint32_t& traced(std::uint32_t slot, std::uint16_t destination) {
        return traced_[slot * registers_ + destination];
    }
    void execute_texture(engine::Time now, std::uint32_t slot, std::uint16_t destination, TextureUnit& textures);
    void advance(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void await_branch(std::uint32_t slot, engine::Time until);
    void fetch(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void fetch_line(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void await_operands(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void hold(std::uint32_t slot, const DecodedProgram& program, engine::Time until, Wait wait);
    bool needs_texture(std::uint32_t slot, const DecodedProgram& program, engine::Time latest) const;
    bool is_of_texture(std::uint32_t slot, const DecodedProgram& program, engine::Time latest) const;
    void park(std::uint32_t slot);
    void unpark(engine::Time now);
    bool is_chosen_from(std::uint32_t slot) const {
        return scheduler_.visit([&](const auto& scheduler) { return scheduler.chooses_from(slot); });
    }
    void retry_fetches(engine::Time now);
    CoreState held_back(std::uint32_t slot, engine::Time at) const;
    CoreState classify(engine::Time at) const;
    void account(engine::Time now);
    engine::Time next_step(engine::Time now, bool issued);
    engine::Time next_of_refused(engine::Time now);
    engine::Time operands_at(engine::Time now, std::uint32_t slot, const DecodedProgram& program);
    void set_ready(std::uint32_t slot, const MicroInstruction& instruction, engine::Time issued);
    engine::Time* ready(std::uint32_t slot) { return &ready_[std::size_t{slot} * ready_values_]; }
    const engine::Time* ready(std::uint32_t slot) const { return &ready_[std::size_t{slot} * ready_values_]; }
    std::uint8_t* pending(std::uint32_t slot) { return &pending_[std::size_t{slot} * registers_]; }

    // What every step looks at, state and shape, is in few cache lines: there are many cores, and each takes its turn.
    // A warp's slot indexes the vectors.
    engine::Time issue_free_ = 0;
    engine::Time wake_ = engine::never;       // no warp can issue before
    engine::Time unpark_at_ = engine::never;  // a texture comes for which the scheduler was told to park a warp
    std::uint32_t candidate_ = none;          // slot of who issues next if nothing comes in between; none: not known
    bool fetch_refused_ = false;              // some warps may wait so
    bool awaits_constants_ = false;           // its next warp does
    std::uint16_t index_;
    engine::Time period_;
    std::uint32_t line_shift_;  // a warp's instruction buffer holds 2^line_shift_ instructions
    std::uint32_t registers_ = 1;
    ResidentWarps& warps_;
    CoreTime& time_;
    const Workload& workload_;
    std::size_t ready_values_ = 1;  // of a slot
    std::vector<Slot> slots_;
    std::vector<engine::Time> ready_;  // [slot][register], or [slot][register][component]: when it can be used
    std::array<engine::Time, instruction_classes> class_free_ = {};  // when the next of the class can be issued
    Scheduler scheduler_;
    std::uint64_t parked_ = 0;  // mask of slots: the scheduler was told so for a texture; only if it parks
    bool parks_;
    InstructionTiming timing_;
    Cache* instruction_cache_;
    std::vector<std::uint8_t> pending_;  // [slot][register]: texture accesses under way to it
    // [slot][register]: when the last texture came to it, or will. Who finds the same in ready_ waits for that texture.
    std::vector<engine::Time> textures_at_;
    // [slot][register]: the texture instruction under way to it, in trace_. Empty where none is ever recorded.
    std::vector<std::uint32_t> traced_;
    InstructionTrace& trace_;
};

}  // namespace models
