#include "models/memory/dram/flat_dram.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/base/laws.h"

namespace models {

using engine::never;

FlatDram::FlatDram(const engine::CounterScope& scope, const DramParameters& dram, const DramHost& host)
    : period_(host.period),
      burst_(dram.flat.burst_cycles(dram.channels())),
      row_hit_(dram.flat.row_hit_latency.count()),
      row_miss_(dram.flat.row_miss_latency.count()),
      row_lines_(static_cast<std::uint64_t>(dram.flat.row.count() / host.line_bytes)),
      row_hit_cap_(dram.row_hit_cap()),
      banks_(static_cast<std::size_t>(dram.flat.banks())),
      client_bytes(scope, "bytes", memory_client_names, "byte", "data moved"),
      reads(scope, "reads", "1", "requests read"),
      writes(scope, "writes", "1", "requests written"),
      bytes(scope, "bytes", "byte", "data moved"),
      bytes_read(scope, "bytes_read", "byte", "data moved from the banks"),
      bytes_written(scope, "bytes_written", "byte", "data moved to the banks"),
      row_hits(scope, "row_hits", "1", "requests that found their row open"),
      row_misses(scope, "row_misses", "1", "requests that had a row opened"),
      latency_cycles(scope, "latency_cycles", "cycle",
                     "DRAM cycles from arrival to last byte, summed; divided by requests: mean latency; by time: mean "
                     "queue"),
      time(scope,
           {{{"idle", Activity::starved, "l2_slice"},
             {"transfer", Activity::busy},
             {"waits_banks", Activity::starved, "dram_channel"}}},
           host.period),
      latencies_(dram_latencies(scope, host)) {
    queue_.reserve(static_cast<std::size_t>(std::accumulate(host.slices.begin(), host.slices.end(), 0)));
}

void FlatDram::push(Time cycle, int slice, const DramTransfer& transfer) {
    Request request;
    request.asked = transfer;
    request.slice = static_cast<std::uint32_t>(slice);
    request.row = transfer.line / row_lines_;
    request.bank = static_cast<std::uint32_t>(request.row % banks_.size());
    request.arrival = cycle;
    queue_.push_back(request);
    may_claim_ = true;
}

FlatDram::Time FlatDram::step(Time cycle) {
    answers_.clear();
    if (on_bus_ != nothing && bus_free_ <= cycle) {
        if (--banks_[on_bus_].claimed == 0) may_claim_ = true;
        on_bus_ = nothing;
    }
    if (std::exchange(may_claim_, false)) claim(cycle);
    transfer(cycle);
    time.enter(cycle * period_, State::transfers, bus_free_ * period_, queue_.empty() ? State::idle : State::banks);
    return next_after(cycle);
}

// Starts what banks can do: column accesses of open rows; where there are none, the opening of another row.
void FlatDram::claim(Time cycle) {
    bool again = true;
    while (again) {
        again = false;
        if (!claim_hits(cycle)) return;
        for (Bank& bank : banks_) {
            if (bank.waiting == nothing || bank.claimed > 0) continue;
            bank.row = queue_[bank.waiting].row;
            bank.row_open = cycle + row_miss_ - row_hit_;
            bank.overtakers = 0;
            ++row_misses;
            claim_request(queue_[bank.waiting], cycle);
            again = true;
        }
    }
}

// A request for the open row goes at once, unless it would be one too many to overtake one for another row. True if
// some bank has a request for another row.
bool FlatDram::claim_hits(Time cycle) {
    for (Bank& bank : banks_) bank.waiting = nothing;
    bool waiting = false;
    for (std::uint32_t i = 0; i < queue_.size(); ++i) {
        Request& request = queue_[i];
        if (request.ready_at != never) continue;
        Bank& bank = banks_[request.bank];
        if (request.row != bank.row) {
            if (bank.waiting == nothing) bank.waiting = i;
            waiting = true;
        } else if (bank.waiting == nothing || bank.overtakers < row_hit_cap_) {
            if (bank.waiting != nothing) ++bank.overtakers;
            ++row_hits;
            claim_request(request, cycle);
        }
    }
    return waiting;
}

void FlatDram::claim_request(Request& request, Time cycle) {
    Bank& bank = banks_[request.bank];
    ++bank.claimed;
    request.ready_at = std::max(cycle, bank.row_open) + row_hit_ - burst_;
}

// Gives the bus to the oldest line that is ready.
void FlatDram::transfer(Time cycle) {
    if (bus_free_ > cycle) return;
    const auto first =
        std::find_if(queue_.begin(), queue_.end(), [&](const Request& request) { return request.ready_at <= cycle; });
    if (first == queue_.end()) return;
    const DramTransfer& asked = first->asked;
    const Time moving = burst(asked.sectors);
    bus_free_ = cycle + moving;
    on_bus_ = first->bank;
    ++(asked.is_write ? writes : reads);
    bytes += bytes_of(asked.sectors);
    (asked.is_write ? bytes_written : bytes_read) += bytes_of(asked.sectors);
    client_bytes[static_cast<std::size_t>(asked.client)] += bytes_of(asked.sectors);
    latency_cycles += static_cast<std::uint64_t>(bus_free_ - first->arrival);
    if (latencies_ && !asked.is_write)
        (*latencies_)[static_cast<std::size_t>(asked.client)].add(
            static_cast<std::uint64_t>(bus_free_ - first->arrival));
    answers_.push_back(
        {{asked.tag, asked.is_write ? DramOutcome::written : DramOutcome::data, 1}, first->slice, moving});
    queue_.erase(first);
}

// The next time at which something can happen: a line is ready and the bus is free.
FlatDram::Time FlatDram::next_after(Time cycle) const {
    if (queue_.empty()) return never;
    Time next = never;
    for (const Request& request : queue_) next = std::min(next, request.ready_at);
    if (next == never) next = cycle;  // all wait for the bank that is on the bus
    return std::max({next, bus_free_, cycle + 1});
}

std::string FlatDram::unfinished() const {
    return queue_.empty() ? "" : std::to_string(queue_.size()) + " requests queued";
}

void FlatDram::add_laws(Laws& laws, const std::string& whose) const {
    time.add_laws(laws, whose);
    laws.equal(whose + ": row hits + row misses = reads + writes", {row_hits, row_misses}, {reads, writes});
    Sum by_client;
    by_client.add(client_bytes);
    laws.equal(whose + ": bytes = those of all clients", {bytes}, by_client);
    laws.equal(whose + ": bytes = those read + those written", {bytes}, {bytes_read, bytes_written});
}

void FlatDram::serialize(engine::Archive& archive) {
    archive(banks_, queue_, bus_free_, on_bus_, may_claim_, time);
}

}  // namespace models
