#include "models/core/pipelines/instruction_fetch.h"

#include <bit>
#include <cassert>

namespace models {

using engine::Time;

InstructionFetch::InstructionFetch(const PipelineSite& site, std::size_t instructions, std::uint32_t together)
    : fetched(site.scope, "instructions_fetched", "1", "instructions fetched"),
      fetched_again(site.scope, "instructions_fetched_again", "1", "fetches of instructions that were squashed"),
      warps_(site.warps),
      trace_(site.trace),
      cache_(&site.instruction_cache),
      core_(static_cast<std::uint32_t>(site.core)),
      line_shift_(static_cast<std::uint32_t>(
          std::countr_zero(site.instruction_cache.access_bytes() / DecodedProgram::instruction_bytes))),
      together_(together),
      groups_per_warp_(site.most_groups),
      fetching_(site.warps.slots()),
      instructions_(instructions),
      accesses_(instructions * site.most_groups) {
    assert(instructions < nobody && together <= most_together);
    for (std::size_t i = instructions; i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
}

void InstructionFetch::begin(std::uint32_t slot) {
    fetching_[slot] = Warp{};
    fetching_[slot].state = State::ready;
    wants(slot);
}

InstructionFetch::Taken InstructionFetch::fetch(Time now, std::uint32_t slot) {
    const DecodedProgram& program = warps_.program_of(slot);
    const Taken& again = fetching_[slot].again;
    const std::uint32_t counter =
        again.count > 0 ? instructions_[again.numbers[0]].counter : warps_[slot].program_counter;
    const std::uint32_t line_bytes = DecodedProgram::instruction_bytes << line_shift_;
    const Address first = Address{program.code} * block_bytes + Address{counter >> line_shift_} * line_bytes;
    const auto block = static_cast<BlockNumber>(first / block_bytes);
    Attribution attribution = warps_[slot].attribution;
    attribution.program_counter = program.place(counter);
    const auto outcome = cache_->read(now, block, core_ << 8U | slot, attribution,
                                      sectors_between(block, first, first + line_bytes - 1));
    if (outcome == Cache::Outcome::hit) return take(now, slot);
    if (outcome != Cache::Outcome::busy) {
        fetching_[slot].state = outcome == Cache::Outcome::waiting ? State::line : State::refused;
        ready_ &= ~(std::uint64_t{1} << slot);
    }
    return {};
}

InstructionFetch::Taken InstructionFetch::line_arrived(Time now, std::uint32_t slot) {
    assert(fetching_[slot].state == State::line);
    fetching_[slot].state = State::ready;
    return take(now, slot);
}

void InstructionFetch::retry() {
    for (std::uint32_t slot = 0; slot < fetching_.size(); ++slot)
        if (fetching_[slot].state == State::refused) {
            fetching_[slot].state = State::ready;
            ready_ |= std::uint64_t{1} << slot;
        }
}

void InstructionFetch::squash(std::uint16_t number) {
    Taken& again = fetching_[instructions_[number].warp].again;
    assert(again.count < most_together);
    again = {{number, again.numbers[0]}, again.count + 1};
}

// From the line that is there, and none behind a branch.
InstructionFetch::Taken InstructionFetch::take(Time now, std::uint32_t slot) {
    const DecodedProgram& program = warps_.program_of(slot);
    const ResidentWarps::Warp& warp = warps_[slot];
    Taken taken;
    ready_ &= ~(std::uint64_t{1} << slot);
    if (Taken& again = fetching_[slot].again; again.count > 0) {
        taken.numbers[taken.count++] = again.numbers[0];
        again = {{again.numbers[1], nobody}, again.count - 1};
        trace_.note(instructions_[taken.numbers[0]].traced, InstructionTrace::fetched, now);
        ++fetched_again;
        return taken;
    }
    for (;;) {
        const std::uint32_t counter = warp.program_counter;
        taken.numbers[taken.count++] = take_one(now, slot);
        if (program.uses[counter].branches) {
            fetching_[slot].waits_for_branch = 1;
            break;
        }
        if (taken.count == together_ || warp.program_counter != counter + 1 ||
            warp.program_counter >> line_shift_ != counter >> line_shift_)
            break;
    }
    fetched += taken.count;
    return taken;
}

// The next instruction of the warp, which goes on along its path.
std::uint16_t InstructionFetch::take_one(Time now, std::uint32_t slot) {
    const std::uint16_t number = free_.back();
    free_.pop_back();
    const ResidentWarps::Warp& warp = warps_[slot];
    Instruction& instruction = instructions_[number];
    instruction = Instruction{};
    instruction.warp = static_cast<std::uint8_t>(slot);
    instruction.counter = static_cast<std::uint16_t>(warp.program_counter);
    instruction.groups = warp.at_counter;
    const DecodedProgram& program = warps_.program_of(slot);
    instruction.use = program.uses[instruction.counter];
    const MicroInstruction& decoded = program.instructions[instruction.counter];
    instruction.unit = decoded.unit;
    instruction.kind = decoded.kind;
    instruction.steps = decoded.steps;
    instruction.group_count = static_cast<std::uint8_t>(warp.groups_at_counter);
    if (instruction.is_texture()) {
        std::size_t at = number * groups_per_warp_;
        for (std::uint32_t rest = instruction.groups; rest != 0; rest &= rest - 1)
            accesses_[at++] = warps_.take_access(slot, static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    instruction.threads = warps_.move_on(slot, program);
    instruction.traced =
        trace_.open(now, slot, warp.program, instruction.counter, instruction.unit, instruction.threads);
    trace_.note(instruction.traced, InstructionTrace::fetched, now);
    return number;
}

}  // namespace models
