// A synthetic machine that does everything the kernel offers, at random but always the same: clocked cores of several
// clocks that work, sleep and wake; event-driven memories with alarms; requests to random memories with random delays;
// credits between neighbouring cores; long silences. Its digest depends on the order of every message of every process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace engine::busy {

// Counter-based random numbers: a function of what is drawn for, not of how often was drawn.
inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

struct Request {
    std::uint64_t value;
    std::int32_t core, pad;
};
struct Reply {
    std::uint64_t value, check[4];  // as large as a message may be
};
struct Token {
    std::uint8_t hops;
};

class Trace {  // hash of what a process has seen, in the order it has seen it
  public:
    explicit Trace(CounterList* counters) : sum_(counters, "trace", "1", "hash of everything consumed, in order") {}
    void note(Time now, std::uint64_t what) {
        state_ = mix(state_ ^ mix(what ^ mix(static_cast<std::uint64_t>(now))));
        sum_ += state_;
    }
    void serialize(Archive& archive) { archive(state_); }

  private:
    std::uint64_t state_ = 0;
    Counter sum_;
};

struct Shape {
    int cores = 12, memories = 5;
    int requests = 150;  // of each core
    int outstanding = 6;
};

class Core : public Clocked<Core> {
  public:
    Core(int index, const Shape& shape)
        : Clocked("core", index, 2 + index % 3),
          shape_(shape),
          requests(this, "requests", shape.memories, Time{2}),
          replies(this, "replies", shape.memories, handler<&Core::on_reply>) {
        wake_at(index % 7);
    }

    Time step() {
        trace_.note(now(), 1);
        const std::uint64_t random = mix(static_cast<std::uint64_t>(index()) << 32U ^ drawn_++);
        if (to_send_ == 0) return never;
        if (random % 500 == 0) return now() + 20000 * period();  // silence, unless something arrives
        if (in_flight_ == shape_.outstanding) return never;
        if (random % 3 != 0) return now() + period();
        const int memory = static_cast<int>((random >> 8U) % static_cast<std::uint64_t>(shape_.memories));
        requests[memory].send({random, index(), 0}, 2);
        ++in_flight_;
        --to_send_;
        return random % 5 == 0 ? now() + 3 * period() : now() + period();
    }
    void on_reply(const Reply& reply, int memory) {
        trace_.note(now(), reply.value ^ reply.check[3] ^ static_cast<std::uint64_t>(memory));
        --in_flight_;
        if (reply.value % 11 == 0) passing.send({static_cast<std::uint8_t>(reply.value % 7)}, 1);
    }
    void on_token(const Token& token) {
        trace_.note(now(), token.hops);
        if (token.hops > 0) passing.send({static_cast<std::uint8_t>(token.hops - 1)}, 1);
    }
    std::string unfinished() const override {
        return in_flight_ == 0 ? "" : std::to_string(in_flight_) + " requests without a reply";
    }

    void serialize(Archive& archive) override { archive(to_send_, in_flight_, drawn_, trace_); }

  private:
    Shape shape_;
    int to_send_ = shape_.requests, in_flight_ = 0;
    std::uint64_t drawn_ = 0;
    Trace trace_{&counters()};

  public:
    Row<Out<Request>> requests;
    Row<In<Reply>> replies;
    Out<Token> passing{this, "passing", 1};
    In<Token> passed{this, "passed", handler<&Core::on_token>};
};

class Memory : public EventDriven<Memory> {
  public:
    Memory(int index, const Shape& shape)
        : EventDriven("memory", index),
          requests(this, "requests", shape.cores, handler<&Memory::on_request>),
          replies(this, "replies", shape.cores, delay_) {}

    void on_request(const Request& request, int core) {
        trace_.note(now(), request.value + static_cast<std::uint64_t>(core));
        queue_.push_back(request);
        wake_at(now() + static_cast<Time>(mix(request.value) % 9));
    }
    void on_wake() {
        trace_.note(now(), queue_.size());
        for (const Request& request : queue_) {
            busy_until_ = std::max(busy_until_, now()) + static_cast<Time>(request.value % 40);
            Reply reply{mix(request.value), {}};
            reply.check[3] = request.value;
            replies[request.core].send(reply, delay_ + busy_until_ - now());
        }
        queue_.clear();
    }
    void serialize(Archive& archive) override { archive(trace_, queue_, busy_until_); }

  private:
    Trace trace_{&counters()};
    std::vector<Request> queue_;
    Time busy_until_ = 0;
    Time delay_ = 1 + 6 * (index() % 2);  // with the longer one, nobody waits for what it sends

  public:
    Row<In<Request>> requests;
    Row<Out<Reply>> replies;
};

class Machine {
  public:
    explicit Machine(const Shape& shape) {
        for (int i = 0; i < shape.cores; ++i) cores.push_back(&simulation.add<Core>(i, shape));
        for (int i = 0; i < shape.memories; ++i) memories.push_back(&simulation.add<Memory>(i, shape));
        for (int i = 0; i < shape.cores; ++i) {
            simulation.connect(cores[at(i)]->passing, cores[at((i + 1) % shape.cores)]->passed, 2 + i % 2);
            for (int j = 0; j < shape.memories; ++j) {
                simulation.connect(cores[at(i)]->requests[j], memories[at(j)]->requests[i], 1 + (i + j) % 4);
                simulation.connect(memories[at(j)]->replies[i], cores[at(i)]->replies[j], 2 + (i * j) % 3);
            }
        }
    }
    // Of the counters of all processes and what the report says about simulated time; complete on rank 0.
    std::uint64_t digest(const RunReport& report) const {
        std::uint64_t digest = mix(static_cast<std::uint64_t>(report.end));
        for (const std::uint64_t part : {report.messages, report.steps}) digest = mix(digest ^ part);
        for (const std::uint64_t counter : simulation.collect_counters()) digest = mix(digest ^ counter);
        return digest;
    }

    Simulation simulation;
    std::vector<Core*> cores;
    std::vector<Memory*> memories;
};

}  // namespace engine::busy
