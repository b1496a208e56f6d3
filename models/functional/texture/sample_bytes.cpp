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

// The level that all lanes read, or nullptr.
const BoundLevel* common_level(const BoundTexture& texture, const SampleWork& work, int which) {
    const int* const levels = work.level[which];
    int differences = 0;
    for (int j = 0; j < work.count; ++j) differences |= levels[j] ^ levels[0];
    return differences == 0 && work.count > 0 ? &texture.level(levels[0]) : nullptr;
}

void gather_sizes(const BoundTexture& texture, const SampleWork& work, int which, LevelSizes& sizes) {
    if (const BoundLevel* all = common_level(texture, work, which); all != nullptr) {
        std::fill_n(sizes.axis[0], work.count, all->width);
        std::fill_n(sizes.axis[1], work.count, all->height);
        std::fill_n(sizes.axis[2], work.count, all->depth);
        return;
    }
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
    for (int a = 0; a < texture.dimensions; ++a)
        wrap_nearest(rule_of(context, a), work.coordinates[a], sizes.axis[a], work.count, position[a]);
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = texture.level(work.level[which][j]);
        const int z = position[2][j] + slice_of(texture, work, j);
        words[j] = texels(level, position[0][j], position[1][j], z);
        if (context.log != nullptr && context.log->records(work.lane[j]))
            context.log->add(work.lane[j], level.texel_address(position[0][j], position[1][j], z));
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
            for (unsigned b = 0; b < rows; ++b)
                for (unsigned a = 0; a < columns; ++a)
                    context.log->add_block(lane, finders[c * 4 + b * 2 + a](level, x[a], y[b], z[c]));
        }
    }
}

// The texels of a plane that a linear filter mixes: [row][column][lane].
using Corners = std::uint32_t[2][2][batch_lanes];

// Four lanes at once, as words or as halves of words: a sum of two weighted bytes takes 16 bits.
constexpr int mixed_lanes = 4;
using MixWords = std::uint32_t __attribute__((vector_size(16)));
using MixHalves = std::uint16_t __attribute__((vector_size(16)));

MixWords load_words(const std::uint32_t* from) {
    MixWords words;
    std::memcpy(&words, from, sizeof words);
    return words;
}

// a + (b - a) * weight / 256 of bytes in the low half of 16 bits, times 256 and rounded; wraps to what is right.
MixHalves mix_halves(MixHalves weight, MixHalves a, MixHalves b) {
    return (a << 8) + (b - a) * weight + 128;
}

// mix_words for four lanes; both halves of each word of `weights` hold the weight.
MixWords mix_four(MixWords weights, MixWords words0, MixWords words1) {
    const auto weight = reinterpret_cast<MixHalves>(weights);
    const auto a = reinterpret_cast<MixHalves>(words0), b = reinterpret_cast<MixHalves>(words1);
    const MixHalves even = mix_halves(weight, a & 0xff, b & 0xff) >> 8;
    const MixHalves odd = mix_halves(weight, a >> 8, b >> 8) & 0xff00;
    return reinterpret_cast<MixWords>(even | odd);
}

MixWords weights_of(const std::uint32_t* weights) {
    const MixWords words = load_words(weights);
    return words | words << 16;
}

// `mixed(j)` gives four lanes from lane j on. What is read and written beyond `count` is not used.
template <class Mixed>
void mix_lanes(int count, std::uint32_t* words, Mixed mixed) {
    for (int j = 0; j < count; j += mixed_lanes) {
        const MixWords four = mixed(j);
        std::memcpy(words + j, &four, sizeof four);
    }
}

template <bool Common, class Texels>
void read_corners(const BoundTexture& texture, const SampleWork& work, int which, Texels texels, const LinearAxes& axes,
                  const int* slices, Corners& corners) {
    const ByteAxis &x = axes.axis[0], &y = axes.axis[1];
    const bool flat = texture.dimensions == 1;
    const BoundLevel& first = texture.level(work.level[which][0]);
    for (int j = 0; j < work.count; ++j) {
        const BoundLevel& level = Common ? first : texture.level(work.level[which][j]);
        corners[0][0][j] = texels(level, x.first[j], y.first[j], slices[j]);
        corners[0][1][j] = texels(level, x.second[j], y.first[j], slices[j]);
        if (flat) continue;
        corners[1][0][j] = texels(level, x.first[j], y.second[j], slices[j]);
        corners[1][1][j] = texels(level, x.second[j], y.second[j], slices[j]);
    }
}

// Lanes beyond the last that are mixed with it are of no use, but defined.
void pad(int count, std::uint32_t* words) {
    for (int j = count; j % mixed_lanes != 0; ++j) words[j] = 0;
}

// Mixes the texels of the planes at `slices`.
template <class Texels>
void sample_plane(const SampleContext& context, const SampleWork& work, int which, Texels texels,
                  const LinearAxes& axes, const int* slices, std::uint32_t* words) {
    Corners corners;
    if (common_level(context.texture, work, which) != nullptr)
        read_corners<true>(context.texture, work, which, texels, axes, slices, corners);
    else
        read_corners<false>(context.texture, work, which, texels, axes, slices, corners);
    const bool flat = context.texture.dimensions == 1;
    for (int row = 0; row < (flat ? 1 : 2); ++row)
        for (std::uint32_t* column : corners[row]) pad(work.count, column);
    const auto row = [&](MixWords weights, int number, int j) {
        return mix_four(weights, load_words(corners[number][0] + j), load_words(corners[number][1] + j));
    };
    const std::uint32_t *const across = axes.axis[0].weight, *const down = axes.axis[1].weight;
    if (flat) return mix_lanes(work.count, words, [&](int j) { return row(weights_of(across + j), 0, j); });
    mix_lanes(work.count, words, [&](int j) {
        const MixWords weights = weights_of(across + j);
        return mix_four(weights_of(down + j), row(weights, 0, j), row(weights, 1, j));
    });
}

template <class Texels>
void sample_linear(const SampleContext& context, const SampleWork& work, int which, Texels texels,
                   std::uint32_t* words) {
    const BoundTexture& texture = context.texture;
    LevelSizes sizes;
    gather_sizes(texture, work, which, sizes);
    LinearAxes axes;
    for (int a = 0; a < 3; ++a) {
        ByteAxis& axis = axes.axis[a];
        if (a < texture.dimensions) {
            wrap_linear_bytes(rule_of(context, a), work.coordinates[a], sizes.axis[a], work.count, axis);
            pad(work.count, axis.weight);
        } else {
            std::fill_n(axis.first, work.count, 0);
            std::fill_n(axis.second, work.count, 0);
        }
    }
    if (texture.dimensions == 3) {
        const ByteAxis& z = axes.axis[2];
        std::uint32_t planes[2][batch_lanes];
        sample_plane(context, work, which, texels, axes, z.first, planes[0]);
        sample_plane(context, work, which, texels, axes, z.second, planes[1]);
        mix_lanes(work.count, words, [&](int j) {
            return mix_four(weights_of(z.weight + j), load_words(planes[0] + j), load_words(planes[1] + j));
        });
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
