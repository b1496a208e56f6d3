#include "models/memory/replication.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using testing::ElementsAre;

TEST(Replication, OfAHandMadeCase) {
    // Three caches; line 9 is in all of them, 7 in two, 1 and 4 in one.
    const TimeSeries series = count_sharers(
        {
            {0, 100, 10, 9 + 1, 3, 1, 7, 9, /**/ 100, 150, 0, 9 + 1, 1, 9},
            {0, 100, 4, 4 + 1, 2, 4, 9, /**/ 100, 150, 5, 9 + 1, 1, 9},
            {0, 100, 2, 7 + 1, 2, 7, 9, /**/ 100, 150, 3, 2 + 1, 0},
        },
        false);
    EXPECT_EQ(series.name, "texture_replication");
    EXPECT_THAT(series.indices, ElementsAre(1, 2, 3));
    EXPECT_THAT(series.edges, ElementsAre(0, 100, 150));
    EXPECT_THAT(series.columns.at(0).values, ElementsAre(2, 1, 1, /**/ 0, 1, 0));
    // The third cache waits for line 2 in the end, which only it will have.
    EXPECT_THAT(series.columns.at(1).values, ElementsAre(4, 2, 10, /**/ 3, 5, 0));
}

// What all look up is in one of them.
TEST(Replication, OfCachesThatAreOneCountsWhoHoldsTheLine) {
    const std::vector<std::vector<std::uint64_t>> noted = {
        {0, 100, 10, 9 + 1, 2, 4, 9}, {0, 100, 6, 9 + 1, 1, 7}, {0, 100, 3, 4 + 1, 1, 8}};
    EXPECT_THAT(count_sharers(noted, true).columns.at(1).values, ElementsAre(19, 0, 0));
    EXPECT_THAT(count_sharers(noted, false).columns.at(1).values, ElementsAre(10, 9, 0));
}

TEST(Replication, OfNothingIsEmpty) {
    EXPECT_EQ(count_sharers({{}, {}}, false).intervals(), 0U);
    EXPECT_EQ(count_sharers({}, false).intervals(), 0U);
}

// The state at the end of each interval, also of those in which nothing happens, and at the end of the frame.
TEST(Census, NotesWhatACacheHasAtItsTimes) {
    ParameterGroup root;
    const CacheParameters parameters(&root, "cache", "of a test", {{256}, 2, {3}, 2, "test"});
    engine::Simulation simulation;
    MemoryPortShape shape{1, 64, 1, 0, block_bytes};
    shape.observed.census_every = 100;
    bench::Host& host = simulation.add<bench::Host>(shape);
    host.attach_memory(simulation, 20);
    Cache cache(&host.counters(), parameters.shape(1), {host.memory, 5, MemoryClient::texture});
    Census census(&host.counters(), 100);
    host.on_answer = [&](engine::Time now, const MemoryReply& reply) {
        census.look(now, &cache);
        cache.fill(now, reply.tag);
    };
    const auto read_at = [&](engine::Time time, BlockNumber block) {
        host.at(time, [&, block](engine::Time now) {
            census.look(now, &cache);
            cache.read(now, block, 0, {});
        });
    };
    census.begin_frame(0);
    read_at(40, 6);
    read_at(100, 6);  // belongs to the interval that ends then
    read_at(101, 6);
    read_at(390, 7);  // on its way at 400
    simulation.run({});
    census.end_frame(450, &cache);
    EXPECT_THAT(census.series.values(), ElementsAre(0, 100, 2, 7, 1, 6,       //
                                                    100, 200, 1, 7, 1, 6,     //
                                                    200, 300, 0, 7, 1, 6,     //
                                                    300, 400, 1, 8, 2, 6, 7,  //
                                                    400, 450, 0, 8, 2, 6, 7));
}

}  // namespace
}  // namespace models
