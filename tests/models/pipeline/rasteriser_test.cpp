#include "models/pipeline/rasteriser.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/scene.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A rasteriser that gets its primitives one after the other, each as soon as it can be set up. A cycle is two ticks.
// Primitives have three attributes.
class RasteriserTest : public testing::Test {
  protected:
    static constexpr Time period = 2;

    RasteriserTest() {
        scene.pass();
        scene.draw().varying_count = 3;
    }
    // A primitive of so many quads: the next positions.
    void primitive(std::uint32_t count) {
        scene.primitive();
        waiting.push_back({count_, count_ + count});
        count_ += count;
    }
    Rasteriser make() { return Rasteriser(&counters, parameters.raster, workload, period); }
    void load() { workload.load(scene.trace, scene.finish()); }
    void step(Rasteriser& rasteriser, Time now) {
        rasteriser.step(now, [&](std::uint32_t position) {
            if (now < takes_from) return false;
            quads.emplace_back(now, position);
            return true;
        });
        if (!rasteriser.can_set_up() || next_ == waiting.size()) return;
        rasteriser.set_up(now, next_, waiting[next_]);
        set_up.push_back(now);
        ++next_;
    }
    void run() {
        load();
        Rasteriser rasteriser = make();
        for (Time now = 0; now == 0 || !rasteriser.is_idle(); now += period) step(rasteriser, now);
        EXPECT_EQ(rasteriser.quads_rasterised.value(), count_);
        EXPECT_EQ(rasteriser.primitives_set_up.value(), waiting.size());
        EXPECT_EQ(rasteriser.next_event(1000), engine::never);
    }

    using Event = std::pair<Time, std::uint32_t>;
    MachineParameters parameters;
    Scene scene;
    Workload workload{{1 << 30, Rendering::immediate, parameters.tiling}};
    engine::CounterList counters;
    std::vector<Rasteriser::Quads> waiting;
    std::vector<Event> quads;  // when, and which
    std::vector<Time> set_up;
    Time takes_from = 0;

  private:
    std::uint32_t count_ = 0, next_ = 0;
};

TEST_F(RasteriserTest, SetsAPrimitiveUpAttributeByAttributeThenHandsOutAQuadACycle) {
    primitive(3);
    run();
    EXPECT_THAT(quads, ElementsAre(Event{6, 0}, Event{8, 1}, Event{10, 2}));
}

TEST_F(RasteriserTest, SetsSeveralAttributesUpACycle) {
    parameters.raster.attributes_per_cycle.set("2");
    primitive(1);
    run();
    EXPECT_THAT(quads, ElementsAre(Event{4, 0}));
}

TEST_F(RasteriserTest, SetsTheNextUpWhileQuadsOfOneComeOut) {
    primitive(4);
    primitive(2);
    primitive(1);
    run();
    EXPECT_THAT(set_up, ElementsAre(0, 6, 14));
    EXPECT_THAT(quads, ElementsAre(Event{6, 0}, Event{8, 1}, Event{10, 2}, Event{12, 3},  // no gap
                                   Event{14, 4}, Event{16, 5}, Event{20, 6}));            // set up too late
}

TEST_F(RasteriserTest, SpendsItsTimeOnEveryQuadIfToldTo) {
    parameters.raster.interpolation.set("per_quad");
    primitive(2);
    primitive(1);
    run();
    EXPECT_THAT(quads, ElementsAre(Event{2, 0}, Event{8, 1}, Event{14, 2}));
}

TEST_F(RasteriserTest, HandsOutAsManyQuadsACycleAsItsAttributesAreEnoughForIfEveryOneTakesItsOwn) {
    parameters.raster.interpolation.set("per_quad");
    parameters.raster.quads_per_cycle.set("4");
    parameters.raster.attributes_per_cycle.set("7");
    primitive(3);
    primitive(2);
    run();
    EXPECT_THAT(quads, ElementsAre(Event{2, 0}, Event{2, 1}, Event{4, 2}, Event{4, 3}, Event{6, 4}));
}

TEST_F(RasteriserTest, HandsOutSeveralQuadsACycleAlsoOfTwoPrimitives) {
    parameters.raster.quads_per_cycle.set("4");
    parameters.raster.attributes_per_cycle.set("8");
    primitive(6);
    primitive(3);
    run();
    EXPECT_THAT(quads, ElementsAre(Event{2, 0}, Event{2, 1}, Event{2, 2}, Event{2, 3}, Event{4, 4}, Event{4, 5},
                                   Event{4, 6}, Event{4, 7}, Event{6, 8}));
}

TEST_F(RasteriserTest, OfAPrimitiveWithoutQuadsOnlyTheSetUpTakesTime) {
    primitive(0);
    primitive(0);
    primitive(1);
    run();
    EXPECT_THAT(set_up, ElementsAre(0, 6, 12));
    EXPECT_THAT(quads, ElementsAre(Event{18, 0}));
}

TEST_F(RasteriserTest, KeepsAQuadThatIsNotTaken) {
    primitive(2);
    primitive(1);
    takes_from = 20;
    run();
    EXPECT_THAT(quads, ElementsAre(Event{20, 0}, Event{22, 1}, Event{24, 2}));
    EXPECT_EQ(set_up.size(), 2U);
}

TEST_F(RasteriserTest, SaysWhenItCanGoOnByItself) {
    parameters.raster.interpolation.set("per_quad");
    primitive(2);
    load();
    Rasteriser rasteriser = make();
    EXPECT_EQ(rasteriser.next_event(0), engine::never);
    step(rasteriser, 0);
    EXPECT_TRUE(rasteriser.is_setting_up());
    EXPECT_EQ(rasteriser.next_event(0), 2);
    step(rasteriser, 2);
    EXPECT_TRUE(rasteriser.is_emitting());
    EXPECT_EQ(rasteriser.next_event(2), 8);
    EXPECT_EQ(rasteriser.next_event(8), engine::never);  // it waits for who takes the quad
}

// Every cycle on another rasteriser, which reads what was saved of the one before.
TEST_F(RasteriserTest, GoesOnFromWhatWasSavedOfIt) {
    parameters.raster.interpolation.set("per_quad");
    for (int i = 0; i < 3; ++i) primitive(2);
    load();
    std::vector<std::byte> bytes;
    for (Time now = 0; now < 100; now += period) {
        Rasteriser rasteriser = make();
        engine::Archive reader{std::span<const std::byte>(bytes)};
        if (now > 0) rasteriser.serialize(reader);
        EXPECT_TRUE(reader.is_at_end());
        step(rasteriser, now);
        bytes.clear();
        engine::Archive writer(&bytes);
        rasteriser.serialize(writer);
    }
    EXPECT_THAT(set_up, ElementsAre(0, 2, 10));
    EXPECT_THAT(quads, ElementsAre(Event{2, 0}, Event{8, 1}, Event{14, 2}, Event{20, 3}, Event{26, 4}, Event{32, 5}));
}

}  // namespace
}  // namespace models
