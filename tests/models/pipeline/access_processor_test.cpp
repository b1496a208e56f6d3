#include "models/pipeline/access_processor.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/machine_parameters.h"
#include "tests/models/scene.h"

namespace models {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr BlockNumber target = (1U << 20U) / block_bytes;  // of the first pass; a line holds the colours of 2x2 quads

// A scene with three texture instructions in its fragment program, the last of which depends on another.
class AccessProcessorTest : public testing::Test {
  public:
    // Cluster, cache, block.
    using Sent = std::tuple<int, int, BlockNumber>;
    void send_prefetch(int cluster, const PrefetchBlock& message) {
        sent.emplace_back(cluster, message.cache, message.block);
        counters_sent.push_back(message.program_counter);
        sources.push_back(message.source);
    }

  protected:
    AccessProcessorTest()
        : workload({Address{1} << 30U, Rendering::immediate, parameters.tiling, false, false, false, 0}) {
        Program& program = scene.trace.programs[Scene::fragment_program];
        program.instructions.resize(5);
        for (const std::size_t i : {0U, 2U, 3U}) program.instructions[i].opcode = Opcode::tex;
        program.instructions[3].dependent = true;
        program.paths = {{{0, 5, 15}}, {{4, 1, 15}}};
        scene.pass();
    }
    // At (x, 0), with the blocks of its accesses; without any it takes a path without textures.
    void add_quad(std::uint32_t x, const std::vector<std::vector<BlockNumber>>& accesses) {
        scene.quad(0, x);
        first_access.push_back(static_cast<std::uint32_t>(scene.frame.accesses.size()));
        paths.push_back(accesses.empty() ? 1 : 0);
        for (const std::vector<BlockNumber>& blocks : accesses) {
            TextureAccess texture;
            texture.first_block = static_cast<std::uint32_t>(scene.frame.blocks.size());
            texture.block_count = static_cast<std::uint16_t>(blocks.size());
            scene.frame.accesses.push_back(texture);
            scene.frame.blocks.insert(scene.frame.blocks.end(), blocks.begin(), blocks.end());
        }
    }
    void build(const AccessProcessor::Shape& shape) {
        scene.finish();
        for (std::size_t i = 0; i < first_access.size(); ++i) {
            scene.frame.quads[i].first_access = first_access[i];
            scene.frame.quads[i].path = paths[i];
        }
        workload.load(scene.trace, scene.frame);
        access.emplace(&counters, shape, workload);
    }
    void take(const std::vector<std::uint32_t>& quads, int core) {
        FormedWarp warp;
        for (const std::uint32_t quad : quads) warp.quads[warp.count++] = quad;
        access->take(warp, core);
    }
    // Cycles until nothing is left; caches look at once, unless they are not to.
    int run(bool caches_look = true) {
        int cycles = 1;
        for (;; ++cycles) {
            const std::size_t before = sent.size();
            const bool more = access->step(*this);
            EXPECT_LE(sent.size(), before + 1) << "one a cycle";
            if (caches_look) access->looked_for(static_cast<std::uint32_t>(sent.size() - before));
            if (!more && !access->has_work()) return cycles;
        }
    }
    void expect_laws() {
        Laws laws;
        access->add_laws(laws);
        for (const Laws::Law& law : laws.all()) {
            std::uint64_t left = 0, right = 0;
            for (const std::uint64_t* value : law.left.terms()) left += *value;
            for (const std::uint64_t* value : law.right.terms()) right += *value;
            EXPECT_EQ(left, right) << law.text;
        }
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload;
    engine::CounterList counters;
    std::optional<AccessProcessor> access;
    std::vector<std::uint32_t> first_access;
    std::vector<std::uint16_t> paths;
    std::vector<Sent> sent;
    std::vector<int> counters_sent, sources;
};

TEST_F(AccessProcessorTest, SendsTexturesOfThePathThenPixelsOneACycle) {
    scene.draw();
    scene.primitive();
    add_quad(0, {{100, 101}, {200}, {300}});
    add_quad(2, {});
    build({{16}, 8, 1, true});
    take({0}, 2);
    take({1}, 0);
    EXPECT_EQ(run(), 5);
    EXPECT_THAT(sent, ElementsAre(Sent{2, 0, 100}, Sent{2, 0, 101}, Sent{2, 0, 200}, Sent{2, 1, target},
                                  Sent{0, 1, target + 1}));
    EXPECT_THAT(counters_sent, ElementsAre(0, 0, 2, 0, 0));
    EXPECT_EQ(access->quads.value(), 2U);
    EXPECT_EQ(access->accesses.value(), 3U);
    EXPECT_EQ(access->accesses_dependent.value(), 1U);
    EXPECT_TRUE(access->is_idle());
    expect_laws();
}

TEST_F(AccessProcessorTest, CountsCoresByClusterAndSendsNoPixelsWhereThereIsNoCacheOfThem) {
    scene.draw();
    scene.primitive();
    add_quad(0, {{100}, {}, {300}});
    add_quad(1, {{101}, {}, {300}});
    build({{16}, 8, 4, false});
    take({0, 1}, 7);
    run();
    EXPECT_THAT(sent, ElementsAre(Sent{1, 0, 100}, Sent{1, 0, 101}));
    expect_laws();
}

TEST_F(AccessProcessorTest, SendsPixelsOfTheTargetsThatAreWritten) {
    scene.frame.passes.back().colour.resize(3, scene.frame.passes.back().colour[0]);
    scene.frame.passes.back().colour[1].address += 1U << 16U;
    scene.frame.passes.back().colour[2].address += 1U << 17U;
    Draw& draw = scene.draw();
    draw.colour_targets = 3;
    draw.colour_mask = 0xf0f;  // not of the second
    scene.primitive();
    add_quad(0, {});
    build({{16}, 8, 1, true});
    take({0}, 0);
    run();
    EXPECT_THAT(sent, ElementsAre(Sent{0, 1, target}, Sent{0, 1, target + (1U << 17U) / block_bytes}));
    expect_laws();
}

TEST_F(AccessProcessorTest, StopsWithAFullQueueUntilCachesHaveLooked) {
    scene.draw();
    scene.primitive();
    add_quad(0, {{100, 101, 102, 103}, {}, {}});
    build({{2}, 8, 1, true});
    take({0}, 0);
    run(false);
    EXPECT_EQ(sent.size(), 2U);
    EXPECT_FALSE(access->has_work());
    EXPECT_FALSE(access->is_idle());
    access->looked_for(2);
    run();
    EXPECT_EQ(sent.size(), 5U);
    EXPECT_TRUE(access->is_idle());
    expect_laws();
}

TEST_F(AccessProcessorTest, DropsWhatQuadsThatAreAboutToBeShadedStillNeed) {
    scene.draw();
    scene.primitive();
    for (std::uint32_t i = 0; i < 4; ++i) add_quad(2 * i, {{100 + i, 110 + i}, {}, {}});
    build({{2}, 2, 1, true});
    take({0}, 0);
    run(false);  // two of its three addresses
    for (std::uint32_t i = 1; i < 4; ++i) take({i}, 0);
    EXPECT_EQ(access->addresses_dropped.value(), 1U + 3U);
    access->looked_for(2);
    run();
    EXPECT_EQ(access->addresses.value(), 12U);
    EXPECT_EQ(access->addresses_sent.value(), 8U);
    EXPECT_THAT(std::vector<Sent>(sent.begin() + 2, sent.begin() + 4), ElementsAre(Sent{0, 0, 102}, Sent{0, 0, 112}));
    expect_laws();
}

TEST_F(AccessProcessorTest, NamesTheCacheThatHadTheBlockBefore) {
    scene.draw().colour_mask = 0;
    scene.primitive();
    for (std::uint32_t i = 0; i < 3; ++i) add_quad(i, {{100}, {}, {}});
    build({{16}, 8, 2, true});
    take({0}, 2);
    take({1}, 3);
    take({2}, 5);
    run();
    EXPECT_THAT(sources, ElementsAre(PrefetchBlock::no_source, PrefetchBlock::no_source, 2));
    EXPECT_EQ(access->sources_named.value(), 1U);
}

TEST_F(AccessProcessorTest, NothingComesOfNothing) {
    scene.draw().colour_mask = 0;
    scene.primitive();
    add_quad(0, {});
    build({{16}, 8, 1, true});
    take({0}, 0);
    EXPECT_EQ(run(), 1);
    EXPECT_THAT(sent, IsEmpty());
    EXPECT_TRUE(access->is_idle());
    expect_laws();
}

}  // namespace
}  // namespace models
