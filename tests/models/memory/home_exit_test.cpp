#include "models/memory/home_exit.h"

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/memory/home/home_policy.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using Kind = HomeMessage::Kind;
using Outcome = Cache::Outcome;
using testing::ElementsAre;

// The texture cache of core 0 of four: one set of 2 ways, 3 cycles of lookup, 4 MSHRs of which one is for others,
// before a memory that answers after 100 cycles. A message takes a tick to the sink.
class HomeExitTest : public testing::Test {
  protected:
    static constexpr Time lookup = 3, memory_time = 100, miss_time = lookup + 1 + memory_time + 1;

    HomeExitTest() {
        parameters.capacity.set("128 B");
        parameters.ways.set("2");
        parameters.mshrs.set("4");
        parameters.latency.set("3");
        parameters.banks.set("1");
        parameters.ports.set("16");
        parameters.fill_cycles.set("0");
    }
    void build(std::string_view policy, int credits = 64, bool count_hits = true) {
        host = &simulation.add<bench::Host>(credits);
        memory = &host->attach_memory(simulation, memory_time);
        HomeShape home;
        home.policy = static_cast<std::size_t>(std::find(HomePolicy::names.begin(), HomePolicy::names.end(), policy) -
                                               HomePolicy::names.begin());
        home.cores = 4;
        home.affinity = {4, 4, 1, 4, 2, 25};
        home.count_hits = count_hits;
        exit = std::make_unique<HomeExit>(host, host->memory,
                                          HomeExit::Shape{home, 0, 4, 1, 2, 100, 1, lookup, 8, SliceMap(1, 1)});
        sink = &simulation.add<bench::Sink<HomeMessage>>("sink");
        simulation.connect(exit->messages, sink->in, 1);
        cache = std::make_unique<Cache>(&host->counters(), parameters.shape(1),
                                        Cache::Site{*exit, 0, MemoryClient::texture, exit.get()});
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            line_came(now, reply.tag);
            exit->retry(now);
        };
        host->cycle = [this](Time now) { return exit->step(now, *cache); };
    }
    void line_came(Time now, RequestTag tag) {
        for (const std::uint32_t waiter : cache->fill(now, tag))
            if ((waiter & Cache::others_bit) != 0)
                exit->hand_on(now, waiter);
            else
                filled.emplace_back(now, waiter);
    }
    void read(Time time, BlockNumber block, std::uint32_t waiter = 0) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->read(now, block, waiter, {})); });
    }
    void hear(Time time, Kind kind, CoreNumber from, std::uint32_t number, std::uint8_t entry = 0,
              std::uint16_t count = 0) {
        host->at(time, [=, this](Time now) {
            HomeMessage message;
            message.kind = kind;
            message.from = from;
            message.number = number;
            message.entry = entry;
            message.count = count;
            if (exit->take(now, message, *cache)) line_came(now, RequestTag::of(0, entry));
        });
    }
    struct Said {
        Time time;  // of its departure
        Kind kind;
        std::uint16_t to;
        std::uint32_t number;
        std::uint16_t count;
        bool operator==(const Said&) const = default;
    };
    std::vector<Said> said() const {
        std::vector<Said> all;
        for (const auto& [time, message] : sink->arrivals) {
            EXPECT_EQ(message.from, 0);
            all.push_back({time - 1, message.kind, message.to, message.number, message.count});
        }
        return all;
    }
    std::vector<BlockNumber> asked_of_memory() const {
        std::vector<BlockNumber> all;
        for (const auto& [time, request] : memory->seen) all.push_back(request.block);
        return all;
    }
    void run() {
        simulation.run(engine::Plan{});
        EXPECT_EQ(exit->unfinished(), "");
        Laws laws;
        exit->add_laws(laws, "exit");
        cache->add_laws(laws, "cache");
        bench::expect_obeyed(laws, simulation);
    }

    struct Caches : ParameterGroup {
        CacheParameters cache{this, "cache", "of a test", texture_cache_defaults};
    } group;
    CacheParameters& parameters = group.cache;
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
    bench::Sink<HomeMessage>* sink = nullptr;
    std::unique_ptr<HomeExit> exit;
    std::unique_ptr<Cache> cache;
    std::vector<Outcome> outcomes;
    std::vector<std::pair<Time, std::uint32_t>> filled;
};

TEST_F(HomeExitTest, KeepsItsOwnLinesAndNotThoseOfOthers) {
    build("s_nuca");
    read(0, 4, 1);  // its own
    read(0, 5, 2);  // core 1's
    hear(50, Kind::reply, 1, 0, 1, 1);
    read(300, 4);
    read(300, 5);
    hear(350, Kind::reply, 1, 0, 0, 0);
    run();
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::hit, Outcome::waiting));
    EXPECT_THAT(asked_of_memory(), ElementsAre(4));
    EXPECT_THAT(said(), ElementsAre(Said{3, Kind::request, 1, 5, 0}, Said{303, Kind::request, 1, 5, 0}));
    EXPECT_THAT(filled, ElementsAre(std::pair{Time{50}, 2U}, std::pair{miss_time, 1U}, std::pair{Time{350}, 0U}));
    EXPECT_EQ(exit->remote_hits.value(), 1U);
    EXPECT_EQ(exit->remote_misses.value(), 1U);
    EXPECT_EQ(exit->remote_cycles.value(), 100U);
}

