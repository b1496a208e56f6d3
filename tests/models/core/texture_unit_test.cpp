#include "models/core/texture_unit.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A texture unit with 4 lookups a cycle and 8 cycles of filter on a cache of 2 cycles, before a memory that answers
// after 100 cycles. Accesses are made of runs of blocks.
class TextureUnitTest : public testing::Test {
  protected:
    static constexpr Time address = 1, lookup = 2, filter = 8, memory_time = 100;
    static constexpr Time trip = lookup + 1 + memory_time + 1;  // with a cycle there and one back
    static constexpr Time miss_time = trip + lookup;            // when the line is there, the filter reads it

    TextureUnitTest() {
        parameters.address_latency.set("1");
        cache_parameters.ports.set("4");
        cache_parameters.fill_cycles.set("0");
    }
    void build(int credits = 64) {
        host = &simulation.add<bench::Host>(credits);
        memory = &host->attach_memory(simulation, memory_time);
        cache = std::make_unique<Cache>(&host->counters(), cache_parameters.shape(1),
                                        Cache::Site{host->memory, 0, MemoryClient::texture});
        unit = std::make_unique<TextureUnit>(&host->counters(), parameters, *cache, 1, "cores");
        unit->begin_frame(frame);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            for (const std::uint32_t place : cache->fill(now, reply.tag)) unit->fill(now, place, *this);
            unit->retry();
        };
        host->cycle = [this](Time now) {
            unit->step(now, *this);
            return std::max(unit->next(), now + 1);
        };
    }
    // An access to so many blocks from this one, the first of which are looked up at that time.
    void push(Time time, BlockNumber block, std::uint16_t count, std::uint16_t destination, bool vertex = false) {
        push_samples(time, block, count, destination, 4, 4, vertex);
    }
    void push_samples(Time time, BlockNumber block, std::uint16_t count, std::uint16_t destination,
                      std::uint16_t samples, std::uint8_t texel_bytes, bool vertex = false) {
        std::vector<BlockNumber>& blocks = vertex ? frame.vertex_blocks : frame.blocks;
        TextureAccess access{static_cast<std::uint32_t>(blocks.size()), count};
        access.samples = samples;
        access.texel_bytes = texel_bytes;
        for (BlockNumber i = 0; i < count; ++i) blocks.push_back(block + i);
        host->at(time - address,
                 [=, this](Time now) { unit->push(now, {3, 4, destination, vertex}, access, {1, 2, 7, 4}); });
    }

  public:
    void texture_done(std::uint16_t core, std::uint16_t warp, std::uint16_t destination, Time time) {
        EXPECT_EQ(core, 3);
        EXPECT_EQ(warp, 4);
        done.emplace_back(destination, time);
    }

  protected:
    ParameterGroup root;
    CacheParameters cache_parameters{&root, "cache", "of a test", {{4096}, 4, {lookup}, 4, "this test"}};
    TextureUnitParameters parameters{&root, "texture_unit", "of a test"};
    Frame frame;
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
    std::unique_ptr<Cache> cache;
    std::unique_ptr<TextureUnit> unit;
    std::vector<std::pair<int, Time>> done;
};

TEST_F(TextureUnitTest, AMissTakesTheMemoryBetweenLookupAndFilterAHitDoesNot) {
    build();
    push(10, 50, 2, 1);
    push(500, 50, 2, 2);
    simulation.run({});
    // Requests leave the port one a cycle: the second line is there a cycle after the first.
    EXPECT_THAT(done, ElementsAre(std::pair{1, 10 + miss_time + 1 + filter}, std::pair{2, 500 + lookup + filter}));
    EXPECT_EQ(unit->accesses.value(), 2U);
    EXPECT_EQ(unit->blocks_read.value(), 4U);
    EXPECT_TRUE(unit->is_idle());
    EXPECT_EQ(memory->seen[0].second.attribution.program_counter, 7);
    EXPECT_EQ(memory->seen[0].second.attribution.draw, 1U);
}

TEST_F(TextureUnitTest, LooksUpFourLinesACycleForOneAccess) {
    cache_parameters.mshrs.set("16");
    build();
    push(10, 0, 9, 0);
    push(500, 0, 9, 1);  // 4 + 4 + 1
    push(500, 0, 1, 2);  // not in the cycle of another access
    push(500, 0, 4, 3);
    simulation.run({});
    done.erase(done.begin());
    EXPECT_THAT(done, ElementsAre(std::pair{1, 502 + lookup + filter}, std::pair{2, 503 + lookup + filter},
                                  std::pair{3, 504 + lookup + filter}));
}

