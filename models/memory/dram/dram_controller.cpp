#include "models/memory/dram/dram_controller.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"

namespace models {

using engine::never;

DramController::DramController(const engine::CounterScope& scope, const DramParameters& dram,
                               const std::vector<int>& slices, Time period)
    : period_(period),
      device_(dram.channel()),
      page_(dram.page()),
      refresh_(dram.refresh()),
      row_hit_cap_(static_cast<std::uint32_t>(dram.row_hit_cap())),
      read_queue_(static_cast<std::size_t>(dram.read_queue())),
      write_queue_(static_cast<std::size_t>(dram.write_queue())),
      write_high_(static_cast<std::size_t>(dram.write_high())),
      write_low_(static_cast<std::size_t>(dram.write_low())),
      bursts_(static_cast<std::uint8_t>(block_bytes / device_.burst_bytes())),
      read_delay_(device_.timing.rl + device_.timing.burst),
      mapping_(dram.mapping(), dram.shape()),
      timing_(device_),
      banks_(static_cast<std::size_t>(device_.banks)),
      refresh_due_(refresh_ == RefreshPolicy::off        ? never
                   : refresh_ == RefreshPolicy::per_bank ? device_.timing.refi_pb
                                                         : device_.timing.refi),
      commands(scope, "commands", dram_operation_names, "1", "commands"),
      client_bytes(scope, "bytes", memory_client_names, "byte", "data moved"),
      reads(scope, "reads", "1", "lines read"),
      writes(scope, "writes", "1", "lines written"),
      forwarded(scope, "forwarded", "1", "lines read that were found waiting to be written"),
      bytes(scope, "bytes", "byte", "data moved"),
      row_hits(scope, "row_hits", "1", "bursts from a row that had been open"),
      row_misses(scope, "row_misses", "1", "bursts that had a row opened in a closed bank"),
      row_conflicts(scope, "row_conflicts", "1", "bursts that had another row closed first"),
      rows_closed(scope, "rows_closed", "1", "rows closed, by any command"),
      latency_cycles(scope, "latency_cycles", "cycle",
                     "DRAM cycles from arrival to last byte of lines read, summed; divided by reads: mean latency"),
      queue_reads(scope, "queue_reads", "1",
                  "reads found in their queue by those that enter it; divided by reads: mean occupancy"),
      queue_writes(scope, "queue_writes", "1",
                   "writes found in their queue by those that enter it; divided by writes: mean occupancy"),
      active_standby(scope, "active_standby", "cycle", "DRAM cycles with a row open"),
      precharge_standby(scope, "precharge_standby", "cycle", "DRAM cycles with all rows closed, not refreshing"),
      refresh_time(scope, "refresh_time", "cycle", "DRAM cycles of refreshes of all banks"),
      time(scope,
           {{{"idle", Activity::starved, "l2_slice"},
             {"transfer", Activity::busy},
             {"waits_banks", Activity::starved, "dram_channel"}}},
           period) {
    assert(block_bytes % device_.burst_bytes() == 0);
    for (const int entries : slices) slices_.emplace_back(static_cast<std::size_t>(entries));
    reads_.reserve(read_queue_);
    writes_.reserve(write_queue_);
    make_plan(0);
}

void DramController::push(Time cycle, int slice, BlockNumber line, const DramRequest& request) {
    slices_[static_cast<std::size_t>(slice)].push({cycle, request, line});
    ++waiting_;
}

DramController::Time DramController::step(Time cycle) {
    answers_.clear();
    catch_up(cycle);
    bool changed = plan_.cycle == cycle;
    if (changed) issue();
    if (waiting_ > 0 && accept(cycle)) changed = true;
    if (changed) make_plan(cycle + 1);
    const bool is_working = !reads_.empty() || !writes_.empty();
    time.enter(cycle * period_, State::transfers, bus_busy_ * period_, is_working ? State::banks : State::idle);
    if (waiting_ > 0 && changed) return cycle + 1;  // another may be accepted
    return is_working || waiting_ > 0 ? plan_.cycle : never;
}

// While nothing waits nobody steps it, but refreshes go on.
void DramController::catch_up(Time cycle) {
    while (plan_.cycle < cycle) {
        const Time issued = plan_.cycle;
        issue();
        make_plan(issued + 1);
    }
}

void DramController::settle(Time cycle) {
    catch_up(cycle);
    count_standby(cycle);
    time.settle(cycle * period_);
}

// Takes one request from the queues of the slices. True if there was one that could be taken.
bool DramController::accept(Time cycle) {
    const auto slices = static_cast<std::uint32_t>(slices_.size());
    for (std::uint32_t i = 0; i < slices; ++i) {
        const std::uint32_t slice = turn_ + i < slices ? turn_ + i : turn_ + i - slices;
        if (slices_[slice].empty() || !accept_from(slice, cycle)) continue;
        slices_[slice].pop();
        --waiting_;
        turn_ = slice + 1 < slices ? slice + 1 : 0;
        return true;
    }
    return false;
}

bool DramController::accept_from(std::uint32_t slice, Time cycle) {
    const Waiting& waiting = slices_[slice].front();
    if (waiting.message.write) return accept_write(slice, waiting);
    const bool found =
        std::any_of(writes_.begin(), writes_.end(), [&](const Entry& write) { return write.line == waiting.line; });
    if (!found) return accept_read(slice, waiting);
    ++reads;
    ++forwarded;
    latency_cycles += static_cast<std::uint64_t>(cycle + read_delay_ - waiting.arrival);
    answers_.push_back({{waiting.message.tag, DramOutcome::data, 1}, slice, read_delay_});
    return true;
}

bool DramController::accept_read(std::uint32_t slice, const Waiting& waiting) {
    if (reads_.size() == read_queue_) return false;
    queue_reads += reads_.size();
    reads_.push_back(entry_of(slice, waiting));
    answers_.push_back({{waiting.message.tag, DramOutcome::accepted, 1}, slice, read_delay_});
    return true;
}

bool DramController::accept_write(std::uint32_t slice, const Waiting& waiting) {
    if (writes_.size() == write_queue_) return false;
    const bool is_read_first =
        std::any_of(reads_.begin(), reads_.end(), [&](const Entry& read) { return read.line == waiting.line; });
    if (is_read_first) return false;
    queue_writes += writes_.size();
    writes_.push_back(entry_of(slice, waiting));
    if (writes_.size() >= write_high_) draining_ = true;
    answers_.push_back({{waiting.message.tag, DramOutcome::written, 1}, slice, read_delay_});
    return true;
}

DramController::Entry DramController::entry_of(std::uint32_t slice, const Waiting& waiting) const {
    const DramPlace place = mapping_.visit([&](const auto& mapping) { return mapping.place(waiting.line); });
    Entry entry;
    entry.arrival = waiting.arrival;
    entry.line = waiting.line;
    entry.row = place.row;
    entry.slice = slice;
    entry.tag = waiting.message.tag;
    entry.bank = static_cast<std::uint8_t>(place.bank);
    entry.bursts = bursts_;
    entry.client = waiting.message.client;
    return entry;
}

// Finds the first cycle from here on in which a command can be issued, and the one that goes first then: a refresh, a
// read or write of an open row, any other; of equals the oldest.
void DramController::make_plan(Time from) {
    plan_ = refresh_plan();
    plan_.cycle = std::max(plan_.cycle, from);
    const bool writes_now = serves_writes();
    const std::vector<Entry>& queue = writes_now ? writes_ : reads_;
    if (queue.empty()) return;
    note_banks(queue);
    Plan best;
    bool best_is_hit = false;
    for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
        if (banks_[bank].oldest == nothing) continue;
        Plan plan = plan_for(bank, queue, writes_now);
        plan.cycle = std::max(plan.cycle, from);
        if (plan.cycle >= refresh_due_ && is_due(bank)) continue;
        const bool is_hit = is_read(plan.operation) || is_write(plan.operation);
        const bool is_earlier = plan.cycle < best.cycle;
        const bool goes_first = is_hit != best_is_hit ? is_hit : plan.entry < best.entry;
        if (!is_earlier && (plan.cycle > best.cycle || !goes_first)) continue;
        best = plan;
        best_is_hit = is_hit;
    }
    if (best.cycle < plan_.cycle) plan_ = best;
}

