#include "models/network/crossbar.h"

#include <gtest/gtest.h>

#include "tests/models/network/network_bench.h"

namespace models {
namespace {

using bench::NetworkBench;
using bench::shape;

TEST(Crossbar, TakesACycleForEveryWidthOfDataBetweenEveryPair) {
    for (const std::uint32_t data : {0U, 1U, 16U, 17U, 64U})
        bench::expect_cycles_between_every_pair<Crossbar>(16, data);
}

TEST(Crossbar, HoldsUpMessagesToOneOutputOnly) {
    NetworkBench<Crossbar> net(shape(3, 2, 16, 10));
    for (const int to : {0, 0, 1}) net.send(13, 0, to, 64);
    net.send(95, 2, 0);
    net.run();
    EXPECT_EQ(net.trips[0].arrived, 60);
    EXPECT_EQ(net.trips[1].arrived, 100);
    EXPECT_EQ(net.trips[2].arrived, 60);
    EXPECT_EQ(net.trips[3].arrived, 110);
    EXPECT_EQ(net.interconnect.traffic.queueing_cycles.value(), 4U);
}

TEST(Crossbar, HasAnMD1QueueAtEveryOutput) {
    for (const double load : {0.3, 0.6, 0.9})
        for (const std::uint32_t beats : {1U, 4U}) {
            const NetworkShape of = shape(8, 2, 16);
            NetworkBench<Crossbar> net(of);
            bench::send_poisson(net, of, load, beats / 2.0, beats * 16, 1'000'000);  // each output gets half of them
            net.run();
            const double expected = bench::waiting_in_m_d_1(load, beats);
            EXPECT_NEAR(net.mean_queueing() / expected, 1, 0.05) << load << ", " << beats << " beats";
        }
}

TEST(Crossbar, LosesNoneOfAMillionAndKeepsTheOrderOfAPair) {
    bench::expect_all_in_order<Crossbar>(shape(9, 6, 8), 1'000'000, 20, 100);
}

TEST(Crossbar, SaysHowLongEachOutputTransfers) {
    NetworkBench<Crossbar> net(shape(2, 2, 16, 2));
    net.send(10, 0, 0, 64);
    net.send(11, 1, 0, 64);  // between two edges
    net.send(100, 1, 1);
    net.run();
    net.interconnect.settle(202);
    std::vector<std::uint64_t> transfers, idle;
    for (const engine::CounterInfo& counter : net.list.all()) {
        if (counter.name == "cycles_transfer") transfers.push_back(*counter.value);
        if (counter.name == "cycles_idle") idle.push_back(*counter.value);
    }
    EXPECT_EQ(transfers, (std::vector<std::uint64_t>{8, 1}));
    EXPECT_EQ(idle, (std::vector<std::uint64_t>{101 - 8, 101 - 1}));
}

}  // namespace
}  // namespace models
