// Counter-based random numbers and hashes for the benchmarks: the same bits on every machine, whoever draws first.
#pragma once

#include <bit>
#include <cstdint>

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

// An exponentially distributed number of mean 1, to 3e-9 of the true -ln(u) and at most 36.1. Additions,
// multiplications and one division in a fixed order, so that it does not depend on a mathematical library.
inline double exponential(std::uint64_t bits) {
    const double uniform = static_cast<double>(static_cast<std::int64_t>(bits >> 12U) + 1) * 0x1p-52;  // (0, 1]
    constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcdU;
    const std::uint64_t raw = std::bit_cast<std::uint64_t>(uniform);
    const std::int64_t exponent = static_cast<std::int64_t>(raw - root_of_half) >> 52;
    const double mantissa = std::bit_cast<double>(raw - (static_cast<std::uint64_t>(exponent) << 52U));
    const double s = (mantissa - 1) / (mantissa + 1), t = s * s;  // ln(mantissa) = 2 artanh(s)
    const double series = 2 * s * (1 + t * (1.0 / 3 + t * (1.0 / 5 + t * (1.0 / 7 + t * (1.0 / 9)))));
    return -(static_cast<double>(exponent) * 0.69314718055994530942 + series);
}

}  // namespace engine::benchmarks
