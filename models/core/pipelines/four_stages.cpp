#include "models/core/pipelines/four_stages.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "models/base/laws.h"
#include "models/structures/round_robin.h"

namespace models {

using engine::never;
using engine::Time;

namespace {

constexpr std::size_t latches = 4;

}  // namespace

FourStages::FourStages(const PipelineSite& site, const Rules& rules)
    : workload_(site.workload),
      warps_(site.warps),
      time_(site.time),
      trace_(site.trace),
      period_(site.period),
      fetch_time_(site.instruction_cache.latency()),
      rules_(rules),
      timing_(site.parameters, period_),
      in_pipeline_(warps_.slots()),
      scoreboard_(timing_.by_component),
      fetch_(site, latches + InstructionFetch::most_together * warps_.slots(), 1),
      squashes(site.scope, "squashes", "1", "instructions squashed"),
      instructions_retired(site.scope, "instructions_retired", "1", "instructions whose result is written") {}

void FourStages::begin_frame() {
    scoreboard_.begin(warps_.slots(), workload_.file_registers());
    traced_.assign(scoreboard_.places(), none);
}

void FourStages::launch(Time /*now*/, std::uint32_t slot) {
    in_pipeline_[slot] = 0;
    fetch_.begin(slot);
    finish_if_done(slot);
}

Time FourStages::step(Time now, TextureUnit& textures) {
    bool moved = write_back(now);
    waits_for_room_ = false;
    moved |= ask(now, textures);
    const bool executed = execute(now, textures);
    moved |= executed;
    moved |= fetch(now);  // not knowing what decode finds
    moved |= decode(now);
    if (to_decode_.is_empty() && !fetched_.is_empty()) to_decode_ = std::exchange(fetched_, {});
    if (executed)
        time_.enter(now, CoreState::issue, now + period_, classify(now + period_));
    else
        time_.enter(now, classify(now));
    if (moved) return now + period_;
    Time next = std::max(std::min({results_.next(), without_result_.next(), warps_.finish_at()}), now + period_);
    for (const Latch* latch : {&fetched_, &to_decode_, &to_execute_, &asking_})
        if (!latch->is_empty() && latch->ready_at > now) next = std::min(next, latch->ready_at);
    if (!to_execute_.is_empty())
        for (const Time free : unit_free_)
            if (free > now) next = std::min(next, free);
    return next;
}

bool FourStages::write_back(Time now) {
    bool some = false;
    for (; without_result_.has(now); some = true) retire(now, without_result_.pop());
    std::uint32_t written = 0;
    for (; results_.has(now) && (rules_.write_ports == 0 || written < rules_.write_ports); ++written)
        retire(now, results_.pop());
    return some || written > 0 || results_.has(now);
}

void FourStages::retire(Time now, const Result& result) {
    trace_.note(result.traced, InstructionTrace::retired, now);
    trace_.close(result.traced);
    if ((result.flags & Result::writes) != 0)
        scoreboard_.end_write(result.warp, result.destination, result.components());
    if ((result.flags & Result::texture) != 0) --warps_[result.warp].textures_pending;
    if ((result.flags & Result::branches) != 0) {
        fetch_.branch_done(result.warp);
        fetch_.wants(result.warp);
    }
    --in_pipeline_[result.warp];
    ++instructions_retired;
    finish_if_done(result.warp);
}

void FourStages::finish_if_done(std::uint32_t slot) {
    if (warps_.is_on_path(slot) || in_pipeline_[slot] > 0) return;
    warps_[slot].results_at = 0;
    warps_.end(slot);
}

// What the unit for textures has taken is asked for when it has been through all threads.
bool FourStages::ask(Time now, TextureUnit& textures) {
    if (asking_.is_empty() || asking_.ready_at > now) return false;
    const std::uint16_t number = asking_.number;
    const InstructionFetch::Instruction& instruction = fetch_[number];
    if (!textures.has_room(now, instruction.group_count)) {
        waits_for_room_ = true;
        return false;
    }
    for (const std::uint32_t access : fetch_.accesses(number))
        warps_.ask(now, textures, instruction.warp, instruction.use.destination, access, instruction.counter);
    fetch_.release(number);
    asking_ = {};
    return true;
}

// A unit takes the instruction before it.
bool FourStages::execute(Time now, TextureUnit& textures) {
    if (to_execute_.is_empty() || to_execute_.ready_at > now) return false;
    const std::uint16_t number = to_execute_.number;
    const InstructionFetch::Instruction& instruction = fetch_[number];
    const std::uint32_t slot = instruction.warp;
    const RegisterUse& use = instruction.use;
    if (instruction.is_texture() && !takes_texture(now, instruction.group_count, textures)) return false;
    const auto unit = static_cast<std::size_t>(instruction.unit);
    Time occupied = timing_.occupied(instruction.steps);
    if (unit < unit_free_.size() && rules_.units[unit] > 0) {
        if (unit_free_[unit] > now) return false;
        const std::uint32_t threads = instruction.group_count * (warps_[slot].vertex != 0 ? 1 : 4);
        occupied *= (threads + rules_.units[unit] - 1) / rules_.units[unit];
        unit_free_[unit] = now + std::max(occupied, timing_.interval(instruction.kind));
    }
    trace_.note(instruction.traced, InstructionTrace::executed, now);
    if (instruction.is_texture()) {
        traced_[scoreboard_.place(slot, use.destination)] = instruction.traced;
        asking_ = to_execute_;
        asking_.ready_at = now + occupied - period_;
        ask(now, textures);
    } else {
        const bool writes = instruction.writes();
        (writes ? results_ : without_result_)
            .push(now + occupied - period_ + timing_.latency(instruction.kind), slot, use, writes, instruction.traced);
        fetch_.release(number);
    }
    to_execute_ = {};
    return true;
}

// The one before it has been asked for, and there is room for one of so many accesses.
bool FourStages::takes_texture(Time now, std::uint32_t accesses, TextureUnit& textures) {
    if (!asking_.is_empty()) return false;
    waits_for_room_ = !textures.has_room(now, accesses);
    return !waits_for_room_;
}

bool FourStages::has_hazard(std::uint16_t number) const {
    const std::uint32_t slot = fetch_[number].warp;
    const RegisterUse& use = fetch_[number].use;
    return scoreboard_.has_raw(slot, use) || scoreboard_.has_waw(slot, use);
}

// Reads operands, or finds that they are not there.
bool FourStages::decode(Time now) {
    if (to_decode_.is_empty() || to_decode_.ready_at > now) return false;
    const std::uint16_t number = to_decode_.number;
    const std::uint32_t slot = fetch_[number].warp;
    if (has_hazard(number)) {
        if (!rules_.squashes) return false;
        if (!fetched_.is_empty() && fetch_[fetched_.number].warp == slot) squash(fetched_);
        squash(to_decode_);
        fetch_.wants(slot);
        return true;
    }
    if (!to_execute_.is_empty()) return false;
    const RegisterUse& use = fetch_[number].use;
    const bool is_texture = fetch_[number].is_texture();
    if (is_texture) {
        scoreboard_.begin_texture(slot, use, fetch_[number].group_count);
        warps_[slot].textures_pending += fetch_[number].group_count;
    } else if (fetch_[number].writes()) {
        scoreboard_.begin_write(slot, use);
    }
    trace_.note(fetch_[number].traced, InstructionTrace::issued, now);
    warps_.count_issued(slot, fetch_[number].threads);
    to_execute_ = to_decode_;
    to_execute_.ready_at = now + period_;
    to_decode_ = {};
    return true;
}

void FourStages::squash(Latch& latch) {
    fetch_.squash(std::exchange(latch, {}).number);
    ++squashes;
}

// One instruction of the next warp in turn; a line that has come goes first.
bool FourStages::fetch(Time now) {
    if (!fetched_.is_empty()) return false;
    if (!arrived_.empty()) {
        const std::uint32_t slot = arrived_.front();
        arrived_.erase(arrived_.begin());
        const bool again = fetch_.fetches_again(slot);
        take(fetch_.line_arrived(now, slot), again, now + period_, slot);
        return true;
    }
    const std::uint64_t ready = fetch_.ready();
    if (ready == 0) return false;
    const std::uint32_t slot = first_in_turn(ready, fetch_turn_);
    fetch_turn_ = slot + 1;
    const bool again = fetch_.fetches_again(slot);
    take(fetch_.fetch(now, slot), again, now + fetch_time_, slot);
    return true;
}

void FourStages::instruction_arrived(Time /*now*/, std::uint32_t slot) {
    arrived_.push_back(slot);
}

void FourStages::take(const InstructionFetch::Taken& taken, bool again, Time decoded_at, std::uint32_t slot) {
    if (taken.count == 0) return;
    if (!again) ++in_pipeline_[slot];
    fetched_.number = taken.numbers[0];
    fetched_.ready_at = decoded_at;
    fetch_.wants(slot);
}

void FourStages::texture_done(std::uint32_t slot, std::uint16_t destination, Time time) {
    if (scoreboard_.end_access(slot, destination))  // the last one is under way until it is written
        results_.push_texture((time + period_ - 1) / period_ * period_, slot, destination,
                              traced_[scoreboard_.place(slot, destination)]);
    else
        --warps_[slot].textures_pending;
}

// What the pipeline waits for, from its end to its beginning.
CoreState FourStages::classify(Time now) const {
    if (warps_.count() == 0) return awaits_constants_ ? CoreState::constants : CoreState::empty;
    if (!to_execute_.is_empty() && to_execute_.ready_at <= now)  // later: decode has just handed it on
        return waits_for_room_ && fetch_[to_execute_.number].is_texture() ? CoreState::texture_unit
                                                                          : CoreState::pipeline;
    if (!to_decode_.is_empty()) return awaited_by(to_decode_.number);
    const std::uint32_t oldest = warps_.by_age(0);
    if (warps_.has_ended(oldest)) return CoreState::finishing;
    if (fetch_.fetches_again(oldest) && has_hazard(fetch_.squashed(oldest))) return awaited_by(fetch_.squashed(oldest));
    if (fetch_.waits_for_line(oldest)) return CoreState::fetching;
    if (fetch_.waits_for_branch(oldest) || warps_.is_on_path(oldest)) return CoreState::dependency;
    return warps_[oldest].textures_pending > 0 ? CoreState::texture_data : CoreState::dependency;
}

// By one that has not been decoded: a result, or its turn. Where it depends on a result, that is why it is on its way
// from fetch, again and again.
CoreState FourStages::awaited_by(std::uint16_t number) const {
    const bool texture = scoreboard_.awaits_texture(fetch_[number].warp, fetch_[number].use);
    return texture ? CoreState::texture_data : CoreState::dependency;
}

void FourStages::add_laws(Laws& laws, const std::string& core) const {
    laws.equal(core + ": instructions fetched = decoded", {fetch_.fetched}, {warps_.warp_instructions});
    laws.equal(core + ": instructions decoded = retired", {warps_.warp_instructions}, {instructions_retired});
    laws.equal(core + ": instructions squashed = fetched again", {squashes}, {fetch_.fetched_again});
}

void FourStages::serialize(engine::Archive& archive) {
    archive(fetched_, to_decode_, to_execute_, asking_, unit_free_, in_pipeline_, scoreboard_, traced_, results_,
            without_result_, fetch_turn_, awaits_constants_, waits_for_room_, arrived_, fetch_);
}

}  // namespace models
