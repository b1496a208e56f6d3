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

    void settle(engine::Time /*now*/) {}
    void add_laws(Laws& laws, const std::string& unit) const;
    void serialize(engine::Archive& archive);

    NetworkTraffic traffic;
    engine::Counter link_flits;

  private:
    static constexpr std::uint32_t nobody = 0xffffffff;
    using Bits = std::uint16_t;  // inputs of a router. (Bytes that are written may be anything to a compiler.)
    static constexpr Bits every = (1U << ports) - 1;
    struct Place {
        std::uint8_t column = 0, row = 0;
    };
    struct Flit {  // with what a router has to know of its packet
        std::uint32_t packet = nobody;
        std::uint16_t flits = 0;
        Place to;
    };
    struct Travelling {
        engine::Time begin = 0;
        Flit flit;                    // each of it
        std::uint32_t next = nobody;  // behind it, before the first router
        std::uint16_t links = 0, output = 0;
    };
    struct Input {
        Flit head;                           // of the packet at its head
        std::uint16_t left = 0;              // flits of that which have not passed; 0: there is none
        std::uint16_t output = 0;            // that it wants or has
        std::uint16_t first = 0, count = 0;  // flits in the buffer, which is a ring
    };
    struct Queue {
        std::uint32_t first = nobody, last = nobody;
    };
    struct Output {
        Bits asks = 0;                   // who has a flit for it
        Bits may = every;                // who may have it: all, or the one that has more flits of a packet to come
        Bits can = every;                // the same, or none while there is no room behind it
        std::uint16_t last = ports - 1;  // who had it last
    };
    struct Move {
        std::uint32_t output;
        std::uint32_t input;  // port
    };

    void decide();
    void look_at(const Flit& head, std::uint32_t input, std::uint32_t port);
    void ask(std::uint32_t output, std::uint32_t port) {
        outputs_[output].asks |= bit(port);
        note(output);
    }
    void move(engine::Time now);
    bool pass_on(std::uint32_t input, std::uint32_t port, const Flit& flit);
    void leave(engine::Time now, const Flit& flit);
    static Bits bit(std::uint32_t port) { return static_cast<Bits>(1U << port); }
    // An output has changed: is there a flit that may leave by it?
    void note(std::uint32_t output) {
        const Output& changed = outputs_[output];
        const std::uint64_t leaves = (changed.asks & changed.can) != 0 ? 1 : 0;
        std::uint64_t& word = ready_[output / 64];
        word = (word & ~(std::uint64_t{1} << output % 64)) | leaves << output % 64;
    }

    // Shape. Inputs and outputs are numbered by node and port.
    engine::Time period_;
    std::uint32_t link_width_, header_, buffer_;
    std::vector<NodeNumber> input_nodes_, output_nodes_;  // of endpoints
    std::vector<Place> places_;                           // by input
    std::vector<std::uint32_t> ports_of_;                 // the port of an output
    std::vector<std::uint32_t> next_;  // of an output the input that it leads to, and of an input what leads to it

    // State.
    std::vector<Travelling> packets_;  // by number
    std::vector<Input> inputs_;
    std::vector<Flit> flits_;    // of the buffers
    std::vector<Queue> queues_;  // before the first router
    std::vector<Output> outputs_;
    std::vector<std::uint64_t> ready_;  // outputs by which a flit leaves in the next cycle, as bits
    std::uint32_t under_way_ = 0;       // packets

    // Of one cycle.
    std::vector<Move> moves_;  // the first `moving_` of them
    std::size_t moving_ = 0;
    std::vector<std::uint32_t> delivered_;

    std::deque<engine::CounterRow<ports>> counters_;  // in place, as counters do not move; by node
    std::vector<engine::Counter*> left_;              // the same by output, found faster
};

}  // namespace models
