// TGSI's operations on integers and half floats, one lane at a time. Shift counts and bit offsets count modulo 32.
// Division by zero gives 0 (IDIV) or all ones (UDIV, MOD, UMOD); nothing traps.
#pragma once

#include <bit>
#include <cstdint>

namespace models::functional::tgsi::integer_math {

using Bits = std::uint32_t;
using Signed = std::int32_t;

inline Signed as_signed(Bits a) {
    return static_cast<Signed>(a);
}
inline Bits as_bits(Signed a) {
    return static_cast<Bits>(a);
}
inline Bits truth(bool yes) {
    return yes ? ~0U : 0U;
}

inline Bits bit_and(Bits a, Bits b) {
    return a & b;
}
inline Bits bit_or(Bits a, Bits b) {
    return a | b;
}
inline Bits bit_xor(Bits a, Bits b) {
    return a ^ b;
}
inline Bits bit_not(Bits a) {
    return ~a;
}
inline Bits shift_left(Bits a, Bits b) {
    return a << (b & 31);
}
inline Bits shift_right(Bits a, Bits b) {
    return a >> (b & 31);
}
inline Bits shift_right_signed(Bits a, Bits b) {
    return as_bits(as_signed(a) >> (b & 31));
}

inline Bits add(Bits a, Bits b) {
    return a + b;
}
inline Bits multiply(Bits a, Bits b) {
    return a * b;
}
inline Bits multiply_high(Bits a, Bits b) {
    return static_cast<Bits>((std::uint64_t{a} * b) >> 32);
}
inline Bits multiply_high_signed(Bits a, Bits b) {
    const std::int64_t product = std::int64_t{as_signed(a)} * as_signed(b);
    return static_cast<Bits>(static_cast<std::uint64_t>(product) >> 32);
}
inline Bits negate(Bits a) {
    return 0U - a;
}
inline Bits absolute(Bits a) {
    return as_signed(a) < 0 ? 0U - a : a;
}
inline Bits sign(Bits a) {
    return as_signed(a) > 0 ? 1U : (a == 0 ? 0U : ~0U);
}

inline Bits divide(Bits a, Bits b) {
    return b != 0 ? a / b : ~0U;
}
inline Bits remainder(Bits a, Bits b) {
    return b != 0 ? a % b : ~0U;
}
inline Bits divide_signed(Bits a, Bits b) {
    const Bits quotient = b != 0 ? absolute(a) / absolute(b) : 0U;
    return (a ^ b) >> 31 != 0 ? negate(quotient) : quotient;
}
inline Bits remainder_signed(Bits a, Bits b) {  // has the sign of a
    if (b == 0) return ~0U;
    const Bits rest = absolute(a) % absolute(b);
    return as_signed(a) < 0 ? negate(rest) : rest;
}

inline Bits minimum(Bits a, Bits b) {
    return a < b ? a : b;
}
inline Bits maximum(Bits a, Bits b) {
    return a > b ? a : b;
}
inline Bits minimum_signed(Bits a, Bits b) {
    return as_signed(a) < as_signed(b) ? a : b;
}
inline Bits maximum_signed(Bits a, Bits b) {
    return as_signed(a) > as_signed(b) ? a : b;
}
inline Bits less(Bits a, Bits b) {
    return truth(a < b);
}
inline Bits not_less(Bits a, Bits b) {
    return truth(a >= b);
}
inline Bits less_signed(Bits a, Bits b) {
    return truth(as_signed(a) < as_signed(b));
}
inline Bits not_less_signed(Bits a, Bits b) {
    return truth(as_signed(a) >= as_signed(b));
}
inline Bits equal(Bits a, Bits b) {
    return truth(a == b);
}
inline Bits not_equal(Bits a, Bits b) {
    return truth(a != b);
}

// `width` bits of `value` from bit `offset` on; width 32 at offset 0 is the whole value.
inline Bits extract(Bits value, Bits offset, Bits width) {
    offset &= 31;
    if (width == 32 && offset == 0) return value;
    width &= 31;
    if (width == 0) return 0;
    return width + offset < 32 ? (value << (32 - width - offset)) >> (32 - width) : value >> offset;
}
inline Bits extract_signed(Bits value, Bits offset, Bits width) {
    offset &= 31;
    if (width == 32 && offset == 0) return value;
    width &= 31;
    if (width == 0) return 0;
    return width + offset < 32 ? as_bits(as_signed(value << (32 - width - offset)) >> (32 - width))
                               : as_bits(as_signed(value) >> offset);
}
inline Bits insert(Bits base, Bits value, Bits offset, Bits width) {
    offset &= 31;
    if (width == 32) return value;
    const Bits mask = ((1U << (width & 31)) - 1) << offset;
    return ((value << offset) & mask) | (base & ~mask);
}
inline Bits reverse(Bits a) {
    a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
    a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
    a = (a >> 4 & 0x0f0f0f0fU) | (a & 0x0f0f0f0fU) << 4;
    a = (a >> 8 & 0x00ff00ffU) | (a & 0x00ff00ffU) << 8;
    return a >> 16 | a << 16;
}
inline Bits count_ones(Bits a) {
    return static_cast<Bits>(std::popcount(a));
}
inline Bits lowest_one(Bits a) {
    return a != 0 ? static_cast<Bits>(std::countr_zero(a)) : ~0U;
}
inline Bits highest_one(Bits a) {
    return a != 0 ? 31U - static_cast<Bits>(std::countl_zero(a)) : ~0U;
}
inline Bits highest_unlike_sign(Bits a) {
    return highest_one(as_signed(a) < 0 ? ~a : a);
}

// Half floats: rounded to nearest even, too large becomes infinity.
inline Bits half_bits(float value) {
    const Bits all = std::bit_cast<Bits>(value);
    const Bits sign_half = (all >> 16) & 0x8000U;
    const Bits magnitude = all & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return sign_half | 0x7e00U;
    if (magnitude >= 0x477ff000U) return sign_half | 0x7c00U;  // 65520 and more
    if (magnitude < 0x38800000U) {                             // below 2^-14: a multiple of 2^-24
        const float units = std::bit_cast<float>(magnitude) * 16777216.0F;
        return sign_half | (std::bit_cast<Bits>(units + 8388608.0F) - 0x4b000000U);
    }
    const Bits rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
    return sign_half | ((rounded - 0x38000000U) >> 13);
}
inline float half_value(Bits half) {
    const Bits sign_float = (half & 0x8000U) << 16;
    const Bits exponent = (half >> 10) & 31U, mantissa = half & 0x3ffU;
    if (exponent == 31) return std::bit_cast<float>(sign_float | 0x7f800000U | mantissa << 13);
    if (exponent == 0) {
        const float units = static_cast<float>(mantissa) * (1.0F / 16777216.0F);
        return std::bit_cast<float>(std::bit_cast<Bits>(units) | sign_float);
    }
    return std::bit_cast<float>(sign_float | (exponent + 112U) << 23 | mantissa << 13);
}

}  // namespace models::functional::tgsi::integer_math
