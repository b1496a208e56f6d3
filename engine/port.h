// Ports: the typed ends of channels. A channel leads from one Out to one In, is FIFO and has a latency of at least one
// tick. Ports are data members of their process; their order of declaration is part of the model (it orders messages
// that arrive at the same time).
//
//     In<LineReply> fills_{this, "fills", handler<&TextureCache::on_fill>};     // void on_fill(const LineReply&)
//     Row<In<LineRead>> reads_{this, "reads", 32, handler<&L2Slice::on_read>};  // void on_read(const LineRead&, int)
//     Out<LineRead> fetches_{this, "fetches", least_delay};
//     Row<Out<LineReply>> replies_{this, "replies", 32, least_delay};
//
// Where every process of a group may send to every other one, a bundle stands for all those channels (bundle.h).
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/events/message.h"
#include "engine/logical_process.h"

namespace engine {

namespace transport {
class Outgoing;
}

// What all ports have: an owner and a name.
class Port {
  public:
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;
    std::string name() const;  // "l2_slice[3].replies[7]"
    bool connected() const { return label_->connected; }
    const LogicalProcess& process() const { return *process_; }

  protected:
    Port(LogicalProcess* process, std::string_view name, int row_index);
    ~Port() = default;

    using Deliver = void (*)(LogicalProcess&, std::uint32_t place, int row_index);
    // Returns the number of the new input.
    static int add_input(LogicalProcess& process, Deliver deliver, int row_index, std::size_t message_size);
    // The message itself; its place is free from then on.
    template <Message M>
    static M take(LogicalProcess& process, std::uint32_t place) {
        const Envelope& envelope = (*process.pool_)[place];
        // As a value of its type, not as bytes: it then stays in registers.
        M message = *std::launder(reinterpret_cast<const M*>(envelope.payload));
        process.pool_->release(place);
        process.hash_.absorb(envelope.time, envelope.order, message);
        return message;
    }
    // The index of its sender in the bundle.
    static int sender(const LogicalProcess& process, std::uint32_t place) {
        return order::sender((*process.pool_)[place].order) ^ process.sender_mask_;
    }
    int sender_mask() const { return process_->sender_mask_; }
    // A new message on its way: into the calendar of this worker, or, unless null, to another worker. Its order,
    // receiver and payload are for the caller to fill.
    Envelope& post(Time time, transport::Outgoing* outgoing) const;

    LogicalProcess* process_;

  private:
    friend class Simulation;
    // What is seldom looked at while the simulation runs.
    struct Label {
        std::string name;
        int row_index;  // -1: not one of a row
        bool connected;
    };
    std::unique_ptr<Label> label_;
};

// Names the member function that handles a port's messages, at compile time.
template <auto Method>
struct Handler {};
template <auto Method>
inline constexpr Handler<Method> handler{};

template <class Method>
struct HandlerTraits;
template <class Block, class M>
struct HandlerTraits<void (Block::*)(const M&)> {
    using Process = Block;
};
template <class Block, class M>
struct HandlerTraits<void (Block::*)(const M&, int)> {
    using Process = Block;
};

class InPort : public Port {
  protected:
    InPort(LogicalProcess* process, std::string_view name, int row_index, Deliver deliver, std::size_t message_size)
        : Port(process, name, row_index),
          number_(add_input(*process, deliver, row_index, message_size)) {}
    // Calls a handler with or without the number that says where the message comes from.
    template <auto Method, Message M>
    static void call(LogicalProcess& process, const M& message, [[maybe_unused]] int from) {
        using Block = typename HandlerTraits<decltype(Method)>::Process;
        auto& block = static_cast<Block&>(process);
        if constexpr (std::is_invocable_v<decltype(Method), Block&, const M&, int>)
            (block.*Method)(message, from);
        else
            (block.*Method)(message);
    }

  private:
    friend class Run;
    friend class Simulation;
    int number_;  // among the inputs of the process, in the order in which they are served at equal times
};

// Hands every message of its channel to the handler, at its time of arrival.
template <Message M>
class In final : public InPort {
  public:
    template <auto Method>
    In(LogicalProcess* process, std::string_view name, Handler<Method> /*method*/, int row_index = -1)
        : InPort(process, name, row_index, &deliver<Method>, payload_size<M>) {}

  private:
    template <auto Method>
    static void deliver(LogicalProcess& process, std::uint32_t place, int row_index) {
        call<Method>(process, take<M>(process, place), row_index);
    }
};

class OutPort : public Port {
  public:
    // The least time between an event of the sender and the arrival of a message it sends because of it.
    Time lookahead() const { return latency_ + least_delay_; }

  protected:
    OutPort(LogicalProcess* process, std::string_view name, Time least_delay, int row_index);

    Time arrival(Time delay) const {
        if (delay < least_delay_) [[unlikely]]
            refuse(delay);
        return process_->now() + delay + latency_;
    }
    template <Message M>
    void put(Time time, std::uint64_t order, int receiver, transport::Outgoing* outgoing, const M& message) {
        Envelope& envelope = post(time, outgoing);
        envelope.order = order;
        envelope.receiver = receiver;
        ::new (envelope.payload) M(message);
    }
    [[noreturn]] void refuse_order(Time arrival, Time earlier) const;

  private:
    friend class Simulation;
    [[noreturn]] void refuse(Time delay) const;

    Time latency_ = 0;
    Time least_delay_;
};

// The untyped part of Out.
class SingleOut : public OutPort {
  protected:
    using OutPort::OutPort;

    template <Message M>
    void send_after(const M& message, Time delay) {
        const Time time = arrival(delay);
        if (time < last_arrival_) [[unlikely]]
            refuse_order(time, last_arrival_);
        last_arrival_ = time;
        put(time, order_++, receiver_, outgoing_, message);
    }

  private:
    friend class Simulation;
    friend class Run;
    friend struct ProcessState;
    transport::Outgoing* outgoing_ = nullptr;  // null: the receiver runs on the same worker
    std::int32_t receiver_ = -1;
    Time last_arrival_ = 0;
    std::uint64_t order_ = 0;  // of the next message
};

// Sends messages. `least_delay` is a promise: no message departs earlier after the event that sends it. Together with
// the latency of the channel it is the lookahead, and the least lookahead of a machine is the length of its windows.
template <Message M>
class Out final : public SingleOut {
  public:
    Out(LogicalProcess* process, std::string_view name, Time least_delay = 0, int row_index = -1)
        : SingleOut(process, name, least_delay, row_index) {}

    // Departs at now() + delay, arrives the channel's latency later. A delay below the least one, and an arrival before
    // that of an earlier message, are errors of the model (InternalError).
    void send(const M& message, Time delay) { send_after(message, delay); }
    void send(const M& message) { send_after(message, 0); }
};

// A numbered row of like ports, for a process shared by several others.
template <class P>
class Row {
  public:
    template <class... Arguments>
    Row(LogicalProcess* process, std::string_view name, int count, Arguments... arguments)
        : ports_(static_cast<std::size_t>(count)) {
        for (int i = 0; i < count; ++i)
            if constexpr (sizeof...(Arguments) == 0)
                ports_[static_cast<std::size_t>(i)].emplace(process, name, Time{0}, i);
            else
                ports_[static_cast<std::size_t>(i)].emplace(process, name, arguments..., i);
    }
    P& operator[](int i) { return *ports_[static_cast<std::size_t>(i)]; }
    const P& operator[](int i) const { return *ports_[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(ports_.size()); }

  private:
    std::vector<std::optional<P>> ports_;  // made in place: ports do not move
};

}  // namespace engine
