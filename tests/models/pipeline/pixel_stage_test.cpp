#include "models/pipeline/pixel_stage.h"

#include <algorithm>
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

// Blending in memory before a memory that answers after 40 cycles. A line holds the colours of 2x2 quads.
class PixelStageTest : public ComponentTest {
  protected:
    static constexpr BlockNumber target = (1U << 20U) / block_bytes;

    PixelStageTest() { scene.pass(); }
    // Quads of a new primitive of the last draw at (x, 0).
    void quads(const std::vector<std::uint32_t>& places) {
        scene.primitive();
        for (const std::uint32_t x : places) scene.quad(0, x);
    }
    Draw& blended_draw() {
        Draw& draw = scene.draw();
        draw.blend = 1;
        return draw;
    }
    void build(std::size_t entries = 64) {
        attach();
        stage = std::make_unique<PixelStage>(
            &host->counters(), PixelStage::Shape{parameters.colour, parameters.pixel_cache, 0, entries, 1}, workload,
            host->memory, 0);
        hear(*stage);
        host->cycle = [this](Time now) {
            now_ = now;
            return stage->step(now, *this);
        };
    }
    void take(Time time, std::uint32_t quad, std::uint32_t source = 0) {
        host->at(time, [=, this](Time now) {
            now_ = now;
            stage->take_quad(now, quad, 0, source, *this);
        });
    }
    void tested(Time time, std::uint32_t count) {
        host->at(time, [=, this](Time) { stage->late_tested(count); });
    }
    void flush(Time time) { flush_at(time, *stage); }
    void run() {
        simulation.run({});
        EXPECT_TRUE(stage->is_clean());
        EXPECT_EQ(stage->unfinished(), "");
        stage->time.settle(host->now());
        Laws laws;
        stage->add_laws(laws, "stage");
        bench::expect_obeyed(laws, simulation);
    }
    std::vector<BlockNumber> lines(MemoryOperation operation) const {
        return lines_of(MemoryClient::colour, target, operation);
    }
    std::uint64_t cycles(const std::string& state) const { return bench::counter(*host, "cycles_" + state); }

  public:
    void test_late(std::uint32_t quad, std::uint32_t /*pass*/) { asked.emplace_back(now_, quad); }
    void quad_done(std::uint32_t source) { blended.emplace_back(now_, source); }

  protected:
    std::unique_ptr<PixelStage> stage;
    std::vector<Event> blended, asked;  // when, and which
};

TEST_F(PixelStageTest, WaitsForOldColoursOnlyWhereTheyAreNeeded) {
    scene.draw();
    quads({0});
    blended_draw();
    quads({2});
    scene.draw().partial = 1;
    quads({4});
    build();
    take(10, 0, 0);
    take(100, 1, 1);
    take(200, 2, 2);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0, 1, 4));  // all are written in part
    EXPECT_THAT(blended, ElementsAre(Event{10 + lookup, 0}, Event{100 + trip + 1, 1}, Event{200 + trip + 1, 2}));
    EXPECT_EQ(cycles("waits_old_colours"), 2U * trip);
}

// A cache that fetches nothing for writes.
class PixelStageReadsApart : public PixelStageTest {
  protected:
    // Line 0 is written without its old colours; line 1 is blended twice, and there the second time.
    void blend_two_quads_behind_an_opaque_one(const char* policy) {
        parameters.pixel_cache.write_policy.set(policy);
        scene.draw();
        quads({0});
        blended_draw();
        quads({2, 3});
        build();
        for (std::uint32_t quad = 0; quad < 3; ++quad) take(100 * quad, quad, quad);
        run();
        EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(1));
        EXPECT_THAT(blended, ElementsAre(Event{lookup, 0}, Event{100 + trip + 1, 1}, Event{200 + 1 + lookup, 2}));
    }
};

TEST_F(PixelStageReadsApart, OldColoursAndKeepsNewOnesWithoutAllocation) {
    blend_two_quads_behind_an_opaque_one("no_allocate");
    EXPECT_THAT(lines(MemoryOperation::write_part), ElementsAre(0));
    EXPECT_EQ(stage->cache().dirty_lines(), 1U);
}

TEST_F(PixelStageReadsApart, OldColoursAndWritesNewOnesThrough) {
    blend_two_quads_behind_an_opaque_one("write_through");
    EXPECT_THAT(lines(MemoryOperation::write_part), ElementsAre(0, 1, 1));
    EXPECT_EQ(stage->cache().dirty_lines(), 0U);
}

