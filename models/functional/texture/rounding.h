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

// To nearest, halves to even. The sum rounds and leaves the integer in the low bits of the mantissa, which compilers
// can do for several floats at once.
inline int rounded_to_even(float x) {
    const auto sum = std::bit_cast<std::uint64_t>(static_cast<double>(bounded(x)) + 0x1.8p52);
    return static_cast<int>(static_cast<std::uint32_t>(sum));
}

// x - floor(x), below 1; 0 for NaN.
inline float fraction(float x) {
    const float f = x - std::floor(x);
    return f >= 0 ? (f < 1 ? f : 0x1.fffffep-1F) : 0.0F;
}

// An integer of up to 24 bits to 0..1, as llvmpipe does it: the product with the reciprocal differs from the quotient
// in the last bit of some values, which decides halves when a mean of texels is rounded.
constexpr float from_unorm(std::uint32_t value, std::uint64_t largest) {
    return static_cast<float>(value) * static_cast<float>(1.0 / static_cast<double>(largest));
}

// 0..1 (clamped, NaN is 0) to an integer of up to 16 bits, scaled by 2^bits - 1 and rounded to nearest. The sum leaves
// the result in the low bits of the mantissa: ties fall as they do in llvmpipe, which uses the same addition for bytes
// and for what it draws. The fewer the bits, the more values are ties: 24 - bits of the product are left.
inline std::uint32_t to_unorm(float value, unsigned bits) {
    value = value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
    const std::uint32_t mask = (1U << bits) - 1U;
    const float scale = static_cast<float>(mask) / static_cast<float>(1U << bits);
    const float bias = static_cast<float>(1U << (23U - bits));
    return std::bit_cast<std::uint32_t>(value * scale + bias) & mask;
}

// 0..1 (clamped, NaN is 0) to an integer of up to 16 bits, as the reference rounds the colour of a clear where a
// channel is not a byte: product and sum in single precision, halves up. A product that is within rounding of a half
// goes up, too.
inline std::uint32_t to_unorm_halves_up(float value, unsigned bits) {
    value = value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
    const float product = value * static_cast<float>((1U << bits) - 1U);
    return static_cast<std::uint32_t>(product + 0.5F);
}

// A byte that repeats the bits of a shorter number, as llvmpipe's do where it computes in bytes.
constexpr std::uint32_t repeated_in_byte(std::uint32_t value, unsigned bits) {
    std::uint32_t byte = value << (8U - bits);
    for (unsigned filled = bits; filled < 8; filled *= 2) byte |= byte >> filled;
    return byte;
}

// Depth to 24 and 32 bits and back with llvmpipe's arithmetic, which decides between surfaces at equal depths: 24 bits
// by a product in single precision; 32 bits by truncating to 31; and of 32 bits only the upper 23 are read back.
inline std::uint32_t to_depth24(float value) {
    value = value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
    return static_cast<std::uint32_t>(rounded_to_even(value * 16777215.0F));
}

inline std::uint32_t to_depth32(float value) {
    value = value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
    const auto scaled = static_cast<std::uint32_t>(value * 2147483648.0F);
    return (scaled << 1) - (scaled >> 31);
}

inline float from_depth32(std::uint32_t depth) {
    constexpr float scale = static_cast<float>(8388608.0 / 8388607.0);
    return (std::bit_cast<float>((depth >> 9) | 0x3f800000U) - 1.0F) * scale;
}

}  // namespace models::functional
