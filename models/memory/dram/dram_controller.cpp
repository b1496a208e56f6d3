#include "models/memory/dram/dram_controller.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"

namespace models {

using engine::never;

DramController::DramController(const engine::CounterScope& scope, const DramParameters& dram, const DramHost& host)
    : period_(host.period),
      device_(dram.channel()),
      page_(dram.page()),
      refresh_(dram.refresh()),
      row_hit_cap_(static_cast<std::uint32_t>(dram.row_hit_cap())),
      read_queue_(static_cast<std::size_t>(dram.read_queue())),
      write_queue_(static_cast<std::size_t>(dram.write_queue())),
      write_high_(static_cast<std::size_t>(dram.write_high())),
      write_low_(static_cast<std::size_t>(dram.write_low())),
      burst_sectors_(static_cast<std::uint32_t>(device_.burst_bytes() / sector_bytes)),
      read_delay_(device_.timing.rl + device_.timing.burst),
      mapping_(dram.mapping(), dram.shape(host.line_bytes)),
      timing_(device_),
      banks_(static_cast<std::size_t>(device_.banks)),
      refresh_due_(refresh_ == RefreshPolicy::off        ? never
                   : refresh_ == RefreshPolicy::per_bank ? device_.timing.refi_pb
                                                         : device_.timing.refi),
      commands(scope, "commands", dram_operation_names, "1", "commands"),
      client_bytes(scope, "bytes", memory_client_names, "byte", "data moved"),
      reads(scope, "reads", "1", "requests read"),
      writes(scope, "writes", "1", "requests written"),
      forwarded(scope, "forwarded", "1", "requests read that were found waiting to be written"),
      bursts(scope, "bursts", "1", "bursts of the requests"),
      bursts_forwarded(scope, "bursts_forwarded", "1", "bursts of those that were found waiting to be written"),
      bytes(scope, "bytes", "byte", "data moved"),
      bytes_read(scope, "bytes_read", "byte", "data moved from the banks"),
      bytes_written(scope, "bytes_written", "byte", "data moved to the banks"),
      row_hits(scope, "row_hits", "1", "bursts from a row that had been open"),
      row_misses(scope, "row_misses", "1", "bursts that had a row opened in a closed bank"),
      row_conflicts(scope, "row_conflicts", "1", "bursts that had another row closed first"),
      rows_unused(scope, "rows_unused", "1", "rows opened and closed without a burst"),
      latency_cycles(scope, "latency_cycles", "cycle",
                     "DRAM cycles from arrival to last byte of reads, summed; divided by reads: mean latency"),
      queue_reads(scope, "queue_reads", "1",
                  "reads found in their queue by those that enter it; divided by reads without those forwarded: mean "
                  "occupancy"),
      queue_writes(scope, "queue_writes", "1",
                   "writes found in their queue by those that enter it; divided by writes: mean occupancy"),
      active_standby(scope, "active_standby", "cycle", "DRAM cycles with a row open"),
      precharge_standby(scope, "precharge_standby", "cycle", "DRAM cycles with all rows closed, not refreshing"),
      refresh_time(scope, "refresh_time", "cycle", "DRAM cycles of refreshes of all banks"),
      time(scope,
           {{{"idle", Activity::starved, "l2_slice"},
             {"transfer", Activity::busy},
             {"waits_banks", Activity::starved, "dram_channel"}}},
           host.period),
      latencies_(dram_latencies(scope, host)) {
    assert(burst_sectors_ > 0 && device_.burst_bytes() <= host.line_bytes && banks_.size() <= 32);
    for (const int entries : host.slices) slices_.emplace_back(static_cast<std::size_t>(entries));
    reads_.reserve(read_queue_);
    writes_.reserve(write_queue_);
    make_plan(0);
}

void DramController::push(Time cycle, int slice, const DramTransfer& transfer) {
    assert(transfer.sectors != 0);
    slices_[static_cast<std::size_t>(slice)].push({cycle, transfer});
    ++waiting_;
}

DramController::Time DramController::step(Time cycle) {
    answers_.clear();
    catch_up(cycle);
    const bool issued = plan_.cycle == cycle;
    if (issued) issue();
    const bool served_writes = serves_writes();
    const std::size_t served = queue_served().size();
    const bool accepted = waiting_ > 0 && accept(cycle);
    if (issued || serves_writes() != served_writes)
        make_plan(cycle + 1);
    else if (queue_served().size() > served)
        plan_newest(cycle + 1);
    const bool changed = issued || accepted;
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
    const DramTransfer& asked = waiting.asked;
    if (asked.is_write) return accept_write(slice, waiting);
    const SectorMask found = asked.sectors & sectors_in(writes_, asked.line);
    if (found == 0) return accept_read(slice, waiting);
    if (found != asked.sectors) {
        if (!draining_) begin_drain();
        return false;
    }
    forward(slice, waiting, cycle);
    return true;
}

bool DramController::accept_read(std::uint32_t slice, const Waiting& waiting) {
    if (reads_.size() == read_queue_) return false;
    queue_reads += reads_.size();
    reads_.push_back(entry_of(slice, waiting));
    bursts += reads_.back().bursts;
    answers_.push_back({{waiting.asked.tag, DramOutcome::accepted, 1}, slice, read_delay_});
    return true;
}

bool DramController::accept_write(std::uint32_t slice, const Waiting& waiting) {
    if (writes_.size() == write_queue_) return false;
    if ((waiting.asked.sectors & sectors_in(reads_, waiting.asked.line)) != 0) return false;
    queue_writes += writes_.size();
    writes_.push_back(entry_of(slice, waiting));
    bursts += writes_.back().bursts;
    if (!draining_ && batch_ == 0 && writes_.size() >= write_high_) begin_drain();
    answers_.push_back({{waiting.asked.tag, DramOutcome::written, 1}, slice, read_delay_});
    return true;
}

void DramController::forward(std::uint32_t slice, const Waiting& waiting, Time cycle) {
    ++reads;
    ++forwarded;
    const std::uint8_t saved = bursts_of(waiting.asked.sectors);
    bursts += saved;
    bursts_forwarded += saved;
    count_latency(waiting.asked, cycle + read_delay_ - waiting.arrival);
    answers_.push_back({{waiting.asked.tag, DramOutcome::data, 1}, slice, read_delay_});
}

// Of a line those that some request of the queue is for.
SectorMask DramController::sectors_in(const std::vector<Entry>& queue, std::uint32_t line) {
    SectorMask sectors = 0;
    for (const Entry& entry : queue)
        if (entry.asked.line == line) sectors |= entry.asked.sectors;
    return sectors;
}

// Bursts are of as many sectors that lie side by side; some may be for nothing.
std::uint8_t DramController::bursts_of(SectorMask sectors) const {
    const std::uint32_t together = (1U << burst_sectors_) - 1;
    std::uint8_t bursts_needed = 0;
    for (std::uint32_t rest = sectors; rest != 0; rest >>= burst_sectors_)
        if ((rest & together) != 0) ++bursts_needed;
    return bursts_needed;
}

DramController::Entry DramController::entry_of(std::uint32_t slice, const Waiting& waiting) const {
    const DramPlace place = mapping_.visit([&](const auto& mapping) { return mapping.place(waiting.asked.line); });
    return {waiting.arrival,
            waiting.asked,
            place.row,
            slice,
            static_cast<std::uint16_t>(place.bank),
            bursts_of(waiting.asked.sectors),
            0};
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
    timing_.issue(command);
    ++commands[static_cast<std::size_t>(plan.operation)];
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
            note_close(bank);
            break;
        case DramOperation::precharge_all:
            for (Bank& each : banks_) note_close(each);
            break;
        case DramOperation::refresh:
        case DramOperation::refresh_bank:
            note_refresh();
            break;
        default:
            transfer(queue, plan.entry, writes_now);
    }
}

