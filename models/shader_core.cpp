#include "models/shader_core.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace models {

using engine::never;
using engine::Time;

namespace {

constexpr std::uint32_t instructions_per_line = block_bytes / DecodedProgram::instruction_bytes;

}  // namespace

ShaderCore::ShaderCore(const engine::CounterScope& scope, const ShaderCoreParameters& parameters,
                       const TextureUnitParameters& texture, const Caches& caches, Time period)
    : period_(period),
      result_latency_{parameters.alu_latency.count() * period, parameters.special_latency.count() * period, 0, period},
      special_interval_(parameters.special_interval.count() * period),
      issue_time_{},
      groups_per_warp_(static_cast<std::uint32_t>(parameters.groups_per_warp())),
      oldest_first_(parameters.issue_policy() == "oldest"),
      next_issue_(static_cast<std::size_t>(parameters.warps()), never),
      warps_(next_issue_.size()),
      cursors_(next_issue_.size() * groups_per_warp_),
      instruction_cache_(caches.instruction),
      texture_(scope, texture, *caches.texture, period),
      warps_launched_(scope, "warps", "1", "warps started"),
      warp_instructions_(scope, "warp_instructions", "1", "instructions issued"),
      thread_instructions_(scope, "thread_instructions", "1",
                           "instructions times the threads alive when their warp started"),
      cycles_{engine::Counter{scope, "cycles_issue", "cycle", "cycles that issued"},
              engine::Counter{scope, "cycles_dependency", "cycle",
                              "cycles without issue: the oldest warp waits for an arithmetic result"},
              engine::Counter{scope, "cycles_texture", "cycle",
                              "cycles without issue: the oldest warp waits for a texture"},
              engine::Counter{scope, "cycles_texture_unit", "cycle",
                              "cycles without issue: the oldest warp waits for room in a unit"},
              engine::Counter{scope, "cycles_fetch", "cycle",
                              "cycles without issue: the oldest warp waits for its instructions"},
              engine::Counter{scope, "cycles_finish", "cycle",
                              "cycles without issue: the oldest warp waits for its last results or to be taken over"}} {
    const int width = parameters.vector_width();
    for (int components = 1; components <= 4; ++components)
        issue_time_[static_cast<std::size_t>(components)] = (components + width - 1) / width * period;
}

void ShaderCore::begin_frame(std::uint32_t registers, const BlockNumber* blocks) {
    assert(resident_ == 0);
    registers_ = registers;
    ready_.assign(warps_.size() * registers, 0);
    pending_.assign(warps_.size() * registers, 0);
    texture_.use_blocks(blocks);
}

std::uint32_t ShaderCore::launch(Time now, const DecodedProgram& program, std::span<const Group> groups,
                                 const Attribution& attribution) {
    assert(has_room() && groups.size() <= groups_per_warp_);
    const std::uint32_t slot = slot_at(resident_++);
    Warp& warp = warps_[slot];
    warp = Warp{};
    warp.program = &program;
    warp.groups = static_cast<std::uint32_t>(groups.size());
    warp.attribution = attribution;
    warp.attribution.warp = static_cast<std::uint16_t>(slot);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Group& group = groups[g];
        cursors_[slot * groups_per_warp_ + g] = {program.runs.data() + program.first_run[group.path],
                                                 program.runs.data() + program.first_run[group.path + 1U], 0,
                                                 group.accesses, group.threads};
    }
    std::fill_n(ready(slot), program.registers, Time{0});
    ++warps_launched_;
    find_counter(warp, slot);
    advance(now, slot);
    return slot;
}

void ShaderCore::retire() {
    assert(resident_ > 0);
    oldest_ = slot_at(1);
    --resident_;
    if (turn_ > 0) --turn_;
}

Time ShaderCore::step(Time now) {
    if (last_use_ != vacant) {
        const Time elapsed = now - last_step_;  // mostly one period: spare the division
        cycles_[last_use_] += elapsed == period_ ? 1 : static_cast<std::uint64_t>(elapsed / period_);
    }
    last_step_ = now;
    texture_.step(now, *this);
    const int slot = issue_free_ <= now ? pick(now) : -1;
    if (slot >= 0) {
        execute(now, static_cast<std::uint32_t>(slot));
        last_use_ = issue;
    } else {
        last_use_ = issue_free_ > now ? issue : classify(now);
    }
    return next_step(now);
}

int ShaderCore::pick(Time now) {
    const std::uint32_t begin = oldest_first_ ? 0 : turn_;
    for (std::uint32_t i = 0; i < resident_; ++i) {
        const std::uint32_t age = begin + i < resident_ ? begin + i : begin + i - resident_;
        const std::uint32_t slot = slot_at(age);
        if (next_issue_[slot] > now || !can_issue(now, warps_[slot], slot)) continue;
        turn_ = age + 1 < resident_ ? age + 1 : 0;
        return static_cast<int>(slot);
    }
    return -1;
}

bool ShaderCore::can_issue(Time now, Warp& warp, std::uint32_t slot) {
    if (warp.wait == Wait::fetch_refused) {
        fetch(now, slot);
        if (next_issue_[slot] > now) return false;
    }
    const Unit unit = warp.program->instructions[warp.program_counter].unit;
    if (unit == Unit::texture) return texture_.room() >= static_cast<std::uint32_t>(std::popcount(warp.at_counter));
    return unit != Unit::special || special_free_ <= now;
}

