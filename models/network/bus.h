// A shared bus in one direction: one message at a time, from any input to any output. Transactions are split: answers
// come over a bus of their own, so a request never holds what an answer needs, and neither waits for the other.
//
// Messages wait at their inputs in order of arrival; a round-robin arbiter gives the bus to an input for one message,
// whose data take a cycle for every `bus_width` bytes. Address and command have wires of their own and go with the
// first beat, so a message without data takes a cycle. The next message follows without a gap.
//
// Zero-load latency: beats x period, from arrival (rounded up to an edge) to the end of the last beat.
// Under Poisson arrivals of messages of one length it is an M/D/1 queue, as the arbiter never idles while one waits.
// Guarantees: nothing is lost; messages of an input keep their order, so those of a pair do; an input waits for at most
// one message of every other between two of its own, so nobody starves. There is no deadlock, as the receiver of a
// message takes it always (its sender has a credit for it) and a message that is on the bus waits for nothing else.
// Lookahead: deliver() gets a delay of at least one period.
// Not modelled: a cycle to turn the bus around, bursts of one input, errors, and room that is limited at the inputs;
// the senders' credits bound it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "models/base/time_account.h"
#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"
#include "models/structures/round_robin.h"

namespace models {

class Bus {
  public:
    static constexpr std::string_view name = "bus";

    Bus(const engine::CounterScope& scope, const NetworkShape& shape)
        : time(scope, {{{"idle", Activity::starved, shape.senders}, {"transfer", Activity::busy}}}, shape.period),
          traffic(scope, shape.period),
          period_(shape.period),
          width_(shape.bus_width),
          inputs_(static_cast<std::size_t>(shape.inputs)),
          arbiter_(inputs_.size()) {}

    // A message comes to its input. Returns when step() has to be called.
    template <class Deliver>
    engine::Time inject(engine::Time now, const Packet& packet, Deliver&& /*deliver*/) {
        const std::uint32_t beats = std::max(1U, (packet.data + width_ - 1) / width_);
        traffic.enter(beats, packet.data);
        if (packet.number >= waiting_.size()) waiting_.resize(packet.number + std::size_t{1});
        const engine::Time begin = traffic.edge(now);
        waiting_[packet.number] = {begin, nobody, beats, packet.to};
        Input& input = inputs_[packet.from];
        if (input.first == nobody) {
            input.first = packet.number;
            arbiter_.ask(packet.from);
        } else {
            waiting_[input.last].next = packet.number;
        }
        input.last = packet.number;
        return std::max(begin, free_at_);
    }

    // At an edge: the next message has the bus, if that is free. deliver(number, output, delay): it will be there
    // `delay` ticks from now. Returns when there is something to do again.
    template <class Deliver>
    engine::Time step(engine::Time now, Deliver&& deliver) {
        if (!arbiter_.is_asked()) return engine::never;
        if (now < free_at_) return free_at_;
        const std::uint32_t granted = arbiter_.grant();
        Input& input = inputs_[granted];
        const std::uint32_t number = input.first;
        const Waiting& message = waiting_[number];
        input.first = message.next;
        if (input.first == nobody) arbiter_.withdraw(granted);
        const engine::Time taken = message.beats * period_;
        free_at_ = now + taken;
        time.prolong(now, transfer, free_at_, idle);
        traffic.leave(message.beats, now - message.begin);
        deliver(number, message.to, taken);
        return arbiter_.is_asked() ? free_at_ : engine::never;
    }

    void settle(engine::Time now) { time.settle(now); }
    void add_laws(Laws& laws, const std::string& unit) const {
        time.add_laws(laws, unit);
        traffic.add_laws(laws, unit);
        Sum busy;
        busy.add(time.cycles[transfer]);
        laws.equal(unit + ": cycles of transfers = beats", busy, {traffic.flits_out});
    }
    void serialize(engine::Archive& archive) { archive(waiting_, inputs_, arbiter_, free_at_, time); }

    TimeAccount<2> time;
    NetworkTraffic traffic;

  private:
    enum State : std::uint8_t { idle, transfer };
    static constexpr std::uint32_t nobody = 0xffffffff;
    struct Waiting {
        engine::Time begin = 0;
        std::uint32_t next = nobody;  // behind it, at the same input
        std::uint32_t beats = 0;
        std::uint32_t to = 0;
        std::uint32_t spare = 0;
    };
    struct Input {
        std::uint32_t first = nobody, last = nobody;
    };

    engine::Time period_;
    std::uint32_t width_;
    std::vector<Waiting> waiting_;  // by number
    std::vector<Input> inputs_;
    RoundRobin arbiter_;
    engine::Time free_at_ = 0;
};

}  // namespace models