// Of every bank the oldest request, and the oldest one for its open row.
void DramController::note_banks(const std::vector<Entry>& queue) {
    for (Bank& bank : banks_) bank.oldest = bank.hit = nothing;
    for (std::uint32_t i = 0; i < queue.size(); ++i) {
        Bank& bank = banks_[queue[i].bank];
        if (bank.oldest == nothing) bank.oldest = i;
        if (bank.hit == nothing && queue[i].row == timing_.row(queue[i].bank)) bank.hit = i;
    }
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
        plan.bank = static_cast<std::uint16_t>(refresh_turn_);
        for (std::uint32_t bank = refresh_turn_; bank < banks_.size(); bank += timing_.refresh_turns()) {
            if (timing_.row(bank) == BankTiming::closed) continue;
            plan.operation = DramOperation::precharge;
            plan.bank = static_cast<std::uint16_t>(bank);
            break;
        }
    }
    plan.cycle = std::max(refresh_due_, timing_.earliest(plan.operation, plan.bank));
    plan.entry = nothing;
    return plan;
}

// The refresh that is due next concerns this bank.
bool DramController::is_due(std::uint32_t bank) const {
    return refresh_ == RefreshPolicy::all_banks || bank % timing_.refresh_turns() == refresh_turn_;
}

void DramController::issue() {
    const Plan plan = plan_;
    const bool writes_now = serves_writes();
    std::vector<Entry>& queue = writes_now ? writes_ : reads_;
    count_standby(plan.cycle);
    DramCommand command;
    command.cycle = plan.cycle;
    command.bank = plan.bank;
    command.operation = plan.operation;
    if (plan.entry != nothing && plan.operation != DramOperation::precharge) command.row = queue[plan.entry].row;
    const std::uint32_t open_before = timing_.open_rows();
    timing_.issue(command);
    ++commands[static_cast<std::size_t>(plan.operation)];
    if (open_before > timing_.open_rows()) rows_closed += open_before - timing_.open_rows();
    if (log_ != nullptr) log_->push_back(command);
    Bank& bank = banks_[plan.bank];
    switch (plan.operation) {
        case DramOperation::activate:
            bank.opened = bank.conflict ? Opened::after_conflict : Opened::after_close;
            bank.conflict = false;
            bank.overtakers = 0;
            break;
        case DramOperation::precharge:
            bank.conflict = plan.entry != nothing;
            break;
        case DramOperation::precharge_all:
            break;
        case DramOperation::refresh:
        case DramOperation::refresh_bank:
            note_refresh();
            break;
        default:
            transfer(queue, plan.entry, writes_now);
    }
}

