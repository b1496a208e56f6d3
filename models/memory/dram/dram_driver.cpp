#include "models/memory/dram/dram_driver.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <numeric>

namespace models {

using engine::never;
using engine::Time;

double DramFigures::mean_latency() const {
    assert(!latencies.empty());
    return static_cast<double>(std::accumulate(latencies.begin(), latencies.end(), Time{0})) /
           static_cast<double>(latencies.size());
}

Time DramFigures::latency_percentile(int percent) const {
    assert(!latencies.empty());
    const std::size_t enough = (latencies.size() * static_cast<std::size_t>(percent) + 99) / 100;
    return latencies[std::max<std::size_t>(enough, 1) - 1];
}

// The source queue and what comes into it.
class DramDriver::Source {
  public:
    explicit Source(const DramLoad& load) : load_(load), coming_(load.next()) {}

    bool empty() const { return queue_.empty(); }
    const DramAccess& front() const { return queue_.front(); }
    void pop() { queue_.pop_front(); }

    // When the next one comes, as far as that is known.
    Time comes_at() const {
        if (!coming_) return never;
        switch (load_.arrival) {
            case DramArrival::chase:
                return chase_;
            case DramArrival::saturated:
                return queue_.size() < source_queue ? 0 : never;
            case DramArrival::at_times:
                return coming_->arrival;
        }
        return never;
    }
    // Takes all that comes until now.
    void fill(Time now) {
        for (; comes_at() <= now; coming_ = load_.next()) {
            queue_.push_back(*coming_);
            if (load_.arrival != DramArrival::at_times) queue_.back().arrival = now;
            chase_ = never;
        }
    }
    void note_answer(Time done) { chase_ = done + 1; }

  private:
    const DramLoad& load_;
    std::deque<DramAccess> queue_;
    std::optional<DramAccess> coming_;
    Time chase_ = 0;  // when the next one of a chase comes; never: not before an answer
};

DramDriver::DramDriver(const DramParameters& dram)
    : dram_(dram),
      interleave_(dram.interleave_blocks(), dram.channels()) {
    assert(dram.model() == DramModel::timed);
    const DramHost host{{dram.slice_queue()}, 1};
    for (int i = 0; i < dram.channels(); ++i) {
        Channel& channel = channels_.emplace_back();
        channel.counters = std::make_unique<engine::CounterList>(engine::CounterOwner{"dram_channel", i});
        channel.controller = std::make_unique<DramController>(engine::CounterScope(channel.counters.get()), dram, host);
    }
    const auto reads = static_cast<std::size_t>(dram.channels() * (dram.slice_queue() + dram.read_queue()));  // at most
    arrivals_.resize(reads);
    for (std::size_t tag = 0; tag < reads; ++tag) free_tags_.push_back(static_cast<std::uint16_t>(tag));
}

DramFigures DramDriver::play(const DramLoad& load) {
    Source source(load);
    const auto can_send = [&] { return !source.empty() && channel_of(source.front()).controller->has_room(0); };
    for (Time now = 0; now != never;) {
        source.fill(now);
        for (std::size_t i = 0; i < channels_.size() && can_send(); ++i) {
            send(source.front(), now);
            source.pop();
        }
        Time next = never;
        for (Channel& channel : channels_) {
            if (channel.next <= now) step(channel, now, source);
            next = std::min(next, channel.next);
        }
        if (can_send()) next = now + 1;
        now = std::min(next, std::max(source.comes_at(), now + 1));
    }
    return figures();
}

DramDriver::Channel& DramDriver::channel_of(const DramAccess& access) {
    return channels_[interleave_.channel(static_cast<BlockNumber>(access.address / block_bytes))];
}

void DramDriver::send(const DramAccess& access, Time now) {
    Channel& channel = channel_of(access);
    DramTransfer transfer;
    transfer.line = interleave_.local(static_cast<BlockNumber>(access.address / block_bytes));
    transfer.is_write = access.is_write;
    if (!access.is_write) {
        transfer.tag = free_tags_.back();
        free_tags_.pop_back();
        arrivals_[transfer.tag] = access.arrival;
    }
    channel.controller->push(now, 0, transfer);
    channel.next = std::min(channel.next, now);
    ++figures_.requests;
}

void DramDriver::step(Channel& channel, Time now, Source& source) {
    channel.next = channel.controller->step(now);
    end_ = std::max(end_, now);
    for (const DramAnswerTo& answer : channel.controller->answers()) {
        if (answer.reply.outcome != DramOutcome::data) continue;
        const Time done = now + answer.delay;
        end_ = std::max(end_, done);
        source.note_answer(done);
        figures_.latencies.push_back(done - arrivals_[answer.reply.tag]);
        free_tags_.push_back(answer.reply.tag);
    }
}

DramFigures DramDriver::figures() {
    DramFigures& all = figures_;
    all.cycles = end_;
    std::sort(all.latencies.begin(), all.latencies.end());
    all.reads = all.latencies.size();
    std::uint64_t hits = 0, accesses = 0;
    double joules = 0;
    const DramDevice device = dram_.channel();
    for (Channel& channel : channels_) {
        DramController& controller = *channel.controller;
        controller.settle(end_);
        hits += controller.row_hits.value();
        accesses += controller.row_hits.value() + controller.row_misses.value() + controller.row_conflicts.value();
        joules += dram_energy(controller.activity(), *dram_.device(), dram_.devices_per_channel()).total();
    }
    const double bytes = static_cast<double>(all.requests) * block_bytes;
    all.seconds = static_cast<double>(all.cycles) / static_cast<double>(device.clock);
    all.bandwidth = bytes / all.seconds;
    all.row_hit_ratio = accesses == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(accesses);
    all.energy_per_bit = joules / (bytes * 8);
    return all;
}

}  // namespace models
