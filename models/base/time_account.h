// Where the time of a unit goes: every cycle is counted in one of n states, so that they add up to all cycles.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/counter.h"
#include "engine/units.h"

namespace models {

template <std::size_t n>
class TimeAccount {
  public:
    // `states`: their names; the first is that of the beginning.
    TimeAccount(const engine::CounterScope& scope, const std::array<std::string_view, n>& states, engine::Time period)
        : cycles(scope, "cycles", states, "cycle", "time"),
          period_(period) {}

    // Since the last call the unit was in the state named then; from now on it is in this one.
    void enter(engine::Time now, std::size_t state) {
        settle(now);
        state_ = state;
    }
    void settle(engine::Time now) {
        const engine::Time elapsed = now - since_;
        if (elapsed == 0) return;
        // Mostly one period: spare the division.
        cycles[state_] += elapsed == period_ ? 1 : static_cast<std::uint64_t>(elapsed / period_);
        since_ = now - elapsed % period_;
    }

    void serialize(engine::Archive& archive) { archive(since_, state_); }

    engine::CounterRow<n> cycles;

  private:
    engine::Time period_, since_ = 0;
    std::size_t state_ = 0;
};

}  // namespace models
