#include "models/pipeline/depth_unit.h"

#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/component_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// The depth test of immediate rendering before a memory that answers after 40 cycles, and a host that takes tested
// quads as soon as it may. A line holds the depths of 2x2 quads.
class DepthUnitTest : public ComponentTest {
  protected:
    static constexpr BlockNumber depths = (8U << 20U) / block_bytes;

    DepthUnitTest() { scene.pass().depth = {8U << 20U, 32, 32, 4}; }
    // Quads of a new primitive of the last draw at (x, 0).
    void quads(const std::vector<std::uint32_t>& places, std::uint8_t early_pass = 15) {
        scene.primitive();
        for (const std::uint32_t x : places) scene.quad(0, x, 0, early_pass);
    }
    Draw& late_draw() {
        Draw& draw = scene.draw();
        draw.depth_test = draw.depth_write = true;
        return draw;
    }
    void build() {
        attach();
        unit = std::make_unique<DepthUnit>(&host->counters(),
                                           DepthUnit::Shape{parameters.raster, parameters.depth_cache, 64, 1}, workload,
                                           host->memory, 0);
        hear(*unit);
        host->cycle = [this](Time now) {
            now_ = now;
            bool moved = false;
            for (; unit->is_ready(now); unit->pop(), moved = true) tested.emplace_back(now, unit->front());
            const Time next = unit->step(now, *this);
            return moved ? now + 1 : next;
        };
    }
    void early(Time time, std::uint32_t quad) {
        host->at(time, [=, this](Time now) { unit->test_early(now, quad, 0); });
    }
    void late(Time time, std::uint32_t quad, std::uint32_t source = 0) {
        host->at(time, [=, this](Time now) { unit->test_late(now, quad, 0, source); });
    }
    void flush(Time time) { flush_at(time, *unit); }
    void run() {
        simulation.run({});
        EXPECT_TRUE(unit->is_empty());
        EXPECT_TRUE(unit->is_clean());
        EXPECT_EQ(unit->unfinished(), "");
        Laws laws;
        unit->cache().add_laws(laws, "depth cache");
        bench::expect_obeyed(laws, simulation);
    }
    std::vector<BlockNumber> lines(MemoryOperation operation) const {
        return lines_of(MemoryClient::depth, depths, operation);
    }

  public:
    void late_tested(std::uint32_t source) { answered.emplace_back(now_, source); }

  protected:
    std::unique_ptr<DepthUnit> unit;
    std::vector<Event> tested, answered;  // when, and which
};

TEST_F(DepthUnitTest, FetchesTheLineOfAQuadAndKeepsIt) {
    scene.opaque_draw();
    quads({0, 1, 0});
    build();
    early(10, 0);
    early(10, 1);  // of the same line
    early(200, 2);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0));
    EXPECT_THAT(tested, ElementsAre(Event{10 + trip + 1, 0}, Event{10 + trip + 1, 1}, Event{200 + 4, 2}));
    EXPECT_EQ(unit->quads_early.value(), 3U);
    EXPECT_EQ(unit->cache().merged.value(), 1U);
    EXPECT_EQ(unit->cache().hits.value(), 1U);
}

// A cache that fetches nothing for writes.
class DepthUnitReadsApart : public DepthUnitTest {
  protected:
    // The second quad's line is there: its read and its write are hits.
    void test_two_quads_of_a_line(const char* policy) {
        parameters.depth_cache.write_policy.set(policy);
        scene.opaque_draw();
        quads({0, 1});
        build();
        early(10, 0);
        early(100, 1);
        run();
        EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0));
        EXPECT_THAT(tested, ElementsAre(Event{10 + trip + 1, 0}, Event{100 + 4, 1}));
    }
};

TEST_F(DepthUnitReadsApart, WhatItTestsAndKeepsWhatItWritesWithoutAllocation) {
    test_two_quads_of_a_line("no_allocate");
    EXPECT_THAT(lines(MemoryOperation::write_part), ElementsAre());
    EXPECT_EQ(unit->cache().dirty_lines(), 1U);
}

TEST_F(DepthUnitReadsApart, WhatItTestsAndWritesItThrough) {
    test_two_quads_of_a_line("write_through");
    EXPECT_THAT(lines(MemoryOperation::write_part), ElementsAre(0, 0));
    EXPECT_EQ(unit->cache().dirty_lines(), 0U);
}

TEST_F(DepthUnitTest, LooksUpNothingForDrawsWithoutDepthOrPassesWithout) {
    scene.draw();
    quads({0});
    build();
    early(10, 0);
    run();
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_THAT(tested, ElementsAre(Event{14, 0}));
    EXPECT_EQ(unit->quads_early.value(), 0U);
}

TEST_F(DepthUnitTest, LooksUpNothingWherePassesHaveNoDepths) {
    scene.frame.passes[0].depth = {};
    scene.opaque_draw();
    quads({0});
    late_draw();
    quads({1});
    build();
    early(10, 0);
    late(20, 1, 3);
    run();
    EXPECT_TRUE(memory->seen.empty());
    EXPECT_THAT(tested, ElementsAre(Event{14, 0}));
    EXPECT_THAT(answered, ElementsAre(Event{24, 3}));
}

TEST_F(DepthUnitTest, KeepsQuadsInOrder) {
    scene.opaque_draw();
    quads({0});
    scene.draw();  // needs no lookup
    quads({8, 9});
    build();
    for (std::uint32_t quad = 0; quad < 3; ++quad) early(10, quad);
    run();
    EXPECT_THAT(tested, ElementsAre(Event{10 + trip + 1, 0}, Event{10 + trip + 1, 1}, Event{10 + trip + 1, 2}));
}

