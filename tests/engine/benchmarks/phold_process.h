// PHOLD, the classic benchmark of parallel discrete-event kernels: what one of its processes does.
//
// Every process starts with `population` events. Handling an event schedules one new event, `lookahead` plus an
// exponentially distributed time later, for itself or, with the probability `remote`, for a process chosen uniformly
// among all. What would happen at `end` or later is not scheduled. The kernel's model (phold_model.h) and the yardstick
// (phold_yardstick.h) share this file, so they differ in nothing but how they order events.
#pragma once

#include <cstdint>

#include "engine/archive.h"
#include "engine/exponential.h"
#include "engine/units.h"
#include "tests/engine/benchmarks/random.h"

namespace engine::benchmarks {

struct PholdShape {
    int processes = 1024;
    int population = 16;
    double remote = 0.1;     // probability
    double lookahead = 0.1;  // in units of time
    double mean = 1;         // of the whole delay, with the lookahead; in units of time
    double end = 500;        // in units of time
    std::uint64_t seed = 1;

    static constexpr double ticks_per_unit = 1 << 20U;
    Time ticks(double units) const { return static_cast<Time>(units * ticks_per_unit); }
};

struct PholdOutcome {
    std::uint64_t events = 0;  // handled
    std::uint64_t digest = 0;  // of what every process handled, in its order
    double seconds = 0;
};

class PholdProcess {
  public:
    struct Departure {
        int receiver;
        Time delay;
        std::uint32_t number;  // among the events this process has scheduled
    };

    PholdProcess(const PholdShape& shape, int index)
        : draws_(shape.seed, static_cast<std::uint64_t>(index)),
          digest_(static_cast<std::uint64_t>(index)),
          index_(index),
          processes_(shape.processes),
          remote_(static_cast<std::uint64_t>(shape.remote * 0x1p32)),
          lookahead_(shape.ticks(shape.lookahead)),
          spread_(static_cast<std::uint64_t>(shape.ticks(shape.mean) - lookahead_)) {}

    // One of the events it starts with: an event for itself.
    Departure start() { return {index_, delay(), number_++}; }

    Departure handle(Time now, int sender, std::uint32_t number) {
        digest_ = absorb(digest_, (static_cast<std::uint64_t>(now) << 20U) +
                                      (static_cast<std::uint64_t>(number) << 40U) + static_cast<std::uint64_t>(sender));
        const std::uint64_t place = draws_.next();
        const int leaves = (place & 0xffffffffU) < remote_ ? 1 : 0;
        const int receiver = index_ + leaves * (below(processes_, place) - index_);  // no branch to mispredict
        return {receiver, delay(), number_++};
    }
    std::uint64_t digest() const { return digest_; }
    void serialize(Archive& archive) { archive(draws_, digest_, number_); }

  private:
    Time delay() { return lookahead_ + static_cast<Time>(Wide{exponential(draws_.next())} * spread_ >> 32U); }

    __extension__ using Wide = unsigned __int128;

    Draws draws_;
    std::uint64_t digest_;
    std::uint32_t number_ = 0;
    int index_, processes_;
    std::uint64_t remote_;  // of 2^32
    Time lookahead_;
    std::uint64_t spread_;  // ticks
};

}  // namespace engine::benchmarks
