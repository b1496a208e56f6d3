// Where the time of a unit goes: every cycle is counted in one of n states, so that they add up to all cycles. A state
// is one of three things, and who reads the results learns which, and of whom:
//
//     busy       the unit works
//     starved    it waits for something to come, work or data, from the unit that it names
//     blocked    it has something to hand on or to ask, and the unit that it names has no room
//
// A unit that waits for its own pipeline (the latency of its results) is starved by its own kind.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/counter.h"
#include "engine/events/windows.h"
#include "engine/units.h"
#include "models/base/laws.h"

namespace models {

enum class Activity : std::uint8_t { busy, starved, blocked };
inline constexpr std::array<std::string_view, 3> activity_names{"busy", "starved", "blocked"};

// `by`: the kind of unit that it waits for, as it is called in results ("l2_slice"), or one of these:
inline constexpr std::string_view frame_done = "frame";       // nothing of the frame is left for it
inline constexpr std::string_view requesters = "requesters";  // any unit that reads memory or writes it
struct UnitState {
    std::string_view name;
    Activity activity;
    std::string_view by = {};
};

template <std::size_t n>
class TimeAccount {
  public:
    using States = std::array<UnitState, n>;

    // The first state is that of the beginning.
    TimeAccount(const engine::CounterScope& scope, const States& states, engine::Time period)
        : cycles(scope, "cycles", names(states, std::make_index_sequence<n>()), "cycle", "time"),
          periods_(period) {
        for (std::size_t i = 0; i < n; ++i)
            scope.list->note_time(
                cycles[i].place(),
                {std::string(activity_names[static_cast<std::size_t>(states[i].activity)]), std::string(states[i].by)});
    }

    // Since the last call the unit was in the state named then; from now on it is in this one.
    void enter(engine::Time now, std::size_t state) {
        if (state_ == state && next_ == state) return;  // nothing is counted as long as it stays
        settle(now);
        state_ = next_ = state;
    }
    // From now on it is in this state, and from the edge `until` on in the next one, unless it enters another before.
    void enter(engine::Time now, std::size_t state, engine::Time until, std::size_t next) {
        if (until <= now) state = next;
        if (state_ != state || next_ != next || (state != next && now > until_)) {
            settle(now);
            state_ = state;
            next_ = next;
        }
        until_ = until;
    }
    void settle(engine::Time now) {  // `cycles` are right after it
        if (state_ != next_ && now >= until_) {
            count(until_);
            state_ = next_;
        }
        count(now);
    }

    // Its states last as long as a frame does.
    void add_laws(Laws& laws, const std::string& unit) const {
        Sum sum;
        sum.add(cycles);
        laws.last(unit + ": cycles of its states = cycles of the frame", std::move(sum), periods_.length());
    }

    void serialize(engine::Archive& archive) { archive(since_, until_, state_, next_); }

    engine::CounterRow<n> cycles;

  private:
    template <std::size_t... i>
    static std::array<std::string_view, n> names(const States& states, std::index_sequence<i...> /*all*/) {
        return {states[i].name...};
    }
    void count(engine::Time now) {
        const engine::Time elapsed = now - since_;
        if (elapsed == 0) return;
        const engine::Time count = periods_.of(elapsed);
        cycles[state_] += static_cast<std::uint64_t>(count);
        since_ += periods_.start(count);
    }

    engine::Windows periods_;  // divides by the period
    engine::Time since_ = 0;
    engine::Time until_ = 0;  // when the next state begins, if that is another one
    std::size_t state_ = 0, next_ = 0;
};

}  // namespace models
