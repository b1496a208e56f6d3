// The blend equation for many lanes at once, in bytes or in floats. Used only by ColourOutput.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/functional/output/blend.h"

namespace models::functional {

// Unsigned normalised bytes as llvmpipe computes with them. Products fit 16 bits without a sign, so that vectors hold
// many.
struct ByteArithmetic {
    using Value = std::int16_t;
    static constexpr Value one = 255;
    static constexpr bool floating = false;

    static Value multiply(Value a, Value b) {
        const auto product = static_cast<std::uint16_t>(a * b);
        const auto rounded = static_cast<std::uint16_t>(product + (product >> 8) + 128);
        return static_cast<Value>(rounded >> 8);
    }
    static Value add(Value a, Value b) { return std::min(static_cast<Value>(a + b), one); }
    static Value subtract(Value a, Value b) { return std::max(static_cast<Value>(a - b), Value{0}); }
    // v0 + (v1 - v0) * x, x scaled from 255 to 256.
    static Value mix(Value x, Value v0, Value v1) {
        return static_cast<Value>(v0 + (((x + (x >> 7)) * (v1 - v0) + 128) >> 8));
    }
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

// Some lanes of a batch, from one multiple of `step` to another: loops of a known length become vectors without rests.
struct LaneRange {
    static constexpr int step = 16;
    int begin = 0, end = 0;

    template <class Body>
    void each(Body body) const {
        for (int first = begin; first < end; first += step)
            for (int i = first; i < first + step; ++i) body(i);
    }
};

// By component.
template <class A>
struct Values {
    alignas(64) typename A::Value c[4][batch_lanes];
};

// What the equation works on. `second` is the second colour of dual-source blending.
template <class A>
struct Inputs {
    const Values<A>&source, &second, &target;
    const typename A::Value* constant;
    LaneRange lanes;
};

// The factor's values for one component, before a complement: those of a colour, or made in `made`.
template <class A>
const typename A::Value* plain_factor(BlendFactor factor, int component, const Inputs<A>& in,
                                      typename A::Value* __restrict made) {
    const Values<A>&source = in.source, &target = in.target;
    const auto fill = [&](typename A::Value value) {
        in.lanes.each([&](int i) { made[i] = value; });
        return made;
    };
    using enum BlendFactor;
    switch (factor) {
        case one:
        case zero:
            break;
        case source_colour:
        case inverse_source_colour:
            return source.c[component];
        case source_alpha:
        case inverse_source_alpha:
            return source.c[3];
        case target_alpha:
        case inverse_target_alpha:
            return target.c[3];
        case target_colour:
        case inverse_target_colour:
            return target.c[component];
        case constant_colour:
        case inverse_constant_colour:
            return fill(in.constant[component]);
        case constant_alpha:
        case inverse_constant_alpha:
            return fill(in.constant[3]);
        case source_alpha_saturate:
            if (component == 3) break;
            in.lanes.each([&](int i) {
                made[i] = std::min(source.c[3][i], static_cast<typename A::Value>(A::one - target.c[3][i]));
            });
            return made;
        case source1_colour:
        case inverse_source1_colour:
            return in.second.c[component];
        case source1_alpha:
        case inverse_source1_alpha:
            return in.second.c[3];
    }
    return fill(A::one);
}

template <class A>
const typename A::Value* factor_values(BlendFactor factor, int component, const Inputs<A>& in,
                                       typename A::Value* made) {
    const typename A::Value* plain = plain_factor<A>(factor, component, in, made);
    if ((static_cast<unsigned>(factor) & 0x10U) == 0) return plain;
    in.lanes.each([&](int i) { made[i] = static_cast<typename A::Value>(A::one - plain[i]); });
    return made;
}

template <class A>
struct Term {
    BlendFunction function;
    BlendFactor source, target;
    bool interpolates;  // the factors add up to one: a single interpolation, rounded once
    bool shares;        // one factor for both, applied to their sum or difference
};

template <class A>
void blend_component(const Term<A>& term, int k, const Inputs<A>& in, typename A::Value* __restrict out) {
    using Value = typename A::Value;
    alignas(64) Value made[2][batch_lanes];
    const Value* const fs = factor_values<A>(term.source, k, in, made[0]);
    const Value* const fd = factor_values<A>(term.target, k, in, made[1]);
    const Value *const source = in.source.c[k], *const target = in.target.c[k];
    const auto each = [&](auto equation) {
        in.lanes.each([&](int i) { out[i] = equation(source[i], target[i], fs[i], fd[i]); });
    };
    switch (term.function) {
        case BlendFunction::add:
            if (term.shares)
                each([](Value s, Value d, Value f, Value) { return A::multiply(A::add(s, d), f); });
            else if (term.interpolates && term.source < term.target)
                each([](Value s, Value d, Value f, Value) { return A::mix(f, d, s); });
            else if (term.interpolates)
                each([](Value s, Value d, Value, Value f) { return A::mix(f, s, d); });
            else
                each([](Value s, Value d, Value f, Value g) { return A::add(A::multiply(s, f), A::multiply(d, g)); });
            break;
        case BlendFunction::subtract:
            if (term.shares) {
                each([](Value s, Value d, Value f, Value) { return A::multiply(A::subtract(s, d), f); });
            } else {
                each([](Value s, Value d, Value f, Value g) {
                    return A::subtract(A::multiply(s, f), A::multiply(d, g));
                });
            }
            break;
        case BlendFunction::reverse_subtract:
            if (term.shares) {
                each([](Value s, Value d, Value f, Value) { return A::multiply(A::subtract(d, s), f); });
            } else {
                each([](Value s, Value d, Value f, Value g) {
                    return A::subtract(A::multiply(d, g), A::multiply(s, f));
                });
            }
            break;
        case BlendFunction::min:
            each([](Value s, Value d, Value, Value) { return std::min(s, d); });
            break;
        case BlendFunction::max:
            each([](Value s, Value d, Value, Value) { return std::max(s, d); });
            break;
    }
}

// llvmpipe interpolates in targets with a single channel only, and applies a shared factor in floats only.
template <class A>
void blend_lanes(const TargetBlend& b, bool one_channel, const Inputs<A>& in, Values<A>& result) {
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
