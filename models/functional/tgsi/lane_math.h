// Elementary functions as branch-free arithmetic, so that loops over lanes become vector instructions. Only +, -, *, /,
// conversions and bit operations are used: every compiler and machine gives the same bits.
//
// Errors, tested against double precision: exp2, log2, pow, sin, cos at most 1 unit in the last place (sin and cos for
// |x| below largest_angle, where the caller has to fall back on the library). Special values as IEEE 754 has them,
// except pow, where llvmpipe is followed: pow(0, y) = 0 and pow(x < 0, y) = NaN.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace models::functional::tgsi::lane_math {

inline std::uint32_t bits(float x) {
    return std::bit_cast<std::uint32_t>(x);
}
inline std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
inline float from_bits(std::uint32_t x) {
    return std::bit_cast<float>(x);
}
inline double from_bits(std::uint64_t x) {
    return std::bit_cast<double>(x);
}

inline constexpr std::uint32_t sign_bit = 0x80000000U;
inline constexpr float two23 = 8388608.0F;  // floats of this magnitude and above are integers

inline float absolute(float x) {
    return from_bits(bits(x) & ~sign_bit);
}

// `integral` with the sign of x, or x itself where it has no fraction (or is infinite or not a number).
inline float with_sign(float integral, float x) {
    return absolute(x) < two23 ? from_bits(bits(integral) | (bits(x) & sign_bit)) : x;
}
inline float chopped(float x) {
    const float small = absolute(x) < two23 ? x : 0.0F;
    return static_cast<float>(static_cast<std::int32_t>(small));
}
inline float trunc(float x) {
    return with_sign(chopped(x), x);
}
inline float floor(float x) {
    const float t = chopped(x);
    return with_sign(t - (t > x ? 1.0F : 0.0F), x);
}
inline float ceil(float x) {
    const float t = chopped(x);
    return with_sign(t + (t < x ? 1.0F : 0.0F), x);
}
inline float round_even(float x) {
    return with_sign((absolute(x) + two23) - two23, x);
}

// The other operand where one is not a number, as llvmpipe does. -0 is less than +0: Mesa has |x| as MAX x, -x where
// its bits are used as an integer.
inline float minimum(float a, float b) {
    return a == b ? from_bits(bits(a) | bits(b)) : (a < b ? a : (b == b ? b : a));
}
inline float maximum(float a, float b) {
    return a == b ? from_bits(bits(a) & bits(b)) : (a > b ? a : (b == b ? b : a));
}
inline float saturate(float x) {
    return x > 0.0F ? (x < 1.0F ? x : 1.0F) : 0.0F;
}  // not a number becomes 0

// Truncated; outside the range the nearest end of it, not a number becomes 0.
inline std::int32_t to_int(float x) {
    const bool high = x >= 2147483648.0F;
    const bool inside = x >= -2147483648.0F && !high;
    const std::int32_t value = static_cast<std::int32_t>(inside ? x : 0.0F);
    const std::int32_t outside =
        high ? std::numeric_limits<std::int32_t>::max() : (x < 0.0F ? std::numeric_limits<std::int32_t>::min() : 0);
    return inside ? value : outside;
}
inline std::uint32_t to_uint(float x) {
    const bool high = x >= 2147483648.0F;
    const bool too_high = x >= 4294967296.0F;
    const float reduced = high ? x - 2147483648.0F : x;
    const bool inside = reduced > 0.0F && !too_high;
    const auto low = static_cast<std::uint32_t>(static_cast<std::int32_t>(inside ? reduced : 0.0F));
    return too_high ? 0xffffffffU : (high ? low | sign_bit : low);
}

// Adding and subtracting this rounds a double of magnitude below 2^51 to an integer, which is then in its low bits.
inline constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52

inline double exp2_double(double x) {
    const double low = x < -160.0 ? -160.0 : x;
    const double t = low > 140.0 ? 140.0 : low;
    const double shifted = t + rounder;
    const double r = (t - (shifted - rounder)) * 0.693147180559945309417;
    const double scale = from_bits((bits(shifted) << 52) + (std::uint64_t{1023} << 52));
    double p = 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    return p * scale;
}

// Of positive finite x: from the series of the area tangent of (m - 1) / (m + 1) with m in sqrt(1/2)..sqrt(2).
inline double log2_positive(double x) {
    const std::uint64_t b = bits(x);
    const double exponent = from_bits((b >> 52) | 0x4330000000000000U) - (4503599627370496.0 + 1023.0);
    const double mantissa = from_bits((b & 0x000fffffffffffffU) | 0x3ff0000000000000U);
    const bool upper = mantissa > 1.41421356237309504880;
    const double m = upper ? mantissa * 0.5 : mantissa;
    const double e = upper ? exponent + 1.0 : exponent;
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    return e + s * p * 2.88539008177792681472;  // 2 / ln 2
}

inline double log2_double(double x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double finite = x > 0.0 && x < infinity ? x : 1.0;
    const double inside = log2_positive(finite);
    const double ends = x == 0.0 ? -infinity : (x > 0.0 ? infinity : std::numeric_limits<double>::quiet_NaN());
    return x > 0.0 && x < infinity ? inside : ends;
}

inline float exp2(float x) {
    return static_cast<float>(exp2_double(static_cast<double>(x)));
}
inline float log2(float x) {
    return static_cast<float>(log2_double(static_cast<double>(x)));
}
inline float pow(float x, float y) {
    const auto result = static_cast<float>(exp2_double(static_cast<double>(y) * log2_double(static_cast<double>(x))));
    return x == 0.0F ? 0.0F : result;
}

inline constexpr float largest_angle = 1.0e6F;

// sin(x + quarters * pi / 2)
inline float sine(float angle, std::uint64_t quarters) {
    const auto x = static_cast<double>(angle);
    const double shifted = x * 0.636619772367581343076 + rounder;
    const double n = shifted - rounder;
    // pi / 2 in two parts; the first has 33 bits, so that its products with n are exact.
    const double r = (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11;
    const double z = r * r;
    double s = 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    s = s * z * r + r;
    double c = 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    c = c * z - 0.5;
    c = c * z + 1.0;
    const std::uint64_t quadrant = bits(shifted) + quarters;
    const std::uint64_t odd = 0 - (quadrant & 1);
    const std::uint64_t chosen = (bits(c) & odd) | (bits(s) & ~odd);
    return static_cast<float>(from_bits(chosen ^ ((quadrant & 2) << 62)));
}
inline float sin(float x) {
    return sine(x, 0);
}
inline float cos(float x) {
    return sine(x, 1);
}

}  // namespace models::functional::tgsi::lane_math
