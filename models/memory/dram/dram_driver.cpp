#include "models/memory/dram/dram_driver.h"

#include <algorithm>
#include <cassert>
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

DramDriver::DramDriver(const DramParameters& dram)
    : dram_(dram),
      interleave_(dram.interleave.count(), dram.channels()),
      arrivals_(std::size_t{1} << 16) {
    assert(dram.model() == DramModel::timed);
    const DramHost host{{dram.slice_queue()}, 1};
    for (int i = 0; i < dram.channels(); ++i) {
        Channel& channel = channels_.emplace_back();
        channel.counters = std::make_unique<engine::CounterList>(engine::CounterOwner{"dram_channel", i});
        channel.controller = std::make_unique<DramController>(engine::CounterScope(channel.counters.get()), dram, host);
    }
}

DramFigures DramDriver::play(const DramLoad& load) {
    Source source{load, {}, {}, false};
    for (Time now = 0;;) {
        fill(source, now);
        if (!source.queue.empty() && send(source.queue.front(), now)) {
            if (load.arrival == DramArrival::chase) awaits_ = !source.queue.front().is_write;
            source.queue.pop_front();
        }
        Time next = never;
        bool has_room = true;  // for the head of the source queue
        for (Channel& channel : channels_) {
            if (channel.next <= now) step(channel, now);
            next = std::min(next, channel.next);
        }
        if (!source.queue.empty()) {
            const BlockNumber line = static_cast<BlockNumber>(source.queue.front().address / block_bytes);
            has_room = channels_[interleave_.channel(line)].controller->has_room(0);
            if (has_room) next = now + 1;
        } else if (load.arrival == DramArrival::saturated && !source.is_at_end) {
            next = now + 1;
        }
        if (load.arrival == DramArrival::chase && !awaits_ && !source.is_at_end)
            next = std::min(next, std::max(now + 1, answered_ + 1));
        if (source.coming) next = std::min(next, std::max(now + 1, source.coming->arrival));
        if (next == never) break;
        now = next;
    }
    return figures();
}

// Takes what arrives until now.
void DramDriver::fill(Source& source, Time now) {
    switch (source.load.arrival) {
        case DramArrival::chase:
            if (awaits_ || now <= answered_ || !source.queue.empty()) return;
            take_next(source);
            break;
        case DramArrival::saturated:
            break;
        case DramArrival::at_times:
            if (!source.coming && !source.is_at_end) take_next(source);
            while (source.coming && source.coming->arrival <= now) {
                source.queue.push_back(*source.coming);
                source.coming.reset();
                take_next(source);
            }
            return;
    }
    if (source.load.arrival == DramArrival::saturated)
        while (source.queue.size() < source_queue && !source.is_at_end) {
            take_next(source);
            if (source.coming) {
                source.coming->arrival = now;
                source.queue.push_back(*source.coming);
            }
            source.coming.reset();
        }
    else if (source.coming) {
        source.coming->arrival = now;
        source.queue.push_back(*source.coming);
        source.coming.reset();
    }
}

void DramDriver::take_next(Source& source) {
    source.coming = source.load.next();
    source.is_at_end = !source.coming;
}

bool DramDriver::send(const DramAccess& access, Time now) {
    const auto line = static_cast<BlockNumber>(access.address / block_bytes);
    Channel& channel = channels_[interleave_.channel(line)];
    if (!channel.controller->has_room(0)) return false;
    DramTransfer transfer;
    transfer.line = interleave_.local(line);
    transfer.is_write = access.is_write;
    transfer.tag = next_tag_++;
    arrivals_[transfer.tag] = access.arrival;
    channel.controller->push(now, 0, transfer);
    channel.next = std::min(channel.next, now);
    ++figures_.requests;
    return true;
}

void DramDriver::step(Channel& channel, Time now) {
    channel.next = channel.controller->step(now);
    end_ = std::max(end_, now);
    for (const DramAnswerTo& answer : channel.controller->answers()) {
        if (answer.reply.outcome != DramOutcome::data) continue;
        const Time done = now + answer.delay;
        end_ = std::max(end_, done);
        answered_ = done;
        awaits_ = false;
        figures_.latencies.push_back(done - arrivals_[answer.reply.tag]);
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
        joules += dram_energy(controller.activity(), device, dram_.devices_per_channel()).total();
    }
    const double bytes = static_cast<double>(all.requests) * block_bytes;
    all.seconds = static_cast<double>(all.cycles) / static_cast<double>(device.clock);
    all.bandwidth = bytes / all.seconds;
    all.row_hit_ratio = accesses == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(accesses);
    all.energy_per_bit = joules / (bytes * 8);
    return all;
}

}  // namespace models