TEST_F(DepthUnitTest, HasRoomForSoManyQuads) {
    parameters.raster.early_depth_quads.set("2");
    scene.opaque_draw();
    quads({0, 1});
    build();
    host->at(10, [this](Time now) {
        unit->test_early(now, 0, 0);
        EXPECT_TRUE(unit->has_room());
        unit->test_early(now, 1, 0);
        EXPECT_FALSE(unit->has_room());
        EXPECT_FALSE(unit->can_flush());
    });
    run();
    EXPECT_TRUE(unit->has_room());
}

TEST_F(DepthUnitTest, WritesBackTheLinesThatQuadsHaveChanged) {
    scene.opaque_draw();
    quads({0});
    quads({2}, 0);  // fails
    scene.opaque_draw().depth_write = false;
    quads({4});
    scene.opaque_draw().stencil_write = true;
    scene.frame.draws.back().depth_write = false;
    quads({6});
    build();
    for (std::uint32_t quad = 0; quad < 4; ++quad) early(10 + quad, quad);
    flush(200);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), testing::UnorderedElementsAre(0, 1, 4, 5));
    EXPECT_THAT(lines(MemoryOperation::write_line), testing::UnorderedElementsAre(0, 5));
}

TEST_F(DepthUnitTest, ForgetsWhatItHasFlushed) {
    scene.opaque_draw();
    quads({0, 0});
    build();
    early(10, 0);
    flush(200);
    early(300, 1);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0, 0));
    EXPECT_THAT(lines(MemoryOperation::write_line), ElementsAre(0));
}

TEST_F(DepthUnitTest, TestsAfterShadingWhatCannotBeTestedBefore) {
    late_draw();
    quads({0});
    build();
    early(10, 0);
    late(100, 0, 5);
    flush(300);
    run();
    EXPECT_THAT(tested, ElementsAre(Event{14, 0}));
    EXPECT_THAT(answered, ElementsAre(Event{100 + trip + 1, 5}));
    EXPECT_THAT(lines(MemoryOperation::write_line), ElementsAre(0));
    EXPECT_EQ(unit->quads_early.value(), 0U);
    EXPECT_EQ(unit->quads_late.value(), 1U);
}

// A draw whose program discards: its depth test can come first, what it writes not.
TEST_F(DepthUnitTest, TestsBeforeShadingWithoutWritingWhereADrawSaysSo) {
    late_draw().early_test = true;
    quads({0});
    build();
    early(10, 0);
    flush(100);  // what was only tested stays clean
    late(200, 0);
    flush(400);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0, 0));
    ASSERT_THAT(lines(MemoryOperation::write_line), ElementsAre(0));
    EXPECT_GT(memory->seen.back().first, 400);
}

TEST_F(DepthUnitTest, WritesNothingForAQuadOfWhichShadingLeavesNothing) {
    late_draw();
    quads({0});
    build();
    scene.frame.quads[0].written = 0;
    workload.load(scene.trace, scene.frame);
    late(10, 0);
    flush(200);
    run();
    EXPECT_TRUE(lines(MemoryOperation::write_line).empty());
}

TEST_F(DepthUnitTest, LooksUpQuadsAfterShadingFirstAndAnswersThemInOrder) {
    scene.opaque_draw();
    quads({0, 2});
    late_draw();
    quads({4, 6});
    build();
    early(10, 0);
    early(10, 1);
    late(10, 2, 7);
    late(10, 3, 8);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(4, 5, 0, 1));
    EXPECT_THAT(answered, ElementsAre(Event{10 + trip + 1, 7}, Event{11 + trip + 1, 8}));
}

TEST_F(DepthUnitTest, TriesAgainWhatTheCacheRefuses) {
    parameters.depth_cache.mshrs.set("1");
    parameters.depth_cache.fill_cycles.set("0");
    scene.opaque_draw();
    quads({0, 2, 4});
    build();
    for (std::uint32_t quad = 0; quad < 3; ++quad) early(10, quad);
    run();
    EXPECT_THAT(tested, ElementsAre(Event{10 + trip + 1, 0}, Event{10 + 2 * trip + 1, 1}, Event{10 + 3 * trip + 1, 2}));
    EXPECT_GT(unit->cache().refusals.value(), 0U);
}

TEST_F(DepthUnitTest, GoesOnForLongWithQueuesOfOddSizes) {
    parameters.raster.early_depth_quads.set("3");
    parameters.depth_cache.capacity.set("64 B");
    parameters.depth_cache.ways.set("1");
    parameters.depth_cache.mshrs.set("1");
    parameters.depth_cache.targets.set("1");
    scene.opaque_draw();
    scene.primitive();
    for (std::uint32_t i = 0; i < 500; ++i) scene.quad(0, i * 7 % 16, i * 5 % 16);
    build();
    std::uint32_t given = 0;
    host->cycle = [&, old = host->cycle](Time now) {
        for (; given < 500 && unit->has_room(); ++given) unit->test_early(now, given, 0);
        return old(now);
    };
    host->wake_at(0);
    run();
    ASSERT_EQ(tested.size(), 500U);
    for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(tested[i].second, i);
    EXPECT_EQ(unit->cache().accesses.value(), 500U);
}

}  // namespace
}  // namespace models
