#include "models/memory/dram/dram_driver.h"

#include <gtest/gtest.h>

#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

TEST(DramFigures, PercentilesAreLatenciesThatSoManyReadsDoNotExceed) {
    DramFigures figures;
    for (engine::Time i = 1; i <= 200; ++i) figures.latencies.push_back(i);
    EXPECT_EQ(figures.latency_percentile(50), 100);
    EXPECT_EQ(figures.latency_percentile(99), 198);
    EXPECT_EQ(figures.mean_latency(), 100.5);
    figures.latencies = {7};
    EXPECT_EQ(figures.latency_percentile(50), 7);
    EXPECT_EQ(figures.latency_percentile(99), 7);
}

TEST(DramDriver, AnswersEveryReadAndDoesEveryWrite) {
    const TestDram memory("lpddr3-1600", 2);
    DramPattern pattern = memory.pattern(DramOrder::random, 20'000);
    pattern.write_fraction = 0.3;
    const DramFigures figures = memory.play(pattern);
    EXPECT_EQ(figures.requests, 20'000U);
    EXPECT_EQ(figures.latencies.size(), figures.reads);
    EXPECT_NEAR(static_cast<double>(figures.reads), 14'000, 200);
}

TEST(DramDriver, OffersTheLoadThatItIsTold) {
    const TestDram memory("lpddr3-1600", 2);
    for (const double share : {0.1, 0.3, 0.5}) {
        DramPattern pattern = memory.pattern(DramOrder::random, 50'000);
        pattern.load = share;
        EXPECT_NEAR(memory.play(pattern).bandwidth, share * 12.8e9, 0.02 * share * 12.8e9);
    }
}

// The source is never what bounds the channels.
TEST(DramDriver, OffersAsMuchAsAllChannelsTake) {
    double of_one = 0;
    for (const int channels : {1, 4, 16}) {
        const TestDram memory("lpddr5-6400", channels);
        const double each =
            memory.play(memory.pattern(DramOrder::sequential, 20'000U * static_cast<unsigned>(channels))).bandwidth /
            channels;
        if (channels == 1) of_one = each;
        EXPECT_NEAR(each, of_one, 0.05 * of_one) << channels;
    }
}

TEST(DramDriver, PricesCommandsWithTheDevicesOwnTimes) {
    const auto joules = [](const char* rc) {
        TestDram memory("lpddr4-3200");
        memory.set("timing.rc", rc);
        return memory.play(memory.pattern(DramOrder::sequential, 1)).energy_per_bit;
    };
    EXPECT_EQ(joules("0"), joules("300"));
}

TEST(DramDriver, WaitsLongerTheMoreIsAskedOfIt) {
    const TestDram memory("lpddr3-1600", 1, 64);
    double before = 32;  // cycles: of a closed bank; a read of an open one takes fewer, and is rare
    for (const double share : {0.05, 0.15, 0.25, 0.35}) {
        DramPattern pattern = memory.pattern(DramOrder::random, 50'000);
        pattern.load = share;
        const double mean = memory.play(pattern).mean_latency();
        EXPECT_GT(mean, before);
        before = mean;
    }
}

TEST(DramDriver, PlaysTheSameLoadTheSameWay) {
    const TestDram memory("lpddr4-3200", 2);
    DramPattern pattern = memory.pattern(DramOrder::random, 5'000);
    pattern.load = 0.5;
    pattern.write_fraction = 0.5;
    const DramFigures one = memory.play(pattern), two = memory.play(pattern);
    EXPECT_EQ(one.latencies, two.latencies);
    EXPECT_EQ(one.cycles, two.cycles);
    EXPECT_EQ(one.energy_per_bit, two.energy_per_bit);
}

}  // namespace
}  // namespace models
