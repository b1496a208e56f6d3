// TGSI's operations on integers and half floats, one lane at a time. Shift counts and bit offsets count modulo 32.
// Division by zero gives 0 (IDIV) or all ones (UDIV, MOD, UMOD); nothing traps.
#pragma once

#include <bit>
#include <cstdint>

namespace models::functional::tgsi::integer_math {

using u32 = std::uint32_t;
using i32 = std::int32_t;

inline i32 as_signed(u32 a) {
    return static_cast<i32>(a);
}
inline u32 as_bits(i32 a) {
    return static_cast<u32>(a);
}
inline u32 truth(bool yes) {
    return yes ? ~0U : 0U;
}

inline u32 bit_and(u32 a, u32 b) {
    return a & b;
}
inline u32 bit_or(u32 a, u32 b) {
    return a | b;
}
inline u32 bit_xor(u32 a, u32 b) {
    return a ^ b;
}
inline u32 bit_not(u32 a) {
    return ~a;
}
inline u32 shift_left(u32 a, u32 b) {
    return a << (b & 31);
}
inline u32 shift_right(u32 a, u32 b) {
    return a >> (b & 31);
}
inline u32 shift_right_signed(u32 a, u32 b) {
    return as_bits(as_signed(a) >> (b & 31));
}

inline u32 add(u32 a, u32 b) {
    return a + b;
}
inline u32 multiply(u32 a, u32 b) {
    return a * b;
}
inline u32 multiply_high(u32 a, u32 b) {
    return static_cast<u32>((std::uint64_t{a} * b) >> 32);
}
inline u32 multiply_high_signed(u32 a, u32 b) {
    const std::int64_t product = std::int64_t{as_signed(a)} * as_signed(b);
    return static_cast<u32>(static_cast<std::uint64_t>(product) >> 32);
}
inline u32 negate(u32 a) {
    return 0U - a;
}
inline u32 absolute(u32 a) {
    return as_signed(a) < 0 ? 0U - a : a;
}
inline u32 sign(u32 a) {
    return as_signed(a) > 0 ? 1U : (a == 0 ? 0U : ~0U);
}

inline u32 divide(u32 a, u32 b) {
    return b != 0 ? a / b : ~0U;
}
inline u32 remainder(u32 a, u32 b) {
    return b != 0 ? a % b : ~0U;
}
inline u32 divide_signed(u32 a, u32 b) {
    const u32 quotient = b != 0 ? absolute(a) / absolute(b) : 0U;
    return (a ^ b) >> 31 != 0 ? negate(quotient) : quotient;
}
inline u32 remainder_signed(u32 a, u32 b) {  // has the sign of a
    if (b == 0) return ~0U;
    const u32 rest = absolute(a) % absolute(b);
    return as_signed(a) < 0 ? negate(rest) : rest;
}

inline u32 minimum(u32 a, u32 b) {
    return a < b ? a : b;
}
inline u32 maximum(u32 a, u32 b) {
    return a > b ? a : b;
}
inline u32 minimum_signed(u32 a, u32 b) {
    return as_signed(a) < as_signed(b) ? a : b;
}
inline u32 maximum_signed(u32 a, u32 b) {
    return as_signed(a) > as_signed(b) ? a : b;
}
inline u32 less(u32 a, u32 b) {
    return truth(a < b);
}
inline u32 not_less(u32 a, u32 b) {
    return truth(a >= b);
}
inline u32 less_signed(u32 a, u32 b) {
    return truth(as_signed(a) < as_signed(b));
}
inline u32 not_less_signed(u32 a, u32 b) {
    return truth(as_signed(a) >= as_signed(b));
}
inline u32 equal(u32 a, u32 b) {
    return truth(a == b);
}
inline u32 not_equal(u32 a, u32 b) {
    return truth(a != b);
}

// `width` bits of `value` from bit `offset` on; width 32 at offset 0 is the whole value.
inline u32 extract(u32 value, u32 offset, u32 width) {
    offset &= 31;
    if (width == 32 && offset == 0) return value;
    width &= 31;
    if (width == 0) return 0;
    return width + offset < 32 ? (value << (32 - width - offset)) >> (32 - width) : value >> offset;
}
inline u32 extract_signed(u32 value, u32 offset, u32 width) {
    offset &= 31;
    if (width == 32 && offset == 0) return value;
    width &= 31;
    if (width == 0) return 0;
    return width + offset < 32 ? as_bits(as_signed(value << (32 - width - offset)) >> (32 - width))
                               : as_bits(as_signed(value) >> offset);
}
inline u32 insert(u32 base, u32 value, u32 offset, u32 width) {
    offset &= 31;
    if (width == 32) return value;
    const u32 mask = ((1U << (width & 31)) - 1) << offset;
    return ((value << offset) & mask) | (base & ~mask);
}
inline u32 reverse(u32 a) {
    a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
    a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
    a = (a >> 4 & 0x0f0f0f0fU) | (a & 0x0f0f0f0fU) << 4;
    a = (a >> 8 & 0x00ff00ffU) | (a & 0x00ff00ffU) << 8;
    return a >> 16 | a << 16;
}
inline u32 count_ones(u32 a) {
    return static_cast<u32>(std::popcount(a));
}
inline u32 lowest_one(u32 a) {
    return a != 0 ? static_cast<u32>(std::countr_zero(a)) : ~0U;
}
inline u32 highest_one(u32 a) {
    return a != 0 ? 31U - static_cast<u32>(std::countl_zero(a)) : ~0U;
}
inline u32 highest_unlike_sign(u32 a) {
    return highest_one(as_signed(a) < 0 ? ~a : a);
}

// Half floats: rounded to nearest even, too large becomes infinity.
inline u32 half_bits(float value) {
    const u32 all = std::bit_cast<u32>(value);
    const u32 sign_half = (all >> 16) & 0x8000U;
    const u32 magnitude = all & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return sign_half | 0x7e00U;
    if (magnitude >= 0x477ff000U) return sign_half | 0x7c00U;  // 65520 and more
    if (magnitude < 0x38800000U) {                             // below 2^-14: a multiple of 2^-24
        const float units = std::bit_cast<float>(magnitude) * 16777216.0F;
        return sign_half | (std::bit_cast<u32>(units + 8388608.0F) - 0x4b000000U);
    }
    const u32 rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
    return sign_half | ((rounded - 0x38000000U) >> 13);
}
inline float half_value(u32 half) {
    const u32 sign_float = (half & 0x8000U) << 16;
    const u32 exponent = (half >> 10) & 31U, mantissa = half & 0x3ffU;
    if (exponent == 31) return std::bit_cast<float>(sign_float | 0x7f800000U | mantissa << 13);
    if (exponent == 0) {
        const float units = static_cast<float>(mantissa) * (1.0F / 16777216.0F);
        return std::bit_cast<float>(std::bit_cast<u32>(units) | sign_float);
    }
    return std::bit_cast<float>(sign_float | (exponent + 112U) << 23 | mantissa << 13);
}

}  // namespace models::functional::tgsi::integer_math
