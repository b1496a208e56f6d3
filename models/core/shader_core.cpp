#include "models/core/shader_core.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace models {

using engine::never;
using engine::Time;

// What every step does is inlined in step(): the registers that calls save and restore cost as much as the work.

ShaderCore::ShaderCore(const engine::CounterScope& scope, int index, const ShaderCoreParameters& parameters,
                       const Workload& workload, Cache& instruction_cache, Time period, const Neighbours& neighbours,
                       int most_groups)
    : slots_(static_cast<std::size_t>(parameters.warps())),
      warps_(slots_.size()),
      groups_per_warp_(static_cast<std::uint32_t>(std::max(parameters.groups_per_warp(), most_groups))),
      oldest_first_(parameters.issue_policy() == IssuePolicy::oldest),
      index_(static_cast<std::uint16_t>(index)),
      period_(period),
      workload_(workload),
      instruction_cache_(&instruction_cache),
      line_shift_(static_cast<std::uint32_t>(
          std::countr_zero(instruction_cache.access_bytes() / DecodedProgram::instruction_bytes))),
      result_latency_{parameters.alu_latency.count() * period, parameters.special_latency.count() * period, 0, period},
      special_interval_(parameters.special_interval.count() * period),
      issue_time_{},
      warps_launched(scope, "warps", "1", "warps started"),
      threads_launched(scope, "threads", "1", "threads started: fragments or vertices shaded"),
      warp_instructions(scope, "warp_instructions", "1", "instructions issued"),
      thread_instructions(scope, "thread_instructions", "1",
                          "instructions times the threads alive when their warp started"),
      time(scope,
           {{{"empty", Activity::starved, neighbours.source},
             {"constants", Activity::starved, instruction_cache.answered_by()},
             {"issue", Activity::busy},
             {"dependency", Activity::starved, scope.kind()},
             {"texture", Activity::starved, neighbours.textures},
             {"texture_unit", Activity::blocked, neighbours.textures},
             {"fetch", Activity::starved, instruction_cache.answered_by()},
             {"finish", Activity::blocked, neighbours.sink}}},
           period) {
    const int width = parameters.vector_width();
    for (int components = 1; components <= 4; ++components)
        issue_time_[static_cast<std::size_t>(components)] = (components + width - 1) / width * period;
    assert(warps_.size() <= most_warps);
    cursors_.resize(warps_.size() * groups_per_warp_);
    for (std::size_t slot = warps_.size(); slot-- > 0;) free_.push_back(static_cast<std::uint8_t>(slot));
}

void ShaderCore::begin_frame() {
    registers_ = workload_.registers();
    ready_.assign(warps_.size() * registers_, 0);
    pending_.assign(warps_.size() * registers_, 0);
}

void ShaderCore::launch(Time now, const Launch& launch, std::span<const Group> groups) {
    assert(has_room() && groups.size() <= groups_per_warp_);
    const std::uint8_t slot = free_.back();
    free_.pop_back();
    order_[resident_++] = slot;
    Warp& warp = warps_[slot];
    warp = Warp{};
    warp.program = launch.program;
    warp.name = launch.name;
    warp.vertex = launch.vertex ? 1 : 0;
    warp.groups = static_cast<std::uint32_t>(groups.size());
    warp.attribution = launch.attribution;
    warp.attribution.warp = slot;
    const DecodedProgram& program = program_of(warp);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Group& group = groups[g];
        Cursor& cursor = cursors_[slot * groups_per_warp_ + g];
        cursor = {
            none,         0, program.first_run[group.path], program.first_run[group.path + 1U], group.first_access,
            group.threads};
        begin_run(cursor, program);
    }
    std::fill_n(ready(slot), program.registers, Time{0});
    ++warps_launched;
    for (const Group& group : groups) threads_launched += group.threads;
    find_counter(slot);
    advance(now, slot, program);
}

void ShaderCore::leave(std::size_t age) {
    candidate_ = none;
    const std::uint8_t slot = order_[age];
    draining_ &= ~(std::uint64_t{1} << slot);
    std::copy(order_.begin() + age + 1, order_.begin() + resident_, order_.begin() + age);
    --resident_;
    free_.push_back(slot);
    if (turn_ > age) --turn_;
}

void ShaderCore::find_finish(Time now) {
    finish_at_ = never;
    some_wait_ = false;
    for (std::uint64_t rest = draining_; rest != 0; rest &= rest - 1) {
        const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (is_done(slot, now))
            some_wait_ = true;
        else
            note_finish(warps_[slot]);
    }
}

[[gnu::always_inline]] inline int ShaderCore::pick(Time now, const TextureUnit& textures) {
    const Slot* const slots = slots_.data();
    const auto pick_from = [&](std::uint32_t age, std::uint32_t end) {
        for (; age < end; ++age) {
            const std::uint32_t slot = order_[age];
            if (slots[slot].issue_at > now || !can_issue(now, slot, textures)) continue;
            turn_ = age + 1 < resident_ ? age + 1 : 0;
            return static_cast<int>(slot);
        }
        return -1;
    };
    if (const std::uint32_t age = std::exchange(candidate_, none); age != none)
        if (const int slot = pick_from(age, age + 1); slot >= 0) return slot;
    if (oldest_first_) return pick_from(0, resident_);
    const std::uint32_t begin = turn_;
    const int slot = pick_from(begin, resident_);
    return slot >= 0 ? slot : pick_from(0, begin);
}

