// Jitter: schedule fuzzing. Delays a worker at random, in wall time only, to show that results do not depend on when
// anything happens: before a window, between reading clocks and taking messages, between handing over messages and
// setting a clock. Without a seed it does nothing and costs a branch.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace engine {

class Jitter {
  public:
    // Seed 0: none. Workers of one seed are delayed differently.
    Jitter(std::uint64_t seed, int worker)
        : state_(seed == 0 ? 0 : (seed * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(worker + 1) << 32U) | 1U) {}

    // Nothing, mostly; else a spin, another thread's turn, or now and then a sleep.
    void delay() {
        if (state_ != 0) [[unlikely]]
            pass_time();
    }
    // Whether to see nothing of what others have sent, this time.
    bool skips_poll() { return state_ != 0 && draw() % 4 == 0; }

  private:
    std::uint64_t draw() {  // xorshift64*
        state_ ^= state_ >> 12U;
        state_ ^= state_ << 25U;
        state_ ^= state_ >> 27U;
        return state_ * 0x2545f4914f6cdd1dU >> 16U;
    }
    void pass_time() {
        const std::uint64_t chance = draw();
        if (chance % 1024 == 0) return std::this_thread::sleep_for(std::chrono::microseconds(draw() % 300));
        if (chance % 256 == 1) return std::this_thread::yield();
        if (chance % 16 == 2) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(draw() % 4096);
            while (std::chrono::steady_clock::now() < end) {
            }
        }
    }
    std::uint64_t state_;
};

}  // namespace engine
