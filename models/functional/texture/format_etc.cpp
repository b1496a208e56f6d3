#include "models/functional/texture/format_etc.h"

#include <algorithm>

namespace models::functional {

namespace {

// The block as the specification numbers its bits: bit 63 is the first byte's highest.
class Bits {
  public:
    explicit Bits(const std::byte* block) {
        for (std::size_t i = 0; i < 8; ++i) word_ = word_ << 8 | static_cast<std::uint64_t>(block[i]);
    }

    int field(int low, int count) const { return static_cast<int>(word_ >> low & ((1ULL << count) - 1)); }
    int signed_field(int low, int count) const {
        const int value = field(low, count);
        return value - ((value >> (count - 1)) << count);
    }

  private:
    std::uint64_t word_ = 0;
};

struct Colour {
    int c[3] = {};
};

int expand_4(int v) {
    return v << 4 | v;
}
int expand_5(int v) {
    return v << 3 | v >> 2;
}
int expand_6(int v) {
    return v << 2 | v >> 4;
}
int expand_7(int v) {
    return v << 1 | v >> 6;
}

std::uint8_t to_byte(int v) {
    return static_cast<std::uint8_t>(std::clamp(v, 0, 255));
}

ByteTexel shifted(const Colour& colour, int by) {
    return {to_byte(colour.c[0] + by), to_byte(colour.c[1] + by), to_byte(colour.c[2] + by), 255};
}

// Texels are numbered down the columns; a texel's two bits of index lie 16 apart.
int index_of(const Bits& bits, int x, int y) {
    const int texel = x * 4 + y;
    return bits.field(16 + texel, 1) << 1 | bits.field(texel, 1);
}

template <class TexelOf>
void fill(std::array<ByteTexel, 16>& texels, TexelOf texel_of) {
    for (std::size_t i = 0; i < texels.size(); ++i)
        texels[i] = texel_of(static_cast<int>(i % 4), static_cast<int>(i / 4));
}

constexpr ByteTexel clear_texel{0, 0, 0, 0};

// Two halves, each a colour and a table of what is added to it. `opaque`: of punch-through blocks, whether index 2 is a
// colour.
void decode_halves(const Bits& bits, const Colour (&base)[2], bool opaque, std::array<ByteTexel, 16>& texels) {
    constexpr int small[8] = {2, 5, 9, 13, 18, 24, 33, 47};
    constexpr int large[8] = {8, 17, 29, 42, 60, 80, 106, 183};
    const int table[2] = {bits.field(37, 3), bits.field(34, 3)};
    const bool stacked = bits.field(32, 1) != 0;
    fill(texels, [&](int x, int y) {
        const int half = (stacked ? y : x) / 2;
        const int a = opaque ? small[table[half]] : 0, b = large[table[half]];
        const int index = index_of(bits, x, y);
        if (!opaque && index == 2) return clear_texel;
        const int by[4] = {a, b, -a, -b};
        return shifted(base[half], by[index]);
    });
}

void decode_painted(const Bits& bits, const ByteTexel (&paint)[4], bool opaque, std::array<ByteTexel, 16>& texels) {
    fill(texels, [&](int x, int y) {
        const int index = index_of(bits, x, y);
        return !opaque && index == 2 ? clear_texel : paint[index];
    });
}

constexpr int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

Colour expanded_4(int r, int g, int b) {
    return {{expand_4(r), expand_4(g), expand_4(b)}};
}

void decode_t(const Bits& bits, bool opaque, std::array<ByteTexel, 16>& texels) {
    const Colour one = expanded_4(bits.field(59, 2) << 2 | bits.field(56, 2), bits.field(52, 4), bits.field(48, 4));
    const Colour two = expanded_4(bits.field(44, 4), bits.field(40, 4), bits.field(36, 4));
    const int d = distances[bits.field(34, 2) << 1 | bits.field(32, 1)];
    const ByteTexel paint[4] = {shifted(one, 0), shifted(two, d), shifted(two, 0), shifted(two, -d)};
    decode_painted(bits, paint, opaque, texels);
}

void decode_h(const Bits& bits, bool opaque, std::array<ByteTexel, 16>& texels) {
    const int first[3] = {bits.field(59, 4), bits.field(56, 3) << 1 | bits.field(52, 1),
                          bits.field(51, 1) << 3 | bits.field(47, 3)};
    const int second[3] = {bits.field(43, 4), bits.field(39, 4), bits.field(35, 4)};
    const bool ordered = !std::lexicographical_compare(first, first + 3, second, second + 3);
    const int d = distances[bits.field(34, 1) << 2 | bits.field(32, 1) << 1 | (ordered ? 1 : 0)];
    const Colour one = expanded_4(first[0], first[1], first[2]);
    const Colour two = expanded_4(second[0], second[1], second[2]);
    const ByteTexel paint[4] = {shifted(one, d), shifted(one, -d), shifted(two, d), shifted(two, -d)};
    decode_painted(bits, paint, opaque, texels);
}

// A plane through three colours: at the origin, and where x or y would be 4.
void decode_planar(const Bits& bits, std::array<ByteTexel, 16>& texels) {
    const int origin[3] = {expand_6(bits.field(57, 6)), expand_7(bits.field(56, 1) << 6 | bits.field(49, 6)),
                           expand_6(bits.field(48, 1) << 5 | bits.field(43, 2) << 3 | bits.field(39, 3))};
    const int across[3] = {expand_6(bits.field(34, 5) << 1 | bits.field(32, 1)), expand_7(bits.field(25, 7)),
                           expand_6(bits.field(19, 6))};
    const int down[3] = {expand_6(bits.field(13, 6)), expand_7(bits.field(6, 7)), expand_6(bits.field(0, 6))};
    fill(texels, [&](int x, int y) {
        ByteTexel texel{0, 0, 0, 255};
        for (std::size_t c = 0; c < 3; ++c) {
            const int sum = x * (across[c] - origin[c]) + y * (down[c] - origin[c]) + 4 * origin[c] + 2;
            texel[c] = to_byte(sum >> 2);
        }
        return texel;
    });
}

constexpr int eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

// The modifier of texel number y * 4 + x; three bits each, down the columns from the highest.
int eac_modifier(const Bits& bits, std::size_t texel) {
    const int number = static_cast<int>(texel % 4 * 4 + texel / 4);
    return eac_modifiers[bits.field(48, 4)][bits.field(45 - 3 * number, 3)];
}

}  // namespace

void decode_etc2_colours(const std::byte* block, EtcAlpha alpha, std::array<ByteTexel, 16>& texels) {
    const Bits bits(block);
    const bool differential = alpha == EtcAlpha::punch_through || bits.field(33, 1) != 0;
    const bool opaque = alpha == EtcAlpha::opaque || bits.field(33, 1) != 0;
    Colour base[2];
    if (!differential) {
        for (int c = 0; c < 3; ++c) {
            base[0].c[c] = expand_4(bits.field(60 - 8 * c, 4));
            base[1].c[c] = expand_4(bits.field(56 - 8 * c, 4));
        }
        return decode_halves(bits, base, opaque, texels);
    }
    // A sum that leaves five bits, which ETC1 forbids, announces one of the three other modes.
    for (int c = 0; c < 3; ++c) {
        const int first = bits.field(59 - 8 * c, 5), second = first + bits.signed_field(56 - 8 * c, 3);
        if (second < 0 || second > 31) {
            if (c == 0) return decode_t(bits, opaque, texels);
            if (c == 1) return decode_h(bits, opaque, texels);
            return decode_planar(bits, texels);
        }
        base[0].c[c] = expand_5(first);
        base[1].c[c] = expand_5(second);
    }
    decode_halves(bits, base, opaque, texels);
}

std::array<std::uint8_t, 16> decode_eac_alpha(const std::byte* block) {
    const Bits bits(block);
    std::array<std::uint8_t, 16> alphas{};
    for (std::size_t i = 0; i < 16; ++i)
        alphas[i] = to_byte(bits.field(56, 8) + eac_modifier(bits, i) * bits.field(52, 4));
    return alphas;
}

std::array<float, 16> decode_eac_11(const std::byte* block, bool is_signed) {
    const Bits bits(block);
    const int multiplier = bits.field(52, 4) == 0 ? 1 : bits.field(52, 4) * 8;
    const int base = is_signed ? std::max(bits.signed_field(56, 8), -127) * 8 : bits.field(56, 8) * 8 + 4;
    const int least = is_signed ? -1023 : 0, most = is_signed ? 1023 : 2047;
    std::array<float, 16> values{};
    for (std::size_t i = 0; i < 16; ++i) {
        const int value = std::clamp(base + eac_modifier(bits, i) * multiplier, least, most);
        values[i] = static_cast<float>(value) / static_cast<float>(most);
    }
    return values;
}

}  // namespace models::functional