TEST_F(PixelStageTest, BlendsInTheOrderInWhichQuadsComeAndLooksUpAhead) {
    blended_draw();
    quads({0});
    scene.draw();
    quads({2, 1});
    build();
    for (std::uint32_t quad = 0; quad < 3; ++quad) take(10, quad, quad);
    run();
    EXPECT_THAT(blended, ElementsAre(Event{10 + trip + 1, 0}, Event{10 + trip + 2, 1}, Event{10 + trip + 3, 2}));
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0, 1));
    EXPECT_EQ(stage->cache().merged.value(), 1U);
}

TEST_F(PixelStageTest, BlendsSeveralQuadsACycleIfItCan) {
    parameters.colour.quads_per_cycle.set("2");
    blended_draw();
    quads({0, 1, 0});
    build();
    for (std::uint32_t quad = 0; quad < 3; ++quad) take(10, quad);
    run();
    EXPECT_THAT(blended, ElementsAre(Event{10 + trip + 1, 0}, Event{10 + trip + 1, 0}, Event{10 + trip + 2, 0}));
}

TEST_F(PixelStageTest, FindsLinesThatItHas) {
    blended_draw();
    quads({0, 1});
    build();
    take(10, 0);
    take(100, 1);
    run();
    EXPECT_THAT(blended, ElementsAre(Event{10 + trip + 1, 0}, Event{100 + lookup, 0}));
}

TEST_F(PixelStageTest, LooksUpNothingOfWhichNothingIsWritten) {
    scene.draw();
    quads({0});
    scene.draw().colour_mask = 0;
    quads({2});
    build();
    scene.frame.quads[0].written = 0;
    workload.load(scene.trace, scene.frame);
    take(10, 0);
    take(20, 1);
    run();
    EXPECT_THAT(blended, ElementsAre(Event{11, 0}, Event{21, 0}));
    EXPECT_TRUE(memory->seen.empty());
}

TEST_F(PixelStageTest, LooksUpTheTargetsWhoseChannelsAreWritten) {
    parameters.pixel_cache.mshrs.set("8");
    Pass& pass = scene.frame.passes[0];
    pass.colour.push_back({2U << 20U, 32, 32, 4});
    pass.colour.push_back({});  // absent
    pass.colour.push_back({3U << 20U, 32, 32, 16});
    Draw& draw = scene.draw();
    draw.colour_targets = 3;
    draw.colour_mask = 0xf8f0;  // of the second a channel
    quads({0, 8});
    build();
    take(10, 0);
    take(10, 1);
    run();
    const BlockNumber second = (2U << 20U) / block_bytes - target, fourth = (3U << 20U) / block_bytes - target;
    // 16-byte texels: the two rows of a quad are in two lines; four texels on, there are 16 lines of two squares each.
    EXPECT_THAT(lines(MemoryOperation::read),
                ElementsAre(second, fourth, fourth + 1, second + 16, fourth + 64, fourth + 65));
    // The last of three lines, one a cycle; a cycle for each target.
    EXPECT_THAT(blended, ElementsAre(Event{12 + lookup, 0}, Event{12 + lookup + 3, 0}));
}

TEST_F(PixelStageTest, TakesLongerForOldColoursAndForManySamples) {
    parameters.colour.blend.set("5");
    parameters.colour.samples_per_cycle.set("2");
    blended_draw().samples = 4;
    quads({0, 0, 0});
    build();
    take(10, 0);
    take(100, 1);
    take(100, 2);
    run();
    EXPECT_EQ(blended.at(1).first, 100 + lookup);
    EXPECT_EQ(blended.at(2).first, 100 + lookup + 2 + 2 * 5);
}

TEST_F(PixelStageTest, ReadsAnOldColourWhenItsLatencyAfterTheLastBlendingAtThePlaceIsOver) {
    parameters.colour.latency.set("20");
    blended_draw();
    quads({0, 0, 0, 1});
    scene.draw();
    quads({1, 1});
    build();
    take(10, 0);
    for (std::uint32_t quad = 1; quad < 6; ++quad) take(200, quad);
    run();
    const Time first = 200 + lookup;
    EXPECT_THAT(blended, ElementsAre(Event{10 + trip + 1, 0}, Event{first, 0}, Event{first + 20, 0},
                                     Event{first + 21, 0}, Event{first + 22, 0}, Event{first + 23, 0}));
}

// Whether something comes afterwards or not.
TEST_F(PixelStageTest, IsBusyForAsLongAsItsQuadsTake) {
    parameters.colour.blend.set("5");
    blended_draw();
    quads({0, 0, 1, 0});
    build();
    take(10, 0);
    take(200, 1);
    take(201, 2);
    take(300, 3);
    run();
    EXPECT_EQ(cycles("blend"), 3U * 6 + 1);  // the last one has begun
}

