#include "models/base/clocks.h"

#include <cassert>
#include <cstdio>
#include <numeric>
#include <optional>

namespace models {
namespace {

constexpr std::int64_t least_seconds = 3600;  // that a machine can simulate
constexpr std::int64_t most_rate = engine::end_of_time / least_seconds;

// Of clocks with these frequencies: ticks per second, if they leave the least time.
std::optional<std::int64_t> tick_rate(std::int64_t a, std::int64_t b) {
    std::int64_t rate = 0;
    if (__builtin_mul_overflow(a / std::gcd(a, b), b, &rate) || rate > most_rate) return {};
    return rate;
}

std::string frequency_text(std::int64_t hertz) {
    return engine::quantity_text(hertz, engine::Unit<Frequency>::suffixes,
                                 std::size(engine::Unit<Frequency>::suffixes));
}

// The nearest frequencies that are fine: multiples of a power of ten, the smallest that will do.
std::string fine_frequencies(std::int64_t a, std::int64_t b) {
    for (std::int64_t step = 10;; step *= 10) {
        const std::int64_t near_a = (a + step / 2) / step * step, near_b = (b + step / 2) / step * step;
        if (tick_rate(near_a, near_b)) return frequency_text(near_a) + " and " + frequency_text(near_b);
    }
}

}  // namespace

void require(bool condition, const std::string& message) {
    if (!condition) throw engine::ConfigError(message);
}

void check_clocks(Frequency gpu_frequency, Frequency dram_frequency, const std::string& dram_name) {
    const std::int64_t gpu = gpu_frequency.hertz, dram = dram_frequency.hertz;
    if (tick_rate(gpu, dram)) return;
    const std::int64_t divisor = std::gcd(gpu, dram);
    const double rate = static_cast<double>(gpu / divisor) * static_cast<double>(dram);
    char found[96];
    std::snprintf(found, sizeof found, "%.3g ticks per second, so that time ends after %.3g s", rate,
                  static_cast<double>(engine::end_of_time) / rate);
    throw engine::ConfigError(
        "gpu.frequency, " + dram_name + ": expected frequencies with a greater common divisor than " +
        frequency_text(divisor) + ", found " + frequency_text(gpu) + " and " + frequency_text(dram) + ": " + found +
        ", not " + std::to_string(least_seconds) + " s at least; " + fine_frequencies(gpu, dram) + " will do");
}

Clocks::Clocks(Frequency gpu_frequency, Frequency dram_frequency) {
    const std::optional<std::int64_t> rate = tick_rate(gpu_frequency.hertz, dram_frequency.hertz);
    assert(rate.has_value());
    ticks_per_second = *rate;
    gpu = ticks_per_second / gpu_frequency.hertz;
    dram = ticks_per_second / dram_frequency.hertz;
}

}  // namespace models
