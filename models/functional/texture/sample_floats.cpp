#include <algorithm>

#include "models/functional/texture/compare.h"
#include "models/functional/texture/cube.h"
#include "models/functional/texture/rounding.h"
#include "models/functional/texture/sample_work.h"
#include "models/functional/texture/wrap.h"

namespace models::functional {

namespace {

AxisRule rule_of(const SampleContext& context, int axis) {
    const BoundTexture& texture = context.texture;
    return {texture.wrap[axis], texture.normalised, texture.power_of_two[axis], context.offset[axis]};
}

const BoundLevel& level_of(const SampleContext& context, const SampleWork& work, int which, int j) {
    return context.texture.level(work.level[which][j]);
}

int size_of(const BoundLevel& level, int axis) {
    return axis == 0 ? level.width : axis == 1 ? level.height : level.depth;
}

void sizes_of(const SampleContext& context, const SampleWork& work, int which, int axis, int* sizes) {
    for (int j = 0; j < work.count; ++j) sizes[j] = size_of(level_of(context, work, which, j), axis);
}

struct Position {
    int x = 0, y = 0, z = 0;
};

bool outside(const BoundTexture& texture, const BoundLevel& level, const Position& p) {
    if (!texture.uses_border) return false;
    if (p.x < 0 || p.x >= level.width) return true;
    if (texture.dimensions >= 2 && (p.y < 0 || p.y >= level.height)) return true;
    return texture.dimensions == 3 && (p.z < 0 || p.z >= level.depth);
}

// A texel, or the border; with comparison, whether the reference passes against it.
void read_texel(const SampleContext& context, const SampleWork& work, int which, int j, const Position& p,
                float* colour) {
    const BoundTexture& texture = context.texture;
    const BoundLevel& level = level_of(context, work, which, j);
    if (outside(texture, level, p)) {
        std::copy_n(texture.border, 4, colour);
    } else {
        fetch_floats(texture, level, context.cache, p.x, p.y, p.z, colour);
        if (context.log != nullptr && context.log->records(work.lane[j]))
            context.log->add(work.lane[j], level.texel_address(p.x, p.y, p.z));
    }
    if (!context.compare) return;
    const bool passes = compares(texture.sampler.compare_function, work.reference[j], colour[0]);
    std::fill_n(colour, 4, passes ? 1.0F : 0.0F);
}

// The texels of a linear filter: [slice][row][column], and their weights along the axes.
struct Neighbours {
    Position position[2][2][2];
    float weight[3] = {};
    int corner = -1;  // of a cube: the texel (2 * row + column) that does not exist
};

void mix(float weight, const float* a, const float* b, float* out) {
    for (int c = 0; c < 4; ++c) out[c] = a[c] + weight * (b[c] - a[c]);
}

// The missing texel's weight goes in equal parts to the other three.
void filter_corner(const Neighbours& n, const float (&texels)[2][2][4], float* colour) {
    const float x = n.weight[0], y = n.weight[1];
    float weights[4] = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
    const float third = weights[n.corner] * (1.0F / 3.0F);
    for (float& weight : weights) weight += third;
    weights[n.corner] = 0;
    for (int c = 0; c < 4; ++c) {
        colour[c] = weights[0] * texels[0][0][c] + weights[1] * texels[0][1][c] + weights[2] * texels[1][0][c] +
                    weights[3] * texels[1][1][c];
    }
}

void filter_linear(const SampleContext& context, const SampleWork& work, int which, int j, const Neighbours& n,
                   float* colour) {
    const int dimensions = context.texture.dimensions;
    float slices[2][4];
    for (int c = 0; c < (dimensions == 3 ? 2 : 1); ++c) {
        float texels[2][2][4] = {};
        for (int b = 0; b < (dimensions >= 2 ? 2 : 1); ++b) {
            for (int a = 0; a < 2; ++a) {
                if (2 * b + a == n.corner) continue;
                read_texel(context, work, which, j, n.position[c][b][a], texels[b][a]);
            }
        }
        if (n.corner >= 0) return filter_corner(n, texels, colour);
        mix(n.weight[0], texels[0][0], texels[0][1], slices[c]);
        if (dimensions == 1) continue;
        float second[4];
        mix(n.weight[0], texels[1][0], texels[1][1], second);
        mix(n.weight[1], slices[c], second, slices[c]);
    }
    if (dimensions == 3) return mix(n.weight[2], slices[0], slices[1], colour);
    std::copy_n(slices[0], 4, colour);
}

// A cube's face with its neighbours across the edges.
Neighbours seamless_neighbours(const SampleWork& work, int j, int size) {
    Neighbours n;
    int first[2];
    for (int a = 0; a < 2; ++a) {
        const float coordinate = work.coordinates[a][j] > 0 ? std::min(work.coordinates[a][j], 1.0F) : 0.0F;
        const float position = coordinate * static_cast<float>(size) - 0.5F;
        first[a] = floored(position);
        n.weight[a] = position - static_cast<float>(first[a]);
    }
    for (int b = 0; b < 2; ++b) {
        for (int a = 0; a < 2; ++a) {
            const int x = first[0] + a, y = first[1] + b;
            const bool off_x = x < 0 || x >= size, off_y = y < 0 || y >= size;
            if (off_x && off_y) {
                n.corner = 2 * b + a;
                continue;
            }
            const CubeTexel texel = across_edge(work.face[j], x, y, size);
            n.position[0][b][a] = {texel.x, texel.y, work.layer[j] + texel.face};
        }
    }
    return n;
}

struct LinearAxes {
    LinearAxis axis[3];
};

Neighbours box_neighbours(const BoundTexture& texture, const SampleWork& work, const LinearAxes& axes, int j) {
    Neighbours n;
    const int slice = texture.dimensions == 3 ? 0 : work.layer[j] + work.face[j];
    for (int c = 0; c < 2; ++c) {
        for (int b = 0; b < 2; ++b) {
            for (int a = 0; a < 2; ++a) {
                const auto pick = [&](int axis, int side) {
                    return side == 0 ? axes.axis[axis].first[j] : axes.axis[axis].second[j];
                };
                Position& p = n.position[c][b][a];
                p.x = pick(0, a);
                if (texture.dimensions >= 2) p.y = pick(1, b);
                p.z = texture.dimensions == 3 ? pick(2, c) : slice;
            }
        }
    }
    for (int axis = 0; axis < texture.dimensions; ++axis) n.weight[axis] = axes.axis[axis].weight[j];
    return n;
}

using WrapFunction = void (*)(const AxisRule&, const float*, const int*, int, LinearAxis&);

void find_axes(const SampleContext& context, const SampleWork& work, int which, WrapFunction wrap, LinearAxes& axes) {
    for (int a = 0; a < context.texture.dimensions; ++a) {
        int sizes[batch_lanes];
        sizes_of(context, work, which, a, sizes);
        wrap(rule_of(context, a), work.coordinates[a], sizes, work.count, axes.axis[a]);
    }
}

void sample_linear(const SampleContext& context, const SampleWork& work, int which, Colours& colours) {
    const BoundTexture& texture = context.texture;
    LinearAxes axes;
    if (!texture.seamless) find_axes(context, work, which, wrap_linear, axes);
    for (int j = 0; j < work.count; ++j) {
        const Neighbours n = texture.seamless ? seamless_neighbours(work, j, level_of(context, work, which, j).width)
                                              : box_neighbours(texture, work, axes, j);
        filter_linear(context, work, which, j, n, colours[j]);
    }
}

void sample_nearest(const SampleContext& context, const SampleWork& work, int which, Colours& colours) {
    const BoundTexture& texture = context.texture;
    int position[3][batch_lanes] = {};
    for (int a = 0; a < texture.dimensions; ++a) {
        int sizes[batch_lanes];
        sizes_of(context, work, which, a, sizes);
        wrap_nearest(rule_of(context, a), work.coordinates[a], sizes, work.count, position[a]);
    }
    for (int j = 0; j < work.count; ++j) {
        const int z = texture.dimensions == 3 ? position[2][j] : work.layer[j] + work.face[j];
        read_texel(context, work, which, j, {position[0][j], position[1][j], z}, colours[j]);
    }
}

}  // namespace

void sample_floats(const SampleContext& context, const SampleWork& work, int which, bool linear, Colours& colours) {
    if (linear) return sample_linear(context, work, which, colours);
    sample_nearest(context, work, which, colours);
}

void gather_texels(const SampleContext& context, const SampleWork& work, Swizzle swizzle, Colours& colours) {
    const BoundTexture& texture = context.texture;
    LinearAxes axes;
    if (!texture.seamless) find_axes(context, work, 0, wrap_gather, axes);
    constexpr int order[4][2] = {{1, 0}, {1, 1}, {0, 1}, {0, 0}};  // row, column
    const float one = texture.format->integer ? std::bit_cast<float>(1U) : 1.0F;
    for (int j = 0; j < work.count; ++j) {
        const Neighbours n = texture.seamless ? seamless_neighbours(work, j, level_of(context, work, 0, j).width)
                                              : box_neighbours(texture, work, axes, j);
        float sum = 0;
        for (int k = 0; k < 4; ++k) {
            const int row = order[k][0], column = order[k][1];
            if (2 * row + column == n.corner) continue;
            float texel[4];
            read_texel(context, work, 0, j, n.position[0][row][column], texel);
            const auto pick = static_cast<std::size_t>(swizzle);
            colours[j][k] = swizzle == Swizzle::zero ? 0 : swizzle == Swizzle::one ? one : texel[pick];
            sum += colours[j][k];
        }
        if (n.corner < 0) continue;
        // Integers have no average: the texel in the other row stands in.
        float texels[4] = {colours[j][3], colours[j][2], colours[j][0], colours[j][1]};  // by 2 * row + column
        texels[n.corner] = texture.format->integer ? texels[n.corner ^ 2] : sum * (1.0F / 3.0F);
        for (int k = 0; k < 4; ++k) colours[j][k] = texels[2 * order[k][0] + order[k][1]];
    }
}

}  // namespace models::functional
