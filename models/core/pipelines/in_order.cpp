#include "models/core/pipelines/in_order.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace models {

using engine::never;
using engine::Time;

// What every step does is inlined in step(): the registers that calls save and restore cost as much as the work.

InOrder::InOrder(const PipelineSite& site)
    : index_(static_cast<std::uint16_t>(site.core)),
      period_(site.period),
      line_shift_(static_cast<std::uint32_t>(
          std::countr_zero(site.instruction_cache.access_bytes() / DecodedProgram::instruction_bytes))),
      warps_(site.warps),
      time_(site.time),
      workload_(site.workload),
      slots_(site.warps.slots()),
      scheduler_(site.parameters.issue_scheduler(), site.parameters),
      parks_(scheduler_.visit([](const auto& scheduler) { return scheduler.parks; })),
      timing_(site.parameters, period_),
      instruction_cache_(&site.instruction_cache),
      trace_(site.trace) {}

void InOrder::begin_frame() {
    registers_ = workload_.registers();
    ready_values_ = std::size_t{registers_} * (timing_.by_component ? most_components : 1);
    ready_.assign(slots_.size() * ready_values_, 0);
    pending_.assign(slots_.size() * registers_, 0);
    textures_at_.assign(slots_.size() * registers_, 0);
    traced_.assign(trace_.is_wanted() ? slots_.size() * registers_ : 0, none);
}

void InOrder::launch(Time now, std::uint32_t slot) {
    const DecodedProgram& program = warps_.program_of(slot);
    std::fill_n(ready(slot), program.registers * (timing_.by_component ? most_components : 1), Time{0});
    scheduler_.visit([&](auto& scheduler) { scheduler.began(slot); });
    advance(now, slot, program);
}

void InOrder::left(std::size_t /*age*/, std::uint32_t slot) {
    candidate_ = none;
    scheduler_.visit([&](auto& scheduler) { scheduler.left(slot, warps_); });
}

[[gnu::always_inline]] inline int InOrder::pick(Time now, TextureUnit& textures) {
    if (unpark_at_ <= now) [[unlikely]]
        unpark(now);
    const auto issues = [&](std::uint32_t slot) {
        return slots_[slot].issue_at <= now && can_issue(now, slot, textures);
    };
    return scheduler_.visit([&](auto& scheduler) {
        int slot = -1;
        if (const std::uint32_t candidate = std::exchange(candidate_, none); candidate != none && issues(candidate))
            slot = static_cast<int>(candidate);
        else
            slot = scheduler.pick(warps_.resident(), warps_, issues);
        if (slot >= 0) scheduler.issued(static_cast<std::uint32_t>(slot));
        return slot;
    });
}

[[gnu::always_inline]] inline bool InOrder::can_issue(Time now, std::uint32_t slot, TextureUnit& textures) {
    const Slot& next = slots_[slot];
    if (next.wait >= Wait::fetch_refused && !fetch_again(now, slot)) [[unlikely]]
        return false;
    if (next.unit == Unit::texture) return textures.has_room(now, next.groups);
    return class_free_[static_cast<std::size_t>(next.kind)] <= now;
}

// Not inlined, as it is seldom called. True if the operands are there, too.
[[gnu::noinline]] bool InOrder::fetch_again(Time now, std::uint32_t slot) {
    fetch(now, slot, warps_.program_of(slot));
    return slots_[slot].issue_at <= now;
}

[[gnu::always_inline]] inline void InOrder::execute(Time now, std::uint32_t slot, TextureUnit& textures) {
    const Slot next = slots_[slot];
    Warp& warp = warps_[slot];
    const DecodedProgram& program = warps_.program_of(slot);
    const Time occupied = timing_.occupied(next.steps);
    issue_free_ = now + occupied;
    const std::uint32_t id = !traced_.empty() && trace_.is_on(now) ? open_trace(now, slot, next.unit) : none;
    trace_.note(id, InstructionTrace::issued, now);
    trace_.note(id, InstructionTrace::executed, now);
    if (next.unit == Unit::texture) {
        // Another one whose texture goes to no register may be under way: when that one comes is not told apart.
        if (!traced_.empty()) trace_.close(std::exchange(traced(slot, next.destination), id));
        execute_texture(now, slot, next.destination, textures);
    } else {
        const Time result = now + occupied - period_ + timing_.latency(next.kind);
        class_free_[static_cast<std::size_t>(next.kind)] = now + timing_.interval(next.kind);
        if (timing_.by_component)
            set_ready(slot, program.instructions[warp.program_counter], now);
        else
            ready(slot)[next.destination] = next.destination != 0 ? result : 0;
        warp.results_at = std::max(warp.results_at, result);
        trace_.note(id, InstructionTrace::retired, result);
        trace_.close(id);
    }
    const bool branches = next.kind == InstructionClass::control && program.uses[warp.program_counter].branches;
    warps_.count_issued(slot, warps_.move_on(slot, program));
    if (branches && timing_.latency(next.kind) > period_ && warp.program_counter != none) [[unlikely]]
        await_branch(slot, now + occupied - period_ + timing_.latency(next.kind));
    else
        advance(now, slot, program);
}

