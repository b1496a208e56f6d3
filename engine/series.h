// Series: what a block notes over time, declared like a counter. It grows while a run goes on, and is empty again when
// it has been collected (Simulation::take_series()); its declaration says what its numbers mean.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/archive.h"
#include "engine/counter.h"

namespace engine {

class Series {
  public:
    explicit Series(CounterList* list) { list->series_.push_back(this); }
    Series(const Series&) = delete;  // registered by address
    Series& operator=(const Series&) = delete;

    void append(std::uint64_t value) { values_.push_back(value); }
    const std::vector<std::uint64_t>& values() const { return values_; }
    std::vector<std::uint64_t> take() { return std::exchange(values_, {}); }

    void serialize(Archive& archive) { archive(values_); }

  private:
    std::vector<std::uint64_t> values_;
};

}  // namespace engine
