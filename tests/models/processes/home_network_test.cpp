#include "models/processes/home_network.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/memory/home/home_policy.h"
#include "models/memory/home/owner_records.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using Kind = HomeMessage::Kind;
using testing::ElementsAre;

// Three cores in a row, the agent at the one in the middle. A cycle is a tick, every message a flit, and takes as many
// cycles as it passes links and one more; wires take a tick each way.
class HomeNetworkTest : public testing::Test {
  protected:
    static constexpr CoreNumber agent = 3;

    void build(std::string_view policy, std::uint32_t epoch_accesses = 1000, Time interval = 1) {
        HomeNetwork::Shape shape{};
        shape.home.policy = static_cast<std::size_t>(
            std::find(HomePolicy::names.begin(), HomePolicy::names.end(), policy) - HomePolicy::names.begin());
        shape.home.cores = 3;
        shape.home.affinity = {3, 4, 1, 2, 2, 0};  // 4 buckets of single blocks, counters up to 3
        shape.epoch_accesses = epoch_accesses;
        shape.table_interval = interval;
        shape.table_latency = 2;
        shape.network = NetworkShape{4, 4, 1};
        shape.network.mesh = {3, 1, 72, 8, 4, {0, 1, 2, 1}, {0, 1, 2, 1}};
        shape.records_owners = true;
        network = &simulation.add<HomeNetwork>(shape);
        for (int core = 0; core < 3; ++core) {
            sources.push_back(&simulation.add<bench::Source<HomeMessage>>("source" + std::to_string(core)));
            sinks.push_back(&simulation.add<bench::Sink<HomeMessage>>("sink" + std::to_string(core)));
            simulation.connect(sources.back()->out, network->in[core], 1);
            simulation.connect(network->out[core], sinks.back()->in, 1);
        }
    }
    // Is in the network at this time.
    void say(Time time, Kind kind, int from, std::uint16_t to, std::uint32_t number, std::uint16_t count = 1) {
        HomeMessage message;
        message.kind = kind;
        message.from = static_cast<CoreNumber>(from);
        message.to = to;
        message.number = number;
        message.count = count;
        message.entry = static_cast<std::uint8_t>(10 + from);
        sources[static_cast<std::size_t>(from)]->send_at(time - 1, message);
    }
    struct Heard {
        Time time;  // when it left the network
        Kind kind;
        CoreNumber from;
        std::uint32_t number;
        std::uint16_t count;
        bool operator==(const Heard&) const = default;
    };
    std::vector<Heard> heard(std::size_t core) const {
        std::vector<Heard> all;
        for (const auto& [time, message] : sinks[core]->arrivals)
            all.push_back({time - 1, message.kind, message.from, message.number, message.count});
        return all;
    }
    void run() {
        simulation.run(engine::Plan{});
        network->end_frame();
        Laws laws;
        network->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
    }

    engine::Simulation simulation;
    HomeNetwork* network = nullptr;
    std::vector<bench::Source<HomeMessage>*> sources;
    std::vector<bench::Sink<HomeMessage>*> sinks;
};

TEST_F(HomeNetworkTest, CarriesAMessageFromCoreToCore) {
    build("s_nuca");
    say(100, Kind::request, 0, 2, 7);
    say(200, Kind::reply, 2, 1, 0);
    run();
    EXPECT_THAT(heard(2), ElementsAre(Heard{103, Kind::request, 0, 7, 1}));  // two links and a flit
    EXPECT_THAT(heard(1), ElementsAre(Heard{202, Kind::reply, 2, 0, 1}));
}

// First touch: it is told that it owns the bucket, and that it has to ask the L2 cache itself.
TEST_F(HomeNetworkTest, TellsWhoAsksFirstThatItIsTheOwner) {
    build("dtm_nuca");
    say(100, Kind::query, 0, agent, 5);
    run();
    // At the table at 102; its answers depart at 104, one after the other.
    EXPECT_THAT(heard(0), ElementsAre(Heard{106, Kind::owner, no_core, 1, 1}, Heard{107, Kind::own, 0, 5, 0}));
}

TEST_F(HomeNetworkTest, PassesAQuestionOnToTheOwner) {
    build("dtm_nuca");
    say(100, Kind::query, 0, agent, 5);
    say(200, Kind::query, 2, agent, 5);
    run();
    EXPECT_THAT(heard(0).back(), (Heard{206, Kind::request, 2, 5, 0}));
    EXPECT_TRUE(heard(2).empty());
    EXPECT_EQ(bench::counter(*network, "requests_passed_on"), 1U);
    EXPECT_EQ(bench::counter(*network, "owned_misses"), 1U);
}