// What comes after it is not known, and not fetched, before.
void InOrder::await_branch(std::uint32_t slot, Time until) {
    slots_[slot].wait = Wait::branch;
    slots_[slot].issue_at = until;
    wake_ = std::min(wake_, until);
    candidate_ = none;
}

std::uint32_t InOrder::open_trace(Time now, std::uint32_t slot, Unit unit) {
    const Warp& warp = warps_[slot];
    return trace_.open(now, slot, warp.program, warp.program_counter, unit, warps_.threads_at_counter(slot));
}

void InOrder::execute_texture(Time now, std::uint32_t slot, std::uint16_t destination, TextureUnit& textures) {
    Warp& warp = warps_[slot];
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        if ((warp.at_counter >> g & 1U) == 0) continue;
        warps_.ask(now, textures, slot, destination, warps_.take_access(slot, g), warp.program_counter);
        ++warp.textures_pending;
        ++pending(slot)[destination];
    }
    if (destination == 0) return;
    if (timing_.by_component)
        std::fill_n(ready(slot) + std::size_t{destination} * most_components, most_components, never);
    else
        ready(slot)[destination] = never;
}

// Of a machine that computes component by component: each is there when its step is through.
void InOrder::set_ready(std::uint32_t slot, const MicroInstruction& instruction, Time issued) {
    if (instruction.destination == 0) return;
    Time* const at = ready(slot) + std::size_t{instruction.destination} * most_components;
    for (std::size_t c = 0; c < most_components; ++c)
        if (const std::uint8_t step = instruction.step_of[c]; step != MicroInstruction::not_written)
            at[c] = issued + timing_.step(step) + timing_.latency(instruction.kind);
}

// When all that the next instruction of a warp waits for is there; never: not known.
inline Time InOrder::operands_at(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const std::uint32_t counter = warps_[slot].program_counter;
    const Time* const at = ready(slot);
    Time latest = now;
    if (!timing_.by_component) {
        for (const std::uint16_t number : program.instructions[counter].registers)
            latest = std::max(latest, at[number]);
        return latest;
    }
    for (std::uint32_t i = program.first_component_use[counter]; i < program.first_component_use[counter + 1]; ++i) {
        const ComponentUse& use = program.component_uses[i];
        const Time there = at[std::size_t{use.number} * most_components + use.component];
        if (there >= never) return never;
        latest = std::max(latest, there - timing_.step(use.step));
    }
    return latest;
}

[[gnu::always_inline]] inline void InOrder::advance(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Warp& warp = warps_[slot];
    if (warp.program_counter != none) {
        fetch(now, slot, program);
        return;
    }
    slots_[slot].wait = Wait::done;
    slots_[slot].issue_at = never;
    warps_.end(slot);
    scheduler_.visit([&](auto& scheduler) { scheduler.parked(slot, warps_); });
}

inline void InOrder::fetch(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Warp& warp = warps_[slot];
    if (warp.program_counter >> line_shift_ == warp.line)
        await_operands(now, slot, program);
    else
        fetch_line(now, slot, program);
}

void InOrder::fetch_line(Time now, std::uint32_t slot, const DecodedProgram& program) {
    Warp& warp = warps_[slot];
    const std::uint32_t line = warp.program_counter >> line_shift_;
    Attribution attribution = warp.attribution;
    attribution.program_counter = program.place(warp.program_counter);
    const std::uint32_t waiter = std::uint32_t{index_} << 8U | slot;
    const std::uint32_t line_bytes = DecodedProgram::instruction_bytes << line_shift_;
    const Address first = Address{program.code} * block_bytes + Address{line} * line_bytes;
    const auto block = static_cast<BlockNumber>(first / block_bytes);
    const auto outcome = instruction_cache_->read(now, block, waiter, attribution,
                                                  sectors_between(block, first, first + line_bytes - 1));
    if (outcome != Cache::Outcome::hit) {
        slots_[slot].wait = outcome == Cache::Outcome::waiting ? Wait::fetch : Wait::fetch_refused;
        slots_[slot].issue_at = outcome == Cache::Outcome::busy ? now + period_ : never;
        wake_ = std::min(wake_, slots_[slot].issue_at);
        fetch_refused_ |= outcome == Cache::Outcome::refused;
        return;
    }
    warp.line = line;
    await_operands(now + instruction_cache_->latency() - period_, slot, program);
}