TEST_F(HomeExitTest, ServesOthersAHitAJoinAndAMiss) {
    build("s_nuca");
    hear(0, Kind::request, 2, 8, 7);  // misses
    hear(1, Kind::request, 3, 8, 9);  // joins
    read(2, 8, 5);                    // joins, too
    hear(300, Kind::request, 1, 8, 4);
    run();
    EXPECT_THAT(asked_of_memory(), ElementsAre(8));
    const Time came = miss_time + lookup;
    EXPECT_THAT(said(), ElementsAre(Said{came, Kind::reply, 2, 0, 0}, Said{came, Kind::reply, 3, 0, 0},
                                    Said{300 + lookup, Kind::reply, 1, 0, 1}));
    EXPECT_THAT(filled, ElementsAre(std::pair{miss_time, 5U}));
    EXPECT_EQ(cache->misses.value(), 0U);
    EXPECT_EQ(exit->served_misses.value(), 1U);
    EXPECT_EQ(exit->served_merged.value(), 1U);
    EXPECT_EQ(exit->served_hits.value(), 1U);
}

// The second of a cycle is looked up in the next one, whether the first was looked up at once or by a step.
class HomeExitRequests : public HomeExitTest, public testing::WithParamInterface<bool> {};

TEST_P(HomeExitRequests, AreLookedUpOneACycle) {
    const bool at_once = GetParam();
    build("s_nuca");
    read(0, 4);
    for (CoreNumber core = 1; core <= 3; ++core)
        host->at(300, [this, core, at_once](Time now) {
            HomeMessage message;
            message.kind = Kind::request;
            message.from = core;
            message.number = 4;
            exit->take(now, message, *cache);
            EXPECT_EQ(exit->may_serve_at_once(now), core == 1);
            if (at_once && core == 1) exit->serve_at_once(now, *cache);
        });
    run();
    EXPECT_THAT(said(), ElementsAre(Said{303, Kind::reply, 1, 0, 1}, Said{304, Kind::reply, 2, 0, 1},
                                    Said{305, Kind::reply, 3, 0, 1}));
    EXPECT_EQ(exit->served_hits.value(), 3U);
    EXPECT_EQ(exit->served_cycles.value(), 3U + 4U + 5U);
}

INSTANTIATE_TEST_SUITE_P(AtOnce, HomeExitRequests, testing::Bool());

// Three of four MSHRs have misses of the own core, which wait for others; the fourth is for requests of others.
TEST_F(HomeExitTest, KeepsAnMshrForOthers) {
    build("s_nuca");
    for (const BlockNumber block : {1U, 2U, 3U, 5U}) read(0, block);
    hear(10, Kind::request, 1, 4, 0);
    for (std::uint8_t entry = 0; entry < 3; ++entry) hear(500, Kind::reply, 1, 0, entry, 1);
    run();
    EXPECT_THAT(outcomes, ElementsAre(Outcome::waiting, Outcome::waiting, Outcome::waiting, Outcome::refused));
    EXPECT_THAT(said().back(), (Said{10 + miss_time + lookup, Kind::reply, 1, 0, 0}));
}

// Until the table says that the core owns the line, the request of another core for it asks the L2 cache by itself.
TEST_F(HomeExitTest, AsksTheTableAndThenTheL2Cache) {
    build("dtm_nuca");
    read(0, 6, 1);
    hear(10, Kind::request, 2, 6, 3);
    hear(20, Kind::own, no_core, 6, 0);
    run();
    EXPECT_THAT(asked_of_memory(), ElementsAre(6, 6));
    EXPECT_THAT(said(),
                ElementsAre(Said{3, Kind::query, 4, 6, 1}, Said{10 + miss_time + lookup, Kind::reply, 2, 0, 0}));
    EXPECT_THAT(filled, ElementsAre(std::pair{20 + miss_time, 1U}));
    EXPECT_TRUE(cache->holds(6));
}

TEST_F(HomeExitTest, WaitsForACreditWithWhatItOwns) {
    build("dtm_nuca", 1);
    read(0, 6, 1);
    hear(10, Kind::request, 2, 9, 3);  // takes the credit
    hear(20, Kind::own, no_core, 6, 0);
    run();
    EXPECT_THAT(asked_of_memory(), ElementsAre(9, 6));
    EXPECT_THAT(filled, ElementsAre(std::pair{10 + 2 * miss_time, 1U}));
}

