// Bundles: where every process of a group may send to every other one, a FanOut of each and a FanIn of each, which
// Simulation::connect_all() connects, stand for all those channels (PHOLD has a million). No process of a GPU needs
// one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/port.h"

namespace engine {

// The end of a bundle: hands the messages of all its senders to the handler, with the sender's index in the bundle.
template <Message M>
class FanIn final : public InPort {
  public:
    template <auto Method>
    FanIn(LogicalProcess* process, std::string_view name, Handler<Method> /*method*/)
        : InPort(process, name, -1, &deliver<Method>, payload_size<M>) {}

  private:
    template <auto Method>
    static void deliver(LogicalProcess& process, std::uint32_t place, int /*row_index*/) {
        const int from = sender(process, place);  // before the place is free
        call<Method>(process, take<M>(process, place), from);
    }
};

// The untyped part of FanOut.
class FanOutPort : public OutPort {
  protected:
    using OutPort::OutPort;

    template <Message M>
    void send_after(int receiver, const M& message, Time delay) {
        const Target target = targets_[receiver];
        transport::Outgoing* const outgoing =
            routes_ == nullptr ? nullptr : (*routes_)[static_cast<std::size_t>(target.process)];
        put(arrival(delay), order::at(target.key ^ sender_, position_++), target.process, outgoing, message);
    }

  private:
    friend class Simulation;
    friend class Run;
    friend struct ProcessState;
    struct Target {
        std::int32_t process;  // number
        std::uint32_t key;     // order::key of its port and of sender 0
    };
    const Target* targets_ = nullptr;                            // by index in the bundle
    const std::vector<transport::Outgoing*>* routes_ = nullptr;  // by process; null: all run on the same worker
    std::uint32_t sender_ = 0;                                   // index in the bundle
    std::uint32_t position_ = 0;
};

// The beginning of a bundle of channels, one to every FanIn of the bundle. Its channels are not FIFO: a message may
// overtake an earlier one. At equal times messages are consumed by the index of their sender in the bundle, then as
// sent.
template <Message M>
class FanOut final : public FanOutPort {
  public:
    FanOut(LogicalProcess* process, std::string_view name, Time least_delay = 0)
        : FanOutPort(process, name, least_delay, -1) {}

    // `receiver`: index in the bundle. Departs at now() + delay, arrives the latency of the bundle later.
    void send(int receiver, const M& message, Time delay) { send_after(receiver, message, delay); }
};

}  // namespace engine
