// How far a run is to go, as --stop-after and --checkpoint-every say it: "90 s", "10 min", "2 h" of wall time,
// "2000000 cycles" of the simulated GPU clock, or "3 frames".
#pragma once

#include <cstdint>
#include <string>

#include "engine/units.h"
#include "engine/wall_clock.h"

namespace experiments {

struct RunLength {  // one of them; nothing where the option was not given
    double seconds = 0;
    std::int64_t cycles = 0, frames = 0;

    bool given() const { return seconds > 0 || cycles > 0 || frames > 0; }
};

// Throws engine::ConfigError that names the option.
RunLength parse_run_length(const std::string& option, const std::string& text);

// The next point of a run that is so far away. Simulated times are ticks since the run began.
class Milestone {
  public:
    using Clock = engine::Clock;

    // Counts from there; `cycle`: ticks of the GPU clock.
    Milestone(const RunLength& length, Clock::time_point wall, engine::Time simulated, engine::Time cycle);

    bool given() const { return length_.given(); }
    // In simulated time, or engine::never.
    engine::Time time() const { return time_; }
    // Of wall time, infinity where that is not counted; negative when it is past.
    double seconds_left() const;
    void count_frame() { ++frames_; }
    bool is_reached(engine::Time now) const;
    // Now the next one counts, as far from now. A simulated time counts from the one before.
    void go_on();

  private:
    RunLength length_;
    Clock::time_point wall_;
    engine::Time step_ = 0, time_ = engine::never;
    std::int64_t frames_ = 0;
};

}  // namespace experiments
