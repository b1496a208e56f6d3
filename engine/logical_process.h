// LogicalProcess: the unit of parallelism. A sequential object that is the only writer of its state, talks only through
// its ports, and reacts to messages and to its own clock. Blocks derive from Clocked or EventDriven (engine/block.h).
//
// What it computes depends on the order (time, input port as declared, position in the channel) of its messages and on
// nothing else: not on threads, ranks, partitions, addresses or wall time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/counter.h"
#include "engine/events/message.h"
#include "engine/events/message_hash.h"
#include "engine/events/message_pool.h"
#include "engine/threads/cache_aligned.h"
#include "engine/units.h"

namespace engine {

class Calendar;
class Port;

// A message of the window that is being run, as its receiver finds it.
struct Arrival {
    Time time;
    std::uint64_t order;
    std::uint32_t place;  // in the pool

    friend bool operator<(const Arrival& a, const Arrival& b) {
        return a.time != b.time ? a.time < b.time : a.order < b.order;
    }
};

// Aligned so that what different workers write lies in different (pairs of) cache lines.
class alignas(128) LogicalProcess {
  public:
    // The name is "kind[index]", or "kind" if the index is -1: the only one of its kind.
    LogicalProcess(std::string kind, int index);
    LogicalProcess(const LogicalProcess&) = delete;  // ports and counters point at their process
    LogicalProcess& operator=(const LogicalProcess&) = delete;
    virtual ~LogicalProcess();

    const std::string& name() const { return description_->name; }
    const std::string& kind() const { return description_->kind; }
    int index() const { return description_->index; }
    int number() const { return number_; }  // in the order of Simulation::add()

    // In a handler: when its message arrived. In step() or on_wake(): the edge or the alarm. Between runs: when the
    // last event anywhere happened.
    Time now() const { return now_; }

    CounterList& counters() { return description_->counters; }
    const CounterList& counters() const { return description_->counters; }

    // What this process still has to do now that nothing happens any more; empty if it is idle in order. A run that
    // ends with unfinished processes (lost credits, a deadlock in the model) is an InternalError with these texts.
    virtual std::string unfinished() const { return {}; }

    // Writes its state into a checkpoint, or reads it: everything that is not a port, a counter, or the same in every
    // machine that was built alike. A kind that has this may also move to another rank between two runs. Throws
    // CannotBeSaved where a kind does not have it.
    virtual void serialize(Archive& archive);

    std::string situation() const;  // its clock and what it waits for, for people

    // Work per unit of simulated time in comparison to other processes; partitions balance it as long as nothing is
    // measured.
    virtual double cost_hint() const { return 1; }

  protected:
    bool has_arrivals() const { return arrivals_ != arrivals_end_; }
    Time next_arrival() const { return has_arrivals() ? arrivals_->time : never; }
    // Handles the first arrival.
    void consume() {
        const Arrival& arrival = *arrivals_++;
        now_ = arrival.time;
        ++reasons_;
        const Input& input = inputs_[static_cast<std::size_t>(order::input_port(arrival.order))];
        input.deliver(*this, arrival.place, input.row_index);
    }

    Time now_ = 0;
    Time wake_ = never;  // next step or alarm
    std::uint64_t steps_ = 0;
    std::uint32_t reasons_ = 0;  // for a step: messages handled since the last look

  private:
    friend class Port;
    friend class Scheduler;
    friend class Simulation;
    friend struct ProcessState;

    // How a message reaches its handler.
    struct Input {
        void (*deliver)(LogicalProcess&, std::uint32_t place, int row_index);
        int row_index;
        std::uint32_t message_size;  // bytes
        bool operator==(const Input&) const = default;
    };
    // By number, as declared unless ties are permuted.
    using Inputs = std::vector<Input, CacheAligned<Input>>;
    // What is seldom looked at while the simulation runs.
    struct Description {
        explicit Description(CounterOwner process);
        std::string kind, name;
        int index;
        std::vector<const Port*> ports;
        Inputs inputs;
        CounterList counters;
    };

    // Does everything that happens before `until`, in order; all messages that arrive before then are its arrivals.
    virtual void advance(Time until) = 0;
    virtual void serialize_clock(Archive& archive) = 0;
    void serialize_kernel(Archive& archive) {
        archive(now_, wake_, description_->counters, hash_);
        serialize_clock(archive);
    }

    // With what precedes it, all that is touched for every message lies in two cache lines.
    const Arrival* arrivals_ = nullptr;  // the rest of those of this window, in order
    const Arrival* arrivals_end_ = nullptr;
    MessagePool* pool_ = nullptr;  // of its worker, as is
    Calendar* calendar_ = nullptr;
    std::uint64_t messages_ = 0;     // consumed, with those of this window
    MessageHash hash_;               // of the messages consumed
    const Input* inputs_ = nullptr;  // by number; processes that have the same share them
    int sender_mask_ = 0;            // senders of bundles are ordered by their index XOR this
    int number_ = -1;
    std::unique_ptr<Description> description_;
};

}  // namespace engine
