// PHOLD (phold_process.h) on the kernel: every process can send to every process.
#pragma once

#include <vector>

#include "engine/simulation.h"
#include "tests/engine/benchmarks/phold_process.h"

namespace engine::benchmarks {

struct PholdEvent {
    std::uint32_t number;  // among the events of its sender
};

class PholdBlock : public EventDriven<PholdBlock> {
  public:
    // The lookahead of the channels is that of the shape: one tick of latency, the rest is promised by the sender.
    static constexpr Time latency = 1;

    PholdBlock(const PholdShape& shape, int index)
        : EventDriven("process", index),
          logic_(shape, index),
          end_(shape.ticks(shape.end)),
          population_(shape.population),
          out(this, "out", shape.ticks(shape.lookahead) - latency) {
        wake_at(0);
    }
    void on_wake() {
        for (int i = 0; i < population_; ++i) schedule(logic_.start());
    }
    void on_event(const PholdEvent& event, int sender) {
        const PholdProcess::Departure departure = logic_.handle(now(), sender, event.number);
        digest_ += logic_.digest() - digest_.value();
        schedule(departure);
    }
    void serialize(Archive& archive) override { archive(logic_); }

  private:
    void schedule(const PholdProcess::Departure& departure) {
        if (now() + departure.delay < end_) out.send(departure.receiver, {departure.number}, departure.delay - latency);
    }

    PholdProcess logic_;
    Time end_;
    int population_;
    Counter digest_{&counters(), "digest", "1", "hash of the events handled, in order"};

  public:
    FanOut<PholdEvent> out;
    FanIn<PholdEvent> in{this, "in", handler<&PholdBlock::on_event>};
};

// Wires the processes; the caller runs them once.
class PholdModel {
  public:
    explicit PholdModel(const PholdShape& shape) {
        std::vector<FanOut<PholdEvent>*> from;
        std::vector<FanIn<PholdEvent>*> to;
        for (int i = 0; i < shape.processes; ++i) {
            auto& block = simulation.add<PholdBlock>(shape, i);
            from.push_back(&block.out);
            to.push_back(&block.in);
        }
        simulation.connect_all(from, to, PholdBlock::latency);
    }
    // Complete on rank 0.
    PholdOutcome outcome(const RunReport& report) const {
        PholdOutcome outcome{report.messages, 0, report.seconds};
        for (const std::uint64_t digest : simulation.collect_counters())
            outcome.digest = absorb(outcome.digest, digest);
        return outcome;
    }

    Simulation simulation;
};

}  // namespace engine::benchmarks
