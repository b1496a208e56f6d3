// Simulated time, and the quantities that appear in configurations with the units they are written in.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string_view>

namespace engine {

// Simulated time in ticks. What a tick lasts is the machine's choice: the longest time that divides the period of
// every clock (1/1200 MHz for clocks of 600 and 400 MHz). Integers: no rounding ever decides an order.
using Time = std::int64_t;
inline constexpr Time never = std::numeric_limits<Time>::max() / 2;
// Nothing happens at this time or later. What is left until `never` is room for delays.
inline constexpr Time end_of_time = never - never / 16;

struct Bytes {
    std::int64_t count = 0;
    friend constexpr auto operator<=>(Bytes, Bytes) = default;
};
struct Cycles {
    std::int64_t count = 0;
    friend constexpr auto operator<=>(Cycles, Cycles) = default;
};
struct Frequency {
    std::int64_t hertz = 0;
    friend constexpr auto operator<=>(Frequency, Frequency) = default;
};

// How a quantity is written: the unit recorded in results, and the suffixes a configuration may use.
struct Suffix {
    std::string_view text;
    std::int64_t scale;
};
template <class T>
struct Unit;
template <>
struct Unit<int> {
    static constexpr std::string_view name = "1";
    static constexpr Suffix suffixes[] = {{"", 1}};
    static constexpr bool bare = true;  // a number without a unit is accepted
    static constexpr int make(std::int64_t n) { return static_cast<int>(n); }
    static constexpr std::int64_t count(int n) { return n; }
};
template <>
struct Unit<Bytes> {
    static constexpr std::string_view name = "byte";
    static constexpr Suffix suffixes[] = {{"MiB", 1024 * 1024}, {"KiB", 1024}, {"GiB", 1024 * 1024 * 1024}, {"B", 1}};
    static constexpr bool bare = false;
    static constexpr Bytes make(std::int64_t n) { return {n}; }
    static constexpr std::int64_t count(Bytes b) { return b.count; }
};
template <>
struct Unit<Cycles> {
    static constexpr std::string_view name = "cycle";
    static constexpr Suffix suffixes[] = {{"cycles", 1}, {"cycle", 1}};
    static constexpr bool bare = true;
    static constexpr Cycles make(std::int64_t n) { return {n}; }
    static constexpr std::int64_t count(Cycles c) { return c.count; }
};
template <>
struct Unit<Frequency> {
    static constexpr std::string_view name = "Hz";
    static constexpr Suffix suffixes[] = {{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}, {"Hz", 1}};
    static constexpr bool bare = false;
    static constexpr Frequency make(std::int64_t n) { return {n}; }
    static constexpr std::int64_t count(Frequency f) { return f.hertz; }
};

namespace literals {
consteval Bytes operator""_B(unsigned long long n) {
    return {static_cast<std::int64_t>(n)};
}
consteval Bytes operator""_KiB(unsigned long long n) {
    return {static_cast<std::int64_t>(n * 1024)};
}
consteval Bytes operator""_MiB(unsigned long long n) {
    return {static_cast<std::int64_t>(n * 1024 * 1024)};
}
consteval Cycles operator""_cycles(unsigned long long n) {
    return {static_cast<std::int64_t>(n)};
}
consteval Frequency operator""_MHz(unsigned long long n) {
    return {static_cast<std::int64_t>(n * 1'000'000)};
}
}  // namespace literals

}  // namespace engine