TEST_F(PixelStageTest, HasLateDepthsTestedBeforeItLooksUp) {
    scene.draw().depth_test = true;
    quads({0});
    build();
    take(10, 0);
    tested(60, 1);
    run();
    EXPECT_THAT(asked, ElementsAre(Event{10, 0}));
    EXPECT_THAT(blended, ElementsAre(Event{60 + lookup, 0}));
    EXPECT_EQ(stage->quads_late_depth.value(), 1U);
    EXPECT_EQ(cycles("waits_late_depth"), 50U);
}

TEST_F(PixelStageTest, CountsTestedQuadsInTheirOrderWithoutThoseThatNeedNone) {
    scene.draw().depth_test = true;
    quads({0});
    scene.draw();
    quads({2});
    scene.draw().depth_test = true;
    quads({4, 6});
    build();
    for (std::uint32_t quad = 0; quad < 4; ++quad) take(10, quad, quad);
    tested(50, 2);
    tested(100, 1);
    run();
    EXPECT_THAT(asked, ElementsAre(Event{10, 0}, Event{10, 2}, Event{10, 3}));
    ASSERT_EQ(blended.size(), 4U);
    EXPECT_LT(blended[2].first, 60);
    EXPECT_THAT(blended[3], (Event{100 + lookup, 3}));
}

TEST_F(PixelStageTest, WritesBackEveryChangedLineOnceAndForgetsIt) {
    scene.draw();
    quads({0, 1, 2, 0});
    build();
    for (std::uint32_t quad = 0; quad < 3; ++quad) take(10, quad);
    flush(200);
    take(300, 3);
    flush(400);
    run();
    EXPECT_THAT(lines(MemoryOperation::read), ElementsAre(0, 1, 0));
    std::vector<BlockNumber> written = lines(MemoryOperation::write_line);
    ASSERT_EQ(written.size(), 3U);
    EXPECT_EQ(written[2], 0U);
    std::sort(written.begin(), written.begin() + 2);
    EXPECT_THAT(written, ElementsAre(0, 1, 0));
}

TEST_F(PixelStageTest, WaitsForStoresAsLongAsItIsFlushedAndForQuadsBeforeAndAfter) {
    scene.draw();
    quads({0, 2, 4});
    build();
    take(10, 0);
    take(11, 1);
    flush(200);
    take(400, 2);
    flush(500);
    run();
    EXPECT_EQ(cycles("waits_stores"), (trip + 1U) + trip);  // two lines, one a cycle, then one
}

TEST_F(PixelStageTest, CannotBeFlushedWhileLinesAreAwaited) {
    scene.draw();
    quads({0});
    build();
    take(10, 0);
    host->at(30, [this](Time) {
        EXPECT_EQ(blended.size(), 1U);
        EXPECT_FALSE(stage->can_flush());
    });
    flush(10 + trip);
    run();
    EXPECT_THAT(lines(MemoryOperation::write_line), ElementsAre(0));
}

TEST_F(PixelStageTest, WithNothingRenderedIsCleanAtOnce) {
    scene.draw();
    quads({0});
    build();
    host->at(10, [this](Time) {
        stage->begin_flush();
        EXPECT_TRUE(stage->is_clean());
    });
    run();
    EXPECT_TRUE(memory->seen.empty());
}

TEST_F(PixelStageTest, GoesOnForLongWithAQueueOfThreeAndACacheOfOneLine) {
    parameters.pixel_cache.capacity.set("64 B");
    parameters.pixel_cache.ways.set("1");
    parameters.pixel_cache.mshrs.set("1");
    parameters.pixel_cache.targets.set("1");
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < 100; ++i) places.push_back(i * 7 % 16);
    for (int round = 0; round < 3; ++round) {
        scene.draw().blend = round == 1;
        scene.frame.draws.back().depth_test = round == 2;
        quads(places);
    }
    build(3);
    std::uint32_t given = 0, room = 3;
    host->cycle = [&](Time now) {
        now_ = now;
        for (; given < 300 && given < blended.size() + room; ++given) stage->take_quad(now, given, 0, given, *this);
        const bool was_asked = !asked.empty();
        if (was_asked) stage->late_tested(static_cast<std::uint32_t>(asked.size()));
        asked.clear();
        const std::size_t before = blended.size();
        const Time next = stage->step(now, *this);
        return blended.size() > before ? now + 1 : next;
    };
    host->wake_at(0);
    run();
    ASSERT_EQ(blended.size(), 300U);
    for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(blended[i].second, i);
    EXPECT_GT(stage->cache().refusals.value(), 0U);
    EXPECT_EQ(lines(MemoryOperation::write_line).size() + 1, stage->cache().fills.value());  // but the last
}

}  // namespace
}  // namespace models