void DramController::note_refresh() {
    const DramTiming& timing = device_.timing;
    if (refresh_ == RefreshPolicy::all_banks) {
        refreshing_ = plan_.cycle + timing.rfc;
        refresh_due_ += timing.refi;
        for (Bank& bank : banks_) bank.conflict = false;
        return;
    }
    refresh_due_ += timing.refi_pb;
    for (std::uint32_t bank = refresh_turn_; bank < banks_.size(); bank += timing_.refresh_turns())
        banks_[bank].conflict = false;
    refresh_turn_ = refresh_turn_ + 1 < timing_.refresh_turns() ? refresh_turn_ + 1 : 0;
}

void DramController::transfer(std::vector<Entry>& queue, std::uint32_t index, bool write) {
    Entry& entry = queue[index];
    Bank& bank = banks_[entry.bank];
    count_access(bank);
    const auto moved = static_cast<std::uint64_t>(device_.burst_bytes());
    bytes += moved;
    client_bytes[static_cast<std::size_t>(entry.client)] += moved;
    bus_busy_ = plan_.cycle + device_.timing.burst;
    if (--entry.bursts > 0) return;
    // The plan was made with this queue: does the line pass an older one for another row of its bank?
    for (std::uint32_t i = 0; i < index; ++i)
        if (queue[i].bank == entry.bank && queue[i].row != entry.row) {
            ++bank.overtakers;
            break;
        }
    finish(entry, write);
    queue.erase(queue.begin() + index);
    if (write && writes_.size() <= write_low_) draining_ = false;
}

