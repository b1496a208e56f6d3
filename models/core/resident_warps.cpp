#include "models/core/resident_warps.h"

#include <bit>
#include <cassert>

namespace models {

using engine::never;
using engine::Time;

ResidentWarps::ResidentWarps(const engine::CounterScope& scope, int core, std::size_t slots,
                             std::size_t groups_per_warp, SlotChoice choice, const Workload& workload)
    : programs_(scope.list),
      warps_(slots),
      cursors_(slots * groups_per_warp),
      groups_per_warp_(groups_per_warp),
      choice_(choice),
      core_(static_cast<std::uint16_t>(core)),
      workload_(workload),
      warps_launched(scope, "warps", "1", "warps started"),
      threads_launched(scope, "threads", "1", "threads started: fragments or vertices shaded"),
      warp_instructions(scope, "warp_instructions", "1", "instructions issued"),
      thread_instructions(scope, "thread_instructions", "1",
                          "instructions times the threads that execute them, of those alive when their warp started") {
    assert(slots <= most && core_ < most_cores);
    for (std::size_t slot = slots; slot-- > 0;) free_.push_back(static_cast<std::uint8_t>(slot));
}

std::uint8_t ResidentWarps::choose_slot() {
    if (choice_ == SlotChoice::last_freed) {
        const std::uint8_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    if (choice_ == SlotChoice::lowest) return static_cast<std::uint8_t>(std::countr_one(occupied_));
    while (is_resident(next_slot_)) next_slot_ = next_slot_ + 1 < warps_.size() ? next_slot_ + 1 : 0;
    const auto slot = static_cast<std::uint8_t>(next_slot_);
    next_slot_ = next_slot_ + 1 < warps_.size() ? next_slot_ + 1 : 0;
    return slot;
}

std::uint8_t ResidentWarps::launch(const Launch& launch, std::span<const Group> groups) {
    assert(has_room() && groups.size() <= groups_per_warp_);
    const std::uint8_t slot = choose_slot();
    occupied_ |= std::uint64_t{1} << slot;
    order_[resident_++] = slot;
    Warp& warp = warps_[slot];
    warp = Warp{};
    warp.program = launch.program;
    warp.name = launch.name;
    warp.vertex = launch.vertex ? 1 : 0;
    warp.groups = static_cast<std::uint32_t>(groups.size());
    warp.attribution = launch.attribution;
    warp.attribution.warp = static_cast<std::uint16_t>(warps_launched.value() * most_cores + core_);
    const DecodedProgram& program = program_of(slot);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Group& group = groups[g];
        Cursor& cursor = cursors_[slot * groups_per_warp_ + g];
        cursor = {none,        0, program.first_run[group.path], program.first_run[group.path + 1U], group.first_access,
                  group.lanes, 0};
        begin_run(cursor, program);
    }
    ++warps_launched;
    std::uint64_t threads = 0;
    for (const Group& group : groups) threads += static_cast<std::uint64_t>(std::popcount(group.lanes));
    threads_launched += threads;
    programs_.launched(launch.program, threads);
    if (resident_ == 1) programs_.set_oldest(launch.program);
    find_counter(slot);
    return slot;
}

std::uint32_t ResidentWarps::threads_at_counter(std::uint32_t slot) const {
    std::uint32_t threads = 0;
    for (std::uint64_t rest = warps_[slot].at_counter; rest != 0; rest &= rest - 1)
        threads += cursors_[slot * groups_per_warp_ + static_cast<std::size_t>(std::countr_zero(rest))].threads;
    return threads;
}

void ResidentWarps::find_counter(std::uint32_t slot) {
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

void ResidentWarps::leave(std::size_t age) {
    const std::uint8_t slot = order_[age];
    draining_ &= ~(std::uint64_t{1} << slot);
    occupied_ &= ~(std::uint64_t{1} << slot);
    std::copy(order_.begin() + age + 1, order_.begin() + resident_, order_.begin() + age);
    --resident_;
    if (age == 0 && resident_ > 0) programs_.set_oldest(warps_[order_[0]].program);
    if (choice_ == SlotChoice::last_freed) free_.push_back(slot);
}

void ResidentWarps::find_finish(Time now) {
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

void ResidentWarps::serialize(engine::Archive& archive) {
    archive(programs_, finish_at_, draining_, occupied_, resident_, next_slot_, some_wait_, order_, warps_, cursors_,
            free_);
}

}  // namespace models