// Counters of 2 bits: the third access of core 2 saturates it (3 against 1 of core 0), and the bucket is its own.
TEST_F(HomeNetworkTest, TellsBothCoresOfAChangeOfOwner) {
    build("dtm_nuca");
    say(100, Kind::query, 0, agent, 1);
    say(200, Kind::note, 2, agent, 1, 3);
    say(300, Kind::query, 0, agent, 1);
    run();
    EXPECT_EQ(heard(0).at(2), (Heard{206, Kind::owner, no_core, 1, 0}));
    EXPECT_THAT(heard(2), ElementsAre(Heard{207, Kind::owner, no_core, 1, 1}, Heard{306, Kind::request, 0, 1, 0}));
    EXPECT_EQ(bench::counter(*network, "owner_changes"), 1U);
    EXPECT_EQ(bench::counter(*network, "texture_accesses"), 5U);
}

// All come to the table by one output of its router, one a cycle.
TEST_F(HomeNetworkTest, AnswersInTheOrderOfArrival) {
    build("dtm_nuca");
    for (const int core : {0, 1, 2}) say(100, Kind::query, core, agent, 1);
    run();
    EXPECT_EQ(bench::counter(*network, "owned_misses"), 1U);
    EXPECT_EQ(heard(1).size(), 4U);  // the nearest: it is the owner, told so, and gets the requests of the others
    EXPECT_EQ(heard(1).at(2).kind, Kind::request);
    // Those of cores 0 and 2 are at the table's router at the same time, and one waits a cycle for its output.
    EXPECT_EQ(bench::counter(*network, "table_waiting_cycles"), 1U);
}

// Three questions by an output that hands on one a cycle, to a table that takes one in five.
TEST_F(HomeNetworkTest, ServesAQuestionEveryInterval) {
    build("dtm_nuca", 1000, 5);
    for (int i = 0; i < 3; ++i) say(100 + i, Kind::query, 1, agent, 1);
    run();
    // At the table from 101 on, one a cycle; an answer takes 2 cycles to be found and one to leave.
    const auto all = heard(1);
    ASSERT_EQ(all.size(), 4U);  // the first one with the message that the bucket is its own
    EXPECT_EQ(all[1].time - all[0].time, 1);
    EXPECT_EQ(all[2].time, all[0].time + 5);
    EXPECT_EQ(all[3].time, all[0].time + 10);
    EXPECT_EQ(bench::counter(*network, "table_waiting_cycles"), 4U + 8U);
}

TEST_F(HomeNetworkTest, EndsAnEpochWithTheAccessThatMakesItFull) {
    build("dtm_nuca", 4);
    say(100, Kind::query, 0, agent, 1);
    say(200, Kind::note, 2, agent, 1, 2);  // more than core 0 has, and no saturation
    say(300, Kind::query, 0, agent, 1);    // the fourth access: 2 of both, the owner stays
    say(400, Kind::note, 2, agent, 1, 2);
    say(500, Kind::note, 2, agent, 2, 2);  // the eighth: bucket 1 is core 2's, bucket 2, too
    run();
    EXPECT_EQ(bench::counter(*network, "epochs"), 2U);
    EXPECT_EQ(heard(0).back(), (Heard{507, Kind::owner, no_core, 1, 0}));
    EXPECT_EQ(heard(2).back(), (Heard{508, Kind::owner, no_core, 1, 1}));
    const Records records = owner_records(simulation.take_series().at(0).values, 4);
    ASSERT_EQ(records.rows(), 8U);
    EXPECT_THAT(records.find("owner")->values, ElementsAre(Records::missing, 0, Records::missing, Records::missing,
                                                           Records::missing, 0, 2, Records::missing));
    EXPECT_THAT(records.find("accesses")->values, ElementsAre(0, 2, 0, 0, 0, 0, 2, 0));
}

TEST_F(HomeNetworkTest, TellsAllCoresThatAnEpochBegins) {
    build("dtm_nuca_distributed", 4);
    say(100, Kind::accesses, 0, agent, 0, 3);
    say(200, Kind::accesses, 2, agent, 0, 1);
    run();
    EXPECT_THAT(simulation.take_series().at(0).values, ElementsAre(1));
    EXPECT_THAT(heard(0), ElementsAre(Heard{206, Kind::epoch, no_core, 1, 0}));
    EXPECT_THAT(heard(1), ElementsAre(Heard{206, Kind::epoch, no_core, 1, 0}));
    EXPECT_THAT(heard(2), ElementsAre(Heard{208, Kind::epoch, no_core, 1, 0}));
}

TEST_F(HomeNetworkTest, BringsClaimsToAllOthers) {
    build("dtm_nuca_distributed");
    say(100, Kind::claims, 1, HomeMessage::everyone, 1);
    run();
    EXPECT_EQ(heard(0).size(), 1U);
    EXPECT_TRUE(heard(1).empty());
    EXPECT_EQ(heard(2).size(), 1U);
}

}  // namespace
}  // namespace models
