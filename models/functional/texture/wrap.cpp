#include "models/functional/texture/wrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/functional/texture/rounding.h"

namespace models::functional {

namespace {

float scaled(const AxisRule& rule, float coordinate, int size) {
    const float texels = rule.normalised ? coordinate * static_cast<float>(size) : coordinate;
    return texels + static_cast<float>(rule.offset);
}

// The coordinate with the offset, for modes that wrap before they scale.
float shifted(const AxisRule& rule, float coordinate, int size) {
    return rule.offset == 0 ? coordinate : coordinate + static_cast<float>(rule.offset) / static_cast<float>(size);
}

// Distance from the nearest even integer, -1..1: the triangle wave with a sign that tells the odd repetitions.
float mirrored(float coordinate) {
    const float half = coordinate * 0.5F;
    const float wave = half - std::nearbyint(half);
    return std::isfinite(wave) ? wave + wave : 0.0F;
}

float clamped(float value, float least, float most) {
    value = value > least ? value : least;  // also NaN
    return value < most ? value : most;
}

void set_linear(LinearAxis& axis, int i, float position) {
    const int first = floored(position);
    axis.first[i] = first;
    axis.second[i] = first + 1;
    axis.weight[i] = clamped(position - static_cast<float>(first), 0, 1);
}

void clamp_to_texture(LinearAxis& axis, int i, int size) {
    axis.first[i] = std::max(axis.first[i], 0);
    axis.second[i] = std::min(axis.second[i], size - 1);
}

// Both neighbours of a repeating axis of any size.
void set_repeat(const AxisRule& rule, LinearAxis& axis, int i, float coordinate, int size) {
    const float position = fraction(shifted(rule, coordinate, size)) * static_cast<float>(size) - 0.5F;
    set_linear(axis, i, position);
    if (axis.first[i] < 0) axis.first[i] = size - 1;
    axis.first[i] = std::min(axis.first[i], size - 1);
    axis.second[i] = axis.first[i] == size - 1 ? 0 : axis.first[i] + 1;
}

int nearest(const AxisRule& rule, float coordinate, int size) {
    const int last = size - 1;
    const auto length = static_cast<float>(size);
    switch (rule.wrap) {
        case Wrap::repeat:
            if (rule.power_of_two) return (floored(coordinate * length) + rule.offset) & last;
            return std::min(truncated(fraction(shifted(rule, coordinate, size)) * length), last);
        case Wrap::clamp:
        case Wrap::clamp_to_edge:
            return std::clamp(floored(scaled(rule, coordinate, size)), 0, last);
        case Wrap::clamp_to_border:
            return floored(scaled(rule, coordinate, size));
        case Wrap::mirror_repeat:
            return std::min(truncated(std::fabs(mirrored(shifted(rule, coordinate, size))) * length), last);
        case Wrap::mirror_clamp:
        case Wrap::mirror_clamp_to_edge:
            return std::clamp(truncated(std::fabs(scaled(rule, coordinate, size))), 0, last);
        case Wrap::mirror_clamp_to_border:
            return truncated(std::fabs(scaled(rule, coordinate, size)));
    }
    return 0;
}

void linear(const AxisRule& rule, float coordinate, int size, LinearAxis& axis, int i) {
    const int last = size - 1;
    const auto length = static_cast<float>(size);
    switch (rule.wrap) {
        case Wrap::repeat:
            if (!rule.power_of_two) return set_repeat(rule, axis, i, coordinate, size);
            set_linear(axis, i, coordinate * length - 0.5F + static_cast<float>(rule.offset));
            axis.first[i] &= last;
            axis.second[i] &= last;
            return;
        case Wrap::clamp:
            return set_linear(axis, i, clamped(scaled(rule, coordinate, size), 0, length) - 0.5F);
        case Wrap::clamp_to_edge:
            set_linear(axis, i, clamped(std::min(scaled(rule, coordinate, size), length) - 0.5F, 0, length));
            return clamp_to_texture(axis, i, size);
        case Wrap::clamp_to_border:
            return set_linear(axis, i, clamped(scaled(rule, coordinate, size), -1, length + 1) - 0.5F);
        case Wrap::mirror_repeat:
            set_linear(axis, i, std::fabs(mirrored(shifted(rule, coordinate, size))) * length - 0.5F);
            return clamp_to_texture(axis, i, size);
        case Wrap::mirror_clamp:
            return set_linear(axis, i, clamped(std::fabs(scaled(rule, coordinate, size)), 0, length) - 0.5F);
        case Wrap::mirror_clamp_to_edge:
            set_linear(axis, i,
                       clamped(clamped(std::fabs(scaled(rule, coordinate, size)), 0, length) - 0.5F, 0, length));
            return clamp_to_texture(axis, i, size);
        case Wrap::mirror_clamp_to_border:
            return set_linear(axis, i, clamped(std::fabs(scaled(rule, coordinate, size)), 0, length + 1) - 0.5F);
    }
}

// Texel position -x counts from the mirror at 0: -1 is texel 0.
int reflected(int texel, int last) {
    return std::min(texel < 0 ? ~texel : texel, last);
}

void gather(const AxisRule& rule, float coordinate, int size, LinearAxis& axis, int i) {
    const int last = size - 1;
    switch (rule.wrap) {
        case Wrap::clamp_to_edge: {
            const int first = floored(scaled(rule, coordinate, size) - 0.5F);
            axis.first[i] = std::clamp(first, 0, last);
            axis.second[i] = std::clamp(first + 1, 0, last);
            return;
        }
        case Wrap::mirror_repeat:
        case Wrap::mirror_clamp_to_edge: {
            const float position = rule.wrap == Wrap::mirror_repeat
                                       ? mirrored(shifted(rule, coordinate, size)) * static_cast<float>(size)
                                       : scaled(rule, coordinate, size);
            const int first = floored(position - 0.5F);
            axis.first[i] = reflected(first, last);
            axis.second[i] = reflected(first + 1, last);
            return;
        }
        default:
            linear(rule, coordinate, size, axis, i);
    }
}

}  // namespace

void wrap_nearest(const AxisRule& rule, const float* coordinates, const int* sizes, int count, int* texels) {
    if (rule.wrap == Wrap::repeat && rule.power_of_two) {
        for (int i = 0; i < count; ++i)
            texels[i] = (floored(coordinates[i] * static_cast<float>(sizes[i])) + rule.offset) & (sizes[i] - 1);
        return;
    }
    for (int i = 0; i < count; ++i) texels[i] = nearest(rule, coordinates[i], sizes[i]);
}

void wrap_linear(const AxisRule& rule, const float* coordinates, const int* sizes, int count, LinearAxis& axis) {
    for (int i = 0; i < count; ++i) linear(rule, coordinates[i], sizes[i], axis, i);
}

void wrap_gather(const AxisRule& rule, const float* coordinates, const int* sizes, int count, LinearAxis& axis) {
    for (int i = 0; i < count; ++i) gather(rule, coordinates[i], sizes[i], axis, i);
}

namespace {

// Texel positions of lanes in 256 parts of a texel, before wrapping.
using Positions = int[batch_lanes];

// The weights, and the texels before wrapping.
void split(const Positions& positions, int offset, int count, ByteAxis& axis) {
    for (int i = 0; i < count; ++i) {
        axis.weight[i] = static_cast<std::uint32_t>(positions[i]) & 0xffU;
        axis.first[i] = (positions[i] >> 8) + offset;
    }
}

void wrap_fractions(const AxisRule& rule, const float* coordinates, const int* sizes, int count, ByteAxis& axis) {
    Positions positions;
    for (int i = 0; i < count; ++i) {
        const float part = fraction(shifted(rule, coordinates[i], sizes[i]));
        positions[i] = rounded_to_even(part * static_cast<float>(sizes[i]) * 256.0F) - 128;
    }
    split(positions, 0, count, axis);
    for (int i = 0; i < count; ++i) {
        const int last = sizes[i] - 1;
        axis.first[i] = axis.first[i] < 0 ? last : std::min(axis.first[i], last);
        axis.second[i] = axis.first[i] == last ? 0 : axis.first[i] + 1;
    }
}

}  // namespace

// Loops of one kind of work each, without branches, become vector instructions.
void wrap_linear_bytes(const AxisRule& rule, const float* coordinates, const int* sizes, int count, ByteAxis& axis) {
    assert(rule.wrap == Wrap::repeat || rule.wrap == Wrap::clamp_to_edge);
    if (rule.wrap == Wrap::repeat && !rule.power_of_two) return wrap_fractions(rule, coordinates, sizes, count, axis);
    float scaled[batch_lanes];
    for (int i = 0; i < count; ++i) scaled[i] = static_cast<float>(sizes[i] << 8);
    for (int i = 0; !rule.normalised && i < count; ++i) scaled[i] = 256;
    for (int i = 0; i < count; ++i) scaled[i] *= coordinates[i];
    Positions positions;
    for (int i = 0; i < count; ++i) positions[i] = rounded_to_even(scaled[i]) - 128;
    split(positions, rule.offset, count, axis);
    if (rule.wrap == Wrap::repeat) {
        for (int i = 0; i < count; ++i) {
            axis.second[i] = (axis.first[i] + 1) & (sizes[i] - 1);
            axis.first[i] &= sizes[i] - 1;
        }
    } else {
        for (int i = 0; i < count; ++i) {
            axis.second[i] = std::min(std::max(axis.first[i] + 1, 0), sizes[i] - 1);
            axis.first[i] = std::min(std::max(axis.first[i], 0), sizes[i] - 1);
        }
    }
}

}  // namespace models::functional
