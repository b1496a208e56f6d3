// Conversions of floats to integers that are defined for every input: out of range values and NaN end at the ends of
// +-2e9, which is far outside any texture.
#pragma once

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

}  // namespace models::functional