void DramController::count_access(Bank& bank) {
    ++(bank.opened == Opened::used ? row_hits : bank.opened == Opened::after_close ? row_misses : row_conflicts);
    bank.opened = Opened::used;
}

void DramController::finish(const Entry& entry, bool write) {
    if (write) {
        ++writes;
        return;
    }
    ++reads;
    latency_cycles += static_cast<std::uint64_t>(plan_.cycle + read_delay_ - entry.arrival);
    answers_.push_back({{entry.tag, DramOutcome::data, 0}, entry.slice, read_delay_});
}

// The state of the banks has been the same since the last call.
void DramController::count_standby(Time cycle) {
    const Time elapsed = cycle - counted_;
    if (timing_.open_rows() > 0) {
        active_standby += static_cast<std::uint64_t>(elapsed);
    } else {
        const Time refresh = std::clamp<Time>(refreshing_ - counted_, 0, elapsed);
        refresh_time += static_cast<std::uint64_t>(refresh);
        precharge_standby += static_cast<std::uint64_t>(elapsed - refresh);
    }
    counted_ = cycle;
}

DramActivity DramController::activity() const {
    const auto count = [&](DramOperation operation) { return commands[static_cast<std::size_t>(operation)].value(); };
    return {count(DramOperation::activate),
            count(DramOperation::read) + count(DramOperation::read_precharge),
            count(DramOperation::write) + count(DramOperation::write_precharge),
            count(DramOperation::refresh),
            count(DramOperation::refresh_bank),
            active_standby.value(),
            precharge_standby.value() + refresh_time.value()};
}

std::string DramController::unfinished() const {
    const std::size_t all = waiting_ + reads_.size() + writes_.size();
    return all == 0 ? "" : std::to_string(all) + " requests queued";
}

void DramController::add_laws(Laws& laws, const std::string& whose) const {
    time.add_laws(laws, whose);
    const auto of = [&](DramOperation operation) -> const engine::Counter& {
        return commands[static_cast<std::size_t>(operation)];
    };
    Sum columns{of(DramOperation::read), of(DramOperation::read_precharge), of(DramOperation::write),
                of(DramOperation::write_precharge)};
    laws.equal(whose + ": row hits + misses + conflicts = reads and writes of banks",
               {row_hits, row_misses, row_conflicts}, columns);
    laws.last(whose + ": standby and refresh = cycles of the frame", {active_standby, precharge_standby, refresh_time},
              period_);
    Sum by_client, lines, moved{bytes};
    by_client.add(client_bytes);
    laws.equal(whose + ": bytes = those of all clients", {bytes}, by_client);
    for (std::uint32_t i = 0; i < block_bytes; ++i) {
        lines.add(reads);
        lines.add(writes);
        moved.add(forwarded);
    }
    laws.equal(whose + ": bytes moved = 64 for every line that was not found waiting", moved, lines);
}

void DramController::serialize(engine::Archive& archive) {
    for (RingQueue<Waiting>& slice : slices_) archive(slice);
    archive(timing_, banks_, waiting_, turn_, reads_, writes_, plan_, draining_, refresh_due_, refresh_turn_, counted_,
            refreshing_, bus_busy_, time);
}

}  // namespace models
