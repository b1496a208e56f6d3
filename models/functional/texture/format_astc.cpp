#include "models/functional/texture/format_astc.h"

#include <algorithm>
#include <cstring>

#include "models/functional/texture/astc_endpoints.h"
#include "models/functional/texture/astc_integers.h"

namespace models::functional {

namespace {

using Texel = std::array<std::uint8_t, 4>;

constexpr Texel error_colour{255, 0, 255, 255};
constexpr int most_weights = 64;
constexpr int most_partitions = 4;
constexpr int most_values = 18;  // of all endpoints

// The grid of weights that is stretched over the block.
struct Grid {
    int width = 0, height = 0;
    bool dual = false;  // a second weight for one component
    AstcRange range;
    int bits = 0;

    int count() const { return width * height * (dual ? 2 : 1); }
};

// Sizes of the grid by the first 11 bits; false: reserved.
bool decode_sizes(std::uint32_t mode, Grid& grid) {
    const int a = static_cast<int>(mode >> 5 & 3U), b = static_cast<int>(mode >> 7 & 3U);
    if ((mode & 3U) != 0) {
        switch (mode >> 2 & 3U) {
            case 0:
                grid.width = b + 4, grid.height = a + 2;
                return true;
            case 1:
                grid.width = b + 8, grid.height = a + 2;
                return true;
            case 2:
                grid.width = a + 2, grid.height = b + 8;
                return true;
            default:
                grid.width = b < 2 ? a + 2 : b % 2 + 2, grid.height = b < 2 ? b + 6 : a + 2;
                return true;
        }
    }
    switch (b) {
        case 0:
            grid.width = 12, grid.height = a + 2;
            return true;
        case 1:
            grid.width = a + 2, grid.height = 12;
            return true;
        case 2:
            grid.width = a + 6, grid.height = static_cast<int>(mode >> 9 & 3U) + 6;
            return true;
        default:
            grid.width = a == 0 ? 6 : 10, grid.height = a == 0 ? 10 : 6;
            return a < 2;
    }
}

bool decode_grid(std::uint32_t mode, int width, int height, Grid& grid) {
    if ((mode & 15U) == 0 || !decode_sizes(mode, grid)) return false;
    const std::uint32_t upper = (mode & 3U) != 0 ? mode & 3U : mode >> 2 & 3U;
    const auto number = static_cast<int>(upper << 1 | (mode >> 4 & 1U));
    if (number < 2) return false;
    const bool whole = (mode & 3U) == 0 && (mode >> 7 & 3U) == 2;  // sizes take the bits of precision and planes
    const bool precise = !whole && (mode >> 9 & 1U) != 0;
    grid.dual = !whole && (mode >> 10 & 1U) != 0;
    grid.range = astc_range(number - 2 + (precise ? 6 : 0));
    grid.bits = sequence_bits(grid.range, grid.count());
    return grid.count() <= most_weights && grid.bits >= 24 && grid.bits <= 96 && grid.width <= width &&
           grid.height <= height;
}

// Weights of both planes, 0..64, by texel.
struct Weights {
    int of[2][most_block_texels] = {};
};

void stretch(const Grid& grid, const std::uint8_t* values, int width, int height, Weights& weights) {
    const int planes = grid.dual ? 2 : 1;
    const auto place = [](int at, int size, int cells) {
        return ((1024 + size / 2) / (size - 1) * at * (cells - 1) + 32) >> 6;
    };
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int gx = place(x, width, grid.width), gy = place(y, height, grid.height);
            const int fx = gx & 15, fy = gy & 15;
            const int both = (fx * fy + 8) >> 4;
            const int share[4] = {16 - fx - fy + both, fx - both, fy - both, both};
            const int first = (gx >> 4) + (gy >> 4) * grid.width;
            const int at[4] = {first, first + 1, first + grid.width, first + grid.width + 1};
            for (int plane = 0; plane < planes; ++plane) {
                int sum = 8;
                for (int i = 0; i < 4; ++i)
                    if (share[i] != 0) sum += values[at[i] * planes + plane] * share[i];
                weights.of[plane][y * width + x] = sum >> 4;
            }
        }
    }
}

std::uint32_t hash(std::uint32_t p) {
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

// The partition of each texel of a block: the specification's pseudo-random lines.
class Partitioning {
  public:
    Partitioning(std::uint32_t seed, int count, bool small) : count_(count), scale_(small ? 2U : 1U) {
        random_ = hash(seed + static_cast<std::uint32_t>(count - 1) * 1024);
        const std::uint32_t a = (seed & 2U) != 0 ? 4 : 5, b = count == 3 ? 6 : 5;
        const std::uint32_t shift[2] = {(seed & 1U) != 0 ? a : b, (seed & 1U) != 0 ? b : a};
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t nibble = random_ >> (4 * i) & 15U;
            slope_[i] = nibble * nibble >> shift[i % 2];
        }
    }

    int of(int x, int y) const {
        if (count_ == 1) return 0;
        constexpr int shifts[4] = {14, 10, 6, 2};
        std::uint32_t height[4] = {};
        for (int i = 0; i < count_; ++i) {
            height[i] = (slope_[2 * i] * static_cast<std::uint32_t>(x) * scale_ +
                         slope_[2 * i + 1] * static_cast<std::uint32_t>(y) * scale_ + (random_ >> shifts[i])) &
                        63U;
        }
        return static_cast<int>(std::max_element(height, height + 4) - height);
    }

  private:
    int count_ = 1;
    std::uint32_t scale_ = 1, random_ = 0;
    std::uint32_t slope_[8] = {};
};