bool ShaderCore::can_issue(Time now, std::uint32_t slot, const TextureUnit& textures) {
    const Slot& next = slots_[slot];
    if (next.wait == Wait::fetch_refused) {
        fetch(now, slot, program_of(warps_[slot]));
        if (next.issue_at > now) return false;
    }
    if (next.unit == Unit::texture) return textures.room() >= next.groups;
    return next.unit != Unit::special || special_free_ <= now;
}

[[gnu::always_inline]] inline void ShaderCore::execute(Time now, std::uint32_t slot, TextureUnit& textures) {
    Warp& warp = warps_[slot];
    const DecodedProgram& program = program_of(warp);
    const MicroInstruction& instruction = program.instructions[warp.program_counter];
    const std::uint16_t destination = instruction.destination;
    const Time occupied = issue_time_[instruction.components];
    issue_free_ = now + occupied;
    ++warp_instructions;
    if (instruction.unit == Unit::texture) {
        execute_texture(slot, destination, textures);
    } else {
        if (instruction.unit == Unit::special) special_free_ = now + std::max(special_interval_, occupied);
        const Time result = now + occupied - period_ + result_latency_[static_cast<std::size_t>(instruction.unit)];
        ready(slot)[destination] = destination != 0 ? result : 0;
        warp.results_at = std::max(warp.results_at, result);
    }
    thread_instructions += move_on(slot, program);
    advance(now, slot, program);
}

// The groups that are at the program counter go on along their paths. Returns their threads.
[[gnu::always_inline]] inline std::uint32_t ShaderCore::move_on(std::uint32_t slot, const DecodedProgram& program) {
    Warp& warp = warps_[slot];
    Cursor* const cursors = &cursors_[slot * groups_per_warp_];
    const auto move = [&program](Cursor& cursor) {
        ++cursor.counter;
        if (--cursor.left == 0) begin_run(cursor, program);
        return cursor.threads;
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

void ShaderCore::begin_run(Cursor& cursor, const DecodedProgram& program) {
    if (cursor.run == cursor.end) {
        cursor.counter = none;
        return;
    }
    const PathRun& run = program.runs[cursor.run++];
    cursor.counter = run.first;
    cursor.left = run.count;
}

void ShaderCore::execute_texture(std::uint32_t slot, std::uint16_t destination, TextureUnit& textures) {
    Warp& warp = warps_[slot];
    const Frame& frame = workload_.frame();
    const std::vector<TextureAccess>& accesses = warp.vertex != 0 ? frame.vertex_accesses : frame.accesses;
    Attribution attribution = warp.attribution;
    attribution.program_counter = static_cast<std::uint16_t>(warp.program_counter);
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        if ((warp.at_counter >> g & 1U) == 0) continue;
        Cursor& cursor = cursors_[slot * groups_per_warp_ + g];
        textures.push({index_, static_cast<std::uint16_t>(slot), destination, warp.vertex != 0},
                      accesses[cursor.next_access++], attribution);
        ++warp.textures_pending;
        ++pending(slot)[destination];
    }
    if (destination != 0) ready(slot)[destination] = never;
}

void ShaderCore::find_counter(std::uint32_t slot) {
    Warp& warp = warps_[slot];
    const Cursor* const cursors = &cursors_[slot * groups_per_warp_];
    warp.program_counter = none;
    warp.at_counter = warp.groups_at_counter = 0;
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        const std::uint32_t counter = cursors[g].counter;
        if (counter < warp.program_counter) {
            warp.program_counter = counter;
            warp.at_counter = warp.groups_at_counter = 0;
        }
        if (counter != warp.program_counter) continue;
        warp.at_counter |= 1U << g;
        ++warp.groups_at_counter;
    }
}

[[gnu::always_inline]] inline void ShaderCore::advance(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Warp& warp = warps_[slot];
    if (warp.program_counter != none) {
        fetch(now, slot, program);
        return;
    }
    draining_ |= std::uint64_t{1} << slot;
    slots_[slot].wait = Wait::done;
    slots_[slot].issue_at = never;
    note_finish(warp);
}

inline void ShaderCore::fetch(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Warp& warp = warps_[slot];
    if (warp.program_counter >> line_shift_ == warp.line)
        await_operands(now, slot, program);
    else
        fetch_line(now, slot, program);
}

void ShaderCore::fetch_line(Time now, std::uint32_t slot, const DecodedProgram& program) {
    Warp& warp = warps_[slot];
    const std::uint32_t line = warp.program_counter >> line_shift_;
    Attribution attribution = warp.attribution;
    attribution.program_counter = static_cast<std::uint16_t>(warp.program_counter);
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
    await_operands(now, slot, program);
}

