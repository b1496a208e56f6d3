#include "models/network/bus.h"

#include <gtest/gtest.h>

#include "tests/models/network/network_bench.h"

namespace models {
namespace {

using bench::NetworkBench;
using bench::shape;

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
    EXPECT_EQ(net.interconnect.traffic.data_bytes_in.value(), 256U);
    EXPECT_EQ(net.interconnect.traffic.data_bytes_out.value(), 256U);
}

// Who sends much keeps others waiting for what it sent before them only.
TEST(Bus, GoesByAge) {
    constexpr int inputs = 70;
    NetworkBench<Bus> net(shape(inputs, 1, 64, 10));
    engine::CounterRng draws(5, 0);
    engine::Time time = 0;
    for (int i = 0; i < 20000; ++i)
        net.send(time += static_cast<engine::Time>(draws.below(17)),
                 draws.below(2) == 0 ? 0 : static_cast<int>(draws.below(inputs)), 0);
    net.run();
    engine::Time free = 0;
    for (const bench::Trip& trip : net.trips) {
        const engine::Time edge = (trip.sent + 9) / 10 * 10;
        free = std::max(free, edge) + 10;
        ASSERT_EQ(trip.arrived, free);
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

TEST(Bus, SaysHowLongItTransfers) {
    NetworkBench<Bus> net(shape(2, 2, 16, 2));
    net.send(10, 0, 0, 64);
    net.send(12, 1, 0, 64);
    net.send(100, 1, 0);
    net.run();
    net.interconnect.settle(202);
    EXPECT_EQ(net.interconnect.link.time.cycles[1].value(), 9U);
    EXPECT_EQ(net.interconnect.link.time.cycles[0].value(), 101U - 9);
    EXPECT_EQ(net.interconnect.traffic.flits_in.value(), 9U);
}

}  // namespace
}  // namespace models