// The endpoint modes of all partitions, and the bits below the weights that some of them take.
struct Modes {
    int mode[most_partitions] = {};
    int first_colour_bit = 17;
    int extra_bits = 0;
};

Modes decode_modes(const Bits128& block, int partitions, int weight_bits) {
    Modes modes;
    if (partitions == 1) {
        modes.mode[0] = static_cast<int>(block.field(13, 4));
        return modes;
    }
    modes.first_colour_bit = 29;
    std::uint32_t field = block.field(23, 6);
    if ((field & 3U) == 0) {
        std::fill_n(modes.mode, partitions, static_cast<int>(field >> 2));
        return modes;
    }
    modes.extra_bits = 3 * partitions - 4;
    field |= block.field(128 - weight_bits - modes.extra_bits, modes.extra_bits) << 6;
    const int lower = static_cast<int>(field & 3U) - 1;
    for (int i = 0; i < partitions; ++i) {
        const int upper = static_cast<int>(field >> (2 + i) & 1U);
        const int within = static_cast<int>(field >> (2 + partitions + 2 * i) & 3U);
        modes.mode[i] = (lower + upper) * 4 + within;
    }
    return modes;
}

// False where the block's bits do not hold what its modes need.
bool decode_colours(const Bits128& block, const Modes& modes, int partitions, int end, AstcEndpoints* endpoints) {
    int count = 0;
    for (int i = 0; i < partitions; ++i) count += values_of_mode(modes.mode[i]);
    const int bits = end - modes.first_colour_bit;
    if (count > most_values || bits < (13 * count + 4) / 5) return false;
    int number = astc_range_count - 1;
    while (sequence_bits(astc_range(number), count) > bits) --number;
    const AstcRange range = astc_range(number);
    std::uint8_t values[most_values] = {};
    decode_sequence(block, modes.first_colour_bit, modes.first_colour_bit + sequence_bits(range, count), range,
                    {values, static_cast<std::size_t>(count)});
    for (int i = 0; i < count; ++i) values[i] = astc_colour(range, values[i]);
    const std::uint8_t* next = values;
    for (int i = 0; i < partitions; ++i) {
        if (!decode_endpoints(modes.mode[i], next, endpoints[i])) endpoints[i].defined = false;
        next += values_of_mode(modes.mode[i]);
    }
    return true;
}

// A block of one colour, in 16 bits a component; the part of the texture it stands for is only a hint.
bool decode_void(const Bits128& block, Texel& colour) {
    const std::uint32_t extent[4] = {block.field(12, 13), block.field(25, 13), block.field(38, 13),
                                     block.field(51, 13)};
    const bool everywhere = std::all_of(extent, extent + 4, [](std::uint32_t e) { return e == 0x1fff; });
    const bool bad_extent = !everywhere && (extent[0] >= extent[1] || extent[2] >= extent[3]);
    if (block.field(9, 1) != 0 || block.field(10, 2) != 3 || bad_extent) return false;
    for (std::size_t c = 0; c < 4; ++c)
        colour[c] = static_cast<std::uint8_t>(block.field(72 + 16 * static_cast<int>(c), 8));
    return true;
}

bool decode(const Bits128& block, int width, int height, bool srgb, Texel* texels) {
    const std::uint32_t mode = block.field(0, 11);
    if ((mode & 0x1ffU) == 0x1fc) {
        Texel colour{};
        const bool legal = decode_void(block, colour);
        std::fill_n(texels, width * height, colour);
        return legal;
    }
    Grid grid;
    if (!decode_grid(mode, width, height, grid)) return false;
    const int partitions = static_cast<int>(block.field(11, 2)) + 1;
    if (partitions == most_partitions && grid.dual) return false;
    const Modes modes = decode_modes(block, partitions, grid.bits);
    const int end = 128 - grid.bits - modes.extra_bits - (grid.dual ? 2 : 0);
    AstcEndpoints endpoints[most_partitions];
    if (!decode_colours(block, modes, partitions, end, endpoints)) return false;

    std::uint8_t values[most_weights] = {};
    decode_sequence(block.reversed(), 0, grid.bits, grid.range, {values, static_cast<std::size_t>(grid.count())});
    for (int i = 0; i < grid.count(); ++i) values[i] = astc_weight(grid.range, values[i]);
    Weights weights;
    stretch(grid, values, width, height, weights);

    const int second_plane = grid.dual ? static_cast<int>(block.field(end, 2)) : -1;
    const Partitioning partitioning(block.field(13, 10), partitions, width * height < 31);
    for (int i = 0; i < width * height; ++i) {
        const AstcEndpoints& ends = endpoints[partitioning.of(i % width, i / width)];
        if (!ends.defined) {
            texels[i] = error_colour;
            continue;
        }
        for (int c = 0; c < 4; ++c) {
            const int weight = weights.of[c == second_plane ? 1 : 0][i];
            const auto wide = [&](int value) { return value << 8 | (srgb ? 0x80 : value); };
            const int mixed = (wide(ends.c[0][c]) * (64 - weight) + wide(ends.c[1][c]) * weight + 32) >> 6;
            texels[i][static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(mixed >> 8);
        }
    }
    return true;
}

}  // namespace

void decode_astc(const std::byte* block, int width, int height, bool srgb, Texel* texels) {
    Bits128 bits;
    std::memcpy(&bits.low, block, 8);
    std::memcpy(&bits.high, block + 8, 8);
    if (!decode(bits, width, height, srgb, texels)) std::fill_n(texels, width * height, error_colour);
}

}  // namespace models::functional