void DramController::note_close(Bank& bank) {
    if (bank.opened != Opened::used) ++rows_unused;
    bank.opened = Opened::used;
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
    timing_.for_each_refreshed(plan_.bank, [&](std::uint32_t bank) { banks_[bank].conflict = false; });
    refresh_turn_ = refresh_turn_ + 1 < timing_.refresh_turns() ? refresh_turn_ + 1 : 0;
}

void DramController::transfer(std::vector<Entry>& queue, std::uint32_t index, bool write) {
    Entry& entry = queue[index];
    Bank& bank = banks_[entry.bank];
    count_access(bank);
    const auto moved = static_cast<std::uint64_t>(device_.burst_bytes());
    bytes += moved;
    (write ? bytes_written : bytes_read) += moved;
    client_bytes[static_cast<std::size_t>(entry.asked.client)] += moved;
    bus_busy_ = plan_.cycle + device_.timing.burst;
    if (--entry.bursts > 0) return;
    // The plan was made with this queue: does the request pass an older one for another row of its bank?
    for (std::uint32_t i = 0; i < index; ++i)
        if (queue[i].bank == entry.bank && queue[i].row != entry.row) {
            ++bank.overtakers;
            break;
        }
    finish(entry, write);
    queue.erase(queue.begin() + index);
    if (batch_ > 0 && write == draining_) --batch_;
    if (draining_ && (writes_.size() <= write_low_ || (batch_ == 0 && !reads_.empty())))
        end_drain();
    else if (!draining_ && (batch_ == 0 || reads_.empty()) && writes_.size() >= write_high_)
        begin_drain();
}