TEST_F(TextureUnitTest, LinesOfOneBankAreLookedUpOneAfterTheOther) {
    cache_parameters.ports.set("1");
    cache_parameters.banks.set("2");
    build();
    push(10, 0, 4, 1);
    push(500, 0, 4, 2);
    simulation.run({});
    ASSERT_EQ(done.size(), 2U);
    EXPECT_EQ(done[1], (std::pair<int, Time>{2, 501 + lookup + filter}));  // two lines a cycle
    EXPECT_GT(cache->conflicts.value(), 0U);
}

TEST_F(TextureUnitTest, ABlockOfTwoShortLinesIsThereWhenBothAre) {
    cache_parameters.line.set("32 B");
    build();
    push(10, 0, 1, 1);
    simulation.run({});
    EXPECT_EQ(memory->seen.size(), 2U);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].second, 10 + miss_time + 1 + filter);
}

TEST_F(TextureUnitTest, AnAccessWithoutBlocksIsDoneWithoutTheCache) {
    build();
    push(10, 0, 0, 1);
    simulation.run({});
    EXPECT_THAT(done, ElementsAre(std::pair{1, 10 + lookup + filter}));
    EXPECT_EQ(cache->accesses.value(), 0U);
}

TEST_F(TextureUnitTest, AnAccessThatWaitsForMemoryDoesNotHoldUpLaterOnes) {
    build();
    push(10, 0, 1, 0);
    push(500, 9, 1, 1);
    push(501, 0, 1, 2);
    simulation.run({});
    EXPECT_THAT(done, ElementsAre(std::pair{0, 10 + miss_time + filter}, std::pair{2, 501 + lookup + filter},
                                  std::pair{1, 500 + miss_time + filter}));
}

TEST_F(TextureUnitTest, ALookupThatIsRefusedHoldsUpLaterOnesUntilMemoryAnswers) {
    cache_parameters.mshrs.set("1");
    build();
    push(10, 0, 1, 0);
    push(500, 8, 2, 1);  // the second line finds no MSHR
    push(501, 0, 1, 2);  // would hit
    simulation.run({});
    const Time second = 500 + trip + miss_time;
    ASSERT_EQ(done.size(), 3U);
    EXPECT_EQ(done[1], (std::pair{2, 500 + trip + 1 + lookup + filter}));
    EXPECT_EQ(done[2], (std::pair{1, second + filter}));
    EXPECT_EQ(cache->refusals.value(), 1U);
    EXPECT_EQ(unit->blocks_read.value(), cache->accesses.value());
}

TEST_F(TextureUnitTest, ReadsTheBlocksOfVerticesFromTheirOwnList) {
    build();
    push(10, 100, 1, 0);
    push(11, 200, 1, 1, true);
    simulation.run({});
    ASSERT_EQ(memory->seen.size(), 2U);
    EXPECT_EQ(memory->seen[1].second.block, 200U);
}

TEST_F(TextureUnitTest, HasRoomForSoManyAccesses) {
    parameters.accesses.set("2");
    build();
    EXPECT_TRUE(unit->has_room(0, 2));
    push(10, 0, 1, 0);
    push(10, 1, 1, 0);
    host->at(50, [this](Time now) { EXPECT_FALSE(unit->has_room(now, 1)); });
    host->at(200, [this](Time now) { EXPECT_TRUE(unit->has_room(now, 2)); });
    simulation.run({});
}

TEST_F(TextureUnitTest, AddressesTakeTheirTimeBeforeTheFirstLookup) {
    parameters.address_latency.set("5");
    build();
    push(10 + address, 0, 0, 1);
    push(11 + address, 0, 0, 2);  // right behind it
    simulation.run({});
    EXPECT_THAT(done, ElementsAre(std::pair{1, 15 + lookup + filter}, std::pair{2, 16 + lookup + filter}));
}

// The core asks in one cycle, and the unit looks up in a later one: there is no latency of none.
TEST_F(TextureUnitTest, AddressesTakeACycleAtLeast) {
    EXPECT_THROW(parameters.address_latency.set("0"), engine::ConfigError);
    EXPECT_NO_THROW(parameters.address_latency.set("1"));
}

