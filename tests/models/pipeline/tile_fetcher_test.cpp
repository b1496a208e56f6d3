#include "models/pipeline/tile_fetcher.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/cache_reader_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A tile fetcher. The pass has two tiles; a test takes items as soon as they are ready, or from `takes_from` on.
class TileFetcherTest : public CacheReaderTest {
  protected:
    // Primitives of 52 bytes in both tiles, as many as these.
    void run(std::uint32_t primitives, const std::vector<std::uint32_t>& tiles, int credits = 64) {
        scene.pass(2);
        scene.draw();
        for (std::uint32_t i = 0; i < primitives; ++i) scene.primitive(2);
        build_cache(parameters.tile_cache, MemoryClient::tile_lists, credits);
        fetcher = std::make_unique<TileFetcher>(&host->counters(), "", 1, parameters.tiling, workload, *cache);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            for (const std::uint32_t waiter : cache->fill(now, reply.tag)) {
                EXPECT_TRUE(fetcher->owns(waiter));
                fetcher->fill(waiter);
            }
            fetcher->retry();
        };
        host->cycle = [this, tiles](Time now) {
            if (now >= takes_from && !fetcher->is_empty() && fetcher->front().is_ready(now)) {
                items.emplace_back(now, fetcher->front().primitive);
                fetcher->pop();
            }
            if (next_tile_ < tiles.size() && fetcher->wants_tile()) fetcher->begin_tile(0, tiles[next_tile_++]);
            fetcher->step(now);
            return next_tile_ < tiles.size() || !fetcher->wants_tile() || !fetcher->is_empty() ? now + 1
                                                                                               : engine::never;
        };
        host->wake_at(0);
        simulation.run({});
    }
    std::vector<std::uint32_t> primitives() const {
        std::vector<std::uint32_t> all;
        for (const auto& [time, primitive] : items) all.push_back(primitive);
        return all;
    }

    std::unique_ptr<TileFetcher> fetcher;
    std::vector<std::pair<Time, std::uint32_t>> items;
    Time takes_from = 0;

  private:
    std::size_t next_tile_ = 0;
};

TEST_F(TileFetcherTest, GivesThePrimitivesOfEachTileInOrderThenItsEnd) {
    run(3, {1, 0});
    EXPECT_THAT(primitives(), ElementsAre(0, 1, 2, none, 0, 1, 2, none));
    EXPECT_EQ(fetcher->primitives.value(), 6U);
    EXPECT_EQ(fetcher->chunks_read.value(), 2U);
}

TEST_F(TileFetcherTest, ReadsTheListThenThePrimitive) {
    run(1, {0});
    ASSERT_EQ(memory->seen.size(), 2U);
    const PolygonLists& lists = workload.lists(0);
    EXPECT_EQ(memory->seen[0].second.block, lists.chunks[0]);
    EXPECT_EQ(memory->seen[1].second.block, lists.records[0] / block_bytes);
    // The entry is there a miss after the first cycle, the primitive a miss after that.
    EXPECT_EQ(items.at(0), (std::pair{miss_time + miss_time, 0U}));
}

TEST_F(TileFetcherTest, GivesTheEndOfAnEmptyTileAtOnce) {
    run(0, {0});
    EXPECT_THAT(items, ElementsAre(std::pair{Time{1}, none}));
    EXPECT_TRUE(memory->seen.empty());
}

TEST_F(TileFetcherTest, FetchesAheadAsFarAsTheQueueReaches) {
    parameters.tiling.triangle_queue.set("4");
    takes_from = 5000;
    run(20, {0});
    ASSERT_EQ(items.size(), 21U);
    std::size_t before = 0;
    for (const auto& [time, request] : memory->seen) before += time < 5000 ? 1 : 0;
    EXPECT_EQ(before, 2U + 4U);  // two chunks, the lines of four records of 52 bytes
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(items[i].first, 5000 + static_cast<Time>(i));
}

TEST_F(TileFetcherTest, GoesOnAfterARefusalWhenMemoryHasAnswered) {
    run(20, {0, 1}, 1);
    EXPECT_EQ(items.size(), 42U);
    EXPECT_GT(cache->refusals.value(), 0U);
}

TEST_F(TileFetcherTest, LooksUpOneLineACycleAndTriesARefusedOneAgainOnlyAfterAnAnswer) {
    run(40, {0}, 1);
    EXPECT_LE(cache->refusals.value(), memory->seen.size());
    EXPECT_EQ(cache->conflicts.value(), 0U);
}

}  // namespace
}  // namespace models
