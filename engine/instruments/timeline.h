// Timeline: what the workers of this rank did when, in wall time, for people to look at. Of every so many windows one
// is measured (RunOptions::measure_every) and appears with its processes; what lies between two of them is one slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

class Ranks;

class Timeline {
  public:
    enum Activity : std::int32_t { window = -1, messages = -2, wait = -3, unmeasured = -4 };
    struct Slice {
        std::int64_t begin, end;  // nanoseconds of the steady clock
        std::int32_t what;        // an Activity, or the number of the process that was advanced
        float waited;             // seconds, of an unmeasured slice
    };
    struct Lane {
        std::vector<Slice> slices;
        bool full = false;  // more happened, but was not recorded
    };

    // `most`: slices of one worker.
    explicit Timeline(std::size_t most) : most_(most) {}

    // By thread. The runs fill them one after another.
    std::vector<Lane> lanes;
    std::size_t most() const { return most_; }

    // Those of all ranks, in their order; on rank 0 only, empty elsewhere. Collective.
    std::vector<Timeline> over_ranks(const Ranks& ranks) const;

  private:
    std::size_t most_;
};

}  // namespace engine
