#include "models/base/clocks.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

Frequency frequency(std::string_view text) {
    ParameterGroup root;
    Parameter<Frequency> parameter{&root, "frequency", {1'000'000}, {{1'000'000}, {10'000'000'000}}, "of", "a test"};
    parameter.set(text);
    return parameter();
}

std::string error_of(std::string_view gpu, std::string_view dram) {
    try {
        check_clocks(frequency(gpu), frequency(dram), "dram.flat.frequency");
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(Clocks, CountInTheLongestTimeThatDividesBothPeriods) {
    const Clocks table(frequency("600 MHz"), frequency("400 MHz"));
    EXPECT_EQ(table.gpu, 2);
    EXPECT_EQ(table.dram, 3);
    EXPECT_EQ(table.ticks_per_second, 1'200'000'000);
    const Clocks multiple(frequency("800 MHz"), frequency("400 MHz"));
    EXPECT_EQ(multiple.gpu, 1);
    EXPECT_EQ(multiple.dram, 2);
}

TEST(Clocks, WithoutAGreatCommonDivisorAreRefusedWithFrequenciesThatWillDo) {
    EXPECT_EQ(
        error_of("800 MHz", "1866666667 Hz"),
        "gpu.frequency, dram.flat.frequency: expected frequencies with a greater common divisor than 1 Hz, found 800 "
        "MHz and 1866666667 Hz: 1.49e+18 ticks per second, so that time ends after 2.9 s, not 3600 s at least; "
        "800 MHz and 1866670 kHz will do");
    // Their product wraps to something positive, to something negative, to nearly nothing.
    EXPECT_NE(error_of("4294967311 Hz", "4294967291 Hz"), "");
    EXPECT_NE(error_of("9999999967 Hz", "9999999943 Hz"), "");
    EXPECT_NE(error_of("3100000001 Hz", "3099999993 Hz"), "");
    EXPECT_EQ(error_of("800 MHz", "1866670 kHz"), "");
    EXPECT_EQ(error_of("9999 MHz", "10 GHz"), "");
    EXPECT_EQ(
        error_of("1 MHz", "9999999967 Hz"),
        "gpu.frequency, dram.flat.frequency: expected frequencies with a greater "
        "common divisor than 1 Hz, found 1 MHz and 9999999967 Hz: 1e+16 ticks per second, so that time ends after "
        "432 s, not 3600 s at least; 1 MHz and 9999999970 Hz will do");
}

TEST(Clocks, ThatAreNotRefusedLeaveAnHour) {
    for (const char* gpu : {"1 MHz", "600 MHz", "800 MHz", "850001 kHz", "10 GHz"})
        for (const char* dram : {"1 MHz", "400 MHz", "933333 kHz", "1866667 kHz", "1866666667 Hz", "9999999 kHz"}) {
            if (!error_of(gpu, dram).empty()) continue;
            const Clocks clocks(frequency(gpu), frequency(dram));
            EXPECT_GE(engine::end_of_time / clocks.ticks_per_second, 3600) << gpu << ", " << dram;
            EXPECT_EQ(clocks.gpu * frequency(gpu).hertz, clocks.ticks_per_second) << gpu << ", " << dram;
            EXPECT_EQ(clocks.dram * frequency(dram).hertz, clocks.ticks_per_second) << gpu << ", " << dram;
        }
}

}  // namespace
}  // namespace models
