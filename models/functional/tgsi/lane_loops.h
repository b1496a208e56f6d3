// The templates that kernels are made of: loops over the lanes of rows, for every shape of operands.
#pragma once

#include <cstring>

#include "models/functional/tgsi/kernels.h"
#include "models/functional/tgsi/lane_math.h"

namespace models::functional::tgsi {

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
inline void replicate(const Op& op, float* const* out) {
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

}  // namespace models::functional::tgsi
