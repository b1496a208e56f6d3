// Ports: the typed ends of channels. A channel leads from one Out to one In, is FIFO and has a latency of at least one
// tick. Ports are data members of their process; their order of declaration is part of the model (it orders messages
// that arrive at the same time).
//
//     In<LineReply> fills_{this, "fills", handler<&TextureCache::on_fill>};        // void on_fill(const LineReply&)
//     Row<In<LineRead>> reads_{this, "reads", 32, handler<&L2Slice::on_read>};     // void on_read(const LineRead&,
//     int) Out<LineRead> fetches_{this, "fetches", least_delay}; Row<Out<LineReply>> replies_{this, "replies", 32,
//     least_delay};
#pragma once

#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/error.h"
#include "engine/logical_process.h"
#include "engine/message.h"
#include "engine/outbox.h"

namespace engine {

// What all ports have: an owner and a name.
class Port {
  public:
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;
    std::string name() const;  // "l2_slice[3].replies[7]"
    bool connected() const { return connected_; }
    const LogicalProcess& process() const { return *process_; }

  protected:
    Port(LogicalProcess* process, std::string_view name, int row_index);
    ~Port() = default;

    LogicalProcess* process_;

  private:
    friend class Simulation;
    bool connected_ = false;
    int row_index_;  // -1: not one of a row
    std::string name_;
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
    InPort(LogicalProcess* process, std::string_view name, int row_index, int number)
        : Port(process, name, row_index),
          number_(number) {}

  private:
    friend class Simulation;
    int number_;  // among the inputs of the process, as declared
};

// Hands every message of its channel to the handler, at its time of arrival.
template <Message M>
class In final : public InPort {
  public:
    template <auto Method>
    In(LogicalProcess* process, std::string_view name, Handler<Method> /*method*/, int row_index = -1)
        : InPort(process, name, row_index, static_cast<int>(process->inputs_.size())) {
        process->inputs_.push_back({&deliver<Method>, row_index});
    }

  private:
    template <auto Method>
    static void deliver(LogicalProcess& process, const Slot& slot, [[maybe_unused]] int row_index) {
        using Block = typename HandlerTraits<decltype(Method)>::Process;
        const M message = slot.get<M>();  // a copy: the handler may send, which moves slots
        auto& block = static_cast<Block&>(process);
        if constexpr (std::is_invocable_v<decltype(Method), Block&, const M&, int>)
            (block.*Method)(message, row_index);
        else
            (block.*Method)(message);
    }
};

class OutPort : public Port {
  public:
    // The least time between an event of the sender and the arrival of a message it sends because of it.
    Time lookahead() const { return latency_ + least_delay_; }

  protected:
    OutPort(LogicalProcess* process, std::string_view name, Time least_delay, int row_index);

    template <Message M>
    void send_after(const M& message, Time delay) {
        const Time departure = process_->now_ + delay, arrival = departure + latency_;
        if (delay < least_delay_ || arrival < last_arrival_) [[unlikely]]
            refuse(delay, arrival);
        last_arrival_ = arrival;
        if (outbox_ == nullptr) {
            std::memcpy(receiver_->inbox_.add(arrival, order_++).payload, &message, sizeof(M));
        } else {
            Envelope envelope{arrival, order_++, {}, receiver_->number_};
            std::memcpy(envelope.payload, &message, sizeof(M));
            outbox_->post(envelope);
        }
    }

  private:
    friend class Simulation;
    friend class Run;
    [[noreturn]] void refuse(Time delay, Time arrival) const;

    Outbox* outbox_ = nullptr;  // null: the receiver runs on the same worker
    LogicalProcess* receiver_ = nullptr;
    Time latency_ = 0;
    Time least_delay_;
    Time last_arrival_ = 0;
    std::uint64_t order_ = 0;  // of the next message
};

// Sends messages. `least_delay` is a promise: no message departs earlier after the event that sends it. Together with
// the latency of the channel it is the lookahead, and the least lookahead of a machine is the length of its windows.
template <Message M>
class Out final : public OutPort {
  public:
    Out(LogicalProcess* process, std::string_view name, Time least_delay = 0, int row_index = -1)
        : OutPort(process, name, least_delay, row_index) {}

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
    Row(LogicalProcess* process, std::string_view name, int count, Arguments... arguments) {
        for (int i = 0; i < count; ++i) {
            if constexpr (sizeof...(Arguments) == 0)
                ports_.emplace_back(process, name, Time{0}, i);
            else
                ports_.emplace_back(process, name, arguments..., i);
        }
    }
    P& operator[](int i) { return ports_[static_cast<std::size_t>(i)]; }
    const P& operator[](int i) const { return ports_[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(ports_.size()); }

  private:
    std::deque<P> ports_;  // ports do not move
};

}  // namespace engine
