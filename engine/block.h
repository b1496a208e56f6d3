// The two kinds of logical process a model is written as: clocked blocks and event-driven blocks. Both live in one
// simulation and use the same ports.
//
//     class Counter : public engine::Clocked<Counter> {
//       public:
//         explicit Counter(engine::Time period) : Clocked("counter", -1, period) {}
//         engine::Time step();                       // public: the kernel calls it
//       private:
//         void on_pulse(const Pulse&);
//         engine::In<Pulse> pulses_{this, "pulses", engine::handler<&Counter::on_pulse>};
//     };
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/error.h"
#include "engine/events/windows.h"
#include "engine/logical_process.h"
#include "engine/port.h"

namespace engine {

// Steps at edges of its clock, the multiples of its period, and sleeps in between for as long as it likes.
//
// Block::step() is one clock cycle at now(). It returns the time of the next step: now() + period(), a later time
// (rounded up to an edge), or `never` to sleep. Skipping edges is a promise that nothing would happen at them.
// Messages are handled at their own time, before the step at the same time. Every message brings the next step forward
// to the first edge at or after it, so a block that skips edges is stepped again when it may have something to do. A
// handler that knows better says needs_no_step().
template <class Block>
class Clocked : public LogicalProcess {
  public:
    Clocked(std::string kind, int index, Time period)
        : LogicalProcess(std::move(kind), index),
          cycles_(checked(period)) {}

    Time period() const { return cycles_.length(); }

    // Steps at the first edge at or after t at the latest, but not twice at one edge. From handlers, step(), or from
    // outside between runs.
    void wake_at(Time t) { wake_ = std::min(wake_, edge_from(std::max(t, now_))); }

  protected:
    // In a handler, once: its message alone is no reason for a step. A promise that a step at its edge would change
    // nothing, or that wake_at() tells when one does.
    void needs_no_step() { --reasons_; }
    // In step(), for a block whose next step is at the edge t, and that knows how much of it there is to do: moves
    // now() there, as if it had returned t and were stepped again. False if something else comes first: then it returns
    // t.
    bool go_on_at(Time t) {
        if (t >= limit_ || t >= wake_) return false;
        now_ = t;
        next_edge_ = t + cycles_.length();
        ++steps_;
        return true;
    }
    // The first edge at or after t at which there was no step yet.
    Time edge_from(Time t) const {
        if (t <= next_edge_) return next_edge_;
        return t >= never ? never : cycles_.start(cycles_.of(t + cycles_.length() - 1));
    }

  private:
    bool has_reasons() { return std::exchange(reasons_, 0) != 0; }
    Windows checked(Time period) const {
        if (period < 1)
            throw ConfigError(name() + ": expected a clock period of at least 1 tick, found " + std::to_string(period));
        return Windows(period);
    }
    void serialize_clock(Archive& archive) final { archive(next_edge_); }
    void advance(Time until) final {
        for (;;) {
            const Time message = next_arrival();
            limit_ = std::min(message, until);
            while (wake_ < limit_) step_once();
            if (message >= until) return;
            consume();
            if (has_reasons()) wake_ = std::min(wake_, edge_from(message));
        }
    }
    void step_once() {
        now_ = std::exchange(wake_, never);
        next_edge_ = now_ + cycles_.length();
        ++steps_;
        const Time next = static_cast<Block*>(this)->step();
        wake_ = next == next_edge_ ? next : std::min(wake_, edge_from(next));
    }

    Time next_edge_ = 0;  // the first that has not been stepped, or an earlier one
    Time limit_ = 0;      // within advance(): until then it may step
    Windows cycles_;
};

// Acts when a message arrives, and when its one alarm rings.
//
// Block::on_wake() is called at the time of the alarm, after the messages of that time. A block without alarm need not
// declare it.
template <class Block>
class EventDriven : public LogicalProcess {
  public:
    using LogicalProcess::LogicalProcess;
    void on_wake() {}

    // The alarm rings at t at the latest (the earliest of several calls counts), and once at any one time. From
    // handlers, on_wake(), or from outside between runs.
    void wake_at(Time t) { wake_ = std::min(wake_, std::max({t, now_, earliest_})); }

  private:
    void serialize_clock(Archive& archive) final { archive(earliest_); }
    void advance(Time until) final {
        while (has_arrivals()) next_arrival() <= wake_ ? consume() : ring();
        while (wake_ < until) ring();
    }
    // Not inlined: what on_wake() keeps in registers would be loaded again after every message.
    [[gnu::noinline]] void ring() {
        now_ = std::exchange(wake_, never);
        earliest_ = now_ + 1;
        ++steps_;
        static_cast<Block*>(this)->on_wake();
    }

    Time earliest_ = 0;  // the alarm has rung at every time before
};

}  // namespace engine