inline void InOrder::await_operands(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Time latest = operands_at(now, slot, program);
    const bool texture = latest > now && needs_texture(slot, program, latest);
    hold(slot, program, latest, texture ? Wait::texture : Wait::operands);
}

[[gnu::always_inline]] inline void InOrder::hold(std::uint32_t slot, const DecodedProgram& program, Time until,
                                                 Wait wait) {
    const Warp& warp = warps_[slot];
    const MicroInstruction& instruction = program.instructions[warp.program_counter];
    wake_ = std::min(wake_, until);
    candidate_ = none;
    slots_[slot] = {until,
                    instruction.unit,
                    instruction.kind,
                    wait,
                    static_cast<std::uint8_t>(warp.groups_at_counter),
                    instruction.destination,
                    instruction.steps,
                    0};
    if (wait == Wait::texture && parks_) [[unlikely]]
        park(slot);
}

// It makes room for another one, which may be able to issue.
void InOrder::park(std::uint32_t slot) {
    unpark_at_ = std::min(unpark_at_, slots_[slot].issue_at);
    if ((parked_ >> slot & 1U) != 0) return;
    parked_ |= std::uint64_t{1} << slot;
    scheduler_.visit([&](auto& scheduler) { scheduler.parked(slot, warps_); });
    for (std::uint32_t age = 0; age < warps_.count(); ++age) {
        const std::uint32_t other = warps_.by_age(age);
        if (is_chosen_from(other)) wake_ = std::min(wake_, slots_[other].issue_at);
    }
}

// Those whose textures are there by now.
void InOrder::unpark(Time now) {
    unpark_at_ = never;
    for (std::uint64_t rest = parked_; rest != 0; rest &= rest - 1) {
        const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (slots_[slot].issue_at > now) {
            unpark_at_ = std::min(unpark_at_, slots_[slot].issue_at);
            continue;
        }
        parked_ &= ~(std::uint64_t{1} << slot);
        candidate_ = none;
        scheduler_.visit([&](auto& scheduler) { scheduler.unparked(slot, warps_); });
    }
}

// What the next instruction of a warp waits for longest, until then, is a texture.
inline bool InOrder::needs_texture(std::uint32_t slot, const DecodedProgram& program, Time latest) const {
    if (latest >= never) return true;
    return latest <= warps_[slot].textures_at && is_of_texture(slot, program, latest);
}

// Not inlined, as it is seldom called.
[[gnu::noinline]] bool InOrder::is_of_texture(std::uint32_t slot, const DecodedProgram& program, Time latest) const {
    const std::uint32_t counter = warps_[slot].program_counter;
    const Time* const at = ready(slot);
    const Time* const of_texture = &textures_at_[std::size_t{slot} * registers_];
    if (!timing_.by_component) {
        for (const std::uint16_t number : program.instructions[counter].registers)
            if (at[number] >= latest && at[number] == of_texture[number]) return true;
        return false;
    }
    for (std::uint32_t i = program.first_component_use[counter]; i < program.first_component_use[counter + 1]; ++i) {
        const ComponentUse& use = program.component_uses[i];
        const Time there = at[std::size_t{use.number} * most_components + use.component];
        if (there >= latest && there == of_texture[use.number]) return true;
    }
    return false;
}

void InOrder::instruction_arrived(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    assert(slots_[slot].wait == Wait::fetch);
    warp.line = warp.program_counter >> line_shift_;
    await_operands(now, slot, warps_.program_of(slot));
}

void InOrder::retry_fetches(Time now) {
    fetch_refused_ = false;
    candidate_ = none;
    for (std::uint32_t age = 0; age < warps_.count(); ++age)
        if (Slot& next = slots_[warps_.by_age(age)]; next.wait == Wait::fetch_refused) next.issue_at = wake_ = now;
}

void InOrder::texture_done(std::uint32_t slot, std::uint16_t destination, Time at) {
    Warp& warp = warps_[slot];
    --warp.textures_pending;
    warp.results_at = std::max(warp.results_at, at);
    warp.textures_at = std::max(warp.textures_at, at);
    if (slots_[slot].wait == Wait::done) warps_.note_finish(warp);
    if (--pending(slot)[destination] > 0) return;
    if (!traced_.empty()) {
        std::uint32_t& id = traced(slot, destination);
        trace_.note(id, InstructionTrace::retired, at);
        trace_.close(std::exchange(id, none));
    }
    if (destination == 0) return;
    textures_at_[slot * registers_ + destination] = at;
    if (timing_.by_component)
        std::fill_n(ready(slot) + std::size_t{destination} * most_components, most_components, at);
    else
        ready(slot)[destination] = at;
    if (slots_[slot].wait != Wait::texture || slots_[slot].issue_at < never) return;
    const DecodedProgram& program = warps_.program_of(slot);
    const Time latest = operands_at(at, slot, program);
    hold(slot, program, latest, needs_texture(slot, program, latest) ? Wait::texture : Wait::operands);
    if (parks_) park(slot);  // until then
}