// Of 4 bilinear samples a cycle, and of texels of 4 bytes. The last one comes when the filter has done all before it.
TEST_F(TextureUnitTest, AnAccessTakesTheFilterForAsLongAsItsSamplesAndTexelsNeed) {
    build();
    Time at = 10;
    std::uint16_t number = 0;
    for (const auto& [samples, bytes] : {std::pair{4, 4}, {8, 4}, {4, 8}, {8, 16}, {1, 4}, {0, 4}, {32, 4}, {5, 1}})
        push_samples(at, 0, 0, number++, static_cast<std::uint16_t>(samples), static_cast<std::uint8_t>(bytes));
    simulation.run({});
    std::vector<Time> cycles;
    for (const auto& [destination, time] : done) {
        cycles.push_back(time - at - lookup - filter);
        at = time - lookup - filter;
    }
    EXPECT_THAT(cycles, ElementsAre(0, 2, 2, 8, 1, 1, 8, 2));
    EXPECT_EQ(unit->samples.value(), 4U + 8 + 4 + 8 + 1 + 0 + 32 + 5);
    EXPECT_EQ(unit->filter_cycles.value(), 1U + 2 + 2 + 8 + 1 + 1 + 8 + 2);
}

TEST_F(TextureUnitTest, InOrderAHitWaitsForTheMissBeforeIt) {
    parameters.results_in_order.set("in_order");
    build();
    push(10, 0, 1, 0);
    push(500, 9, 1, 1);
    push(501, 0, 1, 2);
    push(502, 0, 1, 3);
    simulation.run({});
    const Time miss = 500 + miss_time + filter;
    EXPECT_THAT(done, ElementsAre(std::pair{0, 10 + miss_time + filter}, std::pair{1, miss}, std::pair{2, miss + 1},
                                  std::pair{3, miss + 2}));
}

TEST_F(TextureUnitTest, AnAccessKeepsItsPlaceUntilTheFilterTakesIt) {
    parameters.accesses.set("2");
    build();
    push_samples(10, 0, 0, 1, 400, 4);  // a hundred cycles
    push(11, 0, 0, 2);
    for (const Time at : {Time{20}, Time{10 + lookup + 99}})
        host->at(at, [this](Time now) {
            EXPECT_TRUE(unit->has_room(now, 1));
            EXPECT_FALSE(unit->has_room(now, 2));
        });
    host->at(10 + lookup + 100, [this](Time now) { EXPECT_TRUE(unit->has_room(now, 2)); });
    simulation.run({});
    EXPECT_EQ(done.size(), 2U);
}

// Of a cache with a long way: the place is free when the line is with the filter, not when it has been looked up.
TEST_F(TextureUnitTest, AnAccessKeepsItsPlaceWhileItsLinesAreReadFromTheCache) {
    constexpr Time slow_lookup = 20;
    cache_parameters.latency.set("20");
    parameters.accesses.set("1");
    build();
    push(10, 0, 0, 1);
    for (const Time at : {Time{11}, 10 + slow_lookup - 1})
        host->at(at, [this](Time now) {
            EXPECT_FALSE(unit->has_room(now, 1));
            EXPECT_EQ(unit->next(), 10 + slow_lookup);
            EXPECT_TRUE(unit->is_idle());  // nothing waits for lines
        });
    host->at(10 + slow_lookup, [this](Time now) { EXPECT_TRUE(unit->has_room(now, 1)); });
    simulation.run({});
    EXPECT_THAT(done, ElementsAre(std::pair{1, 10 + slow_lookup + filter}));
}

TEST_F(TextureUnitTest, SaysWhereItsTimeGoes) {
    build(1);              // request to memory at a time
    push(10, 50, 1, 1);    // looked up at 10, there at 10 + miss_time
    push(11, 60, 1, 2);    // has to wait for it, and for its own line
    push(500, 50, 4, 3);   // a hit and three lines, one after the other
    push(2000, 50, 9, 4);  // three cycles of hits and misses
    simulation.run({});
    unit->time.settle(host->now());
    const auto cycles = [&](const char* state) { return bench::counter(*host, std::string("cycles_") + state); };
    EXPECT_EQ(cycles("idle") + cycles("lookup") + cycles("waits_lines") + cycles("waits_memory") + cycles("filter"),
              static_cast<std::uint64_t>(host->now()));
    // Of the last access, four blocks and then one line after the other, each looked up when the one before has come.
    // The second access is looked up while the filter has the first. Each time that the unit begins, addresses are
    // first.
    EXPECT_EQ(cycles("lookup"), 1U + 3 + 6 + 3 * address);
    // From its last line until the filter has read and taken it, but for the last access, with which the test ends.
    EXPECT_EQ(cycles("filter"), 3U * (lookup + 1));
    // For every line until it has come: the last one of an access with nothing left to look up, but that of the first.
    const Time miss = trip - 1;
    EXPECT_EQ(cycles("waits_memory"), static_cast<std::uint64_t>((1 + 2 + 4) * miss));
    EXPECT_EQ(cycles("waits_lines"), static_cast<std::uint64_t>(3 * miss - lookup));
}

}  // namespace
}  // namespace models
