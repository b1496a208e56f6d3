// Patience: waiting that is quick when the wait is short and leaves the core to others when it is not. First a spin
// (only where every worker has a core), then yielding, then the caller sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace engine {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

class Patience {
  public:
    // `spin`: every worker has a core of its own.
    explicit Patience(bool spin) : spins_(spin ? 400 : 0) {}

    // Lets a moment pass; false if it is time to sleep.
    bool pause() {
        if (steps_ == measured_from) start_ = Clock::now();
        if (steps_ >= spins_ + yields) return false;
        if (steps_++ < spins_)
            relax();
        else
            std::this_thread::yield();
        return true;
    }
    // The same, and sleeps for a moment when it is time to. For what nobody wakes up.
    void pause_or_sleep() {
        if (!pause()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    // Seconds waited so far. A wait of a few steps is not worth looking at the clock and counts as none.
    double seconds() const { return steps_ > measured_from ? seconds_since(start_) : 0; }

  private:
    static constexpr int yields = 200, measured_from = 8;

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    int spins_, steps_ = 0;
    Clock::time_point start_{};
};

}  // namespace engine
