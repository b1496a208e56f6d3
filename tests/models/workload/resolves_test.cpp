#include "models/workload/resolves.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "models/workload/frame_work.h"
#include "tests/models/resolving_scene.h"

namespace models {
namespace {

// Of the second pass, after a change before and after its quads are numbered.
bool is_resolved(
    const std::function<void(ResolvingScene&)>& build, const std::function<void(Frame&)>& change = [](Frame&) {}) {
    ResolvingScene scene;
    build(scene);
    scene.finish();
    change(scene.frame);
    const MachineParameters parameters;
    Workload workload({1 << 30, Rendering::tiled, parameters.tiling, true});
    workload.load(scene.trace, scene.frame);
    return workload.resolves().is_resolved(1);
}

TEST(Resolves, ArePassesThatOnlyBringTheSamplesOfTheOneBeforeThemTogether) {
    ResolvingScene scene;
    scene.finish();
    const MachineParameters parameters;
    Workload workload({1 << 30, Rendering::tiled, parameters.tiling, true});
    workload.load(scene.trace, scene.frame);
    const Resolves& resolves = workload.resolves();
    EXPECT_FALSE(resolves.is_resolved(0));
    EXPECT_TRUE(resolves.is_resolved(1));
    EXPECT_EQ(resolves.resolving(0), 1U);
    EXPECT_EQ(resolves.resolving(1), none);
    EXPECT_EQ(workload.draws(0), 1U);
    EXPECT_EQ(workload.draws(1), 0U);
    EXPECT_FALSE(workload.lists(0).order.empty());
    EXPECT_TRUE(workload.lists(1).order.empty());
    const FrameWork work = count_work(scene.trace, workload, [](const TextureAccess& /*access*/) { return 1U; });
    EXPECT_EQ(work.quads, 2U);
    EXPECT_EQ(work.draws, 1U);
    EXPECT_EQ(work.primitives, 1U);
}

// The first pass writes what the second one would have written, and no samples; the second one waits for nothing.
TEST(Resolves, HoldUpNoPassThatHasNothingToDoWithThem) {
    ResolvingScene scene;
    scene.pass(2).colour[0].address = 64U << 20U;
    scene.draw();
    scene.primitive();
    scene.quad(0, 0);
    scene.pass_that_reads(scene.frame.passes[1].colour[0].address);
    scene.finish();
    const MachineParameters parameters;
    Workload workload({1 << 30, Rendering::tiled, parameters.tiling, true});
    workload.load(scene.trace, scene.frame);
    ASSERT_TRUE(workload.resolves().is_resolved(1));
    const PassOrder& order = workload.order();
    EXPECT_EQ(order.stored_before(1), 0U);
    EXPECT_EQ(order.stored_before(2), 0U);
    EXPECT_EQ(order.stored_before(3), 1U);
    const auto block = [&](int pass) {
        return static_cast<BlockNumber>(scene.frame.passes[static_cast<std::size_t>(pass)].colour[0].address /
                                        block_bytes);
    };
    EXPECT_TRUE(order.written_by(0, block(1)));
    EXPECT_FALSE(order.written_by(0, block(0)));
    EXPECT_FALSE(order.written_by(1, block(1)));
}

TEST(Resolves, AreNoneInMemoryNorInImmediateRendering) {
    ResolvingScene scene;
    scene.finish();
    const MachineParameters parameters;
    for (const auto& [rendering, on_chip] : {std::pair{Rendering::tiled, false}, {Rendering::immediate, true}}) {
        Workload workload({1 << 30, rendering, parameters.tiling, on_chip});
        workload.load(scene.trace, scene.frame);
        EXPECT_FALSE(workload.resolves().is_resolved(1));
        EXPECT_EQ(workload.resolves().resolving(0), none);
        EXPECT_EQ(workload.draws(1), 1U);
    }
}

TEST(Resolves, MayBeReadByLaterPassesButNotTheSamples) {
    EXPECT_TRUE(is_resolved([](ResolvingScene& s) { s.pass_that_reads(s.frame.passes[1].colour[0].address); }));
    EXPECT_FALSE(is_resolved([](ResolvingScene& s) { s.pass_that_reads(s.frame.passes[0].colour[0].address); }));
    EXPECT_FALSE(is_resolved([](ResolvingScene& s) {
        const Surface samples = s.frame.passes[0].colour[0];
        Pass& later = s.pass(2);
        later.colour = {samples};
        later.colour_load = true;
    }));
}

TEST(Resolves, AreNotPassesThatDoSomethingElse) {
    const auto with = [](const std::function<void(Frame&)>& change) {
        return is_resolved([](ResolvingScene&) {}, change);
    };
    ASSERT_TRUE(with([](Frame&) {}));
    EXPECT_FALSE(with([](Frame& frame) { frame.draws[0].samples = 1; }));
    EXPECT_FALSE(with([](Frame& frame) { frame.draws[1].samples = 4; }));
    EXPECT_FALSE(with([](Frame& frame) {
        frame.draws[1].kind = DrawKind::geometry;
        frame.draws[1].fetch_count = frame.draws[1].vertex_count = 1;
        frame.fetches = {0};
        frame.vertices.resize(1);
    }));
    EXPECT_FALSE(with([](Frame& frame) { frame.passes[1].colour_store = false; }));
    EXPECT_FALSE(with([](Frame& frame) { frame.passes[1].height = 31; }));
    EXPECT_FALSE(with([](Frame& frame) { frame.quads.back().written = 7; }));
    EXPECT_FALSE(with([](Frame& frame) {
        frame.passes[1].depth = {1 << 24, 64, 32, 4};
        frame.passes[1].depth_store = true;
    }));
    EXPECT_FALSE(is_resolved([](ResolvingScene& scene) { scene.draw(DrawKind::clear); }));
    const auto two_targets = [](Pass& pass) { pass.colour.push_back({1 << 24, 64, 32, 4}); };
    EXPECT_FALSE(is_resolved([&](ResolvingScene& scene) { two_targets(scene.frame.passes[0]); }));
    EXPECT_FALSE(is_resolved([&](ResolvingScene& scene) { two_targets(scene.frame.passes[1]); }));
}

TEST(Resolves, ReadNothingButTheSamples) {
    EXPECT_FALSE(is_resolved([](ResolvingScene& scene) {  // nor the samples
        scene.frame.blocks[0] = 7;
    }));
    EXPECT_TRUE(is_resolved([](ResolvingScene& scene) { scene.reads_line(7 * block_bytes); }));  // nobody's target
    EXPECT_FALSE(is_resolved([](ResolvingScene& scene) {
        scene.pass(2);
        scene.reads_line(scene.frame.passes[2].colour[0].address);
    }));
}

}  // namespace
}  // namespace models
