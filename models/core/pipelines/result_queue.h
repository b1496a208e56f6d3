// Results on their way to the register file, each with its time. Those of one time leave in the order in which they
// became known.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/frame_trace/frame_trace.h"
#include "models/workload/decoded_program.h"

namespace models {

struct Result {
    static constexpr std::uint8_t branches = 1, writes = 2, texture = 4;  // flags; above them the components written
    static constexpr int components_from = 4;

    engine::Time at = 0;
    std::uint8_t warp = 0;  // its slot
    std::uint8_t flags = 0;
    std::uint16_t destination = RegisterUse::no_register;
    std::uint32_t traced = none;  // InstructionTrace

    std::uint8_t components() const { return static_cast<std::uint8_t>(flags >> components_from); }
};

class ResultQueue {
  public:
    void push(engine::Time at, std::uint32_t warp, const RegisterUse& use, bool writes, std::uint32_t traced) {
        const int flags = (use.branches ? Result::branches : 0) | (writes ? Result::writes : 0) |
                          use.destination_components << Result::components_from;
        insert(at, warp, use.destination, flags, traced);
    }
    // Of a texture, for a register or for none.
    void push_texture(engine::Time at, std::uint32_t warp, std::uint16_t destination, std::uint32_t traced) {
        insert(at, warp, destination, Result::writes | Result::texture | int{all_components} << Result::components_from,
               traced);
    }
    bool has(engine::Time now) const { return next() <= now; }
    Result pop() { return results_[first_++]; }
    // Of the first; never without one.
    engine::Time next() const { return first_ == results_.size() ? engine::never : results_[first_].at; }

    void serialize(engine::Archive& archive) {
        drop_taken();
        archive(results_);
    }

  private:
    static constexpr std::size_t spare = 64;
    void insert(engine::Time at, std::uint32_t warp, std::uint16_t destination, int flags, std::uint32_t traced) {
        if (first_ == results_.size() || (first_ > spare && 2 * first_ > results_.size())) drop_taken();
        results_.push_back({});
        std::size_t place = results_.size() - 1;
        for (; place > first_ && results_[place - 1].at > at; --place) results_[place] = results_[place - 1];
        results_[place] = {at, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(flags), destination, traced};
    }
    void drop_taken() {
        results_.erase(results_.begin(), results_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }

    std::vector<Result> results_;  // the earliest first. Few are later than a new one: latencies are much alike
    std::size_t first_ = 0;        // those before it have been taken
};

}  // namespace models
