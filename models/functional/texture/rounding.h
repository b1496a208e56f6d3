// Conversions of floats to integers that are defined for every input: out of range values and NaN end at the ends of
// +-2e9, which is far outside any texture.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace models::functional {

inline float bounded(float x) {
    x = x > -2.0e9F ? x : -2.0e9F;  // also NaN
    return x < 2.0e9F ? x : 2.0e9F;
}

inline int truncated(float x) {
    return static_cast<int>(bounded(x));
}

inline int floored(float x) {
    x = bounded(x);
    const int i = static_cast<int>(x);
    return i - static_cast<int>(x < static_cast<float>(i));
}

// To nearest, halves to even.
inline int rounded_to_even(float x) {
    return static_cast<int>(std::lrint(bounded(x)));
}

// x - floor(x), below 1; 0 for NaN.
inline float fraction(float x) {
    const float f = x - std::floor(x);
    return f >= 0 ? (f < 1 ? f : 0x1.fffffep-1F) : 0.0F;
}

// 0..1 (clamped, NaN is 0) to an integer of up to 16 bits, scaled by 2^bits - 1 and rounded to nearest. The sum leaves
// the result in the low bits of the mantissa: ties fall as they do in llvmpipe, which uses the same addition.
inline std::uint32_t to_unorm(float value, unsigned bits) {
    value = value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
    const std::uint32_t mask = (1U << bits) - 1U;
    const float scale = static_cast<float>(mask) / static_cast<float>(1U << bits);
    const float bias = static_cast<float>(1U << (23U - bits));
    return std::bit_cast<std::uint32_t>(value * scale + bias) & mask;
}

}  // namespace models::functional
