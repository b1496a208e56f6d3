#include "models/functional/tgsi/kernels.h"

#include <cstring>

#include "models/functional/tgsi/integer_math.h"
#include "models/functional/tgsi/lane_math.h"

namespace models::functional::tgsi {
namespace {

using lane_math::bits;
using lane_math::from_bits;

// Computes a whole row before storing it, so that the destination may be one of the sources.
template <class Lane>
void fill(float* out, Lane lane) {
    alignas(64) float row[batch_lanes];
    for (int i = 0; i < batch_lanes; ++i) row[i] = lane(i);
    std::memcpy(out, row, sizeof row);
}

// A source component: a row of lanes, or one value for all.
template <bool scalar>
struct Source {
    const float* row;
    float operator[](int i) const { return row[i]; }
};
template <>
struct Source<true> {
    float value;
    float operator[](int) const { return value; }
};

template <bool scalar>
Source<scalar> fetch(const CodeOperand& operand, int component, const float* const* base) {
    const float* at = base[operand.space] + operand.row[static_cast<std::size_t>(component)];
    if constexpr (scalar)
        return {from_bits((bits(*at) & operand.keep) ^ operand.flip)};
    else
        return {at};
}

template <class Operation, bool a_scalar>
void unary(const Op& op, const float* const* base, float* const* out) {
    for (int k = 0; k < op.count; ++k) {
        const int c = op.components[static_cast<std::size_t>(k)];
        const auto a = fetch<a_scalar>(op.sources[0], c, base);
        fill(out[c], [&](int i) { return Operation::of(a[i]); });
    }
}

template <class Operation, bool a_scalar, bool b_scalar>
void binary(const Op& op, const float* const* base, float* const* out) {
    for (int k = 0; k < op.count; ++k) {
        const int c = op.components[static_cast<std::size_t>(k)];
        const auto a = fetch<a_scalar>(op.sources[0], c, base);
        const auto b = fetch<b_scalar>(op.sources[1], c, base);
        fill(out[c], [&](int i) { return Operation::of(a[i], b[i]); });
    }
}

template <class Operation, bool a_scalar, bool b_scalar, bool c_scalar>
void ternary(const Op& op, const float* const* base, float* const* out) {
    for (int k = 0; k < op.count; ++k) {
        const int n = op.components[static_cast<std::size_t>(k)];
        const auto a = fetch<a_scalar>(op.sources[0], n, base);
        const auto b = fetch<b_scalar>(op.sources[1], n, base);
        const auto c = fetch<c_scalar>(op.sources[2], n, base);
        fill(out[n], [&](int i) { return Operation::of(a[i], b[i], c[i]); });
    }
}

// Four sources, always rows.
template <class Operation>
void quaternary(const Op& op, const float* const* base, float* const* out) {
    for (int k = 0; k < op.count; ++k) {
        const int n = op.components[static_cast<std::size_t>(k)];
        const auto a = fetch<false>(op.sources[0], n, base), b = fetch<false>(op.sources[1], n, base);
        const auto c = fetch<false>(op.sources[2], n, base), d = fetch<false>(op.sources[3], n, base);
        fill(out[n], [&](int i) { return Operation::of(a[i], b[i], c[i], d[i]); });
    }
}

// Copies the row computed for the first component to the other components.
void replicate(const Op& op, float* const* out) {
    for (int k = 1; k < op.count; ++k)
        std::memcpy(out[op.components[static_cast<std::size_t>(k)]], out[op.components[0]],
                    sizeof(float) * batch_lanes);
}

// One scalar operation of the x components, to all components of the destination.
template <class Operation, bool a_scalar>
void replicated_unary(const Op& op, const float* const* base, float* const* out) {
    const auto a = fetch<a_scalar>(op.sources[0], 0, base);
    fill(out[op.components[0]], [&](int i) { return Operation::of(a[i]); });
    replicate(op, out);
}

template <class Operation, bool a_scalar, bool b_scalar>
void replicated_binary(const Op& op, const float* const* base, float* const* out) {
    const auto a = fetch<a_scalar>(op.sources[0], 0, base);
    const auto b = fetch<b_scalar>(op.sources[1], 0, base);
    fill(out[op.components[0]], [&](int i) { return Operation::of(a[i], b[i]); });
    replicate(op, out);
}

// `size` products; `homogeneous` adds the last component of the second source as it is (DPH).
template <int size, bool homogeneous>
struct Dot {
    template <bool a_scalar, bool b_scalar>
    static void kernel(const Op& op, const float* const* base, float* const* out) {
        const auto ax = fetch<a_scalar>(op.sources[0], 0, base), ay = fetch<a_scalar>(op.sources[0], 1, base);
        const auto bx = fetch<b_scalar>(op.sources[1], 0, base), by = fetch<b_scalar>(op.sources[1], 1, base);
        const auto az = fetch<a_scalar>(op.sources[0], size > 2 ? 2 : 0, base);
        const auto bz = fetch<b_scalar>(op.sources[1], size > 2 ? 2 : 0, base);
        const auto aw = fetch<a_scalar>(op.sources[0], size > 3 ? 3 : 0, base);
        const auto bw = fetch<b_scalar>(op.sources[1], size > 3 || homogeneous ? 3 : 0, base);
        fill(out[op.components[0]], [&](int i) {
            float sum = ax[i] * bx[i] + ay[i] * by[i];
            if constexpr (size > 2) sum += az[i] * bz[i];
            if constexpr (size > 3) sum += aw[i] * bw[i];
            if constexpr (homogeneous) sum += bw[i];
            return sum;
        });
        replicate(op, out);
    }
};

// What the operations compute, for one lane. Integers come and go as the bits of floats.
struct Mov {
    static float of(float a) { return a; }
};
struct Add {
    static float of(float a, float b) { return a + b; }
};
struct Sub {
    static float of(float a, float b) { return a - b; }
};
struct SubFrom {
    static float of(float a, float b) { return b - a; }
};
struct Mul {
    static float of(float a, float b) { return a * b; }
};
struct Div {
    static float of(float a, float b) { return a / b; }
};
struct Mad {
    static float of(float a, float b, float c) { return a * b + c; }
};
struct MulSub {
    static float of(float a, float b, float c) { return a * b - c; }
};
struct NegMulAdd {
    static float of(float a, float b, float c) { return c - a * b; }
};
struct Fma {
    static float of(float a, float b, float c) { return std::fma(a, b, c); }
};
struct Lrp {
    static float of(float a, float b, float c) { return a * b + (1.0F - a) * c; }
};
struct Cmp {
    static float of(float a, float b, float c) { return a < 0.0F ? b : c; }
};
struct CmpNeg {
    static float of(float a, float b, float c) { return a > 0.0F ? b : c; }
};
struct Min {
    static float of(float a, float b) { return lane_math::minimum(a, b); }
};
struct Max {
    static float of(float a, float b) { return lane_math::maximum(a, b); }
};
struct Abs {
    static float of(float a) { return lane_math::absolute(a); }
};
struct Ssg {
    static float of(float a) { return a > 0.0F ? 1.0F : (a < 0.0F ? -1.0F : 0.0F); }
};
struct Frc {
    static float of(float a) { return a - lane_math::floor(a); }
};
struct Flr {
    static float of(float a) { return lane_math::floor(a); }
};
struct Ceil {
    static float of(float a) { return lane_math::ceil(a); }
};
struct Trunc {
    static float of(float a) { return lane_math::trunc(a); }
};
struct Round {
    static float of(float a) { return lane_math::round_even(a); }
};
struct Slt {
    static float of(float a, float b) { return a < b ? 1.0F : 0.0F; }
};
struct Sge {
    static float of(float a, float b) { return a >= b ? 1.0F : 0.0F; }
};
struct Seq {
    static float of(float a, float b) { return a == b ? 1.0F : 0.0F; }
};
struct Sgt {
    static float of(float a, float b) { return a > b ? 1.0F : 0.0F; }
};
struct Sle {
    static float of(float a, float b) { return a <= b ? 1.0F : 0.0F; }
};
struct Sne {
    static float of(float a, float b) { return a != b ? 1.0F : 0.0F; }
};

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

float truth(bool yes) {
    return from_bits(yes ? ~0U : 0U);
}
struct Fslt {
    static float of(float a, float b) { return truth(a < b); }
};
struct Fsge {
    static float of(float a, float b) { return truth(a >= b); }
};
struct Fseq {
    static float of(float a, float b) { return truth(a == b); }
};
struct Fsne {
    static float of(float a, float b) { return truth(a != b); }
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
struct Ucmp {
    static float of(float a, float b, float c) { return from_bits(bits(a) != 0 ? bits(b) : bits(c)); }
};
struct Umad {
    static float of(float a, float b, float c) { return from_bits(bits(a) * bits(b) + bits(c)); }
};

// Wraps functions of unsigned integers (integer_math.h).
template <std::uint32_t (*function)(std::uint32_t)>
struct Bits1 {
    static float of(float a) { return from_bits(function(bits(a))); }
};
template <std::uint32_t (*function)(std::uint32_t, std::uint32_t)>
struct Bits2 {
    static float of(float a, float b) { return from_bits(function(bits(a), bits(b))); }
};
template <std::uint32_t (*function)(std::uint32_t, std::uint32_t, std::uint32_t)>
struct Bits3 {
    static float of(float a, float b, float c) { return from_bits(function(bits(a), bits(b), bits(c))); }
};
template <std::uint32_t (*function)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t)>
struct Bits4 {
    static float of(float a, float b, float c, float d) {
        return from_bits(function(bits(a), bits(b), bits(c), bits(d)));
    }
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

// DDX and DDY: differences within the quad, along its own row or column (llvmpipe has only these, the fine ones).
template <int step>
void derivative(const Op& op, const float* const* base, float* const* out) {
    for (int k = 0; k < op.count; ++k) {
        const int c = op.components[static_cast<std::size_t>(k)];
        const auto a = fetch<false>(op.sources[0], c, base);
        fill(out[c], [&](int i) { return a[i | step] - a[i & ~step]; });
    }
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

void dst(const Op& op, const float* const* base, float* const* out) {
    const auto ay = fetch<false>(op.sources[0], 1, base), az = fetch<false>(op.sources[0], 2, base);
    const auto by = fetch<false>(op.sources[1], 1, base), bw = fetch<false>(op.sources[1], 3, base);
    fill(out[0], [](int) { return 1.0F; });
    fill(out[1], [&](int i) { return ay[i] * by[i]; });
    fill(out[2], [&](int i) { return az[i]; });
    fill(out[3], [&](int i) { return bw[i]; });
}

void xpd(const Op& op, const float* const* base, float* const* out) {
    for (int c = 0; c < 3; ++c) {
        const int next = (c + 1) % 3, last = (c + 2) % 3;
        const auto a = fetch<false>(op.sources[0], next, base), b = fetch<false>(op.sources[0], last, base);
        const auto p = fetch<false>(op.sources[1], last, base), q = fetch<false>(op.sources[1], next, base);
        fill(out[c], [&](int i) { return a[i] * p[i] - b[i] * q[i]; });
    }
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

// Choices of kernels by the shape of the sources.
template <class Operation>
KernelChoice unary_choice(unsigned scalars) {
    return {scalars & 1 ? unary<Operation, true> : unary<Operation, false>, true, true};
}
template <class Operation>
KernelChoice replicated_choice(unsigned scalars) {
    return {scalars & 1 ? replicated_unary<Operation, true> : replicated_unary<Operation, false>, true, false};
}
template <class Operation>
KernelChoice binary_choice(unsigned scalars) {
    constexpr Kernel kernels[] = {binary<Operation, false, false>, binary<Operation, true, false>,
                                  binary<Operation, false, true>, binary<Operation, true, true>};
    return {kernels[scalars & 3], true, true};
}
template <class Operation>
KernelChoice replicated_binary_choice(unsigned scalars) {
    constexpr Kernel kernels[] = {replicated_binary<Operation, false, false>, replicated_binary<Operation, true, false>,
                                  replicated_binary<Operation, false, true>, replicated_binary<Operation, true, true>};
    return {kernels[scalars & 3], true, false};
}
template <class Products>
KernelChoice dot_choice(unsigned scalars) {
    constexpr Kernel kernels[] = {Products::template kernel<false, false>, Products::template kernel<true, false>,
                                  Products::template kernel<false, true>, Products::template kernel<true, true>};
    return {kernels[scalars & 3], true, false};
}
template <class Operation>
KernelChoice ternary_choice(unsigned scalars) {
    constexpr Kernel kernels[] = {ternary<Operation, false, false, false>, ternary<Operation, true, false, false>,
                                  ternary<Operation, false, true, false>,  ternary<Operation, true, true, false>,
                                  ternary<Operation, false, false, true>,  ternary<Operation, true, false, true>,
                                  ternary<Operation, false, true, true>,   ternary<Operation, true, true, true>};
    return {kernels[scalars & 7], true, true};
}
// Rare operations have one kernel, for rows.
template <class Operation>
constexpr KernelChoice rows1{unary<Operation, false>, false, true};
template <class Operation>
constexpr KernelChoice rows2{binary<Operation, false, false>, false, true};
template <class Operation>
constexpr KernelChoice rows3{ternary<Operation, false, false, false>, false, true};

KernelChoice variant_kernel(Variant variant, unsigned scalars) {
    switch (variant) {
        case Variant::subtract:
            return binary_choice<Sub>(scalars);
        case Variant::subtract_from:
            return binary_choice<SubFrom>(scalars);
        case Variant::multiply_subtract:
            return ternary_choice<MulSub>(scalars);
        case Variant::negative_multiply_add:
            return ternary_choice<NegMulAdd>(scalars);
        case Variant::compare_negative:
            return ternary_choice<CmpNeg>(scalars);
        case Variant::plain:
            break;
    }
    return {};
}

KernelChoice float_kernel(Opcode opcode, unsigned scalars) {
    switch (opcode) {
        case Opcode::mov:
        case Opcode::uarl:
            return unary_choice<Mov>(scalars);
        case Opcode::add:
            return binary_choice<Add>(scalars);
        case Opcode::mul:
            return binary_choice<Mul>(scalars);
        case Opcode::mad:
            return ternary_choice<Mad>(scalars);
        case Opcode::fma:
            return rows3<Fma>;
        case Opcode::div:
            return binary_choice<Div>(scalars);
        case Opcode::dp2:
            return dot_choice<Dot<2, false>>(scalars);
        case Opcode::dp3:
            return dot_choice<Dot<3, false>>(scalars);
        case Opcode::dp4:
            return dot_choice<Dot<4, false>>(scalars);
        case Opcode::dph:
            return dot_choice<Dot<3, true>>(scalars);
        case Opcode::xpd:
            return {xpd, false, false};
        case Opcode::dst:
            return {dst, false, false};
        case Opcode::lrp:
            return ternary_choice<Lrp>(scalars);
        case Opcode::min:
            return binary_choice<Min>(scalars);
        case Opcode::max:
            return binary_choice<Max>(scalars);
        case Opcode::abs:
            return rows1<Abs>;
        case Opcode::ssg:
            return rows1<Ssg>;
        case Opcode::frc:
            return unary_choice<Frc>(scalars);
        case Opcode::flr:
            return unary_choice<Flr>(scalars);
        case Opcode::ceil:
            return rows1<Ceil>;
        case Opcode::trunc:
            return rows1<Trunc>;
        case Opcode::round:
            return rows1<Round>;
        case Opcode::cmp:
            return ternary_choice<Cmp>(scalars);
        case Opcode::ddx:
        case Opcode::ddx_fine:
            return {derivative<1>, false, true};
        case Opcode::ddy:
        case Opcode::ddy_fine:
            return {derivative<2>, false, true};
        default:
            return {};
    }
}

KernelChoice comparison_kernel(Opcode opcode, unsigned scalars) {
    switch (opcode) {
        case Opcode::slt:
            return binary_choice<Slt>(scalars);
        case Opcode::sge:
            return binary_choice<Sge>(scalars);
        case Opcode::seq:
            return binary_choice<Seq>(scalars);
        case Opcode::sgt:
            return binary_choice<Sgt>(scalars);
        case Opcode::sle:
            return binary_choice<Sle>(scalars);
        case Opcode::sne:
            return binary_choice<Sne>(scalars);
        case Opcode::fslt:
            return binary_choice<Fslt>(scalars);
        case Opcode::fsge:
            return binary_choice<Fsge>(scalars);
        case Opcode::fseq:
            return binary_choice<Fseq>(scalars);
        case Opcode::fsne:
            return binary_choice<Fsne>(scalars);
        default:
            return {};
    }
}

KernelChoice special_kernel(Opcode opcode, unsigned scalars) {
    using namespace integer_math;
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

KernelChoice integer_kernel(Opcode opcode, unsigned scalars) {
    using namespace integer_math;
    switch (opcode) {
        case Opcode::and_:
            return binary_choice<Bits2<bit_and>>(scalars);
        case Opcode::or_:
            return binary_choice<Bits2<bit_or>>(scalars);
        case Opcode::xor_:
            return binary_choice<Bits2<bit_xor>>(scalars);
        case Opcode::not_:
            return rows1<Bits1<bit_not>>;
        case Opcode::shl:
            return binary_choice<Bits2<shift_left>>(scalars);
        case Opcode::ishr:
            return binary_choice<Bits2<shift_right_signed>>(scalars);
        case Opcode::ushr:
            return binary_choice<Bits2<shift_right>>(scalars);
        case Opcode::uadd:
            return binary_choice<Bits2<add>>(scalars);
        case Opcode::umul:
            return binary_choice<Bits2<multiply>>(scalars);
        case Opcode::umad:
            return rows3<Umad>;
        case Opcode::imul_hi:
            return rows2<Bits2<multiply_high_signed>>;
        case Opcode::umul_hi:
            return rows2<Bits2<multiply_high>>;
        case Opcode::idiv:
            return rows2<Bits2<divide_signed>>;
        case Opcode::udiv:
            return rows2<Bits2<divide>>;
        case Opcode::mod:
            return rows2<Bits2<remainder_signed>>;
        case Opcode::umod:
            return rows2<Bits2<remainder>>;
        case Opcode::ineg:
            return rows1<Bits1<negate>>;
        case Opcode::iabs:
            return rows1<Bits1<absolute>>;
        case Opcode::issg:
            return rows1<Bits1<sign>>;
        case Opcode::imin:
            return rows2<Bits2<minimum_signed>>;
        case Opcode::imax:
            return rows2<Bits2<maximum_signed>>;
        case Opcode::umin:
            return rows2<Bits2<minimum>>;
        case Opcode::umax:
            return rows2<Bits2<maximum>>;
        case Opcode::islt:
            return binary_choice<Bits2<less_signed>>(scalars);
        case Opcode::isge:
            return binary_choice<Bits2<not_less_signed>>(scalars);
        case Opcode::uslt:
            return binary_choice<Bits2<less>>(scalars);
        case Opcode::usge:
            return binary_choice<Bits2<not_less>>(scalars);
        case Opcode::useq:
            return binary_choice<Bits2<equal>>(scalars);
        case Opcode::usne:
            return binary_choice<Bits2<not_equal>>(scalars);
        case Opcode::ucmp:
            return ternary_choice<Ucmp>(scalars);
        case Opcode::ibfe:
            return rows3<Bits3<extract_signed>>;
        case Opcode::ubfe:
            return rows3<Bits3<extract>>;
        case Opcode::bfi:
            return {quaternary<Bits4<insert>>, false, true};
        case Opcode::brev:
            return rows1<Bits1<reverse>>;
        case Opcode::popc:
            return rows1<Bits1<count_ones>>;
        case Opcode::lsb:
            return rows1<Bits1<lowest_one>>;
        case Opcode::imsb:
            return rows1<Bits1<highest_unlike_sign>>;
        case Opcode::umsb:
            return rows1<Bits1<highest_one>>;
        default:
            return {};
    }
}

}  // namespace

KernelChoice find_kernel(Opcode opcode, Variant variant, unsigned scalars) {
    if (variant != Variant::plain) return variant_kernel(variant, scalars);
    for (const auto find : {float_kernel, comparison_kernel, special_kernel, integer_kernel})
        if (const KernelChoice choice = find(opcode, scalars); choice.kernel != nullptr) return choice;
    return {};
}

}  // namespace models::functional::tgsi
