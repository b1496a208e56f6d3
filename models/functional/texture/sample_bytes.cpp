#include <algorithm>
#include <array>
#include <cstring>

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

// Tiles of 4x4 texels never straddle blocks of texels of up to 4 bytes.
bool tiles_in_blocks(const BoundLevel& level) {
    return level.layout.tiled && level.layout.tile_shift <= 6 && level.layout.tile_width == 4 &&
           level.layout.tile_height == 4;
}

// The blocks of texels, remembering the last one: the texels of neighbouring pixels are mostly in one tile.
class BlockFinder {
  public:
    BlockNumber operator()(const BoundLevel& level, int x, int y, int z) {
        if (!tiles_in_blocks(level)) return static_cast<BlockNumber>(level.texel_address(x, y, z) / block_bytes);
        if (level_ != &level || x_ != x >> 2 || y_ != y >> 2 || z_ != z) {
            level_ = &level;
            x_ = x >> 2;
            y_ = y >> 2;
            z_ = z;
            block_ = static_cast<BlockNumber>(level.texel_address(x, y, z) / block_bytes);
        }
        return block_;
    }

  private:
    const BoundLevel* level_ = nullptr;
    int x_ = 0, y_ = 0, z_ = 0;
    BlockNumber block_ = 0;
};

void log_linear(const SampleContext& context, const SampleWork& work, int which, const LinearAxes& axes) {
    const BoundTexture& texture = context.texture;
    std::array<BlockFinder, 8> finders;  // by corner
    for (int j = 0; j < work.count; ++j) {
        const int lane = work.lane[j];
        if (!context.log->records(lane)) continue;
        const BoundLevel& level = texture.level(work.level[which][j]);
        const int x[2] = {axes.axis[0].first[j], axes.axis[0].second[j]};
        const int y[2] = {axes.axis[1].first[j], axes.axis[1].second[j]};
        const int slice = slice_of(texture, work, j);
        const int z[2] = {axes.axis[2].first[j] + slice, axes.axis[2].second[j] + slice};
        const bool small = tiles_in_blocks(level);
        const unsigned columns = small && (x[0] >> 2) == (x[1] >> 2) ? 1 : 2;
        const unsigned rows = texture.dimensions < 2 || (small && (y[0] >> 2) == (y[1] >> 2)) ? 1 : 2;
        const unsigned slices = texture.dimensions < 3 ? 1 : 2;
        for (unsigned c = 0; c < slices; ++c) {
            for (unsigned b = 0; b < rows; ++b) {
                for (unsigned a = 0; a < columns; ++a) {
                    context.log->add_block(lane, finders[c * 4 + b * 2 + a](level, x[a], y[b], z[c]));
                }
            }
        }
    }
}

// The texels of a plane that a linear filter mixes: [row][column][lane].
using Corners = std::uint32_t[2][2][batch_lanes];

// mix_words for all lanes, as sums of 16 bits.
void mix_lanes(const std::uint32_t* weights, const std::uint32_t* a, const std::uint32_t* b, int count,
               std::uint32_t* mixed) {
    constexpr int bytes = 4 * batch_lanes;
    std::uint8_t from[2][bytes], to[bytes];
    std::uint16_t weight[bytes] = {};
    const auto size = static_cast<std::size_t>(count) * 4;
    std::memcpy(from[0], a, size);
    std::memcpy(from[1], b, size);
    for (int j = 0; j < count; ++j) {
        const std::uint64_t four = std::uint64_t{weights[j]} * 0x0001000100010001U;
        std::memcpy(weight + 4 * j, &four, sizeof four);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const auto sum = static_cast<std::uint16_t>(from[0][i] * (256 - weight[i]) + from[1][i] * weight[i] + 128);
        to[i] = static_cast<std::uint8_t>(sum >> 8);
    }
    std::memcpy(mixed, to, size);
}

template <class Texels>
void read_plane(const BoundTexture& texture, const SampleWork& work, int which, Texels texels, const LinearAxes& axes,
                const int* slices, Corners& corners) {
    const ByteAxis &x = axes.axis[0], &y = axes.axis[1];
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = texture.level(work.level[which][j]);
        corners[0][0][j] = texels(level, x.first[j], y.first[j], slices[j]);
        corners[0][1][j] = texels(level, x.second[j], y.first[j], slices[j]);
        if (texture.dimensions == 1) continue;
        corners[1][0][j] = texels(level, x.first[j], y.second[j], slices[j]);
        corners[1][1][j] = texels(level, x.second[j], y.second[j], slices[j]);
    }
}

// Mixes the texels of the planes at `slices`.
template <class Texels>
void sample_plane(const SampleContext& context, const SampleWork& work, int which, Texels texels,
                  const LinearAxes& axes, const int* slices, std::uint32_t* words) {
    Corners corners = {};
    read_plane(context.texture, work, which, texels, axes, slices, corners);
    std::uint32_t rows[2][batch_lanes];
    mix_lanes(axes.axis[0].weight, corners[0][0], corners[0][1], work.count, rows[0]);
    if (context.texture.dimensions == 1) {
        std::copy_n(rows[0], work.count, words);
        return;
    }
    mix_lanes(axes.axis[0].weight, corners[1][0], corners[1][1], work.count, rows[1]);
    mix_lanes(axes.axis[1].weight, rows[0], rows[1], work.count, words);
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
    if (texture.dimensions == 3) {
        const ByteAxis& z = axes.axis[2];
        std::uint32_t planes[2][batch_lanes];
        sample_plane(context, work, which, texels, axes, z.first, planes[0]);
        sample_plane(context, work, which, texels, axes, z.second, planes[1]);
        mix_lanes(z.weight, planes[0], planes[1], work.count, words);
    } else {
        int slices[batch_lanes];
        for (int j = 0; j < work.count; ++j) slices[j] = slice_of(texture, work, j);
        sample_plane(context, work, which, texels, axes, slices, words);
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