void ShaderCore::execute(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    const MicroInstruction& instruction = warp.program->instructions[warp.program_counter];
    const std::uint16_t destination = instruction.destination();
    const Time occupied = issue_time_[instruction.components];
    issue_free_ = now + occupied;
    ++warp_instructions_;
    if (instruction.unit == Unit::texture) {
        execute_texture(warp, slot, destination);
    } else {
        if (instruction.unit == Unit::special) special_free_ = now + std::max(special_interval_, occupied);
        const Time result = now + occupied - period_ + result_latency_[static_cast<std::size_t>(instruction.unit)];
        if (destination != 0) ready(slot)[destination] = result;
        warp.results_at = std::max(warp.results_at, result);
    }
    std::uint32_t threads = 0;
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        if ((warp.at_counter >> g & 1U) == 0) continue;
        Cursor& cursor = cursors_[slot * groups_per_warp_ + g];
        threads += cursor.threads;
        if (++cursor.position < cursor.run->count) continue;
        cursor.position = 0;
        ++cursor.run;
    }
    thread_instructions_ += threads;
    find_counter(warp, slot);
    advance(now, slot);
}

void ShaderCore::execute_texture(Warp& warp, std::uint32_t slot, std::uint16_t destination) {
    Attribution attribution = warp.attribution;
    attribution.program_counter = static_cast<std::uint16_t>(warp.program_counter);
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        if ((warp.at_counter >> g & 1U) == 0) continue;
        texture_.push(slot, destination, *cursors_[slot * groups_per_warp_ + g].next_access++, attribution);
        ++warp.textures_pending;
        ++pending(slot)[destination];
    }
    if (destination != 0) ready(slot)[destination] = never;
}

void ShaderCore::find_counter(Warp& warp, std::uint32_t slot) {
    const Cursor* const cursors = &cursors_[slot * groups_per_warp_];
    warp.program_counter = none;
    for (std::uint32_t g = 0; g < warp.groups; ++g) {
        const std::uint32_t counter = cursors[g].program_counter();
        if (counter < warp.program_counter) {
            warp.program_counter = counter;
            warp.at_counter = 0;
        }
        if (counter == warp.program_counter) warp.at_counter |= 1U << g;
    }
}

void ShaderCore::advance(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    if (warp.program_counter != none) {
        fetch(now, slot);
        return;
    }
    warp.finished = true;
    warp.wait = Wait::done;
    next_issue_[slot] = never;
}

void ShaderCore::fetch(Time now, std::uint32_t slot) {
    const Warp& warp = warps_[slot];
    if (warp.program_counter / instructions_per_line == warp.line)
        await_operands(now, slot);
    else
        fetch_line(now, slot);
}

void ShaderCore::fetch_line(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    const std::uint32_t line = warp.program_counter / instructions_per_line;
    Attribution attribution = warp.attribution;
    attribution.program_counter = static_cast<std::uint16_t>(warp.program_counter);
    const auto outcome = instruction_cache_->read(now, warp.program->code + line, slot, attribution);
    if (outcome != LineCache::Outcome::hit) {
        warp.wait = outcome == LineCache::Outcome::waiting ? Wait::fetch : Wait::fetch_refused;
        next_issue_[slot] = never;
        return;
    }
    warp.line = line;
    await_operands(now, slot);
}

void ShaderCore::await_operands(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    const Time* const at = ready(slot);
    Time latest = now;
    for (const std::uint16_t r : warp.program->instructions[warp.program_counter].registers)
        latest = std::max(latest, at[r]);
    next_issue_[slot] = latest;
    warp.wait = latest >= never ? Wait::texture : Wait::operands;
}

void ShaderCore::instruction_arrived(Time now, std::uint32_t slot) {
    Warp& warp = warps_[slot];
    assert(warp.wait == Wait::fetch);
    warp.line = warp.program_counter / instructions_per_line;
    await_operands(now, slot);
}

void ShaderCore::retry(Time now) {
    texture_.retry();
    for (std::uint32_t age = 0; age < resident_; ++age)
        if (warps_[slot_at(age)].wait == Wait::fetch_refused) next_issue_[slot_at(age)] = now;
}

void ShaderCore::texture_done(std::uint32_t slot, std::uint16_t destination, Time time) {
    Warp& warp = warps_[slot];
    --warp.textures_pending;
    warp.results_at = std::max(warp.results_at, time);
    if (--pending(slot)[destination] > 0 || destination == 0) return;
    ready(slot)[destination] = time;
    if (warp.wait == Wait::texture) await_operands(time, slot);
}

ShaderCore::Use ShaderCore::classify(Time now) const {
    if (resident_ == 0) return vacant;
    const Warp& warp = warps_[oldest_];
    switch (warp.wait) {
        case Wait::texture:
            return texture_data;
        case Wait::fetch:
        case Wait::fetch_refused:
            return fetching;
        case Wait::done:
            return finishing;
        case Wait::operands:
            return next_issue_[oldest_] > now ? dependency : texture_unit;
    }
    return vacant;
}

Time ShaderCore::next_step(Time now) const {
    const Time soon = now + period_;
    if (texture_.wants_step()) return soon;
    if (last_use_ == issue) return std::max(issue_free_, soon);
    Time next = never;
    for (std::uint32_t age = 0; age < resident_; ++age) {
        const std::uint32_t slot = slot_at(age);
        Time at = next_issue_[slot];
        if (at <= now) {  // ready, but its unit has no room
            const Unit unit = warps_[slot].program->instructions[warps_[slot].program_counter].unit;
            if (unit == Unit::texture) at = never;
            if (unit == Unit::special) at = special_free_;
        }
        next = std::min(next, std::max(at, std::max(issue_free_, soon)));
    }
    const Warp& oldest = warps_[oldest_];
    if (resident_ > 0 && oldest.finished && oldest.textures_pending == 0 && oldest.results_at > now)
        next = std::min(next, oldest.results_at);
    return next;
}

}  // namespace models
