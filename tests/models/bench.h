// A bench for one process: sources that send what they are told at the times they are told, sinks that write down what
// arrives and when, and a memory that answers every request after a fixed time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/simulation.h"
#include "models/messages.h"

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
    return {request.block, request.tag, request.operation};
}
inline models::DramReply dram_answer(const models::DramRequest& request) {
    return {request.tag, request.write};
}
inline models::QuadBlended blended_answer(const models::ShadedQuad& /*quad*/) {
    return {};
}
using Memory = Echo<models::MemoryRequest, models::MemoryReply, memory_answer>;
using Dram = Echo<models::DramRequest, models::DramReply, dram_answer>;
using Blender = Echo<models::ShadedQuad, models::QuadBlended, blended_answer>;

}  // namespace bench
