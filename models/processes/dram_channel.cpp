#include "models/processes/dram_channel.h"

#include <algorithm>
#include <utility>

#include "models/base/laws.h"

namespace models {

using engine::never;
using engine::Time;

DramChannel::DramChannel(const Shape& shape)
    : EventDriven("dram_channel", shape.index),
      period_(shape.period),
      burst_(shape.dram.burst_cycles() * period_),
      row_hit_(shape.dram.row_hit_latency.count() * period_),
      row_miss_(shape.dram.row_miss_latency.count() * period_),
      interleave_(static_cast<std::uint64_t>(shape.dram.interleave.count()) / block_bytes),
      channels_(static_cast<std::uint64_t>(shape.dram.channels())),
      row_blocks_(static_cast<std::uint64_t>(shape.dram.row.count()) / block_bytes),
      row_hit_cap_(shape.dram.row_hit_cap()),
      banks_(static_cast<std::size_t>(shape.dram.banks())),
      requests(this, "requests", shape.ports, engine::handler<&DramChannel::on_request>),
      replies(this, "replies", shape.ports, burst_) {
    queue_.reserve(static_cast<std::size_t>(shape.dram.queue()));
}

void DramChannel::on_request(const DramRequest& message, int port) {
    const std::uint64_t local = message.block / (interleave_ * channels_) * interleave_ + message.block % interleave_;
    Request request;
    request.message = message;
    request.port = static_cast<std::uint32_t>(port);
    request.row = local / row_blocks_;
    request.bank = static_cast<std::uint32_t>(request.row % banks_.size());
    request.arrival = clock_edge();
    queue_.push_back(request);
    may_claim_ = true;
    wake_at(request.arrival);
}

void DramChannel::on_wake() {
    const Time edge = now();
    if (on_bus_ != nothing && bus_free_ <= edge) {
        if (--banks_[on_bus_].claimed == 0) may_claim_ = true;
        on_bus_ = nothing;
    }
    if (std::exchange(may_claim_, false)) claim(edge);
    transfer(edge);
    time.enter(edge, State::transfers, bus_free_, queue_.empty() ? State::idle : State::banks);
    schedule(edge);
}

// Starts what banks can do: column accesses of open rows; where there are none, the opening of another row.
void DramChannel::claim(Time edge) {
    bool again = true;
    while (again) {
        again = false;
        if (!claim_hits(edge)) return;
        for (Bank& bank : banks_) {
            if (bank.waiting == nothing || bank.claimed > 0) continue;
            bank.row = queue_[bank.waiting].row;
            bank.row_open = edge + row_miss_ - row_hit_;
            bank.overtakers = 0;
            ++row_misses;
            claim_request(queue_[bank.waiting], edge);
            again = true;
        }
    }
}

// A request for the open row goes at once, unless it would be one too many to overtake one for another row. True if
// some bank has a request for another row.
bool DramChannel::claim_hits(Time edge) {
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
    on_bus_ = first->bank;
    ++(first->message.write ? writes : reads);
    bytes += block_bytes;
    client_bytes[static_cast<std::size_t>(first->message.client)] += block_bytes;
    latency_cycles += static_cast<std::uint64_t>((bus_free_ - first->arrival) / period_);
    replies[static_cast<int>(first->port)].send({first->message.tag, first->message.write}, burst_);
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

void DramChannel::add_laws(Laws& laws) const {
    time.add_laws(laws, name());
    laws.equal(name() + ": row hits + row misses = reads + writes", {row_hits, row_misses}, {reads, writes});
    Sum by_client;
    by_client.add(client_bytes);
    laws.equal(name() + ": bytes = those of all clients", {bytes}, by_client);
}

void DramChannel::serialize(engine::Archive& archive) {
    archive(banks_, queue_, bus_free_, on_bus_, may_claim_, time);
}

}  // namespace models
