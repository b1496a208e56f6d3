#include "models/core/constant_loader.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/cache_reader_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Draws 0 and 1 with constants for both programs, draw 2 without.
class ConstantLoaderTest : public CacheReaderTest {
  protected:
    static constexpr Address buffer = 0x1000;

    ConstantLoaderTest() {
        scene.pass();
        for (int i = 0; i < 3; ++i) scene.draw(DrawKind::clear);
        add(0, ShaderStage::vertex, buffer, 64);
        add(0, ShaderStage::fragment, buffer + 64 + 32, 128);  // three blocks
        add(0, ShaderStage::fragment, constant_ring, 16);
        add(1, ShaderStage::fragment, buffer + 64, 64);
    }
    void add(std::size_t number, ShaderStage stage, Address address, std::uint32_t bytes) {
        Draw& draw = scene.frame.draws[number];
        if (draw.constant_count++ == 0) draw.first_constant = static_cast<std::uint32_t>(scene.frame.constants.size());
        scene.frame.constants.push_back({stage, 0, address, bytes});
    }
    void build(int credits = 64) {
        build_cache(cache_parameters, MemoryClient::constant, credits);
        loader = std::make_unique<ConstantLoader>(&host->counters(), 5, workload, *cache, 1);
        loader->begin_frame();
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            for (const std::uint32_t waiter : cache->fill(now, reply.tag)) {
                EXPECT_EQ(waiter, 5U);
                loader->line_arrived();
            }
            loader->retry();
        };
        host->cycle = [this](Time now) {
            bool more = false;
            if (loader->is_loading()) {
                more |= loader->step(now);
                if (!more && loader->is_loading()) {  // nothing to be done before an answer
                    EXPECT_FALSE(loader->step(now));
                }
            }
            if (!wanted.empty()) {
                const auto [draw, vertex] = wanted.front();
                const bool was_loading = loader->is_loading();
                if (loader->has(now, draw, vertex)) {
                    ready.push_back(now);
                    wanted.erase(wanted.begin());
                    more = true;
                }
                more |= loader->is_loading() && !was_loading;  // the first lookup is in the next cycle
            }
            return more ? now + 1 : engine::never;
        };
    }
    void want(Time time, std::uint32_t draw, bool vertex) {
        host->at(time, [=, this](Time) { wanted.emplace_back(draw, vertex); });
    }
    std::vector<BlockNumber> read() const {
        std::vector<BlockNumber> blocks;
        for (const auto& [time, request] : memory->seen) blocks.push_back(request.block);
        return blocks;
    }

    ParameterGroup root;
    CacheParameters cache_parameters{&root, "cache", "of a test", {{4096}, 4, {lookup}, 16, "this test"}};
    std::unique_ptr<ConstantLoader> loader;
    std::vector<std::pair<std::uint32_t, bool>> wanted;
    std::vector<Time> ready;
};

TEST_F(ConstantLoaderTest, LooksUpALineACycleAndIsReadyAfterTheLast) {
    build();
    want(10, 0, false);
    want(1000, 0, false);
    simulation.run({});
    const auto ring = static_cast<BlockNumber>(workload.memory().constants / block_bytes);
    EXPECT_THAT(read(), ElementsAre(buffer / 64 + 1, buffer / 64 + 2, buffer / 64 + 3, ring));
    // The first of four lookups is in the next cycle, the last one three cycles later.
    EXPECT_THAT(ready, ElementsAre(10 + 1 + 3 + miss_time, 1000));
    EXPECT_EQ(loader->loads.value(), 1U);
    EXPECT_EQ(loader->lines.value(), 4U);
    EXPECT_EQ(loader->cycles.value(), 1U + 3 + miss_time);
}

TEST_F(ConstantLoaderTest, KeepsThoseOfAVertexProgramAndOfAFragmentProgram) {
    build();
    want(10, 0, false);
    want(1000, 1, true);  // no constants
    want(2000, 0, false);
    want(3000, 0, true);
    want(4000, 1, false);
    want(5000, 0, false);  // again, out of the cache
    simulation.run({});
    ASSERT_EQ(ready.size(), 6U);
    EXPECT_EQ(ready[1], 1000);
    EXPECT_EQ(ready[2], 2000);
    EXPECT_EQ(ready[3], 3000 + 1 + miss_time);
    EXPECT_EQ(ready[4], 4000 + 1 + lookup);  // its block is one of draw 0's
    EXPECT_EQ(ready[5], 5000 + 1 + 3 + lookup);
    EXPECT_EQ(loader->loads.value(), 4U);
    EXPECT_EQ(memory->seen.size(), 5U);
}

TEST_F(ConstantLoaderTest, ProgramsWithoutConstantsDoNotWait) {
    build();
    want(10, 2, false);
    want(11, 2, true);
    simulation.run({});
    EXPECT_THAT(ready, ElementsAre(10, 11));
    EXPECT_EQ(loader->loads.value(), 0U);
}

TEST_F(ConstantLoaderTest, WaitsForCredits) {
    build(1);
    want(10, 0, false);
    simulation.run({});
    EXPECT_EQ(read().size(), 4U);
    ASSERT_EQ(ready.size(), 1U);
    EXPECT_GE(ready[0], 10 + 4 * (memory_time + 2));
    EXPECT_EQ(cache->refusals.value(), 3U);  // each of the others once, however often it is stepped
}

}  // namespace
}  // namespace models
