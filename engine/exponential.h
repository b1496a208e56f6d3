// Exponentially distributed numbers, as times between events that come at random: the same bits on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace engine {

// ln(1 + i / 1024) * 2^32, rounded down, for i from 0 to 1024.
inline constexpr std::array<std::uint32_t, 1025> logarithms = [] {
    std::array<std::uint32_t, 1025> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double f = static_cast<double>(i) / 1024, s = f / (2 + f);  // ln(1 + f) = 2 artanh(s)
        double power = s, sum = 0;
        for (int k = 1; k < 64; k += 2, power *= s * s) sum += power / k;
        table[i] = static_cast<std::uint32_t>(2 * sum * 0x1p32);
    }
    return table;
}();

// An exponentially distributed number of mean 1 in units of 2^-32: -ln(u) of a uniform u, to 1.3e-7, and at most 44.4.
// In integers, so that it depends on no mathematical library, and with a short chain of operations that wait for each
// other: it should not be what an event takes.
inline constexpr std::uint64_t exponential(std::uint64_t bits) {
    const std::uint64_t u = bits | 1;  // of 2^64
    const auto leading = static_cast<unsigned>(std::countl_zero(u));
    const std::uint64_t fraction = u << leading << 1U;  // u = 2^(63 - leading) * (1 + fraction / 2^64)
    const std::size_t i = fraction >> 54U;
    const std::uint64_t between = fraction >> 22U & 0xffffffffU;  // two entries of the table, of 2^32
    const std::uint64_t logarithm = logarithms[i] + ((logarithms[i + 1] - logarithms[i]) * between >> 32U);
    return (leading + 1) * std::uint64_t{logarithms[1024]} - logarithm;
}

}  // namespace engine
