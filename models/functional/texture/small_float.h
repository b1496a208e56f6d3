// Floats of 16, 11 and 10 bits: conversions to and from 32 bits, truncating, with denormals, infinities and NaN.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace models::functional {

// A float of 5 exponent bits (bias 15) and `mantissa` bits, without its sign.
inline float small_to_float(std::uint32_t bits, int mantissa) {
    assert(mantissa > 0 && mantissa <= 10);
    const std::uint32_t exponent = bits >> mantissa;
    const std::uint32_t fraction = (bits & ((1U << mantissa) - 1)) << (23 - mantissa);
    if (exponent == 31) return std::bit_cast<float>(0x7f800000U | fraction);
    if (exponent != 0) return std::bit_cast<float>(((exponent + 112) << 23) | fraction);
    // Denormal: fraction / 2^23 * 2^-14.
    return static_cast<float>(fraction) * (1.0F / 8388608.0F / 16384.0F);
}

// `magnitude` are the bits of a 32-bit float without its sign. Finite numbers too large become the largest finite one.
inline std::uint32_t float_to_small(std::uint32_t magnitude, int mantissa) {
    assert(mantissa > 0 && mantissa <= 10);
    const std::uint32_t infinity = 31U << mantissa;
    if (magnitude > 0x7f800000U) return infinity | (1U << (mantissa - 1));
    if (magnitude == 0x7f800000U) return infinity;
    const std::uint32_t exponent = magnitude >> 23;
    if (exponent >= 143) return infinity - 1;
    if (exponent > 112) return ((exponent - 112) << mantissa) | ((magnitude & 0x7fffffU) >> (23 - mantissa));
    const std::uint32_t shift = 113 - exponent;  // denormal
    if (shift > 24) return 0;
    return (((magnitude & 0x7fffffU) | 0x800000U) >> shift) >> (23 - mantissa);
}

inline float half_to_float(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(small_to_float(half & 0x7fffU, 10)) | sign);
}

inline std::uint32_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return ((bits >> 16) & 0x8000U) | float_to_small(bits & 0x7fffffffU, 10);
}

// Without a sign: negative numbers become 0.
inline std::uint32_t float_to_unsigned_small(float value, int mantissa) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool negative = (bits >> 31) != 0 && (bits & 0x7fffffffU) <= 0x7f800000U;
    return negative ? 0 : float_to_small(bits & 0x7fffffffU, mantissa);
}

}  // namespace models::functional
