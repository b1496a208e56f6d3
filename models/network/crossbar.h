// A crossbar in one direction: every input has a way of its own to every output, and an output delivers one message at
// a time, `port_width` bytes a cycle. So messages wait only for others to the same output. Requests and answers have
// crossbars of their own, and neither waits for the other.
//
// An output serves in order of arrival; of those that come at one time, in the order in which it hears of them. That is
// an output-queued switch: nobody waits behind a message to another output. Address and command go with the first beat.
//
// Zero-load latency: beats x period, from arrival (rounded up to an edge) to the end of the last beat.
// An output is an M/D/1 queue under Poisson arrivals of messages of one length.
// Guarantees: nothing is lost; messages of a pair keep their order, as all of an output do; who came first is served
// first, so nobody starves. There is no deadlock, as a receiver takes its messages always (their senders have credits).
// Lookahead: deliver() gets a delay of at least one period. When a message leaves is known when it comes, so there is
// nothing to do in between.
// Not modelled: arbitration of inputs (an input can send to several outputs at once; senders inject one message at a
// time), and room that is limited at the outputs; the senders' credits bound it.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

#include "models/base/time_account.h"
#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"

namespace models {

class Crossbar {
  public:
    static constexpr std::string_view name = "crossbar";

    Crossbar(const engine::CounterScope& scope, const NetworkShape& shape)
        : traffic(scope, shape.period),
          period_(shape.period),
          width_(shape.port_width) {
        for (int i = 0; i < shape.outputs; ++i)
            outputs_.emplace_back(engine::CounterScope(scope.list, {scope.kind() + "_output", i}), shape);
    }

    // A message comes; deliver(number, output, delay): it will be there `delay` ticks from now. No step is needed.
    template <class Deliver>
    engine::Time inject(engine::Time now, const Packet& packet, Deliver&& deliver) {
        const std::uint32_t beats = std::max(1U, (packet.data + width_ - 1) / width_);
        traffic.enter(beats, packet.data);
        Output& output = outputs_[packet.to];
        const engine::Time edge = traffic.edge(now), begin = std::max(edge, output.free_at);
        output.free_at = begin + beats * period_;
        output.time.prolong(begin, transfer, output.free_at, idle);
        traffic.leave(beats, begin - edge);
        deliver(packet.number, packet.to, output.free_at - now);
        return engine::never;
    }
    template <class Deliver>
    engine::Time step(engine::Time /*now*/, Deliver&& /*deliver*/) {
        return engine::never;
    }

    void settle(engine::Time now) {
        for (Output& output : outputs_) output.time.settle(now);
    }
    void add_laws(Laws& laws, const std::string& unit) const {
        traffic.add_laws(laws, unit);
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            outputs_[i].time.add_laws(laws, unit + " output[" + std::to_string(i) + "]");
    }
    void serialize(engine::Archive& archive) {
        for (Output& output : outputs_) archive(output.free_at, output.time);
    }

    NetworkTraffic traffic;

  private:
    enum State : std::uint8_t { idle, transfer };
    struct Output {
        Output(const engine::CounterScope& scope, const NetworkShape& shape)
            : time(scope, {{{"idle", Activity::starved, shape.senders}, {"transfer", Activity::busy}}}, shape.period) {}
        engine::Time free_at = 0;
        TimeAccount<2> time;
    };

    engine::Time period_;
    std::uint32_t width_;
    std::deque<Output> outputs_;  // in place: counters do not move
};

}  // namespace models
