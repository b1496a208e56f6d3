// BackOff: waiting that is quick when the wait is short and leaves the core to others when it is not. First a spin
// (only where every worker has a core), then yielding, then sleeping for a moment at a time. The spin is long, some
// 0.1 ms, since whoever yields loses a slice of some milliseconds to any other program that is ready there, however
// low its priority.
#pragma once

#include <chrono>
#include <thread>

#include "engine/threads/thread_placement.h"
#include "engine/wall_clock.h"

namespace engine {

class BackOff {
  public:
    // `spin`: every worker has a core of its own.
    explicit BackOff(bool spin) : spins_(spin ? 4000 : 0), sleep_after_(spin ? 20e-3 : 0.2e-3) {}

    // Lets a moment pass.
    void pause() {
        if (steps_ == measured_from) start_ = Clock::now();
        ++steps_;
        if (steps_ <= spins_) {
            relax();
            if (steps_ == settles_after) ThreadPlacement::settle();  // perhaps the one waited for needs this very core
        } else if (steps_ <= spins_ + 8 || seconds() < sleep_after_) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }
    // Seconds waited so far. A wait of a few steps is not worth looking at the clock and counts as none.
    double seconds() const { return steps_ > measured_from ? seconds_since(start_) : 0; }

  private:
    static constexpr int measured_from = 8, settles_after = 400;
    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    int spins_, steps_ = 0;
    // Longer than one sleep: otherwise two workers that wait for each other alternate between sleeping for ever. And
    // longer than another program keeps a core, where every worker should have one.
    double sleep_after_;
    Clock::time_point start_{};
};

}  // namespace engine
