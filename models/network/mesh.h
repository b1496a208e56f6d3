// A two-dimensional mesh of routers in one direction, all of them in one component, cycle by cycle, asleep when empty.
// Inputs and outputs (endpoints) are attached to routers by a table; several may share a router, and then its port.
//
// A message is a packet of flits: header and data over the width of a link, rounded up. Routing is dimension-ordered,
// along the row first. Switching is wormhole: a packet's first flit takes an output of a router when that has no other
// packet and the arbiter, round robin over the inputs, chooses it; the others follow, and the last one gives the output
// free. A flit moves a router on in a cycle if the buffer there has room at the beginning of the cycle. So a buffer of
// one flit lets a flit pass every other cycle only. Every decision of a cycle is made on the state at its beginning, so
// the order in which routers are looked at means nothing. At its last router a packet leaves, a flit a cycle.
//
// Zero-load latency: (links between the two routers + flits) x period, from arrival (rounded up to an edge) until the
// last flit has left; with a buffer of one flit and links on the way, (links + 2 x flits - 1) x period.
// A link is an M/D/1 queue under Poisson arrivals of packets of one length at the router before it.
// Guarantees: nothing is lost; messages of a pair keep their order, as they go one way through queues. Whoever asks for
// an output gets it after at most one packet of each other input, so nobody starves. There is no deadlock: a packet
// holds a link while it waits for the next one of its way, links of rows are never waited for by packets in columns
// (so there is no circle), and the receiver at the end takes its flits always. That is the host's to see to: a
// receiver has room for what was sent to it (credits from end to end), and messages that wait for others (requests and
// their answers) have meshes of their own.
// Lookahead: deliver() gets a delay of one period.
// Not modelled: pipelines of a router longer than the one cycle a hop of paper 004, virtual channels, a limit to what
// waits before the first router (the senders' credits bound it).
#pragma once

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"

namespace models {

class Mesh {
  public:
    static constexpr std::string_view name = "mesh";
    static constexpr bool is_passive = false;
    enum Port : std::uint8_t { local, east, west, north, south, ports };  // `local`: where endpoints are attached

    Mesh(const engine::CounterScope& scope, const NetworkShape& shape);

    // A message comes to its input. Returns when step() has to be called.
    engine::Time inject(engine::Time now, const Packet& packet);
    // At an edge: a cycle. deliver(number, output, delay): it will be there `delay` ticks from now. Returns when there
    // is something to do again.
    template <class Deliver>
    engine::Time step(engine::Time now, Deliver&& deliver) {
        if (under_way_ == 0) return engine::never;
        decide();
        move(now);
        for (const std::uint32_t number : delivered_) deliver(number, packets_[number].output, period_);
        return under_way_ == 0 ? engine::never : now + period_;
    }

    // Cycles from arrival to departure of a packet that nobody hinders.
    std::uint32_t zero_load(std::uint32_t links, std::uint32_t flits) const {
        return links + flits + (buffer_ == 1 && links > 0 ? flits - 1 : 0);
    }

    // By how much a packet that leaves at this edge is later than in an empty mesh; until its number is another one's.
    engine::Time late(engine::Time now, std::uint32_t number) const {
        const Travelling& packet = packets_[number];
        return now + period_ - packet.begin - zero_load(packet.links, packet.flits) * period_;
    }

    void settle(engine::Time /*now*/) {}
    void add_laws(Laws& laws, const std::string& unit) const;
    void serialize(engine::Archive& archive);

    NetworkTraffic traffic;
    engine::Counter link_flits, bytes_in, link_bytes, router_bytes;

