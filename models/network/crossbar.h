// A crossbar in one direction: every input has a way of its own to every output, and an output delivers one message at
// a time, `port_width` bytes a cycle. So messages wait only for others to the same output. Requests and answers have
// crossbars of their own, and neither waits for the other.
//
// An output serves by age (shared_link.h). That is an output-queued switch: nobody waits behind a message to another
// output. Address and command go with the first beat.
//
// Zero-load latency: beats x period, from arrival (rounded up to an edge) to the end of the last beat.
// Guarantees: nothing is lost; messages of a pair keep their order, as all of an output do; nobody starves. There is no
// deadlock, as a receiver takes its messages always (their senders have credits).
// Lookahead: a message is delivered at least one period after it comes.
// Not modelled: arbitration of inputs (an input can send to several outputs at once; senders inject one message at a
// time), and room that is limited at the outputs; the senders' credits bound it.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"
#include "models/network/shared_link.h"
#include "models/structures/divisor.h"

namespace models {

class Crossbar {
  public:
    static constexpr std::string_view name = "crossbar";
    static constexpr bool is_passive = true;

    Crossbar(const engine::CounterScope& scope, const NetworkShape& shape)
        : traffic(scope, shape.period),
          width_(shape.port_width) {
        for (int i = 0; i < shape.outputs; ++i)
            outputs_.emplace_back(engine::CounterScope(scope.list, {scope.kind() + "_output", i}), shape.senders,
                                  shape.period);
    }

    engine::Time pass(engine::Time now, const Packet& packet) {
        const std::uint32_t beats = std::max(1U, width_.quotient_up(packet.data));
        traffic.enter(beats, packet.data);
        SharedLink& output = outputs_[packet.to];
        const engine::Time edge = traffic.edge(now);
        traffic.leave(beats, packet.data, output.carry(edge, beats) - edge);
        return output.free_at() - now;
    }

    void settle(engine::Time now) {
        for (SharedLink& output : outputs_) output.time.settle(now);
    }
    void add_laws(Laws& laws, const std::string& unit) const {
        traffic.add_laws(laws, unit);
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            outputs_[i].time.add_laws(laws, unit + " output[" + std::to_string(i) + "]");
    }
    void serialize(engine::Archive& archive) {
        for (SharedLink& output : outputs_) archive(output);
    }

    NetworkTraffic traffic;

  private:
    Divisor width_;
    std::deque<SharedLink> outputs_;  // in place: counters do not move
};

}  // namespace models
