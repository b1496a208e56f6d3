#include "models/dram_channel.h"

#include <algorithm>

namespace models {

using engine::Time;

DramChannel::DramChannel(int index, const MachineParameters& parameters, int ports)
    : EventDriven("dram_channel", index),
      period_(Clocks(parameters).dram),
      burst_(block_bytes * parameters.dram.channels() / parameters.dram.bytes_per_cycle() * period_),
      row_hit_(parameters.dram.row_hit_latency.count() * period_),
      row_miss_(parameters.dram.row_miss_latency.count() * period_),
      interleave_(static_cast<std::uint64_t>(parameters.dram.interleave.count()) / block_bytes),
      channels_(static_cast<std::uint64_t>(parameters.dram.channels())),
      row_blocks_(static_cast<std::uint64_t>(parameters.dram.row.count()) / block_bytes),
      banks_(static_cast<std::size_t>(parameters.dram.banks())),
      requests(this, "requests", ports, engine::handler<&DramChannel::on_request>),
      replies(this, "replies", ports, row_hit_) {}

void DramChannel::on_request(const DramRequest& request, int port) {
    const std::uint64_t local = request.block / (interleave_ * channels_) * interleave_ + request.block % interleave_;
    const std::uint64_t row = local / row_blocks_;
    Bank& bank = banks_[row % banks_.size()];
    const Time arrival = (now() + period_ - 1) / period_ * period_;
    if (bank.row == row) {
        ++row_hits_;
    } else {
        ++row_misses_;
        bank.row = row;
        bank.row_open = std::max(arrival, bank.data_done) + row_miss_ - row_hit_;
    }
    const Time data = std::max(std::max(arrival, bank.row_open) + row_hit_ - burst_, bus_free_);
    bank.data_done = bus_free_ = data + burst_;

    ++(request.write ? writes_ : reads_);
    bytes_ += block_bytes;
    busy_cycles_ += static_cast<std::uint64_t>(burst_ / period_);
    latency_cycles_ += static_cast<std::uint64_t>((bus_free_ - arrival) / period_);
    replies[port].send({request.tag, request.write}, bus_free_ - now());
}

}  // namespace models
