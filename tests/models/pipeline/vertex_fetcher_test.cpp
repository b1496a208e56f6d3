#include "models/pipeline/vertex_fetcher.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// The vertex fetcher before processors that take everything (or what a test lets them); warps of four vertices. Memory
// answers after 60 cycles.
class VertexFetcherTest : public HostedTest {
  protected:
    struct Sent {
        int processor;
        ShadeVertices warp;
        std::uint32_t count;
    };
    // A draw that names these vertices of `count`; indices of two bytes.
    void draw(const std::vector<std::uint32_t>& fetches, std::uint32_t count) {
        scene.pass();
        Draw& draw = scene.draw(DrawKind::geometry);
        draw.index_bytes = 2;
        draw.index_address = 0x10000;
        draw.vertex_count = count;
        draw.fetch_count = static_cast<std::uint32_t>(fetches.size());
        for (std::uint32_t v = 0; v < count; ++v) scene.frame.vertices.push_back({v, 0, 0, 0});
        scene.frame.fetches = fetches;
    }
    void run(int processors = 2) {
        build_host(60);
        fetcher = std::make_unique<VertexFetcher>(&host->counters(), parameters.geometry,
                                                  VertexFetcher::Shape{processors, 4, 1}, workload, host->memory, 0);
        fetcher->begin_draw(0);
        host->on_answer = [this](Time, const MemoryReply& reply) { fetcher->on_index_line(reply.tag); };
        host->cycle = [this](Time now) {
            now_ = now;
            fetcher->step(now, *this);
            for (auto& stream = fetcher->stream(); !stream.empty() && drains; stream.pop())
                sources.push_back(stream.front());
            return fetcher->ready_for_draw() || now > 10'000 ? engine::never : now + 1;
        };
        host->wake_at(0);
        simulation.run({});
    }
    // Vertices that all warps name, in order.
    std::vector<std::uint32_t> shaded() const {
        std::vector<std::uint32_t> all;
        for (const Sent& each : sent)
            for (std::uint32_t bit = 0; bit < ShadeVertices::span; ++bit)
                if ((each.warp.mask[bit / 64] >> bit % 64 & 1U) != 0)
                    all.push_back(scene.frame.fetches[each.warp.first + bit]);
        return all;
    }

  public:
    bool send_vertices(int processor, const ShadeVertices& warp, std::uint32_t count) {
        if (now_ < takes_from) return false;
        sent.push_back({processor, warp, count});
        return true;
    }

  protected:
    std::unique_ptr<VertexFetcher> fetcher;
    std::vector<Sent> sent;
    std::vector<std::uint16_t> sources;
    Time now_ = 0, takes_from = 0;
    bool drains = true;
};

std::vector<std::uint32_t> strip(std::uint32_t triangles) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t t = 0; t < triangles; ++t)
        for (std::uint32_t corner = 0; corner < 3; ++corner) corners.push_back(t + corner);
    return corners;
}

TEST_F(VertexFetcherTest, ShadesAVertexOnceWhileItIsRemembered) {
    draw(strip(100), 102);
    run();
    std::vector<std::uint32_t> expected(102);
    for (std::uint32_t v = 0; v < 102; ++v) expected[v] = v;
    EXPECT_EQ(shaded(), expected);
    EXPECT_EQ(fetcher->vertices_sent.value(), 102U);
    EXPECT_EQ(fetcher->vertices_reused.value(), 198U);
    EXPECT_EQ(fetcher->indices.value(), 300U);
}

TEST_F(VertexFetcherTest, ShadesAVertexAgainThatHasBeenForgotten) {
    parameters.geometry.post_transform_entries.set("4");
    draw({0, 1, 2, 3, 4, 1, 0, 1, 5, 6}, 7);  // 0 is pushed out by 4; 1 is still there, then pushed out by 0
    run();
    EXPECT_THAT(shaded(), ElementsAre(0, 1, 2, 3, 4, 0, 1, 5, 6));
}

TEST_F(VertexFetcherTest, RemembersAllVerticesOfADrawIfToldTo) {
    parameters.geometry.post_transform_entries.set("0");
    std::vector<std::uint32_t> corners = strip(100);
    const std::vector<std::uint32_t> again = corners;
    corners.insert(corners.end(), again.begin(), again.end());
    draw(corners, 102);
    run();
    EXPECT_EQ(fetcher->vertices_sent.value(), 102U);
}

