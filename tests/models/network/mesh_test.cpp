#include "models/network/mesh.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/models/network/network_bench.h"

namespace models {
namespace {

using bench::NetworkBench;
using engine::Time;

// An endpoint each way at every node.
NetworkShape shape(int columns, int rows, std::uint32_t buffer, Time period = 1) {
    const int nodes = columns * rows;
    NetworkShape made{nodes, nodes, period};
    made.mesh = {
        columns, rows, 16, 8, buffer, place_in_turn(nodes, columns, rows), place_in_turn(nodes, columns, rows)};
    return made;
}

std::uint64_t flits_of(const NetworkBench<Mesh>& net, int router, const char* output) {
    for (const engine::CounterInfo& counter : net.list.all())
        if (counter.owner == engine::CounterOwner{"net_router", router} &&
            counter.name == std::string("flits_") + output)
            return *counter.value;
    ADD_FAILURE() << output;
    return 0;
}

void expect_laws(const NetworkBench<Mesh>& net) {
    Laws laws;
    net.interconnect.add_laws(laws, "net");
    const auto sum = [](const Sum& of) {
        std::uint64_t all = 0;
        for (const std::uint64_t* term : of.terms()) all += *term;
        return all;
    };
    for (const Laws::Law& law : laws.all()) EXPECT_EQ(sum(law.left), sum(law.right)) << law.text;
}

TEST(Mesh, TakesACycleForEveryLinkAndFlitBetweenEveryPair) {
    constexpr Time period = 3;
    for (const auto& [columns, rows] :
         {std::pair{4, 3}, {13, 10}})  // the second one has more than two words of routers
        for (const std::uint32_t buffer : {1U, 2U, 5U})
            for (const std::uint32_t data : {0U, 8U, 64U}) {
                const int nodes = columns * rows;
                NetworkBench<Mesh> net(shape(columns, rows, buffer, period));
                Time time = 0;
                for (int from = 0; from < nodes; ++from)
                    for (int to = 0; to < nodes; ++to) net.send(time += 300, from, to, data);
                net.run();
                const Time flits = (8 + data + 15) / 16;
                for (const bench::Trip& trip : net.trips) {
                    const Time links = std::abs(trip.from % columns - trip.to % columns) +
                                       std::abs(trip.from / columns - trip.to / columns);
                    const Time bubbles = buffer == 1 && links > 0 ? flits - 1 : 0;
                    ASSERT_EQ(trip.arrived, trip.sent + (links + flits + bubbles) * period)
                        << trip.from << " to " << trip.to << ", " << flits << " flits, buffer " << buffer;
                }
                EXPECT_EQ(net.interconnect.traffic.queueing_cycles.value(), 0U);
                expect_laws(net);
            }
}

TEST(Mesh, BeginsAtTheNextEdge) {
    NetworkBench<Mesh> net(shape(2, 1, 4, 10));
    net.send(13, 0, 1);
    net.run();
    EXPECT_EQ(net.trips[0].arrived, 20 + (1 + 1) * 10);
}

TEST(Mesh, GoesAlongTheRowFirst) {
    NetworkBench<Mesh> net(shape(3, 3, 4));
    net.send(0, 0, 8);
    net.run();
    for (const auto& [router, output] : {std::pair{0, "east"}, {1, "east"}, {2, "south"}, {5, "south"}, {8, "local"}})
        EXPECT_EQ(flits_of(net, router, output), 1U) << router << " " << output;
    EXPECT_EQ(net.interconnect.link_flits.value(), 4U);
    EXPECT_EQ(net.interconnect.bytes_in.value(), 8U);
    EXPECT_EQ(net.interconnect.link_bytes.value(), 4U * 8);
    EXPECT_EQ(net.interconnect.router_bytes.value(), 5U * 8);
    NetworkBench<Mesh> back(shape(3, 3, 4));
    back.send(0, 8, 0);
    back.run();
    for (const auto& [router, output] : {std::pair{8, "west"}, {7, "west"}, {6, "north"}, {3, "north"}, {0, "local"}})
        EXPECT_EQ(flits_of(back, router, output), 1U) << router << " " << output;
}

// Two packets of five flits want one link: the second waits until the first is through.
TEST(Mesh, LetsAPacketPassALinkBeforeTheNext) {
    NetworkBench<Mesh> net(shape(3, 1, 4));
    net.send(0, 0, 2, 64);
    net.send(1, 1, 2, 64);  // its router is reached by the first at the same time
    net.run();
    EXPECT_EQ(net.trips[1].arrived, 1 + 1 + 5);  // local before the one from the west
    EXPECT_EQ(net.trips[0].arrived, 0 + 2 + 5 + 5);
    EXPECT_EQ(net.interconnect.traffic.queueing_cycles.value(), 5U);
}

// A packet that waits for a link fills the buffers behind it, and those hold up others that want another way.
TEST(Mesh, HoldsUpWhatIsBehindAFullBuffer) {
    const auto arrival = [](std::uint32_t buffer) {
        NetworkBench<Mesh> net(shape(3, 2, buffer));
        for (int i = 0; i < 8; ++i) net.send(0, 1, 2, 64);  // keeps the link from 1 to 2 busy
        net.send(1, 0, 2, 64);                              // waits for it before node 1
        net.send(2, 0, 4, 0);                               // would turn south there
        net.run();
        return net.trips.back().arrived;
    };
    EXPECT_GT(arrival(2), 2 + 3 + 5);
    EXPECT_EQ(arrival(64), arrival(2));  // an input is one queue, however long: no way past its head
}

TEST(Mesh, IsAnMD1QueueAtALink) {
    // Eight endpoints at one node, who send to as many at the other.
    NetworkShape link{8, 8, 1};
    link.mesh = {2, 1, 16, 8, 4, std::vector<NodeNumber>(8, 0), std::vector<NodeNumber>(8, 1)};
    for (const double load : {0.3, 0.6, 0.9})
        for (const std::uint32_t flits : {1U, 5U}) {
            NetworkBench<Mesh> net(link);
            bench::send_poisson(net, link, load, flits, flits * 16 - 8, 500'000);
            net.run();
            const double expected = bench::waiting_in_m_d_1(load, flits);
            EXPECT_NEAR(net.mean_queueing() / expected, 1, 0.05) << load << ", " << flits << " flits";
            EXPECT_NEAR(static_cast<double>(flits_of(net, 0, "east")) / static_cast<double>(net.trips.back().arrived),
                        load, 0.01);
        }
}

TEST(Mesh, LosesNoneOfAMillionAndKeepsTheOrderOfAPair) {
    bench::expect_all_in_order<Mesh>(shape(4, 4, 4), 1'000'000, 4, 8);
}

TEST(Mesh, LosesNoneOfAMillionWithBuffersOfOneFlit) {
    bench::expect_all_in_order<Mesh>(shape(3, 3, 1), 1'000'000, 2, 12);
}

TEST(Mesh, DrainsAFloodOverFullBuffersFromEveryNodeToEveryNode) {
    for (const auto& [columns, rows] : {std::pair{5, 4}, {7, 11}})
        for (const std::uint32_t buffer : {1U, 2U, 3U}) {
            NetworkBench<Mesh> net(shape(columns, rows, buffer));
            for (int i = 0; i < 400 / (columns * rows); ++i)
                for (int from = 0; from < columns * rows; ++from)
                    for (int to = 0; to < columns * rows; ++to) net.send(0, from, to, 64);
            net.run();
            expect_laws(net);
        }
}

// All of a row send all the time to its first node: every router shares its link evenly between what comes from afar
// and its own, so the shares are a half, a quarter, an eighth and an eighth.
TEST(Mesh, StarvesNobody) {
    NetworkBench<Mesh> net(shape(4, 1, 4));
    for (int i = 0; i < 4000; ++i)
        for (int from = 0; from < 4; ++from) net.send(0, from, 0, 64);
    net.run();
    std::array<int, 4> share{};
    for (std::size_t i = 0; i < 4000; ++i) ++share[net.trips[net.arrivals[0][i]].from];
    EXPECT_NEAR(share[0], 2000, 10);
    EXPECT_NEAR(share[1], 1000, 10);
    EXPECT_NEAR(share[2], 500, 10);
    EXPECT_NEAR(share[3], 500, 10);
}

TEST(Mesh, SleepsWhenItIsEmpty) {
    NetworkBench<Mesh> net(shape(8, 8, 4));
    for (int i = 0; i < 10; ++i) net.send(100'000 * i, 0, 63);
    net.run();
    EXPECT_EQ(net.steps, 10U * 15);
}

TEST(Mesh, CarriesALinkAFlitEveryCycleUnlessItsBufferIsOne) {
    for (const auto& [buffer, cycles] : {std::pair{1U, 2}, {2U, 1}, {4U, 1}}) {
        NetworkBench<Mesh> net(shape(2, 1, buffer));
        for (int i = 0; i < 1000; ++i) net.send(0, 0, 1);
        net.run();
        EXPECT_EQ(net.trips.back().arrived, 999 * cycles + 2) << buffer;
    }
}

}  // namespace
}  // namespace models
