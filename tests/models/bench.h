// A bench for processes and components: sources that send what they are told at the times they are told, sinks that
// write down what arrives and when, a memory that answers every request after a fixed time, and a host that steps a
// component.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/simulation.h"
#include "models/base/laws.h"
#include "models/memory/memory_port.h"
#include "models/workload/messages.h"

namespace bench {

using engine::Time;

template <engine::Message M>
class Source : public engine::EventDriven<Source<M>> {
  public:
    explicit Source(const std::string& name) : engine::EventDriven<Source<M>>(name, -1) {}

    // In the order of time.
    void send_at(Time time, const M& message) {
        plan_.emplace_back(time, message);
        this->wake_at(time);
    }
    void on_wake() {
        for (; next_ < plan_.size() && plan_[next_].first <= this->now(); ++next_) out.send(plan_[next_].second);
        if (next_ < plan_.size()) this->wake_at(plan_[next_].first);
    }

    engine::Out<M> out{this, "out"};

  private:
    std::vector<std::pair<Time, M>> plan_;
    std::size_t next_ = 0;
};

template <engine::Message M>
class Sink : public engine::EventDriven<Sink<M>> {
  public:
    explicit Sink(const std::string& name, int index = -1) : engine::EventDriven<Sink<M>>(name, index) {}

    struct Arrival {
        Time time;
        M message;
    };
    std::vector<Arrival> arrivals;

    std::vector<Time> times() const {
        std::vector<Time> all;
        for (const Arrival& arrival : arrivals) all.push_back(arrival.time);
        return all;
    }

  private:
    void take(const M& message) { arrivals.push_back({this->now(), message}); }

  public:
    engine::In<M> in{this, "in", engine::handler<&Sink::take>};
};

// Takes a message, remembers it and answers it `delay` ticks later.
template <engine::Message Question, engine::Message Answer, Answer (*answer)(const Question&)>
class Echo : public engine::EventDriven<Echo<Question, Answer, answer>> {
  public:
    Echo(const std::string& name, int index, Time delay)
        : engine::EventDriven<Echo<Question, Answer, answer>>(name, index),
          delay_(delay) {}

    std::vector<std::pair<Time, Question>> seen;

  private:
    void take(const Question& question) {
        seen.emplace_back(this->now(), question);
        out.send(answer(question), delay_);
    }
    Time delay_;

  public:
    engine::In<Question> in{this, "in", engine::handler<&Echo::take>};
    engine::Out<Answer> out{this, "out"};
};

inline models::MemoryReply memory_answer(const models::MemoryRequest& request) {
    return models::MemoryReply::to(request);
}
inline models::DramReply dram_answer(const models::DramRequest& request) {
    return {request.tag, request.write ? models::DramOutcome::written : models::DramOutcome::data, 1};
}
inline models::QuadsBlended blended_answer(const models::ShadedQuad& /*quad*/) {
    return {1};
}
using Memory = Echo<models::MemoryRequest, models::MemoryReply, memory_answer>;
using Dram = Echo<models::DramRequest, models::DramReply, dram_answer>;
using Blender = Echo<models::ShadedQuad, models::QuadsBlended, blended_answer>;

// A process with a memory port and whatever component a test gives it. Its cycles are ticks.
class Host : public engine::Clocked<Host> {
  public:
    // One slice with room for so many requests; nothing but a lookup between the decision to send and the departure.
    explicit Host(int credits = 64) : Host(models::MemoryPortShape{1, credits, 1, 0, models::block_bytes}) {}
    explicit Host(const models::MemoryPortShape& shape)
        : Clocked("host", -1, 1),
          replies(this, "replies", engine::handler<&Host::take>),
          memory(this, shape, 1) {}

    std::function<Time(Time now)> cycle;                                        // what step() does; the next one
    std::function<void(Time now, const models::MemoryReply& reply)> on_answer;  // beside the return of the credit

    // Something to be done at a time, before the step; in the order of time.
    void at(Time time, std::function<void(Time now)> action) {
        ASSERT_TRUE(plan_.empty() || plan_.back().first <= time);
        plan_.emplace_back(time, std::move(action));
        wake_at(time);
    }
    Time step() {
        for (; next_ < plan_.size() && plan_[next_].first <= now(); ++next_) plan_[next_].second(now());
        const Time next = cycle ? cycle(now()) : engine::never;
        return next_ < plan_.size() ? std::min(next, plan_[next_].first) : next;
    }
    // A memory that answers `delay` ticks after a request has come. A request takes a tick there, its answer one back.
    Memory& attach_memory(engine::Simulation& simulation, Time delay) {
        Memory& attached = simulation.add<Memory>("memory", -1, delay);
        simulation.connect(memory.requests, attached.in, 1);
        simulation.connect(attached.out, replies, 1);
        return attached;
    }

  private:
    void take(const models::MemoryReply& reply) {
        if (memory.take_reply(now(), reply) && on_answer) on_answer(now(), reply);
    }
    std::vector<std::pair<Time, std::function<void(Time)>>> plan_;
    std::size_t next_ = 0;

  public:
    engine::In<models::MemoryReply> replies;
    models::MemoryPort memory;
};

// The value of a counter of a process; `kind`: of its owner where that is not the process.
inline std::uint64_t counter(const engine::LogicalProcess& process, const std::string& name,
                             const std::string& kind = "") {
    std::uint64_t sum = 0;
    bool found = false;
    for (const engine::CounterInfo& info : process.counters().all()) {
        if (info.name != name || info.owner.kind != (kind.empty() ? process.kind() : kind)) continue;
        found = true;
        sum += *info.value;
    }
    EXPECT_TRUE(found) << kind << "." << name;
    return sum;
}

inline void expect_obeyed(const models::Laws& laws, const engine::Simulation& simulation) {
    const models::Ledger ledger(simulation.processes(), simulation.collect_counters());
    for (const models::Violation& violation : ledger.violations(laws)) ADD_FAILURE() << violation.text();
}

}  // namespace bench