inline void ShaderCore::await_operands(Time now, std::uint32_t slot, const DecodedProgram& program) {
    const Warp& warp = warps_[slot];
    const MicroInstruction& instruction = program.instructions[warp.program_counter];
    const Time* const at = ready(slot);
    Time latest = now;
    for (const std::uint16_t number : instruction.registers) latest = std::max(latest, at[number]);
    wake_ = std::min(wake_, latest);
    candidate_ = none;
    slots_[slot] = {latest,
                    instruction.unit,
                    latest >= never ? Wait::texture : Wait::operands,
                    static_cast<std::uint8_t>(warp.groups_at_counter),
                    {}};
}

void ShaderCore::instruction_arrived(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    assert(slots_[slot].wait == Wait::fetch);
    warp.line = warp.program_counter >> line_shift_;
    await_operands(now, slot, program_of(warp));
}

void ShaderCore::retry_fetches(Time now) {
    fetch_refused_ = false;
    candidate_ = none;
    for (std::uint32_t age = 0; age < resident_; ++age)
        if (Slot& next = slots_[order_[age]]; next.wait == Wait::fetch_refused) next.issue_at = wake_ = now;
}

void ShaderCore::texture_done(std::uint32_t slot, std::uint16_t destination, Time at) {
    Warp& warp = warps_[slot];
    --warp.textures_pending;
    warp.results_at = std::max(warp.results_at, at);
    if (slots_[slot].wait == Wait::done) note_finish(warp);
    if (--pending(slot)[destination] > 0 || destination == 0) return;
    ready(slot)[destination] = at;
    if (slots_[slot].wait == Wait::texture) await_operands(at, slot, program_of(warp));
}

// What the oldest warp waits for then.
[[gnu::always_inline]] inline ShaderCore::State ShaderCore::classify(Time at) const {
    if (resident_ == 0) return awaits_constants_ ? State::constants : State::empty;
    const Slot& oldest = slots_[order_[0]];
    switch (oldest.wait) {
        case Wait::texture:
            return texture_data;
        case Wait::fetch:
        case Wait::fetch_refused:
            return fetching;
        case Wait::done: {
            const Warp& warp = warps_[order_[0]];
            if (warp.textures_pending > 0) return texture_data;
            return warp.results_at > at ? dependency : finishing;
        }
        case Wait::operands:
            return oldest.issue_at <= at && oldest.unit == Unit::texture ? texture_unit : dependency;
    }
    return State::empty;
}

// An instruction takes the issue port until it is free; nothing else changes what is next without a step or an answer.
[[gnu::always_inline]] inline void ShaderCore::account(Time now) {
    time.enter(now, State::issue, issue_free_, classify(std::max(now, issue_free_)));
}

// When a warp can issue, or has finished.
[[gnu::always_inline]] inline Time ShaderCore::next_step(Time now, bool issued) {
    const Time earliest = std::max(issue_free_, now + period_);
    const Time finish = std::max(finish_at_, now + period_);
    if (wake_ > earliest) return std::min(finish, wake_);
    if (!issued) return std::min(finish, wake_ > now ? earliest : std::max(next_of_refused(now), earliest));
    wake_ = never;
    const Slot* const slots = slots_.data();
    const std::uint32_t begin = oldest_first_ ? 0 : turn_;
    for (std::uint32_t i = 0, age = begin; i < resident_; ++i, ++age) {
        if (age == resident_) age = 0;
        const Time at = slots[order_[age]].issue_at;
        wake_ = std::min(wake_, at);
        if (at > earliest) continue;
        candidate_ = age;
        return std::min(finish, earliest);
    }
    return std::min(finish, wake_);
}

// Where some are ready, and their units have no room.
Time ShaderCore::next_of_refused(Time now) {
    wake_ = never;
    Time next = never;
    for (std::uint32_t age = 0; age < resident_; ++age) {
        const Slot& slot = slots_[order_[age]];
        Time at = slot.issue_at;
        wake_ = std::min(wake_, at);
        if (at <= now && issue_free_ <= now) {
            if (slot.unit == Unit::special)
                at = special_free_;
            else if (slot.unit == Unit::texture)
                at = never;
        }
        next = std::min(next, at);
    }
    return next;
}

Time ShaderCore::step(Time now, TextureUnit& textures) {
    const int slot = issue_free_ <= now && wake_ <= now ? pick(now, textures) : -1;
    if (slot >= 0) execute(now, static_cast<std::uint32_t>(slot), textures);
    const Time next = next_step(now, slot >= 0);
    account(now);
    return next;
}

Time ShaderCore::look(Time now) {
    account(now);
    return std::min(std::max(wake_, issue_free_), finish_at_);
}

void ShaderCore::serialize(engine::Archive& archive) {
    candidate_ = none;
    archive(issue_free_, special_free_, wake_, finish_at_, draining_, resident_, turn_, some_wait_, fetch_refused_,
            awaits_constants_, order_, slots_, warps_, cursors_, ready_, pending_, registers_, free_, time);
}

}  // namespace models
