#include "models/core/vertex_input.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/cache_reader_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Vertices with one attribute, each in a line of its own. Indices name the vertices backwards.
class VertexInputTest : public CacheReaderTest {
  protected:
    static constexpr std::uint32_t vertices = 150;
    static constexpr BlockNumber attributes = 0x1000;  // line of vertex 0

    VertexInputTest() {
        scene.pass();
        Draw& draw = scene.draw(DrawKind::geometry);
        draw.vertex_count = draw.fetch_count = vertices;
        draw.attribute_count = 1;
        scene.frame.attributes.push_back({Address{attributes} * block_bytes, block_bytes, 16, 0});
        for (std::uint32_t i = 0; i < vertices; ++i) {
            scene.frame.vertices.push_back({i, 0, 0, 0});
            scene.frame.fetches.push_back(vertices - 1 - i);
        }
    }
    void build(int credits = 64) {
        build_cache(cache_parameters, MemoryClient::vertex, credits);
        input = std::make_unique<VertexInput>(&host->counters(), 4, workload, *cache);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            for (const std::uint32_t waiter : cache->fill(now, reply.tag)) {
                EXPECT_NE(waiter & VertexInput::waiter_bit, 0U);
                input->fill(waiter);
            }
            input->retry();
        };
        host->cycle = [this](Time now) {
            while (!input->is_empty() && input->front().is_ready(now)) {
                ready.emplace_back(now, input->front().count);
                shaded.insert(shaded.end(), input->front().vertices.begin(),
                              input->front().vertices.begin() + input->front().count);
                input->pop();
            }
            input->step(now);
            return input->is_empty() ? engine::never : now + 1;
        };
    }
    // The vertices that these indices name.
    void push(Time time, std::uint32_t first, const std::vector<std::uint32_t>& behind) {
        ShadeVertices message;
        message.first = first;
        for (const std::uint32_t bit : behind) message.mask.at(bit / 64) |= std::uint64_t{1} << bit % 64;
        host->at(time, [=, this](Time) { input->push(message); });
    }

    ParameterGroup root;
    CacheParameters cache_parameters{&root, "cache", "of a test", {{16384}, 4, {lookup}, 16, "this test"}};
    std::unique_ptr<VertexInput> input;
    std::vector<std::pair<Time, std::uint32_t>> ready;
    std::vector<std::uint32_t> shaded;
};

TEST_F(VertexInputTest, ReadsALineACycleAndIsReadyWhenTheLastIsThere) {
    build();
    push(10, 0, {0, 1, 2, 3});
    push(500, 0, {0, 1, 2, 3});
    simulation.run({});
    EXPECT_THAT(ready, ElementsAre(std::pair{10 + 3 + miss_time, 4U}, std::pair{500 + 3 + lookup, 4U}));
    EXPECT_EQ(input->attribute_lines.value(), 8U);
}

TEST_F(VertexInputTest, FindsTheVerticesOfAllBitsOfTheMask) {
    build();
    push(10, 3, {0, 63, 64, 130});
    simulation.run({});
    EXPECT_THAT(shaded, ElementsAre(vertices - 1 - 3, vertices - 1 - 66, vertices - 1 - 67, vertices - 1 - 133));
    ASSERT_EQ(memory->seen.size(), 4U);
    EXPECT_EQ(memory->seen[1].second.block, attributes + vertices - 1 - 66);
}

TEST_F(VertexInputTest, ReadsAllLinesOfAnAttributeThatLiesAcrossThem) {
    scene.frame.attributes[0].address += 56;
    build();
    push(10, 0, {5});
    simulation.run({});
    EXPECT_EQ(input->attribute_lines.value(), 2U);
    EXPECT_EQ(ready.size(), 1U);
}

TEST_F(VertexInputTest, FetchesForTheNextWarpWhileTheFirstWaits) {
    build();
    push(10, 0, {0, 1});
    push(10, 4, {0, 1});
    simulation.run({});
    EXPECT_THAT(ready, ElementsAre(std::pair{10 + 1 + miss_time, 2U}, std::pair{10 + 3 + miss_time, 2U}));
}

TEST_F(VertexInputTest, GoesOnAfterARefusalWhenMemoryHasAnswered) {
    build(1);
    push(10, 0, {0, 1});
    simulation.run({});
    EXPECT_THAT(ready, ElementsAre(std::pair{10 + 2 * miss_time, 2U}));
    EXPECT_EQ(cache->refusals.value(), 1U);
}

TEST_F(VertexInputTest, OfADrawWithoutAttributesIsReadyAtOnce) {
    scene.frame.draws[0].attribute_count = 0;
    build();
    push(10, 0, {0, 1, 2});
    simulation.run({});
    EXPECT_THAT(ready, ElementsAre(std::pair{Time{10}, 3U}));
    EXPECT_TRUE(memory->seen.empty());
}

}  // namespace
}  // namespace models
