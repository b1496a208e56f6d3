#include "models/network/bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/network/network_bench.h"

namespace models {
namespace {

using bench::NetworkBench;
using bench::shape;
using testing::ElementsAre;

TEST(Bus, TakesABeatForEveryWidthOfDataBetweenEveryPair) {
    for (const std::uint32_t data : {0U, 1U, 16U, 17U, 64U}) bench::expect_cycles_between_every_pair<Bus>(16, data);
}

TEST(Bus, BeginsAtTheNextEdgeAndGoesOnWithoutAGap) {
    NetworkBench<Bus> net(shape(2, 1, 64, 10));
    net.send(13, 0, 0, 64);
    net.send(13, 1, 0, 128);
    net.send(21, 0, 0, 64);
    net.run();
    EXPECT_EQ(net.trips[0].arrived, 30);
    EXPECT_EQ(net.trips[1].arrived, 50);
    EXPECT_EQ(net.trips[2].arrived, 60);
    EXPECT_EQ(net.interconnect.traffic.queueing_cycles.value(), 0U + 1 + 2);
    EXPECT_EQ(net.interconnect.traffic.data_messages.value(), 3U);
}

// Whoever sends much does not keep others waiting for more than one message.
TEST(Bus, GivesEveryInputItsTurn) {
    constexpr int inputs = 70;
    NetworkBench<Bus> net(shape(inputs, 1, 64));
    for (int i = 0; i < 20000; ++i) net.send(0, i % 100 == 0 ? 1 + i / 100 % (inputs - 1) : 0, 0);
    net.run();
    std::size_t others = 0;
    for (std::size_t i = 0; i < net.arrivals[0].size(); ++i) {
        others = net.trips[net.arrivals[0][i]].from == 0 ? 0 : others + 1;
        ASSERT_LT(others, static_cast<std::size_t>(inputs));
        // 200 messages of the 69 others are gone after three rounds.
        if (i >= 3 * inputs) {
            ASSERT_EQ(net.trips[net.arrivals[0][i]].from, 0);
        }
    }
}

TEST(Bus, IsAnMD1Queue) {
    for (const double load : {0.3, 0.6, 0.9})
        for (const std::uint32_t beats : {1U, 4U}) {
            NetworkBench<Bus> net(shape(8, 4, 16));
            bench::send_poisson(net, shape(8, 4, 16), load, beats, beats * 16, 500'000);
            net.run();
            const double expected = bench::waiting_in_m_d_1(load, beats);
            EXPECT_NEAR(net.mean_queueing() / expected, 1, 0.05) << load << ", " << beats << " beats";
        }
}

TEST(Bus, LosesNoneOfAMillionAndKeepsTheOrderOfAPair) {
    bench::expect_all_in_order<Bus>(shape(9, 6, 8), 1'000'000, 10, 200);
}

TEST(Bus, SleepsWhileNothingIsUnderWayAndStepsOnceForAMessage) {
    NetworkBench<Bus> net(shape(2, 2, 1));
    for (int i = 0; i < 100; ++i) net.send(1000 * i, i % 2, i / 2 % 2, 64);
    net.run();
    EXPECT_EQ(net.steps, 100U);
}

TEST(Bus, SaysHowLongItTransfers) {
    NetworkBench<Bus> net(shape(2, 2, 16, 2));
    net.send(10, 0, 0, 64);
    net.send(12, 1, 0, 64);
    net.send(100, 1, 0);
    net.run();
    net.interconnect.settle(202);
    EXPECT_EQ(net.interconnect.time.cycles[1].value(), 9U);
    EXPECT_EQ(net.interconnect.time.cycles[0].value(), 101U - 9);
    EXPECT_EQ(net.interconnect.traffic.flits_in.value(), 9U);
}

}  // namespace
}  // namespace models
