#include "models/dram_channel.h"

#include <algorithm>

namespace models {

using engine::never;
using engine::Time;

DramChannel::DramChannel(int index, const MachineParameters& parameters, int ports)
    : EventDriven("dram_channel", index),
      period_(Clocks(parameters).dram),
      burst_(std::int64_t{block_bytes} * parameters.dram.channels() / parameters.dram.bytes_per_cycle() * period_),
      row_hit_(parameters.dram.row_hit_latency.count() * period_),
      row_miss_(parameters.dram.row_miss_latency.count() * period_),
      interleave_(static_cast<std::uint64_t>(parameters.dram.interleave.count()) / block_bytes),
      channels_(static_cast<std::uint64_t>(parameters.dram.channels())),
      row_blocks_(static_cast<std::uint64_t>(parameters.dram.row.count()) / block_bytes),
      row_hit_cap_(parameters.dram.row_hit_cap()),
      banks_(static_cast<std::size_t>(parameters.dram.banks())),
      requests(this, "requests", ports, engine::handler<&DramChannel::on_request>),
      replies(this, "replies", ports, burst_) {
    queue_.reserve(static_cast<std::size_t>(parameters.dram.queue()));
}

void DramChannel::on_request(const DramRequest& message, int port) {
    const std::uint64_t local = message.block / (interleave_ * channels_) * interleave_ + message.block % interleave_;
    Request request;
    request.message = message;
    request.port = port;
    request.row = local / row_blocks_;
    request.bank = request.row % banks_.size();
    request.arrival = clock_edge();
    queue_.push_back(request);
    wake_at(request.arrival);
}

void DramChannel::on_wake() {
    const Time edge = now();
    if (on_bus_ != nullptr && bus_free_ <= edge) {
        --on_bus_->claimed;
        on_bus_ = nullptr;
    }
    claim(edge);
    transfer(edge);
    schedule(edge);
}

// Starts what banks can do: column accesses of open rows; where there are none, the opening of another row.
void DramChannel::claim(Time edge) {
    bool again = true;
    while (again) {
        again = false;
        if (!claim_hits(edge)) return;
        for (Bank& bank : banks_) {
            if (bank.waiting == nullptr || bank.claimed > 0) continue;
            bank.row = bank.waiting->row;
            bank.row_open = edge + row_miss_ - row_hit_;
            bank.overtakers = 0;
            ++row_misses_;
            claim_request(*bank.waiting, edge);
            again = true;
        }
    }
}

// A request for the open row goes at once, unless it would be one too many to overtake one for another row. True if
// some bank has a request for another row.
bool DramChannel::claim_hits(Time edge) {
    for (Bank& bank : banks_) bank.waiting = nullptr;
    bool waiting = false;
    for (Request& request : queue_) {
        if (request.ready_at != never) continue;
        Bank& bank = banks_[request.bank];
        if (request.row != bank.row) {
            if (bank.waiting == nullptr) bank.waiting = &request;
            waiting = true;
        } else if (bank.waiting == nullptr || bank.overtakers < row_hit_cap_) {
            if (bank.waiting != nullptr) ++bank.overtakers;
            ++row_hits_;
            claim_request(request, edge);
        }
    }
    return waiting;
}

void DramChannel::claim_request(Request& request, Time edge) {
    Bank& bank = banks_[request.bank];
    ++bank.claimed;
    request.ready_at = std::max(edge, bank.row_open) + row_hit_ - burst_;
}

// Gives the bus to the oldest line that is ready.
void DramChannel::transfer(Time edge) {
    if (bus_free_ > edge) return;
    const auto first =
        std::find_if(queue_.begin(), queue_.end(), [&](const Request& request) { return request.ready_at <= edge; });
    if (first == queue_.end()) return;
    bus_free_ = edge + burst_;
    on_bus_ = &banks_[first->bank];
    ++(first->message.write ? writes_ : reads_);
    bytes_ += block_bytes;
    busy_cycles_ += static_cast<std::uint64_t>(burst_ / period_);
    latency_cycles_ += static_cast<std::uint64_t>((bus_free_ - first->arrival) / period_);
    replies[first->port].send({first->message.tag, first->message.write}, burst_);
    queue_.erase(first);
}

// The next time at which something can happen: a line is ready and the bus is free.
void DramChannel::schedule(Time edge) {
    if (queue_.empty()) return;
    Time next = never;
    for (const Request& request : queue_) next = std::min(next, request.ready_at);
    if (next == never) next = edge;  // all wait for the bank that is on the bus
    wake_at(std::max({next, bus_free_, edge + period_}));
}

std::string DramChannel::unfinished() const {
    return queue_.empty() ? "" : std::to_string(queue_.size()) + " requests queued";
}

}  // namespace models
