// Results on their way to the register file, each with its time. Those of one time leave in the order in which they
// became known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/frame_trace/frame_trace.h"
#include "models/workload/decoded_program.h"

namespace models {

struct Result {
    static constexpr std::uint8_t branches = 1, writes = 2;  // flags; above them the components written
    static constexpr int components_from = 4;

    engine::Time at = 0;
    std::uint64_t number = 0;
    std::uint8_t warp = 0;  // its slot
    std::uint8_t flags = 0;
    std::uint16_t destination = RegisterUse::no_register;
    std::uint32_t traced = none;  // InstructionTrace

    std::uint8_t components() const { return static_cast<std::uint8_t>(flags >> components_from); }

    friend bool operator>(const Result& a, const Result& b) { return a.at != b.at ? a.at > b.at : a.number > b.number; }
};

class ResultQueue {
  public:
    void push(engine::Time at, std::uint32_t warp, const RegisterUse& use, bool writes, std::uint32_t traced) {
        const int flags = (use.branches ? Result::branches : 0) | (writes ? Result::writes : 0) |
                          use.destination_components << Result::components_from;
        results_.push_back(
            {at, next_++, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(flags), use.destination, traced});
        std::push_heap(results_.begin(), results_.end(), std::greater<>());
    }
    bool has(engine::Time now) const { return !results_.empty() && results_.front().at <= now; }
    Result pop() {
        std::pop_heap(results_.begin(), results_.end(), std::greater<>());
        const Result result = results_.back();
        results_.pop_back();
        return result;
    }
    // Of the first; never without one.
    engine::Time next() const { return results_.empty() ? engine::never : results_.front().at; }

    void serialize(engine::Archive& archive) { archive(results_, next_); }

  private:
    std::vector<Result> results_;  // a heap, the earliest in front
    std::uint64_t next_ = 0;
};

}  // namespace models
