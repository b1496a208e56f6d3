// Credits on their way back to whoever sends into a queue: they are collected, and go in bulk, so that a message serves
// several of them. Plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/archive.h"
#include "engine/units.h"

namespace models {

class CreditReturn {
  public:
    // Of queues with fewer entries each goes back at once, as half of them is one.
    static constexpr int least_collected = 4;
    // A message goes for `bulk` credits, or for those that have waited for `patience` ticks.
    explicit CreditReturn(int queue_entries = 1, engine::Time patience = 0)
        : bulk_(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(queue_entries) / 2)),
          patience_(patience) {}

    void add(engine::Time now, std::uint32_t credits) {
        if (count_ == 0) since_ = now;
        count_ += credits;
    }
    bool is_due(engine::Time now) const { return count_ >= bulk_ || (count_ > 0 && now - since_ >= patience_); }
    engine::Time due() const { return count_ == 0 ? engine::never : since_ + patience_; }
    std::uint32_t take() { return std::exchange(count_, 0); }

    void serialize(engine::Archive& archive) { archive(count_, since_); }

  private:
    std::uint32_t bulk_;
    engine::Time patience_;
    std::uint32_t count_ = 0;
    engine::Time since_ = 0;
};

}  // namespace models