// Hits of a bucket that is not the core's leave recency alone: of lines 4 and 8 in one set, the one that came first
// goes.
class HomeExitRecency : public HomeExitTest, public testing::WithParamInterface<bool> {};

TEST_P(HomeExitRecency, IsThatOfTheOwnersHits) {
    const bool owns = GetParam();
    build("dtm_nuca");
    read(0, 4);
    hear(10, Kind::own, no_core, 4, 0);
    read(200, 8);
    hear(210, Kind::own, no_core, 8, 0);
    if (owns) hear(350, Kind::owner, no_core, 0, 0, 1);
    read(400, 4);
    read(410, 12);
    hear(420, Kind::own, no_core, 12, 0);
    run();
    EXPECT_EQ(cache->holds(4), owns);
    EXPECT_EQ(cache->holds(8), !owns);
    EXPECT_EQ(exit->hits_of_old_owners.value(), owns ? 0U : 1U);
}

// A hundred are a sum. Of misses the table hears anyway.
TEST_F(HomeExitTest, SumsUpHitsForTheEpochWhereTheTableIsNotToldOfThem) {
    build("dtm_nuca", 64, false);
    read(0, 4);
    hear(10, Kind::own, no_core, 4, 0);
    for (int i = 0; i < 100; ++i) read(200 + i, 4);
    run();
    EXPECT_EQ(exit->notes.value(), 0U);
    EXPECT_EQ(exit->sums.value(), 1U);
    EXPECT_EQ(said().back(), (Said{299 + lookup, Kind::accesses, 4, 0, 100}));
}

// Two reads of a line that is on its way: neither finds it there.
TEST_F(HomeExitTest, CountsNoHitOfAnOldOwnerForALineInFlight) {
    build("dtm_nuca");
    read(0, 4);
    read(1, 4);
    read(2, 4);
    hear(10, Kind::own, no_core, 4, 0);
    run();
    EXPECT_EQ(cache->merged.value(), 2U);
    EXPECT_EQ(exit->hits_of_old_owners.value(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Owner, HomeExitRecency, testing::Bool());

// With a directory: what goes is told, a line that is called back goes, and one that has gone is handed on.
TEST_F(HomeExitTest, TellsTheDirectoryWhatGoes) {
    build("d_nuca");
    read(0, 1);
    read(200, 2);
    read(400, 3);  // line 1 goes when it comes
    hear(700, Kind::recall, no_core, 2);
    hear(710, Kind::request, 1, 2, 6);
    run();
    EXPECT_THAT(said(), ElementsAre(Said{400 + miss_time + lookup, Kind::evicted, 4, 1, 0},
                                    Said{710 + miss_time + lookup, Kind::reply, 1, 0, 0}));
    EXPECT_FALSE(cache->holds(1));
    EXPECT_FALSE(cache->holds(2));
    EXPECT_TRUE(cache->holds(3));
    EXPECT_EQ(exit->recalls.value(), 1U);
}

// The line may come before the L2 cache says that another core sends it.
TEST_F(HomeExitTest, WaitsForTheDirectorysAnswerToo) {
    build("d_nuca");
    host->on_answer = [this](Time now, const MemoryReply& reply) {
        if (exit->wait_for_core(reply.tag.entry)) line_came(now, reply.tag);
    };
    read(0, 1, 7);
    hear(50, Kind::reply, 2, 0, 0, 1);
    read(200, 2, 8);
    hear(400, Kind::reply, 2, 0, 0, 1);
    run();
    EXPECT_THAT(filled, ElementsAre(std::pair{miss_time, 7U}, std::pair{Time{400}, 8U}));
    EXPECT_FALSE(cache->holds(1));
    EXPECT_EQ(exit->redirected.value(), 2U);
}

// All own all at first; an epoch makes the core claim its buckets, and a better claim makes it ask another.
TEST_F(HomeExitTest, ClaimsItsBucketsAndHearsOfBetterClaims) {
    build("dtm_nuca_distributed");
    read(0, 1);
    hear(200, Kind::epoch, no_core, 1);
    host->at(300, [this](Time now) {
        HomeMessage message;
        message.kind = Kind::claims;
        message.from = 3;
        message.number = 1;
        message.count = 1;
        message.buckets[0] = 2;
        message.counters[0] = 9;
        exit->take(now, message, *cache);
    });
    read(400, 2);
    hear(450, Kind::reply, 3, 0, 0, 1);
    run();
    EXPECT_THAT(asked_of_memory(), ElementsAre(1));
    EXPECT_THAT(said(),
                ElementsAre(Said{203, Kind::claims, HomeMessage::everyone, 1, 4}, Said{403, Kind::request, 3, 2, 0}));
    EXPECT_EQ(exit->claims_sent.value(), 4U);
    EXPECT_EQ(exit->claims_heard.value(), 1U);
}

}  // namespace
}  // namespace models
