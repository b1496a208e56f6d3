// A shared bus in one direction: one message at a time, from any input to any output. Transactions are split: answers
// come over a bus of their own, so a request never holds what an answer needs, and neither waits for the other.
//
// The arbiter grants the bus by age (shared_link.h). The data of a message take a cycle for every `bus_width` bytes.
// Address and command have wires of their own and go with the first beat, so a message without data takes a cycle. The
// next message follows without a gap.
//
// Zero-load latency: beats x period, from arrival (rounded up to an edge) to the end of the last beat.
// Guarantees: nothing is lost; messages keep their order, so those of a pair do; nobody starves. There is no deadlock,
// as the receiver of a message takes it always (its sender has a credit for it) and a message that is on the bus waits
// for nothing else.
// Lookahead: a message is delivered at least one period after it comes.
// Not modelled: a cycle to turn the bus around, bursts of one input, errors, and room that is limited at the inputs;
// the senders' credits bound it.
#pragma once

#include <algorithm>
#include <string_view>

#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"
#include "models/network/shared_link.h"
#include "models/structures/divisor.h"

namespace models {

class Bus {
  public:
    static constexpr std::string_view name = "bus";
    static constexpr bool is_passive = true;

    Bus(const engine::CounterScope& scope, const NetworkShape& shape)
        : link(scope, shape.senders, shape.period),
          traffic(scope, shape.period),
          width_(shape.bus_width) {}

    engine::Time pass(engine::Time now, const Packet& packet) {
        const std::uint32_t beats = std::max(1U, width_.quotient_up(packet.data));
        traffic.enter(beats, packet.data);
        const engine::Time edge = traffic.edge(now);
        traffic.leave(beats, packet.data, link.carry(edge, beats) - edge);
        return link.free_at() - now;
    }

    void settle(engine::Time now) { link.time.settle(now); }
    void add_laws(Laws& laws, const std::string& unit) const {
        link.time.add_laws(laws, unit);
        traffic.add_laws(laws, unit);
        laws.equal(unit + ": cycles of transfers = beats", {link.busy_cycles()}, {traffic.flits_out});
    }
    void serialize(engine::Archive& archive) { archive(link); }

    SharedLink link;
    NetworkTraffic traffic;

  private:
    Divisor width_;
};

}  // namespace models
