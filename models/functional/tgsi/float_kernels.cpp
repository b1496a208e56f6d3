// Arithmetic and comparisons of floats.
#include "models/functional/tgsi/lane_loops.h"

namespace models::functional::tgsi {
namespace {

// What the operations compute, for one lane.
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

// `size` products, summed from the last component to the first as llvmpipe does; `homogeneous` takes the last component
// of the first source as 1 (DPH).
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
            float sum = ay[i] * by[i];
            if constexpr (homogeneous)
                sum = bw[i] + az[i] * bz[i] + sum;
            else if constexpr (size == 4)
                sum = aw[i] * bw[i] + az[i] * bz[i] + sum;
            else if constexpr (size == 3)
                sum = az[i] * bz[i] + sum;
            return sum + ax[i] * bx[i];
        });
        replicate(op, out);
    }
};

template <class Products>
KernelChoice dot_choice(unsigned scalars) {
    constexpr Kernel kernels[] = {Products::template kernel<false, false>, Products::template kernel<true, false>,
                                  Products::template kernel<false, true>, Products::template kernel<true, true>};
    return {kernels[scalars & 3], true, false};
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

}  // namespace

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

}  // namespace models::functional::tgsi
