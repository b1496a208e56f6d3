// Counter-based random numbers and hashes for the benchmarks: the same bits on every machine, whoever draws first.
#pragma once

#include <cstdint>

#include "engine/archive.h"

namespace engine::benchmarks {

inline constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

// The n-th number is a function of (seed, stream, n).
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t stream) : counter_(mix(mix(seed + step) + (stream + 1) * step)) {}
    std::uint64_t next() { return mix(counter_ += step); }
    void serialize(Archive& archive) { archive(counter_); }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    std::uint64_t counter_;
};

// A hash of a sequence: one multiplication per value, and it depends on their order.
inline constexpr std::uint64_t absorb(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0xd6e8feb86659fd93U;
    return hash ^ (hash >> 32U);
}

// A number from 0 to n - 1, from the upper half of the bits.
inline constexpr int below(int n, std::uint64_t bits) {
    return static_cast<int>((bits >> 32U) * static_cast<std::uint64_t>(n) >> 32U);
}

}  // namespace engine::benchmarks
