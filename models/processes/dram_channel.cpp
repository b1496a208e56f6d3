#include "models/processes/dram_channel.h"

namespace models {

using engine::Time;

DramChannel::DramChannel(const Shape& shape)
    : EventDriven("dram_channel", shape.index),
      cycles_(shape.host.period),
      line_blocks_(static_cast<std::uint32_t>(shape.host.line_bytes) / block_bytes),
      interleave_(shape.dram.interleave.count(), shape.dram.channels()),
      memory_(static_cast<std::size_t>(shape.dram.model()), engine::CounterScope(&counters()), shape.dram, shape.host),
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
    const std::uint32_t in_line = request.block % line_blocks_;
    const auto sectors = static_cast<SectorMask>(request.sectors << (2 * in_line));
    return {interleave_.local(request.block) / line_blocks_, request.tag, sectors, request.write, request.client, {}};
}

void DramChannel::on_wake() {
    memory_.visit([&](auto& memory) {
        const Time next = memory.step(cycles_.of(now()));
        for (const DramAnswerTo& answer : memory.answers())
            replies[static_cast<int>(answer.slice)].send(answer.reply, cycles_.start(answer.delay));
        if (next != engine::never) wake_at(cycles_.start(next));
    });
}

void DramChannel::end_frame() {
    memory_.visit([&](auto& memory) { memory.settle(cycles_.of(now())); });
}

std::string DramChannel::unfinished() const {
    return memory_.visit([](const auto& memory) { return memory.unfinished(); });
}

void DramChannel::add_laws(Laws& laws) const {
    memory_.visit([&](const auto& memory) { memory.add_laws(laws, name()); });
}

const engine::Counter& DramChannel::reads() const {
    return memory_.visit([](const auto& memory) -> const engine::Counter& { return memory.reads; });
}

const engine::Counter& DramChannel::writes() const {
    return memory_.visit([](const auto& memory) -> const engine::Counter& { return memory.writes; });
}

}  // namespace models