void DramController::begin_drain() {
    draining_ = true;
    batch_ = static_cast<std::uint32_t>(std::max(writes_.size(), write_low_ + 1) - write_low_);
}

// Of reads those that wait are to go, if writes that have come meanwhile would be drained at once.
void DramController::end_drain() {
    draining_ = false;
    batch_ = writes_.size() > write_low_ ? static_cast<std::uint32_t>(reads_.size()) : 0;
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
    count_latency(entry.asked, plan_.cycle + read_delay_ - entry.arrival);
    answers_.push_back({{entry.asked.tag, DramOutcome::data, 0}, entry.slice, read_delay_});
}

void DramController::count_latency(const DramTransfer& read, Time cycles) {
    latency_cycles += static_cast<std::uint64_t>(cycles);
    if (latencies_) (*latencies_)[static_cast<std::size_t>(read.client)].add(static_cast<std::uint64_t>(cycles));
}

// The state of the banks has been the same since the last call.
void DramController::count_standby(Time cycle) {
    const Time elapsed = cycle - counted_;
    if (timing_.open_rows() > 0) {
        active_standby += static_cast<std::uint64_t>(elapsed);
    } else {
        const Time open = std::clamp<Time>(timing_.self_closed() - counted_, 0, elapsed);
        const Time refresh = std::clamp<Time>(refreshing_ - counted_ - open, 0, elapsed - open);
        active_standby += static_cast<std::uint64_t>(open);
        refresh_time += static_cast<std::uint64_t>(refresh);
        precharge_standby += static_cast<std::uint64_t>(elapsed - open - refresh);
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
    laws.equal(whose + ": activates = row misses + conflicts + rows unused", {of(DramOperation::activate)},
               {row_misses, row_conflicts, rows_unused});
    Sum by_client, moved, commanded = columns;
    by_client.add(client_bytes);
    laws.equal(whose + ": bytes = those of all clients", {bytes}, by_client);
    laws.equal(whose + ": bytes = those read + those written", {bytes}, {bytes_read, bytes_written});
    for (std::int64_t i = 0; i < device_.burst_bytes(); ++i)
        for (const engine::Counter* column : {&of(DramOperation::read), &of(DramOperation::read_precharge),
                                              &of(DramOperation::write), &of(DramOperation::write_precharge)})
            moved.add(*column);
    laws.equal(whose + ": bytes = those of reads and writes of banks", {bytes}, moved);
    commanded.add(bursts_forwarded);
    laws.equal(whose + ": bursts = reads and writes of banks + those found waiting to be written", {bursts}, commanded);
}

void DramController::serialize(engine::Archive& archive) {
    for (RingQueue<Waiting>& slice : slices_) archive(slice);
    archive(timing_, banks_, waiting_, turn_, reads_, writes_, plan_, draining_, batch_, refresh_due_, refresh_turn_,
            counted_, refreshing_, bus_busy_, time);
}

}  // namespace models
