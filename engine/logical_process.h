// LogicalProcess: the unit of parallelism. A sequential object that is the only writer of its state, talks only through
// its ports, and reacts to messages and to its own clock. Blocks derive from Clocked or EventDriven (engine/block.h).
//
// What it computes depends on the order (time, input port as declared, position in the channel) of its messages and on
// nothing else: not on threads, ranks, partitions, addresses or wall time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/counter.h"
#include "engine/inbox.h"
#include "engine/units.h"

namespace engine {

class Port;

class LogicalProcess {
  public:
    // The name is "kind[index]", or "kind" if the index is -1: the only one of its kind.
    LogicalProcess(std::string kind, int index);
    LogicalProcess(const LogicalProcess&) = delete;  // ports and counters point at their process
    LogicalProcess& operator=(const LogicalProcess&) = delete;
    virtual ~LogicalProcess();

    const std::string& name() const { return name_; }
    const std::string& kind() const { return kind_; }
    int index() const { return index_; }

    // In a handler: when its message arrived. In step() or on_wake(): the edge or the alarm. Between runs: when the
    // last event anywhere happened.
    Time now() const { return now_; }

    CounterList& counters() { return counters_; }
    const CounterList& counters() const { return counters_; }

    // What this process still has to do now that nothing happens any more; empty if it is idle in order. A run that
    // ends with unfinished processes (lost credits, a deadlock in the model) is an InternalError with these texts.
    virtual std::string unfinished() const { return {}; }

    // Work per unit of simulated time in comparison to other processes; partitions balance it.
    virtual double cost_hint() const { return 1; }

  protected:
    // Handles the first message of the inbox.
    void consume() {
        const Slot& slot = inbox_.take();
        now_ = slot.time;
        ++messages_;
        const Input& input = inputs_[static_cast<std::size_t>(input_port(slot.order))];
        input.deliver(*this, slot, input.row_index);
    }

    Time now_ = 0;
    Time wake_ = never;  // next step or alarm
    Inbox inbox_;
    std::uint64_t steps_ = 0;

  private:
    template <Message M>
    friend class In;
    friend class Port;
    friend class OutPort;
    friend class Run;
    friend class Simulation;
    friend class Worker;

    // How a message reaches its handler.
    struct Input {
        void (*deliver)(LogicalProcess&, const Slot&, int row_index);
        int row_index;
    };

    // Does everything that happens before `until`, in order; all messages that arrive before then are in the inbox.
    virtual void advance(Time until) = 0;
    Time next_event() const { return std::min(wake_, inbox_.next_time()); }
    std::string situation() const;  // its clock and what it waits for, for people

    std::uint64_t messages_ = 0;
    std::vector<Input> inputs_;  // as declared
    std::vector<const Port*> ports_;
    int number_ = -1;  // in the order of Simulation::add()
    int index_;
    std::string kind_, name_;
    CounterList counters_;
};

}  // namespace engine
