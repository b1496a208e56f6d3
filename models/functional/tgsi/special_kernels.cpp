// Roots, powers, angles and conversions.
#include "models/functional/tgsi/integer_math.h"
#include "models/functional/tgsi/lane_loops.h"

namespace models::functional::tgsi {
namespace {

// What the operations compute, for one lane. Integers come and go as the bits of floats.
struct Rcp {
    static float of(float a) { return 1.0F / a; }
};
struct Rsq {
    static float of(float a) { return 1.0F / std::sqrt(a); }
};
struct Sqrt {
    static float of(float a) { return std::sqrt(a); }
};
struct Ex2 {
    static float of(float a) { return lane_math::exp2(a); }
};
struct Lg2 {
    static float of(float a) { return lane_math::log2(a); }
};
struct Pow {
    static float of(float a, float b) { return lane_math::pow(a, b); }
};
float from_int(std::int32_t a) {
    return std::bit_cast<float>(a);
}
std::int32_t int_bits(float a) {
    return std::bit_cast<std::int32_t>(a);
}
struct Arl {
    static float of(float a) { return from_int(lane_math::to_int(lane_math::floor(a))); }
};
struct Arr {
    static float of(float a) { return from_int(lane_math::to_int(lane_math::floor(a + 0.5F))); }
};
struct I2f {
    static float of(float a) { return static_cast<float>(int_bits(a)); }
};
struct U2f {
    static float of(float a) { return static_cast<float>(bits(a)); }
};
struct F2i {
    static float of(float a) { return from_int(lane_math::to_int(a)); }
};
struct F2u {
    static float of(float a) { return from_bits(lane_math::to_uint(a)); }
};
struct Ldexp {
    static float of(float a, float b) { return std::ldexp(a, int_bits(b)); }
};

// Angles too large for the polynomial go through the library, lane by lane.
template <float (*fast)(float), double (*exact)(double)>
void trigonometric(const Op& op, const float* const* base, float* const* out) {
    const auto a = fetch<false>(op.sources[0], 0, base);
    alignas(64) float angle[batch_lanes];
    std::memcpy(angle, a.row, sizeof angle);
    float largest = 0;
    for (const float x : angle) largest = std::max(largest, lane_math::absolute(x));
    float* row = out[op.components[0]];
    fill(row, [&](int i) { return fast(angle[i]); });
    if (largest > lane_math::largest_angle)
        for (int i = 0; i < batch_lanes; ++i)
            if (lane_math::absolute(angle[i]) > lane_math::largest_angle)
                row[i] = static_cast<float>(exact(static_cast<double>(angle[i])));
    replicate(op, out);
}
double library_sin(double x) {
    return std::sin(x);
}
double library_cos(double x) {
    return std::cos(x);
}

// The operations whose components differ in kind. Their results are staged, so a component may be written before
// another is read.
void lit(const Op& op, const float* const* base, float* const* out) {
    const auto x = fetch<false>(op.sources[0], 0, base), y = fetch<false>(op.sources[0], 1, base);
    const auto w = fetch<false>(op.sources[0], 3, base);
    fill(out[0], [](int) { return 1.0F; });
    fill(out[1], [&](int i) { return lane_math::maximum(x[i], 0.0F); });
    fill(out[2], [&](int i) {
        const float exponent = lane_math::maximum(lane_math::minimum(w[i], 128.0F), -128.0F);
        const float base_value = lane_math::maximum(y[i], 0.0F);
        const float power = exponent == 0.0F ? 1.0F : lane_math::pow(base_value, exponent);
        return x[i] > 0.0F ? power : 0.0F;
    });
    fill(out[3], [](int) { return 1.0F; });
}

void exp(const Op& op, const float* const* base, float* const* out) {
    const auto x = fetch<false>(op.sources[0], 0, base);
    fill(out[0], [&](int i) { return lane_math::exp2(lane_math::floor(x[i])); });
    fill(out[1], [&](int i) { return x[i] - lane_math::floor(x[i]); });
    fill(out[2], [&](int i) { return lane_math::exp2(x[i]); });
    fill(out[3], [](int) { return 1.0F; });
}

void log(const Op& op, const float* const* base, float* const* out) {
    const auto x = fetch<false>(op.sources[0], 0, base);
    const auto log2 = [&](int i) { return lane_math::log2(lane_math::absolute(x[i])); };
    fill(out[0], [&](int i) { return lane_math::floor(log2(i)); });
    fill(out[1], [&](int i) { return lane_math::absolute(x[i]) / lane_math::exp2(lane_math::floor(log2(i))); });
    fill(out[2], log2);
    fill(out[3], [](int) { return 1.0F; });
}

void pack_halves(const Op& op, const float* const* base, float* const* out) {
    const auto x = fetch<false>(op.sources[0], 0, base), y = fetch<false>(op.sources[0], 1, base);
    fill(out[op.components[0]],
         [&](int i) { return from_bits(integer_math::half_bits(x[i]) | integer_math::half_bits(y[i]) << 16); });
    replicate(op, out);
}

void unpack_halves(const Op& op, const float* const* base, float* const* out) {
    const auto x = fetch<false>(op.sources[0], 0, base);
    for (int c = 0; c < 4; ++c)
        fill(out[c], [&](int i) { return integer_math::half_value(bits(x[i]) >> (c % 2 != 0 ? 16 : 0) & 0xffff); });
}

}  // namespace

KernelChoice special_kernel(Opcode opcode, unsigned scalars) {
    switch (opcode) {
        case Opcode::rcp:
            return replicated_choice<Rcp>(scalars);
        case Opcode::rsq:
            return replicated_choice<Rsq>(scalars);
        case Opcode::sqrt:
            return replicated_choice<Sqrt>(scalars);
        case Opcode::ex2:
            return replicated_choice<Ex2>(scalars);
        case Opcode::lg2:
            return replicated_choice<Lg2>(scalars);
        case Opcode::pow:
            return replicated_binary_choice<Pow>(scalars);
        case Opcode::sin:
            return {trigonometric<lane_math::sin, library_sin>, false, false};
        case Opcode::cos:
            return {trigonometric<lane_math::cos, library_cos>, false, false};
        case Opcode::exp:
            return {exp, false, false};
        case Opcode::log:
            return {log, false, false};
        case Opcode::lit:
            return {lit, false, false};
        case Opcode::ldexp:
            return rows2<Ldexp>;
        case Opcode::pk2h:
            return {pack_halves, false, false};
        case Opcode::up2h:
            return {unpack_halves, false, false};
        case Opcode::arl:
            return rows1<Arl>;
        case Opcode::arr:
            return rows1<Arr>;
        case Opcode::i2f:
            return rows1<I2f>;
        case Opcode::u2f:
            return rows1<U2f>;
        case Opcode::f2i:
            return rows1<F2i>;
        case Opcode::f2u:
            return rows1<F2u>;
        default:
            return {};
    }
}

}  // namespace models::functional::tgsi
