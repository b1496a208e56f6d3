#include "models/functional/texture/sample_work.h"
#include "models/functional/texture/wrap.h"

namespace models::functional {

namespace {

struct LevelSizes {
    int axis[3][batch_lanes];
};

void gather_sizes(const BoundTexture& texture, const SampleWork& work, int which, LevelSizes& sizes) {
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = texture.level(work.level[which][j]);
        sizes.axis[0][j] = level.width;
        sizes.axis[1][j] = level.height;
        sizes.axis[2][j] = level.depth;
    }
}

AxisRule rule_of(const SampleContext& context, int axis) {
    const BoundTexture& texture = context.texture;
    return {texture.wrap[axis], texture.normalised, texture.power_of_two[axis], context.offset[axis]};
}

struct WordTexels {
    std::uint32_t operator()(const BoundLevel& level, int x, int y, int z) const {
        return load_word(texel_pointer(level, 4, x, y, z));
    }
};

struct AnyTexels {
    const SampleContext& context;
    std::uint32_t operator()(const BoundLevel& level, int x, int y, int z) const {
        return fetch_bytes(context.texture, level, context.cache, x, y, z);
    }
};

int slice_of(const BoundTexture& texture, const SampleWork& work, int j) {
    return texture.dimensions == 3 ? 0 : work.layer[j] + work.face[j];
}

template <class Texels>
void sample_nearest(const SampleContext& context, const SampleWork& work, int which, Texels texels,
                    std::uint32_t* words) {
    const BoundTexture& texture = context.texture;
    LevelSizes sizes;
    gather_sizes(texture, work, which, sizes);
    int position[3][batch_lanes] = {};
    for (int a = 0; a < texture.dimensions; ++a) {
        wrap_nearest(rule_of(context, a), work.coordinates[a], sizes.axis[a], work.count, position[a]);
    }
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = texture.level(work.level[which][j]);
        const int z = position[2][j] + slice_of(texture, work, j);
        words[j] = texels(level, position[0][j], position[1][j], z);
        if (context.log != nullptr && context.log->records(work.lane[j])) {
            context.log->add(work.lane[j], level.texel_address(position[0][j], position[1][j], z));
        }
    }
}

struct LinearAxes {
    ByteAxis axis[3];
};

void log_linear(const SampleContext& context, const SampleWork& work, int which, const LinearAxes& axes) {
    const BoundTexture& texture = context.texture;
    for (int j = 0; j < work.count; ++j) {
        const int lane = work.lane[j];
        if (!context.log->records(lane)) continue;
        const BoundLevel& level = texture.level(work.level[which][j]);
        const int x[2] = {axes.axis[0].first[j], axes.axis[0].second[j]};
        const int y[2] = {axes.axis[1].first[j], axes.axis[1].second[j]};
        const int slice = slice_of(texture, work, j);
        const int z[2] = {axes.axis[2].first[j] + slice, axes.axis[2].second[j] + slice};
        // Tiles of 4x4 texels never straddle blocks of texels of up to 4 bytes.
        const bool small =
            level.layout.tile_shift <= 6 && level.layout.tile_width == 4 && level.layout.tile_height == 4;
        const int columns = small && (x[0] >> 2) == (x[1] >> 2) ? 1 : 2;
        const int rows = texture.dimensions < 2 || (small && (y[0] >> 2) == (y[1] >> 2)) ? 1 : 2;
        const int slices = texture.dimensions < 3 ? 1 : 2;
        for (int c = 0; c < slices; ++c) {
            for (int b = 0; b < rows; ++b) {
                for (int a = 0; a < columns; ++a) context.log->add(lane, level.texel_address(x[a], y[b], z[c]));
            }
        }
    }
}

template <class Texels>
void sample_linear(const SampleContext& context, const SampleWork& work, int which, Texels texels,
                   std::uint32_t* words) {
    const BoundTexture& texture = context.texture;
    LevelSizes sizes;
    gather_sizes(texture, work, which, sizes);
    LinearAxes axes{};
    for (int a = 0; a < texture.dimensions; ++a) {
        wrap_linear_bytes(rule_of(context, a), work.coordinates[a], sizes.axis[a], work.count, axes.axis[a]);
    }
    const ByteAxis &x = axes.axis[0], &y = axes.axis[1], &z = axes.axis[2];
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = texture.level(work.level[which][j]);
        const int slice = slice_of(texture, work, j);
        const auto row = [&](int at_y, int at_z) {
            return mix_words(x.weight[j], texels(level, x.first[j], at_y, at_z),
                             texels(level, x.second[j], at_y, at_z));
        };
        const auto plane = [&](int at_z) {
            return mix_words(y.weight[j], row(y.first[j], at_z), row(y.second[j], at_z));
        };
        switch (texture.dimensions) {
            case 1:
                words[j] = row(0, slice);
                break;
            case 2:
                words[j] = plane(slice);
                break;
            default:
                words[j] = mix_words(z.weight[j], plane(z.first[j]), plane(z.second[j]));
        }
    }
    if (context.log != nullptr) log_linear(context, work, which, axes);
}

}  // namespace

void sample_bytes(const SampleContext& context, const SampleWork& work, int which, bool linear, std::uint32_t* words) {
    const bool direct = context.texture.byte_texels == ByteTexels::words;
    if (linear) {
        if (direct) return sample_linear(context, work, which, WordTexels{}, words);
        return sample_linear(context, work, which, AnyTexels{context}, words);
    }
    if (direct) return sample_nearest(context, work, which, WordTexels{}, words);
    sample_nearest(context, work, which, AnyTexels{context}, words);
}

}  // namespace models::functional
