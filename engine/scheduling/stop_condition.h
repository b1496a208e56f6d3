// StopCondition: when the first worker of a rank asks for the end of a run: a signal has come, or the time of a trial
// is up (Simulation::run()).
#pragma once

#include <atomic>

#include "engine/wall_clock.h"

namespace engine {

class StopCondition {
  public:
    static constexpr int end_of_trial = 1 << 20;  // no signal has this number

    // `signal`: becomes the number of one; may be null. `seconds`: of wall time from the first call of asked(); below
    // 0: no limit.
    StopCondition(const std::atomic<int>* signal, double seconds) : signal_(signal), limit_(seconds) {}

    // The signal, or `end_of_trial`, or 0: go on.
    int asked() {
        const int signal = signal_ == nullptr ? 0 : signal_->load(std::memory_order_relaxed);
        if (signal != 0 || limit_ < 0) return signal;
        return is_over() ? end_of_trial : 0;
    }
    // When the limit was reached: the seconds until then.
    double seconds() const { return seconds_; }

  private:
    // Looks at the clock in every 16th call.
    bool is_over() {
        if (calls_ == 0) begin_ = Clock::now();
        if (calls_++ % 16 == 15 && seconds_ < limit_) seconds_ = seconds_since(begin_);
        return calls_ >= 16 && seconds_ >= limit_;
    }

    const std::atomic<int>* signal_;
    double limit_, seconds_ = 0;
    unsigned calls_ = 0;
    Clock::time_point begin_{};
};

}  // namespace engine