TEST_F(VertexFetcherTest, GivesWarpsToProcessorsInTurnAndSaysWhichForEachIndex) {
    draw({0, 1, 2, 3, 4, 5, 6, 7, 0, 8}, 9);
    run();
    ASSERT_EQ(sent.size(), 3U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(sent[static_cast<std::size_t>(i)].processor, i % 2);
    EXPECT_EQ(sent[2].count, 1U);  // the draw ends
    constexpr std::uint16_t again = VertexFetcher::reused;
    EXPECT_THAT(sources, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, again, 0));
}

TEST_F(VertexFetcherTest, AWarpNamesIndicesWithinItsSpanOnly) {
    parameters.geometry.post_transform_entries.set("0");
    std::vector<std::uint32_t> fetches(400, 0);
    fetches[191] = 1;
    fetches[192] = 2;
    draw(fetches, 3);
    run();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].count, 2U);
    EXPECT_EQ(sent[1].count, 1U);
    EXPECT_EQ(sent[1].warp.first, 192U);
    EXPECT_THAT(shaded(), ElementsAre(0, 1, 2));
}

TEST_F(VertexFetcherTest, AWarpThatIsNotFullGoesWhenNoFurtherIndexCanCome) {
    parameters.geometry.index_queue.set("8");
    parameters.geometry.post_transform_entries.set("0");
    draw({0, 1, 0, 1, 0, 1, 0, 1, 2, 3}, 4);
    drains = false;  // assembly waits for the first vertices
    run();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].count, 2U);
}

// A full queue empties without the warp that forms if what is at its head belongs to one before.
TEST_F(VertexFetcherTest, AFullQueueOfOlderWarpsSendsNoneThatIsNotFull) {
    parameters.geometry.index_queue.set("10");
    takes_from = 500;
    draw({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 16);
    run();
    ASSERT_EQ(sent.size(), 4U);
    for (const auto& warp : sent) EXPECT_EQ(warp.count, 4U);
}

TEST_F(VertexFetcherTest, WaitsForAProcessorThatHasNoRoom) {
    takes_from = 500;
    draw({0, 1, 2, 3, 4, 5, 6, 7, 8}, 9);
    run();
    EXPECT_THAT(shaded(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_EQ(fetcher->vertices_sent.value(), 9U);
}

TEST_F(VertexFetcherTest, ReadsEveryLineOfIndicesOnceAndSoManyAhead) {
    parameters.geometry.index_lines.set("2");
    draw(strip(100), 102);  // 600 bytes: ten lines
    run();
    ASSERT_EQ(memory->seen.size(), 10U);
    for (BlockNumber i = 0; i < 10; ++i) EXPECT_EQ(memory->seen[i].second.block, 0x10000 / 64 + i);
    // 32 indices of a line take 32 cycles, a line comes 63 cycles after it was asked for.
    EXPECT_GE(memory->seen[9].first - memory->seen[1].first, 4 * 63);
    EXPECT_EQ(fetcher->index_lines.value(), 10U);
}

TEST_F(VertexFetcherTest, TakesOneIndexACycle) {
    draw(strip(400), 402);
    parameters.geometry.index_lines.set("16");
    run();
    // The first line comes after 1 + 1 + 60 + 1 cycles; from then on there is always one.
    EXPECT_GE(now_, 63 + 1199);
    EXPECT_LE(now_, 63 + 1199 + 2);
}

TEST_F(VertexFetcherTest, ReadsTheIndicesAgainForEveryInstance) {
    draw(strip(50), 52);  // 300 bytes: five lines
    Draw& draw = scene.frame.draws[0];
    const std::vector<std::uint32_t> once = scene.frame.fetches;
    for (const std::uint32_t vertex : once) scene.frame.fetches.push_back(vertex + 52);
    for (std::uint32_t v = 0; v < 52; ++v) scene.frame.vertices.push_back({v, 1, 0, 0});
    draw.fetch_count = 300;
    draw.vertex_count = 104;
    run();
    EXPECT_EQ(memory->seen.size(), 10U);
    EXPECT_EQ(memory->seen[5].second.block, 0x10000U / 64);
    EXPECT_EQ(fetcher->vertices_sent.value(), 104U);
}

TEST_F(VertexFetcherTest, ADrawWithoutIndicesReadsNone) {
    draw({0, 1, 2, 3, 4}, 5);
    scene.frame.draws[0].index_bytes = 0;
    run();
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_THAT(shaded(), ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace models