  private:
    // Inputs and outputs of routers are numbered by node and port, with room for eight ports a node.
    static constexpr std::uint32_t port_bits = 3, port_mask = (1U << port_bits) - 1;
    using Bits = std::uint16_t;  // inputs of a router. (Bytes that are written may be anything to a compiler.)
    static constexpr Bits every = (1U << ports) - 1;
    struct Place {
        std::uint8_t column = 0, row = 0;
    };
    // One word, as it moves often. From bit 0: 6 bits of links to go along the row, 6 along the column; the port by
    // which it leaves the router that it is at; whether it is the last one of its packet; the ports by which it goes
    // along the row and along the column. From bit 32: the packet.
    class Flit {
      public:
        Flit() = default;
        Flit(std::uint32_t packet, Place from, Place to);
        std::uint32_t packet() const { return static_cast<std::uint32_t>(word_ >> 32); }
        std::uint32_t port() const { return word_ >> 12 & port_mask; }
        bool is_last() const { return (word_ >> 15 & 1) != 0; }
        Flit as_last() const { return Flit(word_ | 1U << 15); }
        Flit at_next_router() const { return Flit(word_ - (port() <= west ? 1U : 1U << 6)).routed(); }

      private:
        explicit Flit(std::uint64_t word) : word_(word) {}
        Flit routed() const {  // along the row first
            std::uint64_t port = local;
            if ((word_ & 0x3f << 6) != 0) port = word_ >> 19 & port_mask;
            if ((word_ & 0x3f) != 0) port = word_ >> 16 & port_mask;
            return Flit((word_ & ~(std::uint64_t{port_mask} << 12)) | port << 12);
        }
        std::uint64_t word_ = 0;
    };
    struct Travelling {
        engine::Time begin = 0;
        std::uint16_t flits = 0, bytes = 0;  // header and data
        std::uint16_t links = 0, output = 0;
    };
    struct Ring {  // of the flits that wait at an input
        std::uint32_t first = 0, count = 0;
        std::uint32_t begin = 0, mask = 0;  // of its places in flits_; their number is a power of two
    };
    struct Output {
        Bits asks = 0;                   // who has a flit for it; and whether it is looked at in the next cycle
        Bits may = every;                // who may have it: all, or the one that has more flits of a packet to come
        Bits can = every;                // the same, or none while there is no room behind it
        std::uint16_t last = ports - 1;  // who had it last
    };
    static constexpr std::uint32_t watched_bit = 15;  // of Output::asks

    void decide();
    void move(engine::Time now);
    void leave(engine::Time now, std::uint32_t packet);
    void grow(Ring& ring);
    // Without branches, as no processor foresees what flits do: `one` is 1 if it is so and 0 if not.
    void watch(std::uint32_t output, std::uint32_t one) {
        Output& watched = outputs_[output];
        watched_[watching_] = output;
        watching_ += one & ~(std::uint32_t{watched.asks} >> watched_bit);
        watched.asks = static_cast<Bits>(watched.asks | one << watched_bit);
    }
    void ask(std::uint32_t output, std::uint32_t port, std::uint32_t one) {
        watch(output, one);
        outputs_[output].asks = static_cast<Bits>(outputs_[output].asks | one << port);
    }
    // How many flits are there then.
    std::uint32_t push(std::uint32_t input, Flit flit) {
        Ring& ring = rings_[input];
        flits_[ring.begin + ((ring.first + ring.count) & ring.mask)] = flit;
        ++ring.count;
        ask((input & ~port_mask) + flit.port(), input & port_mask, ring.count == 1 ? 1 : 0);
        return ring.count;
    }

    // Shape.
    engine::Time period_;
    std::uint32_t link_width_, header_, buffer_;
    std::vector<NodeNumber> input_nodes_, output_nodes_;  // of endpoints
    std::vector<Place> places_;                           // of nodes
    std::array<std::uint32_t, ports> across_;  // from an output to the input that it leads to, and back, by port

    // State.
    std::vector<Travelling> packets_;  // by number
    std::vector<Ring> rings_;          // by input
    std::vector<Flit> flits_;
    std::vector<Output> outputs_;
    std::vector<std::uint32_t> watched_;  // outputs by which a flit may leave in the next cycle: the first `watching_`
    std::uint32_t watching_ = 0;
    std::uint32_t under_way_ = 0;  // packets

    // Of one cycle.
    std::vector<std::uint32_t> moves_;  // each an output and the port of an input: the first `moving_` of them
    std::size_t moving_ = 0;
    std::vector<std::uint32_t> delivered_;

    std::deque<engine::CounterRow<ports>> counters_;  // in place, as counters do not move; by node
    std::vector<engine::Counter*> left_;              // the same by output, found faster
};

}  // namespace models
