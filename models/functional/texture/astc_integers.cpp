#include "models/functional/texture/astc_integers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace models::functional {

namespace {

constexpr AstcRange ranges[astc_range_count] = {
    {1, false, false}, {0, true, false}, {2, false, false}, {0, false, true}, {1, true, false}, {3, false, false},
    {1, false, true},  {2, true, false}, {4, false, false}, {2, false, true}, {3, true, false}, {5, false, false},
    {3, false, true},  {4, true, false}, {6, false, false}, {4, false, true}, {5, true, false}, {7, false, false},
    {5, false, true},  {6, true, false}, {8, false, false},
};

constexpr unsigned bit(unsigned value, unsigned number) {
    return value >> number & 1U;
}

// Five trits from the eight bits that hold them.
std::array<unsigned, 5> unpack_trits(unsigned t) {
    std::array<unsigned, 5> d{};
    unsigned c = t & 31U;
    if ((t >> 2 & 7U) == 7) {
        c = (t >> 5 & 7U) << 2 | (t & 3U);
        d[4] = d[3] = 2;
    } else if ((t >> 5 & 3U) == 3) {
        d[4] = 2;
        d[3] = bit(t, 7);
    } else {
        d[4] = bit(t, 7);
        d[3] = t >> 5 & 3U;
    }
    if ((c & 3U) == 3) {
        d[2] = 2;
        d[1] = bit(c, 4);
        d[0] = bit(c, 3) << 1 | (bit(c, 2) & ~bit(c, 3) & 1U);
    } else if ((c >> 2 & 3U) == 3) {
        d[2] = d[1] = 2;
        d[0] = c & 3U;
    } else {
        d[2] = bit(c, 4);
        d[1] = c >> 2 & 3U;
        d[0] = bit(c, 1) << 1 | (bit(c, 0) & ~bit(c, 1) & 1U);
    }
    return d;
}

// Three quints from the seven bits that hold them.
std::array<unsigned, 3> unpack_quints(unsigned q) {
    std::array<unsigned, 3> d{};
    if ((q >> 1 & 3U) == 3 && (q >> 5 & 3U) == 0) {
        const unsigned others = ~bit(q, 0) & 1U;
        d[2] = bit(q, 0) << 2 | (bit(q, 4) & others) << 1 | (bit(q, 3) & others);
        d[1] = d[0] = 4;
        return d;
    }
    unsigned c = q & 31U;
    d[2] = q >> 5 & 3U;
    if ((q >> 1 & 3U) == 3) {
        c = (q >> 3 & 3U) << 3 | (~(q >> 5) & 3U) << 1 | bit(q, 0);
        d[2] = 4;
    }
    const bool four = (c & 7U) == 5;
    d[1] = four ? 4 : c >> 3 & 3U;
    d[0] = four ? c >> 3 & 3U : c & 7U;
    return d;
}

// Repeats `from` bits until there are `to`.
unsigned replicate(unsigned value, unsigned from, unsigned to) {
    unsigned result = 0, have = 0;
    while (have < to) {
        result = result << from | value;
        have += from;
    }
    return result >> (have - to);
}

// Level of a range with trits or quints, in 9 bits: `lowest` is the value's bit 0 repeated, `rest` the other bits in
// the pattern that fills the gaps, `step` the distance of two digits.
unsigned level(unsigned digit, unsigned step, unsigned rest, bool lowest, unsigned all_ones) {
    const unsigned a = lowest ? all_ones : 0;
    return ((digit * step + rest) ^ a) >> 2 | (a & (all_ones + 1) >> 2);
}

}  // namespace

std::uint32_t Bits128::field(int first, int count) const {
    assert(count <= 32);
    if (first < 0 || first >= 128) return 0;
    std::uint64_t word = first < 64 ? low >> first : high >> (first - 64);
    if (first < 64 && first > 0) word |= high << (64 - first);
    return static_cast<std::uint32_t>(word & ((1ULL << count) - 1));
}

Bits128 Bits128::reversed() const {
    const auto reverse = [](std::uint64_t word) {
        std::uint64_t result = 0;
        for (int i = 0; i < 64; ++i) result |= (word >> i & 1U) << (63 - i);
        return result;
    };
    return {reverse(high), reverse(low)};
}

AstcRange astc_range(int number) {
    return ranges[number];
}

