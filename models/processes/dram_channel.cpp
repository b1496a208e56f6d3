#include "models/processes/dram_channel.h"

#include <cassert>
#include <utility>

namespace models {

using engine::Time;

DramChannel::DramChannel(const Shape& shape)
    : EventDriven("dram_channel", shape.index),
      cycles_(shape.host.period),
      line_(static_cast<std::uint32_t>(shape.host.line_bytes) / block_bytes),
      interleave_(shape.dram.interleave_blocks(), shape.dram.channels()),
      memory_(static_cast<std::size_t>(shape.dram.model()), engine::CounterScope(&counters()), shape.dram, shape.host),
      intervals_(shape.bandwidth_every),
      requests(this, "requests", static_cast<int>(shape.host.slices.size()), engine::handler<&DramChannel::on_request>),
      replies(this, "replies", static_cast<int>(shape.host.slices.size()), least_delay()) {}

Time DramChannel::least_delay() const {
    return memory_.visit([&](const auto& memory) { return cycles_.start(memory.least_delay()); });
}

void DramChannel::on_request(const DramRequest& message, int port) {
    const Time arrival = cycles_.of(now() + cycles_.length() - 1);  // at the next edge
    memory_.visit([&](auto& memory) { memory.push(arrival, port, transfer(message)); });
    wake_at(cycles_.start(arrival));
}

DramTransfer DramChannel::transfer(const DramRequest& request) const {
    const std::uint32_t in_line = line_.remainder(request.block);
    const auto sectors = static_cast<SectorMask>(request.sectors << (2 * in_line));
    return {line_.quotient(interleave_.local(request.block)), request.tag, sectors, request.write, request.client, {}};
}

void DramChannel::on_wake() {
    while (intervals_.is_over(now())) [[unlikely]] {
        note_bandwidth();
        intervals_.close();
    }
    memory_.visit([&](auto& memory) {
        const Time next = memory.step(cycles_.of(now()));
        for (const DramAnswerTo& answer : memory.answers())
            replies[static_cast<int>(answer.slice)].send(answer.reply, cycles_.start(answer.delay));
        if (next != engine::never) wake_at(cycles_.start(next));
    });
}

void DramChannel::note_bandwidth() {
    const auto [read, written] = memory_.visit(
        [](const auto& memory) { return std::pair(memory.bytes_read.value(), memory.bytes_written.value()); });
    bandwidth_.append(static_cast<std::uint64_t>(intervals_.start()));
    bandwidth_.append(static_cast<std::uint64_t>(intervals_.end()));
    bandwidth_.append(read - std::exchange(noted_read_, read));
    bandwidth_.append(written - std::exchange(noted_written_, written));
}

void DramChannel::end_frame() {
    for (; intervals_.is_over(now()); intervals_.close()) note_bandwidth();
    if (intervals_.cut(now())) note_bandwidth();
    memory_.visit([&](auto& memory) { memory.settle(cycles_.of(now())); });
}

std::string DramChannel::unfinished() const {
    return memory_.visit([](const auto& memory) { return memory.unfinished(); });
}

void DramChannel::add_laws(Laws& laws) const {
    memory_.visit([&](const auto& memory) { memory.add_laws(laws, name()); });
}

TimeSeries bandwidth_of(const std::vector<std::vector<std::uint64_t>>& noted) {
    constexpr std::size_t record = 4;
    TimeSeries series{"dram_bandwidth",
                      "data moved by DRAM channels over time",
                      "dram_channel",
                      {},
                      {},
                      {{"bytes_read", "byte", "data moved from the banks in the interval", {}},
                       {"bytes_written", "byte", "data moved to the banks in the interval", {}}}};
    for (std::uint32_t i = 0; i < noted.size(); ++i) series.indices.push_back(i);
    for (std::size_t at = 0; !noted.empty() && at < noted[0].size(); at += record) {
        if (at == 0) series.edges.push_back(static_cast<Time>(noted[0][0]));
        series.edges.push_back(static_cast<Time>(noted[0][at + 1]));
        for (const std::vector<std::uint64_t>& channel : noted) {
            assert(channel[at] == noted[0][at] && channel[at + 1] == noted[0][at + 1]);
            series.columns[0].values.push_back(channel[at + 2]);
            series.columns[1].values.push_back(channel[at + 3]);
        }
    }
    return series;
}

const engine::Counter& DramChannel::reads() const {
    return memory_.visit([](const auto& memory) -> const engine::Counter& { return memory.reads; });
}

const engine::Counter& DramChannel::writes() const {
    return memory_.visit([](const auto& memory) -> const engine::Counter& { return memory.writes; });
}

}  // namespace models
