#include "models/core/pipelines/collector.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <utility>

#include "models/base/laws.h"
#include "models/structures/round_robin.h"

namespace models {

using engine::never;
using engine::Time;

namespace {

constexpr std::size_t port_cycles = 512;  // ahead, for which write ports can be booked: more than any latency

std::uint64_t bit(std::uint32_t i) {
    return std::uint64_t{1} << i;
}

}  // namespace

Collector::Collector(const PipelineSite& site)
    : workload_(site.workload),
      warps_(site.warps),
      time_(site.time),
      trace_(site.trace),
      period_(site.period),
      cycles_(site.period),
      fetch_time_(site.instruction_cache.latency()),
      banks_(static_cast<std::uint32_t>(site.parameters.collector.banks())),
      issue_width_(static_cast<std::uint32_t>(site.parameters.collector.issue_width())),
      issue_ports_(static_cast<std::uint32_t>(site.parameters.collector.issue_buffer_ports())),
      dispatch_ports_(static_cast<std::uint32_t>(site.parameters.collector.dispatch_buffer_ports())),
      functional_units_(static_cast<std::uint32_t>(site.parameters.collector.functional_units())),
      all_registers_(static_cast<std::uint32_t>(site.parameters.collector.registers())),
      warp_shift_(site.parameters.collector.bank_hash() == BankHash::warp_shift),
      timing_(site.parameters, period_),
      fronts_(warps_.slots()),
      registers_free_(all_registers_),
      issued_(static_cast<std::size_t>(site.parameters.collector.issue_buffer())),
      operands_(site.parameters.collector),
      dispatch_room_(static_cast<std::size_t>(site.parameters.collector.dispatch_buffer())),
      unit_free_(functional_units_),
      write_ports_(port_cycles),
      scoreboard_(timing_.by_component),
      scheduler_(site.parameters.issue_scheduler(), site.parameters),
      fetch_(site,
             fronts_.size() * InstructionFetch::most_together + issued_.capacity() +
                 static_cast<std::size_t>(site.parameters.collector.units()) + dispatch_room_,
             InstructionFetch::most_together),
      statistics_(site.scope, banks_.value()) {
    assert(timing_.longest() / period_ + most_components < static_cast<Time>(port_cycles));
}

void Collector::begin_frame() {
    scoreboard_.begin(fronts_.size(), workload_.file_registers());
    traced_.assign(scoreboard_.places(), none);
}

void Collector::launch(Time /*now*/, std::uint32_t slot) {
    assert(has_registers_for(warps_.program_of(slot)));
    registers_free_ -= warps_.program_of(slot).file_registers;
    fronts_[slot] = Front{};
    parked_ &= ~bit(slot);
    scheduler_.visit([&](auto& scheduler) { scheduler.began(slot); });
    fetch_.begin(slot);
    finish_if_done(slot);
}

void Collector::left(std::size_t /*age*/, std::uint32_t slot) {
    registers_free_ += warps_.program_of(slot).file_registers;
    fetch_.end(slot);
    scheduler_.visit([&](auto& scheduler) { scheduler.left(slot, warps_); });
}

Time Collector::step(Time now, TextureUnit& textures) {
    settle(now);
    begun_ = {};
    refused_ = 0;
    // Most stages are empty in most cycles.
    bool moved = results_.has(now) && write_back(now);
    if (!dispatched_.empty()) moved |= execute(now, textures);
    if (operands_.has_complete()) moved |= dispatch(now);
    if (operands_.has_reads()) moved |= read(now);
    if (!issued_.empty()) moved |= allot(now);
    const bool issued = (has_instructions_ & ~held_back_) != 0 && issue(now);
    moved |= issued;
    if (fetch_.ready() != 0) moved |= fetch(now);
    resident_ = {warps_.count(), all_registers_ - registers_free_};
    time_.enter(now, issued ? CoreState::issue : classify(now));  // one that issues is stepped in the next cycle
    return moved ? now + period_ : next_event(now);
}

// Counts what is in buffers since the last step.
void Collector::settle(Time now) {
    time_.settle(now);
    const auto cycles = cycle_of(now - counted_at_);
    counted_at_ += static_cast<Time>(cycles) * period_;
    if (resident_.warps == 0 || cycles == 0) return;
    statistics_.add(cycles, {issued_.size(), operands_.used(), static_cast<std::uint32_t>(dispatched_.size()),
                             resident_.registers, resident_.warps});
}

bool Collector::write_back(Time now) {
    bool some = false;
    for (; results_.has(now); some = true) {
        const Result result = results_.pop();
        trace_.note(result.traced, InstructionTrace::retired, now);
        trace_.close(result.traced);
        retire(result);
    }
    return some;
}

void Collector::retire(const Result& result) {
    Front& front = fronts_[result.warp];
    held_back_ &= ~bit(result.warp);
    if ((result.flags & Result::writes) != 0)
        scoreboard_.end_write(result.warp, result.destination, result.components());
    if ((result.flags & Result::texture) != 0) {
        --warps_[result.warp].textures_pending;
        unpark(result.warp);
    }
    --front.in_flight;
    ++statistics_.instructions_retired;
    if ((result.flags & Result::branches) != 0) {
        fetch_.branch_done(result.warp);
        if (front.count == 0) fetch_.wants(result.warp);
    }
    finish_if_done(result.warp);
}

// All of its path has been fetched, issued and retired.
void Collector::finish_if_done(std::uint32_t slot) {
    const Front& front = fronts_[slot];
    if (warps_.is_on_path(slot) || front.count > 0 || front.in_flight > 0) return;
    warps_[slot].results_at = 0;
    warps_.end(slot);
    park(slot);
}

void Collector::park(std::uint32_t slot) {
    if ((parked_ >> slot & 1U) != 0) return;
    parked_ |= bit(slot);
    scheduler_.visit([&](auto& scheduler) { scheduler.parked(slot, warps_); });
}

void Collector::unpark(std::uint32_t slot) {
    if ((parked_ >> slot & 1U) == 0) return;
    parked_ &= ~bit(slot);
    scheduler_.visit([&](auto& scheduler) { scheduler.unparked(slot, warps_); });
}

// Units take instructions from the dispatch buffer, the oldest first.
bool Collector::execute(Time now, TextureUnit& textures) {
    std::size_t kept = 0, begun = 0;
    bool again = false;
    for (const std::uint16_t number : dispatched_) {
        const Fate fate = begun < dispatch_ports_ ? begin(now, number, textures) : Fate::next_cycle;
        again |= fate == Fate::next_cycle;
        if (fate == Fate::begins) {
            ++begun;
            trace_.note(fetch_[number].traced, InstructionTrace::executed, now);
            fetch_.release(number);
        } else {
            dispatched_[kept++] = number;
        }
    }
    dispatched_.resize(kept);
    statistics_.instructions_executed += begun;
    return begun > 0 || again;
}

Collector::Fate Collector::begin(Time now, std::uint16_t number, TextureUnit& textures) {
    const InstructionFetch::Instruction& instruction = fetch_[number];
    const std::uint32_t slot = instruction.warp;
    const RegisterUse& use = fetch_[number].use;
    if (instruction.is_texture()) {
        if (begun_.textures == functional_units_) return Fate::next_cycle;
        if (!textures.has_room(now, fetch_[number].group_count)) {
            refused_ |= bit(slot);
            return Fate::waits;
        }
        ++begun_.textures;
        traced_[scoreboard_.place(slot, use.destination)] = instruction.traced;
        for (const std::uint32_t access : fetch_.accesses(number))
            warps_.ask(now, textures, slot, use.destination, access, instruction.counter);
        return Fate::begins;
    }
    if (use.ends) {
        if (begun_.ends == functional_units_) return Fate::next_cycle;
        ++begun_.ends;
        results_.push(now + timing_.latency(InstructionClass::control), slot, use, false, instruction.traced);
        return Fate::begins;
    }
    const auto unit = std::find_if(unit_free_.begin(), unit_free_.end(), [&](Time free) { return free <= now; });
    if (unit == unit_free_.end()) return Fate::next_cycle;
    const Time occupied = timing_.occupied(instruction.steps);
    const Time at = now + occupied - period_ + timing_.latency(instruction.kind);
    const bool writes = instruction.writes();
    if (writes) {
        const auto cycle = static_cast<Time>(cycle_of(at));
        Booked& booked = write_ports_[static_cast<std::size_t>(cycle) % port_cycles];
        if (booked.at != cycle) booked = {cycle, 0};
        const std::uint64_t port = bit(bank(slot, use.destination));
        if ((booked.banks & port) != 0) return Fate::next_cycle;
        booked.banks |= port;
    }
    *unit = now + std::max(occupied, timing_.interval(instruction.kind));
    results_.push(at, slot, use, writes, instruction.traced);
    return Fate::begins;
}

// Complete collector units, in turn, give their instructions to the dispatch buffer.
bool Collector::dispatch(Time now) {
    bool some = false;
    for (std::uint32_t i = 0; i < dispatch_ports_ && operands_.has_complete() && dispatched_.size() < dispatch_room_;
         ++i) {
        const auto [number, since] = operands_.take_complete();
        statistics_.collector_cycles += cycle_of(now) - since + 1;
        ++statistics_.instructions_dispatched;
        trace_.note(fetch_[number].traced, InstructionTrace::dispatched, now);
        dispatched_.push_back(number);
        some = true;
    }
    return some;
}

bool Collector::read(Time now) {
    ++statistics_.cycles_reading;
    statistics_.conflicts += operands_.read([&](std::uint16_t number, std::uint32_t operand, std::uint32_t from) {
        const std::uint32_t slot = fetch_[number].warp;
        held_back_ &= ~bit(slot);
        scoreboard_.end_read(slot, fetch_[number].use, operand);
        trace_.note(fetch_[number].traced, InstructionTrace::read, now);
        ++statistics_.operands_read;
        ++statistics_.bank_reads[from];
    });
    return true;
}

// Instructions of the issue buffer get free collector units.
bool Collector::allot(Time now) {
    bool some = false;
    for (std::uint32_t i = 0; i < issue_ports_ && !issued_.empty() && operands_.has_free_unit(); ++i) {
        const std::uint16_t number = issued_.front();
        issued_.pop();
        trace_.note(fetch_[number].traced, InstructionTrace::collected, now);
        const std::uint32_t slot = fetch_[number].warp;
        operands_.allot(number, cycle_of(now), fetch_[number].use,
                        [&](std::uint16_t source) { return bank(slot, source); });
        ++statistics_.instructions_collected;
        some = true;
    }
    return some;
}

// What keeps the first instruction of a warp back; `issue`: nothing.
[[gnu::always_inline]] inline CoreState Collector::hazard(std::uint32_t slot) const {
    const Front& front = fronts_[slot];
    const RegisterUse& use = fetch_[front.buffer[0]].use;
    const bool all_before = use.ends && front.in_flight > 0;
    const bool waits = (held_back_ >> slot & 1U) != 0 ||  // known since it was looked at
                       all_before || scoreboard_.has_raw(slot, use) || scoreboard_.has_war(slot, use) ||
                       scoreboard_.has_waw(slot, use);
    if (!waits) return CoreState::issue;
    const bool texture = all_before ? warps_[slot].textures_pending > 0 : scoreboard_.awaits_texture(slot, use);
    return texture ? CoreState::texture_data : CoreState::dependency;
}

bool Collector::issue(Time now) {
    return scheduler_.visit([&](auto& scheduler) {
        std::uint32_t issued = 0;
        std::uint64_t left = has_instructions_ & ~held_back_;
        while (issued < issue_width_ && issued < issue_ports_ && !issued_.full()) {
            const int slot = scheduler.pick(left, warps_, [&](std::uint32_t candidate) {
                left &= ~bit(candidate);
                return try_issue(now, candidate);
            });
            if (slot < 0) break;
            scheduler.issued(static_cast<std::uint32_t>(slot));
            ++issued;
        }
        for (; to_park_ != 0; to_park_ &= to_park_ - 1) park(static_cast<std::uint32_t>(std::countr_zero(to_park_)));
        return issued > 0;
    });
}

// The next instruction of a warp, if it is decoded and nothing holds it back.
bool Collector::try_issue(Time now, std::uint32_t slot) {
    Front& front = fronts_[slot];
    if (front.decoded_at > now) return false;
    if (const CoreState state = hazard(slot); state != CoreState::issue) {
        held_back_ |= bit(slot);
        if (state == CoreState::texture_data) to_park_ |= bit(slot);
        return false;
    }
    const std::uint16_t number = front.buffer[0];
    front.buffer = {front.buffer[1], nobody};
    --front.count;
    ++front.in_flight;
    if (front.count == 0) {
        has_instructions_ &= ~bit(slot);
        fetch_.wants(slot);
    }
    const RegisterUse& use = fetch_[number].use;
    scoreboard_.begin_reads(slot, use);
    if (fetch_[number].is_texture()) {
        scoreboard_.begin_texture(slot, use, fetch_[number].group_count);
        warps_[slot].textures_pending += fetch_[number].group_count;
    } else if (fetch_[number].writes()) {
        scoreboard_.begin_write(slot, use);
    }
    issued_.push(number);
    trace_.note(fetch_[number].traced, InstructionTrace::issued, now);
    warps_.count_issued(slot, fetch_[number].threads);
    return true;
}

// One warp fetches.
bool Collector::fetch(Time now) {
    const std::uint32_t slot = first_in_turn(fetch_.ready(), fetch_turn_);
    fetch_turn_ = slot + 1;
    buffer(fetch_.fetch(now, slot), now + fetch_time_ + period_, slot);
    return true;
}

void Collector::instruction_arrived(Time now, std::uint32_t slot) {
    const Time edge = (now + period_ - 1) / period_ * period_;  // decoded in the cycle after it
    buffer(fetch_.line_arrived(edge, slot), edge + 2 * period_, slot);
}

void Collector::buffer(const InstructionFetch::Taken& taken, Time decoded_at, std::uint32_t slot) {
    if (taken.count == 0) return;
    Front& front = fronts_[slot];
    front.buffer = taken.numbers;
    front.count = taken.count;
    front.decoded_at = decoded_at;
    has_instructions_ |= bit(slot);
}

// The last access of an instruction books the port of textures, and is under way until it is written.
void Collector::texture_done(std::uint32_t slot, std::uint16_t destination, Time time) {
    if (!scoreboard_.end_access(slot, destination)) {
        --warps_[slot].textures_pending;
        return;
    }
    const Time at = std::max((time + period_ - 1) / period_ * period_, texture_port_free_);
    texture_port_free_ = at + period_;
    results_.push_texture(at, slot, destination, traced_[scoreboard_.place(slot, destination)]);
}

// What the oldest warp waits for then.
CoreState Collector::classify(Time now) const {
    if (warps_.count() == 0) return awaits_constants_ ? CoreState::constants : CoreState::empty;
    const std::uint32_t slot = warps_.by_age(0);
    const Front& front = fronts_[slot];
    if (warps_.has_ended(slot)) return CoreState::finishing;
    CoreState state = fetch_.waits_for_line(slot) ? CoreState::fetching : CoreState::dependency;
    if (front.count > 0) {
        if (front.decoded_at > now) return CoreState::dependency;  // it is decoded
        state = hazard(slot);
        if (state == CoreState::issue) return held_back();
    } else if (fetch_.waits_for_branch(slot)) {
        state = CoreState::dependency;
    } else if (!warps_.is_on_path(slot)) {
        state = warps_[slot].textures_pending > 0 ? CoreState::texture_data : CoreState::dependency;
    }
    return state == CoreState::texture_data && (refused_ & bit(slot)) != 0 && awaits_refused(slot)
               ? CoreState::texture_unit
               : state;
}

// The texture that a warp waits for, or one of them, has not been asked for: another one may be under way meanwhile.
bool Collector::awaits_refused(std::uint32_t slot) const {
    const Front& front = fronts_[slot];
    if (front.count == 0) return true;  // it waits for all
    const RegisterUse& use = fetch_[front.buffer[0]].use;
    const std::span sources(use.sources.data(), use.source_count);
    return use.ends || std::any_of(dispatched_.begin(), dispatched_.end(), [&](std::uint16_t number) {
               const InstructionFetch::Instruction& texture = fetch_[number];
               if (!texture.is_texture() || texture.warp != slot) return false;
               const std::uint16_t result = texture.use.destination;
               return result == use.destination || std::find(sources.begin(), sources.end(), result) != sources.end();
           });
}

// Nothing can come behind the textures for which their unit has no room.
bool Collector::is_full_of_refused() const {
    return refused_ != 0 && dispatched_.size() == dispatch_room_ &&
           std::all_of(dispatched_.begin(), dispatched_.end(),
                       [&](std::uint16_t number) { return fetch_[number].is_texture(); });
}

// What a warp waits for without a hazard: room behind the issue stage, or for others of two levels to make it.
CoreState Collector::held_back() const {
    if (!issued_.full()) return CoreState::dependency;
    return is_full_of_refused() ? CoreState::texture_unit : CoreState::pipeline;
}

Time Collector::next_event(Time now) const {
    Time next = std::max(results_.next(), now + period_);
    for (std::uint64_t rest = has_instructions_; rest != 0; rest &= rest - 1) {
        const Time at = fronts_[static_cast<std::size_t>(std::countr_zero(rest))].decoded_at;
        if (at > now) next = std::min(next, at);
    }
    return std::min(next, std::max(warps_.finish_at(), now + period_));
}

void Collector::add_laws(Laws& laws, const std::string& core) const {
    laws.equal(core + ": instructions fetched = issued", {fetch_.fetched}, {warps_.warp_instructions});
    laws.equal(core + ": instructions issued = given a collector unit", {warps_.warp_instructions},
               {statistics_.instructions_collected});
    laws.equal(core + ": instructions given a collector unit = dispatched", {statistics_.instructions_collected},
               {statistics_.instructions_dispatched});
    laws.equal(core + ": instructions dispatched = executed", {statistics_.instructions_dispatched},
               {statistics_.instructions_executed});
    laws.equal(core + ": instructions executed = retired", {statistics_.instructions_executed},
               {statistics_.instructions_retired});
    Sum by_bank;
    for (const engine::Counter& reads : statistics_.bank_reads) by_bank.add(reads);
    laws.equal(core + ": registers read = those of all banks", {statistics_.operands_read}, by_bank);
}

void Collector::serialize(engine::Archive& archive) {
    archive(fronts_, has_instructions_, held_back_, registers_free_, issued_, operands_, dispatched_, unit_free_,
            write_ports_, scoreboard_, traced_, results_, texture_port_free_, fetch_turn_, scheduler_, parked_,
            awaits_constants_, counted_at_, resident_.warps, resident_.registers, fetch_);
}

}  // namespace models
