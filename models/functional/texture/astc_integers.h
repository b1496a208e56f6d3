// The bounded integer sequences of ASTC: values of a range of 2 to 256 levels, packed with trits or quints where the
// range is no power of two, and what they stand for as weights or colour values.
#pragma once

#include <cstdint>
#include <span>

namespace models::functional {

// 128 bits, the first byte's lowest bit first.
struct Bits128 {
    std::uint64_t low = 0, high = 0;

    // `count` bits from `first` on, at most 32; bits past the end are 0.
    std::uint32_t field(int first, int count) const;
    Bits128 reversed() const;
};

// levels = 2^bits, 3 * 2^bits or 5 * 2^bits.
struct AstcRange {
    std::uint8_t bits = 0;
    bool trits = false, quints = false;
};

inline constexpr int astc_range_count = 21;
AstcRange astc_range(int number);  // in order of their levels: 2, 3, 4, 5, 6, 8, 10, 12, 16, ... 256
int sequence_bits(AstcRange range, int count);

// Unpacks `values.size()` values that begin at bit `first`. Each keeps its low bits below and its trit or quint above.
void decode_sequence(const Bits128& block, int first, int end, AstcRange range, std::span<std::uint8_t> values);

std::uint8_t astc_weight(AstcRange range, std::uint8_t value);  // 0..64
std::uint8_t astc_colour(AstcRange range, std::uint8_t value);  // 0..255; ranges from 6 levels on

}  // namespace models::functional
