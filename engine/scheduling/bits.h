// Sets of small numbers: bit i of a table of 64-bit words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace engine {

template <class Bits>
void set(Bits& bits, std::size_t i) {
    bits[i / 64] |= std::uint64_t{1} << i % 64;
}
template <class Bits>
void flip(Bits& bits, std::size_t i) {
    bits[i / 64] ^= std::uint64_t{1} << i % 64;
}
template <class Bits>
bool has(const Bits& bits, std::size_t i) {
    return (bits[i / 64] >> i % 64 & 1U) != 0;
}
// In ascending order.
template <class Bits, class F>
void for_each_bit(const Bits& bits, F f) {
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
            f(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

}  // namespace engine
