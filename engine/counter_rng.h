// CounterRng: counter-based random numbers. The n-th number is a function of (seed, stream, n), the same bits on every
// machine and in any order of drawing.
#pragma once

#include <cstdint>

namespace engine {

class CounterRng {
  public:
    CounterRng(std::uint64_t seed, std::uint64_t stream) : counter_(mix(mix(seed + step) + (stream + 1) * step)) {}
    std::uint64_t next() { return mix(counter_ += step); }
    // From 0 to n - 1, for n below 2^32; uneven by less than n / 2^32.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32U) * n >> 32U); }

  private:
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31U);
    }
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    std::uint64_t counter_;
};

}  // namespace engine