// What a warp waits for whose operands are there: a unit, or that others of two levels make room.
inline CoreState InOrder::held_back(std::uint32_t slot, Time at) const {
    const Slot& next = slots_[slot];
    if (parks_ && !is_chosen_from(slot)) return CoreState::dependency;
    if (next.unit == Unit::texture) return CoreState::texture_unit;
    return class_free_[static_cast<std::size_t>(next.kind)] > at ? CoreState::pipeline : CoreState::dependency;
}

// What the oldest warp waits for then.
[[gnu::always_inline]] inline CoreState InOrder::classify(Time at) const {
    if (warps_.count() == 0) return awaits_constants_ ? CoreState::constants : CoreState::empty;
    const Slot& oldest = slots_[warps_.by_age(0)];
    switch (oldest.wait) {
        case Wait::fetch:
        case Wait::fetch_refused:
            return CoreState::fetching;
        case Wait::branch:
            return CoreState::dependency;
        case Wait::done: {
            const Warp& warp = warps_[warps_.by_age(0)];
            if (warp.textures_pending > 0 || warp.textures_at > at) return CoreState::texture_data;
            return warp.results_at > at ? CoreState::dependency : CoreState::finishing;
        }
        case Wait::texture:
            return oldest.issue_at > at ? CoreState::texture_data : held_back(warps_.by_age(0), at);
        case Wait::operands:
            return oldest.issue_at > at ? CoreState::dependency : held_back(warps_.by_age(0), at);
    }
    return CoreState::empty;
}

// An instruction takes the issue port until it is free; nothing else changes what is next without a step or an answer.
[[gnu::always_inline]] inline void InOrder::account(Time now) {
    time_.enter(now, CoreState::issue, issue_free_, classify(std::max(now, issue_free_)));
}

// When a warp can issue, or has finished.
[[gnu::always_inline]] inline Time InOrder::next_step(Time now, bool issued) {
    const Time earliest = std::max(issue_free_, now + period_);
    const Time finish = std::max(warps_.finish_at(), now + period_);
    if (wake_ > earliest) return std::min(finish, wake_);
    if (!issued) return std::min(finish, wake_ > now ? earliest : std::max(next_of_refused(now), earliest));
    Time wake = never;
    const Slot* const slots = slots_.data();
    const int candidate = scheduler_.visit([&](const auto& scheduler) {
        return scheduler.pick(warps_.resident(), warps_, [&](std::uint32_t slot) {
            const Time at = slots[slot].issue_at;
            wake = std::min(wake, at);
            return at <= earliest;
        });
    });
    wake_ = std::min(wake, unpark_at_);
    if (candidate < 0) return std::min(finish, std::max(wake_, earliest));
    candidate_ = static_cast<std::uint32_t>(candidate);
    return std::min(finish, earliest);
}

// Where some are ready, and their units have no room.
Time InOrder::next_of_refused(Time now) {
    wake_ = unpark_at_;
    Time next = unpark_at_;
    for (std::uint32_t age = 0; age < warps_.count(); ++age) {
        if (parks_ && !is_chosen_from(warps_.by_age(age))) continue;  // somebody has to make room first
        const Slot& slot = slots_[warps_.by_age(age)];
        Time at = slot.issue_at;
        wake_ = std::min(wake_, at);
        if (at <= now && issue_free_ <= now)
            at = slot.unit == Unit::texture ? never : class_free_[static_cast<std::size_t>(slot.kind)];
        next = std::min(next, at);
    }
    return next;
}

Time InOrder::step(Time now, TextureUnit& textures) {
    const int slot = issue_free_ <= now && wake_ <= now ? pick(now, textures) : -1;
    if (slot >= 0) execute(now, static_cast<std::uint32_t>(slot), textures);
    const Time next = next_step(now, slot >= 0);
    if (next == issue_free_)
        time_.enter(now, CoreState::issue);  // the next step says what comes after
    else
        account(now);
    return next;
}

Time InOrder::look(Time now) {
    account(now);
    return std::min(std::max(wake_, issue_free_), warps_.finish_at());
}

void InOrder::serialize(engine::Archive& archive) {
    candidate_ = none;
    archive(issue_free_, class_free_, wake_, unpark_at_, parked_, scheduler_, fetch_refused_, awaits_constants_, slots_,
            ready_, pending_, textures_at_, traced_, registers_);
}

}  // namespace models
