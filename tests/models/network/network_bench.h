// An interconnect alone: messages are sent at given times, and each is found with the time of its arrival. Poisson
// sources, and what queueing theory says of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/counter_rng.h"
#include "models/network/network_shape.h"
#include "models/network/network_traffic.h"
#include "models/structures/slot_pool.h"

namespace bench {

using engine::Time;

struct Trip {
    Time sent = 0;
    std::uint16_t from = 0, to = 0;
    std::uint32_t data = 0;
    Time arrived = engine::never;
};

template <class Interconnect>
class NetworkBench {
  public:
    explicit NetworkBench(const models::NetworkShape& shape) : interconnect(scope, shape), arrivals(outputs(shape)) {}

    // In the order of time.
    void send(Time time, int from, int to, std::uint32_t data = 0) {
        ASSERT_TRUE(trips.empty() || trips.back().sent <= time);
        trips.push_back({time, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to), data});
    }
    // Until the interconnect is empty.
    void run() {
        while (next_ < trips.size() || wake_ != engine::never) {
            now_ = next_ < trips.size() ? std::min(trips[next_].sent, wake_) : wake_;
            for (; next_ < trips.size() && trips[next_].sent == now_; ++next_) {
                const Trip& trip = trips[next_];
                if constexpr (Interconnect::is_passive) {
                    arrive(next_, trip.to, interconnect.pass(now_, {0, trip.from, trip.to, trip.data}));
                } else {
                    const models::Packet packet{under_way_.put(next_), trip.from, trip.to, trip.data};
                    wake_ = std::min(wake_, interconnect.inject(now_, packet));
                }
            }
            if (wake_ > now_) continue;
            if constexpr (!Interconnect::is_passive) {
                ++steps;
                wake_ = interconnect.step(now_, [this](std::uint32_t number, std::uint32_t output, Time delay) {
                    arrive(under_way_.take(number), output, delay);
                });
            }
        }
        EXPECT_EQ(under_way_.used(), 0U) << "messages lost";
        models::Laws laws;
        interconnect.traffic.add_laws(laws, "network");
        for (const models::Laws::Law& law : laws.all())
            EXPECT_EQ(*law.left.terms()[0], *law.right.terms()[0]) << law.text;
    }
    double mean_queueing() const {
        return static_cast<double>(interconnect.traffic.queueing_cycles.value()) /
               static_cast<double>(interconnect.traffic.messages_out.value());
    }

    engine::CounterList list{{"net", -1}};
    engine::CounterScope scope{&list};
    Interconnect interconnect;
    std::vector<Trip> trips;                         // in the order in which they are sent
    std::vector<std::vector<std::size_t>> arrivals;  // by output: trips, as they arrive
    std::uint64_t steps = 0;

  private:
    static std::size_t outputs(const models::NetworkShape& shape) { return static_cast<std::size_t>(shape.outputs); }
    void arrive(std::size_t trip, std::uint32_t output, Time delay) {
        EXPECT_EQ(trips[trip].to, output);
        EXPECT_EQ(trips[trip].arrived, engine::never) << "delivered twice";
        trips[trip].arrived = now_ + delay;
        arrivals[output].push_back(trip);
    }
    models::SlotPool<std::size_t> under_way_;
    std::size_t next_ = 0;
    Time now_ = 0, wake_ = engine::never;
};

// Of a bus or a crossbar.
inline models::NetworkShape shape(int inputs, int outputs, std::uint32_t width, Time period = 1) {
    models::NetworkShape made{inputs, outputs, period};
    made.bus_width = made.port_width = width;
    return made;
}

// Messages of this length that do not meet take a cycle for every `width` of their data, and at least one, between
// every pair.
template <class Interconnect>
void expect_cycles_between_every_pair(std::uint32_t width, std::uint32_t data) {
    constexpr Time period = 3;
    NetworkBench<Interconnect> net(shape(5, 3, width, period));
    Time time = 0;
    for (int from = 0; from < 5; ++from)
        for (int to = 0; to < 3; ++to) net.send(time += 300, from, to, data);
    net.run();
    const Time cycles = data == 0 ? 1 : (data + width - 1) / width;
    for (const Trip& trip : net.trips) EXPECT_EQ(trip.arrived, trip.sent + cycles * period);
    EXPECT_EQ(net.interconnect.traffic.queueing_cycles.value(), 0U);
}

// Sends `count` messages of this length from random inputs to random outputs, so that a server that takes `service`
// cycles of a tick for each is busy for this share of the time.
template <class Interconnect>
void send_poisson(NetworkBench<Interconnect>& bench, const models::NetworkShape& shape, double load, double service,
                  std::uint32_t data, int count) {
    engine::CounterRng draws(7, static_cast<std::uint64_t>(load * 100));
    double time = 0;
    for (int i = 0; i < count; ++i) {
        const double uniform = (static_cast<double>(draws.next() >> 11U) + 0.5) / 9007199254740992.0;  // 2^53
        time -= std::log(uniform) * service / load;
        bench.send(static_cast<Time>(time), static_cast<int>(draws.below(static_cast<std::uint32_t>(shape.inputs))),
                   static_cast<int>(draws.below(static_cast<std::uint32_t>(shape.outputs))), data);
    }
}

// Mean cycles that a customer waits in an M/D/1 queue: Poisson arrivals, a service of fixed length. Times that are cut
// to whole cycles change nothing: as many wait at the beginning of a cycle as have come in the one before.
inline double waiting_in_m_d_1(double load, double service) {
    return load * service / (2 * (1 - load));
}

// Random messages of random lengths between all pairs, in bursts with pauses: all arrive, and those of a pair in order.
template <class Interconnect>
void expect_all_in_order(const models::NetworkShape& shape, int count, std::uint32_t burst, std::uint32_t pause) {
    NetworkBench<Interconnect> bench(shape);
    engine::CounterRng draws(11, 1);
    Time time = 0;
    for (int i = 0; i < count; ++i) {
        if (draws.below(burst) == 0) time += static_cast<Time>(draws.below(pause));
        bench.send(time, static_cast<int>(draws.below(static_cast<std::uint32_t>(shape.inputs))),
                   static_cast<int>(draws.below(static_cast<std::uint32_t>(shape.outputs))), draws.below(80));
    }
    bench.run();
    std::size_t arrived = 0;
    std::vector<std::size_t> last(static_cast<std::size_t>(shape.inputs) * bench.arrivals.size());
    for (const std::vector<std::size_t>& at : bench.arrivals)
        for (const std::size_t trip : at) {
            ++arrived;
            std::size_t& before = last[bench.trips[trip].from * bench.arrivals.size() + bench.trips[trip].to];
            ASSERT_LE(before, trip) << "overtaken";
            before = trip;
        }
    EXPECT_EQ(arrived, static_cast<std::size_t>(count));
    EXPECT_GT(bench.mean_queueing(), 1.0);  // they were in each other's way
}

}  // namespace bench
