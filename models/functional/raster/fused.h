// a * b + c with one rounding. The product of two floats is exact in double, so this is what a fused instruction gives
// but for sums that fall, after the rounding to double, on the middle between two floats; it is the same on every
// machine.
#pragma once

namespace models::functional {

inline float fused(float a, float b, float c) {
    return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

}  // namespace models::functional