int sequence_bits(AstcRange range, int count) {
    const int digits = range.trits ? (8 * count + 4) / 5 : range.quints ? (7 * count + 2) / 3 : 0;
    return count * range.bits + digits;
}

void decode_sequence(const Bits128& block, int first, int end, AstcRange range, std::span<std::uint8_t> values) {
    constexpr int trit_bits[5] = {2, 2, 1, 2, 1}, quint_bits[3] = {3, 2, 2};
    int at = first;
    const auto take = [&](int count) {
        const int present = std::clamp(end - at, 0, count);  // bits past the end of the sequence count as 0
        const std::uint32_t field = block.field(at, present);
        at += count;
        return field;
    };
    const std::size_t group = range.trits ? 5 : range.quints ? 3 : 1;
    for (std::size_t begin = 0; begin < values.size(); begin += group) {
        unsigned low[5] = {}, packed = 0;
        int shift = 0;
        for (std::size_t i = 0; i < group; ++i) {
            low[i] = take(range.bits);
            const int digit = range.trits ? trit_bits[i] : range.quints ? quint_bits[i] : 0;
            packed |= take(digit) << shift;
            shift += digit;
        }
        std::array<unsigned, 5> digits{};
        if (range.trits) digits = unpack_trits(packed);
        if (range.quints) {
            const std::array<unsigned, 3> quints = unpack_quints(packed);
            std::copy(quints.begin(), quints.end(), digits.begin());
        }
        for (std::size_t i = 0; i < group && begin + i < values.size(); ++i)
            values[begin + i] = static_cast<std::uint8_t>(digits[i] << range.bits | low[i]);
    }
}

std::uint8_t astc_weight(AstcRange range, std::uint8_t value) {
    unsigned weight = 0;
    const unsigned digit = static_cast<unsigned>(value) >> range.bits, high = (value & ((1U << range.bits) - 1)) >> 1;
    const bool lowest = (value & 1U) != 0;
    if (!range.trits && !range.quints) {
        weight = replicate(value, range.bits, 6);
    } else if (range.bits == 0) {
        constexpr unsigned thirds[3] = {0, 32, 63}, fifths[5] = {0, 16, 32, 47, 63};
        weight = range.trits ? thirds[digit] : fifths[digit];
    } else if (range.trits) {
        constexpr unsigned step[4] = {0, 50, 23, 11};
        const unsigned rest = range.bits == 2 ? high << 6 | high << 2 | high : range.bits == 3 ? high << 5 | high : 0;
        weight = level(digit, step[range.bits], rest, lowest, 0x7f);
    } else {
        constexpr unsigned step[3] = {0, 28, 13};
        const unsigned rest = range.bits == 2 ? high << 6 | high << 1 : 0;
        weight = level(digit, step[range.bits], rest, lowest, 0x7f);
    }
    return static_cast<std::uint8_t>(weight > 32 ? weight + 1 : weight);
}

std::uint8_t astc_colour(AstcRange range, std::uint8_t value) {
    if (!range.trits && !range.quints) return static_cast<std::uint8_t>(replicate(value, range.bits, 8));
    assert(range.bits > 0);
    const unsigned digit = static_cast<unsigned>(value) >> range.bits, high = (value & ((1U << range.bits) - 1)) >> 1;
    unsigned rest = 0;
    if (range.trits) {
        constexpr unsigned step[7] = {0, 204, 93, 44, 22, 11, 5};
        const unsigned patterns[7] = {0,
                                      0,
                                      high << 8 | high << 4 | high << 2 | high << 1,
                                      high << 7 | high << 2 | high,
                                      high << 6 | high,
                                      high << 5 | high >> 2,
                                      high << 4 | high >> 4};
        rest = patterns[range.bits];
        return static_cast<std::uint8_t>(level(digit, step[range.bits], rest, (value & 1U) != 0, 0x1ff));
    }
    constexpr unsigned step[6] = {0, 113, 54, 26, 13, 6};
    const unsigned patterns[6] = {0,
                                  0,
                                  high << 8 | high << 3 | high << 2,
                                  high << 7 | high << 1 | high >> 1,
                                  high << 6 | high >> 1,
                                  high << 5 | high >> 3};
    rest = patterns[range.bits];
    return static_cast<std::uint8_t>(level(digit, step[range.bits], rest, (value & 1U) != 0, 0x1ff));
}

}  // namespace models::functional
