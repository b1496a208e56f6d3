// The blend equation for a quad, in bytes or in floats. Used only by ColourOutput.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "models/functional/output/blend.h"

namespace models::functional {

// Unsigned normalised bytes as llvmpipe computes with them.
struct ByteArithmetic {
    using Value = std::int32_t;
    static constexpr Value one = 255;
    static constexpr bool floating = false;

    static Value multiply(Value a, Value b) {
        const Value product = a * b;
        return (product + (product >> 8) + 128) >> 8;
    }
    static Value add(Value a, Value b) { return std::min(a + b, one); }
    static Value subtract(Value a, Value b) { return std::max(a - b, 0); }
    // v0 + (v1 - v0) * x, x scaled from 255 to 256.
    static Value mix(Value x, Value v0, Value v1) { return v0 + (((x + (x >> 7)) * (v1 - v0) + 128) >> 8); }
};

struct FloatArithmetic {
    using Value = float;
    static constexpr Value one = 1;
    static constexpr bool floating = true;

    static Value multiply(Value a, Value b) { return a * b; }
    static Value add(Value a, Value b) { return a + b; }
    static Value subtract(Value a, Value b) { return a - b; }
    static Value mix(Value x, Value v0, Value v1) { return v0 + x * (v1 - v0); }
};

// The four lanes of a quad, by component.
template <class Value>
struct QuadColour {
    Value c[4][4];
};

template <class A>
using Values = QuadColour<typename A::Value>;

// What the equation works on. `second` is the second colour of dual-source blending.
template <class A>
struct Inputs {
    const Values<A>&source, &second, &target;
    const typename A::Value* constant;
};

template <class A>
void fill(typename A::Value* out, typename A::Value value) {
    std::fill_n(out, 4, value);
}

// The factor's values for one component, and whether to take their complement.
template <class A>
void factor_values(BlendFactor factor, int component, const Inputs<A>& in, typename A::Value* out) {
    const Values<A>&source = in.source, &target = in.target;
    const typename A::Value* constant = in.constant;
    using enum BlendFactor;
    const auto copy = [&](const typename A::Value* from) { std::copy_n(from, 4, out); };
    switch (factor) {
        case one:
        case zero:
            fill<A>(out, A::one);
            break;
        case source_colour:
        case inverse_source_colour:
            copy(source.c[component]);
            break;
        case source_alpha:
        case inverse_source_alpha:
            copy(source.c[3]);
            break;
        case target_alpha:
        case inverse_target_alpha:
            copy(target.c[3]);
            break;
        case target_colour:
        case inverse_target_colour:
            copy(target.c[component]);
            break;
        case constant_colour:
        case inverse_constant_colour:
            fill<A>(out, constant[component]);
            break;
        case constant_alpha:
        case inverse_constant_alpha:
            fill<A>(out, constant[3]);
            break;
        case source_alpha_saturate:
            for (int i = 0; i < 4; ++i) {
                out[i] = component == 3 ? A::one : std::min(source.c[3][i], A::one - target.c[3][i]);
            }
            break;
        case source1_colour:
        case inverse_source1_colour:
            copy(in.second.c[component]);
            break;
        case source1_alpha:
        case inverse_source1_alpha:
            copy(in.second.c[3]);
            break;
    }
    if ((static_cast<unsigned>(factor) & 0x10U) == 0) return;
    for (int i = 0; i < 4; ++i) out[i] = A::one - out[i];
}

template <class A>
struct Term {
    BlendFunction function;
    BlendFactor source, target;
    bool interpolates;  // the factors add up to one: a single interpolation, rounded once
    bool shares;        // one factor for both, applied to their sum or difference
};

template <class A>
void blend_component(const Term<A>& term, int k, const Inputs<A>& in, typename A::Value* out) {
    typename A::Value fs[4], fd[4];
    factor_values<A>(term.source, k, in, fs);
    factor_values<A>(term.target, k, in, fd);
    const Values<A>&s = in.source, &d = in.target;
    for (int i = 0; i < 4; ++i) {
        const auto source = s.c[k][i], target = d.c[k][i];
        switch (term.function) {
            case BlendFunction::add:
                if (term.shares) {
                    out[i] = A::multiply(A::add(source, target), fs[i]);
                } else if (term.interpolates) {
                    out[i] = term.source < term.target ? A::mix(fs[i], target, source) : A::mix(fd[i], source, target);
                } else {
                    out[i] = A::add(A::multiply(source, fs[i]), A::multiply(target, fd[i]));
                }
                break;
            case BlendFunction::subtract:
                out[i] = term.shares ? A::multiply(A::subtract(source, target), fs[i])
                                     : A::subtract(A::multiply(source, fs[i]), A::multiply(target, fd[i]));
                break;
            case BlendFunction::reverse_subtract:
                out[i] = term.shares ? A::multiply(A::subtract(target, source), fs[i])
                                     : A::subtract(A::multiply(target, fd[i]), A::multiply(source, fs[i]));
                break;
            case BlendFunction::min:
                out[i] = std::min(source, target);
                break;
            case BlendFunction::max:
                out[i] = std::max(source, target);
                break;
        }
    }
}

// llvmpipe interpolates in targets with a single channel only, and applies a shared factor in floats only.
template <class A>
void blend_quad(const TargetBlend& b, bool one_channel, const Inputs<A>& in, Values<A>& result) {
    const bool same = b.colour_source == b.colour_target && b.alpha_source == b.alpha_target;
    const auto complementary = [](BlendFactor x, BlendFactor y) {
        return (static_cast<unsigned>(x) ^ 0x10U) == static_cast<unsigned>(y);
    };
    const auto make_term = [&](BlendFunction function, BlendFactor from, BlendFactor to) {
        const bool shares = A::floating && (same || one_channel) && from == to;
        return Term<A>{function, from, to, one_channel && complementary(from, to), shares};
    };
    const Term<A> colour = make_term(b.colour_function, b.colour_source, b.colour_target);
    const Term<A> alpha = make_term(b.alpha_function, b.alpha_source, b.alpha_target);
    for (int k = 0; k < 4; ++k) blend_component<A>(k < 3 ? colour : alpha, k, in, result.c[k]);
}

}  // namespace models::functional
