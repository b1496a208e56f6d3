// Which command a DRAM channel issues next, and when.
#include <algorithm>
#include <bit>

#include "models/memory/dram/dram_controller.h"

namespace models {

// Finds the first cycle from here on in which a command can be issued, and the one that goes first then: a refresh, a
// read or write of an open row, any other; of equals the oldest.
void DramController::make_plan(Time from) {
    plan_ = Plan{};
    const std::vector<Entry>& queue = queue_served();
    for (std::uint32_t wanted = note_banks(queue); wanted != 0; wanted &= wanted - 1)
        consider(static_cast<std::uint32_t>(std::countr_zero(wanted)), queue, from);
    if (plan_.cycle < refresh_due_) return;
    Plan refresh = refresh_plan();
    refresh.cycle = std::max(refresh.cycle, from);
    if (refresh.cycle <= plan_.cycle) plan_ = refresh;
}

// Takes the next command for the bank as the plan if it goes before what is planned.
void DramController::consider(std::uint32_t bank, const std::vector<Entry>& queue, Time from) {
    Plan plan = plan_for(bank, queue, serves_writes());
    plan.cycle = std::max(plan.cycle, from);
    if (plan.cycle > plan_.cycle || (plan.cycle >= refresh_due_ && is_due(bank))) return;
    const bool is_hit = is_column(plan.operation), planned_is_hit = is_column(plan_.operation);
    const bool goes_first = is_hit != planned_is_hit ? is_hit : plan.entry < plan_.entry;
    if (plan.cycle < plan_.cycle || (goes_first && !plan_.is_of_refresh())) plan_ = plan;
}

// The newest request of the queue that is served has just come: only what is next for its bank may have changed.
void DramController::plan_newest(Time from) {
    const std::vector<Entry>& queue = queue_served();
    const auto newest = static_cast<std::uint32_t>(queue.size() - 1);
    const std::uint32_t bank = queue[newest].bank;
    const bool hits = queue[newest].row == timing_.row(bank);
    bool is_first = true, is_first_hit = hits;
    for (std::uint32_t i = 0; i < newest; ++i) {
        if (queue[i].bank != bank) continue;
        is_first = false;
        is_first_hit &= queue[i].row != timing_.row(bank);
    }
    if (is_first) {
        banks_[bank].oldest = newest;
        banks_[bank].hit = hits ? newest : nothing;
        consider(bank, queue, from);
    } else if (is_first_hit || page_ == PagePolicy::closed) {
        make_plan(from);  // its bank may have been to close the row
    }
}

// Of every bank the oldest request, and the oldest one for its open row. Which banks there are requests for: a bit
// each.
std::uint32_t DramController::note_banks(const std::vector<Entry>& queue) {
    std::uint32_t wanted = 0, hit = 0;
    for (std::uint32_t i = 0; i < queue.size(); ++i) {
        const std::uint32_t bank = queue[i].bank, bit = 1U << bank;
        if ((wanted & bit) == 0) {
            wanted |= bit;
            banks_[bank].oldest = i;
            banks_[bank].hit = nothing;
        }
        if ((hit & bit) == 0 && queue[i].row == timing_.row(bank)) {
            hit |= bit;
            banks_[bank].hit = i;
        }
    }
    return wanted;
}

DramController::Plan DramController::plan_for(std::uint32_t bank, const std::vector<Entry>& queue,
                                              bool writes_now) const {
    const Bank& its = banks_[bank];
    Plan plan;
    plan.bank = static_cast<std::uint16_t>(bank);
    plan.entry = its.oldest;
    if (its.hit != nothing && (its.hit == its.oldest || its.overtakers < row_hit_cap_)) {
        plan.entry = its.hit;
        const bool closes = closes_row(queue, its.hit);
        plan.operation = writes_now ? (closes ? DramOperation::write_precharge : DramOperation::write)
                                    : (closes ? DramOperation::read_precharge : DramOperation::read);
    } else {
        plan.operation = timing_.row(bank) == BankTiming::closed ? DramOperation::activate : DramOperation::precharge;
    }
    plan.cycle = timing_.earliest(plan.operation, bank);
    return plan;
}

// With closed pages: it is the last burst of the last line that waits for the row.
bool DramController::closes_row(const std::vector<Entry>& queue, std::uint32_t entry) const {
    if (page_ == PagePolicy::open || queue[entry].bursts > 1) return false;
    for (std::uint32_t i = 0; i < queue.size(); ++i)
        if (i != entry && queue[i].bank == queue[entry].bank && queue[i].row == queue[entry].row) return false;
    return true;
}

// What the refresh that is due next needs: that rows are closed, or itself.
DramController::Plan DramController::refresh_plan() const {
    Plan plan;
    if (refresh_ == RefreshPolicy::off) return plan;
    if (refresh_ == RefreshPolicy::all_banks) {
        plan.operation = timing_.open_rows() > 0 ? DramOperation::precharge_all : DramOperation::refresh;
    } else {
        plan.operation = DramOperation::refresh_bank;
        const std::uint32_t first = timing_.first_refreshed(refresh_turn_);
        plan.bank = static_cast<std::uint16_t>(first);
        timing_.for_each_refreshed(first, [&](std::uint32_t bank) {
            if (timing_.row(bank) == BankTiming::closed || plan.operation == DramOperation::precharge) return;
            plan.operation = DramOperation::precharge;
            plan.bank = static_cast<std::uint16_t>(bank);
        });
    }
    plan.cycle = std::max(refresh_due_, timing_.earliest(plan.operation, plan.bank));
    plan.entry = nothing;
    return plan;
}

// The refresh that is due next concerns this bank.
bool DramController::is_due(std::uint32_t bank) const {
    return refresh_ == RefreshPolicy::all_banks || timing_.refresh_turn_of(bank) == refresh_turn_;
}

}  // namespace models
