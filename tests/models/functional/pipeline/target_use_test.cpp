#include "models/functional/target_use.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::uint32_t masked = 0;  // blend word: no channel is written

// A window and a texture as colour targets, a depth buffer that shaders may read.
class Targets : public Scene {
  public:
    explicit Targets(std::uint32_t size) : Scene(size, size, 16, 9) {
        texture_ = texture(size, {WordList(std::size_t{size} * size, 0xff0000ffU)});  // red
        commands.create(ObjectType::surface, {90, texture_, 67, 0, 0});
        target({window_surface, 90}, depth_surface, size, size);
    }

    void write(std::uint32_t to_window, std::uint32_t to_texture) {
        const std::uint32_t blend = handle();
        commands.create(ObjectType::blend, {blend, 1, 0, to_window, to_texture, 0, 0, 0, 0, 0, 0})
            .bind(ObjectType::blend, blend);
    }
    void sample_texture() {
        bind_texture(texture_);
        fragment_shader(textured);
    }
    // Red is the depth.
    void sample_depth() {
        const std::uint32_t view = handle(), sampler = handle();
        commands.create(ObjectType::sampler_view, {view, depth, 16, 0, 0, 0})
            .create(ObjectType::sampler_state, {sampler, 2U | 2U << 3 | 2U << 11, 0, 0, word(1000), 0, 0, 0, 0})
            .add(VirglCommand::set_sampler_views, {1, 0, view})
            .add(VirglCommand::bind_sampler_states, {1, 0, sampler});
        fragment_shader(textured);
    }
    void barrier() { commands.add(VirglCommand::texture_barrier, {1}); }
    std::uint32_t texture_handle() const { return texture_; }

  private:
    std::uint32_t texture_ = 0;
};

struct Flags {
    bool colour_load, colour_store, depth_load, depth_store;
    friend bool operator==(const Flags&, const Flags&) = default;
};
Flags flags(const Pass& pass) {
    return {pass.colour_load, pass.colour_store, pass.depth_load, pass.depth_store};
}

TEST(TargetUse, DepthIsSampledAsEarlierDrawsOfThePassLeftIt) {
    Targets scene(8);
    scene.clear(Scene::clear_all | 8);  // both colours
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(-0.5F, green));  // depth 0.25
    scene.depth_test(Scene::less_only);
    scene.sample_depth();
    scene.draw(whole_window(-0.75F));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(3, 3) >> 24, 0x40U);
    ASSERT_EQ(f.frame.passes.size(), 2U);
    EXPECT_EQ(flags(f.frame.passes[0]), (Flags{false, true, false, true}));
    EXPECT_EQ(flags(f.frame.passes[1]), (Flags{true, true, true, false}));
}

// Depth alone is drawn, with a colour target that nobody writes.
TEST(TargetUse, AMaskedTargetIsNeitherLoadedNorStored) {
    Targets scene(8);
    scene.depth_test(Scene::less_and_write);
    scene.write(masked, masked);
    scene.draw(whole_window(0));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    ASSERT_EQ(frame.passes.size(), 1U);
    EXPECT_FALSE(frame.passes[0].colour_load);
    EXPECT_FALSE(frame.passes[0].colour_store);
    EXPECT_EQ(frame.draws.at(0).colour_targets, 0);
}

TEST(TargetUse, DrawsThatOnlySampleShareAPass) {
    Targets scene(8);
    scene.clear(Scene::clear_all);
    scene.write(Scene::opaque, masked);
    scene.sample_depth();
    for (int i = 0; i < 3; ++i) scene.draw(whole_window(0));
    scene.end_frame();
    EXPECT_EQ(first_frame(scene).frame.passes.size(), 2U);  // the clear, the draws
}

TEST(TargetUse, WhatIsSampledChangesInAnotherPass) {
    Targets scene(8);
    scene.write(Scene::opaque, masked);
    scene.sample_texture();
    scene.draw(whole_window(0));
    scene.write(masked, Scene::opaque);
    scene.fragment_shader(coloured);
    scene.draw(whole_window(0, blue));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.frame.passes.size(), 2U);
    EXPECT_EQ(f.pixel(3, 3), 0xff0000ffU);  // the texture as it was
}

TEST(TargetUse, AClearOfWhatIsSampledBeginsAPassThatLoadsNothingOfIt) {
    Targets scene(8);
    scene.write(Scene::opaque, masked);
    scene.sample_depth();
    scene.draw(whole_window(0));
    scene.clear(1);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    ASSERT_EQ(f.frame.passes.size(), 2U);
    EXPECT_EQ(flags(f.frame.passes[0]), (Flags{true, true, false, false}));
    EXPECT_EQ(flags(f.frame.passes[1]), (Flags{false, false, false, true}));
    EXPECT_EQ(f.pixel(3, 3) >> 24, 0U);  // depth before the clear
}

TEST(TargetUse, VerticesSampleWhatThePassWrote) {
    constexpr std::string_view colour_of_texture = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: MOV OUT[0], IN[0]
  1: TXL OUT[1], IN[1].xyyx, SAMP[0], 2D
  2: END
)";
    Targets scene(8);
    scene.write(masked, Scene::opaque);
    scene.draw(whole_window(0, blue));
    scene.write(Scene::opaque, masked);
    scene.sample_texture();
    const std::uint32_t view = scene.handle();
    scene.commands
        .create(ObjectType::sampler_view, {view, scene.texture_handle(), 67, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .add(VirglCommand::set_sampler_views, {0, 0, view});
    scene.commands.shader(scene.handle(), 0, colour_of_texture);
    scene.fragment_shader(coloured);
    scene.draw(whole_window(0, std::array{0.5F, 0.5F, 0.0F, 0.0F}));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(3, 3), 0x0000ffffU);
    EXPECT_EQ(f.frame.passes.size(), 2U);
}

TEST(TargetUse, AFeedbackLoopIsRefusedAfterATextureBarrierToo) {
    Targets scene(8);
    scene.draw(whole_window(0, blue));
    scene.barrier();
    scene.sample_texture();
    scene.draw(whole_window(0));
    scene.end_frame();
    EXPECT_THAT(error_of([&] { render(scene.stream.bytes()); }),
                testing::HasSubstr("sampling the surface that the same draw writes"));
}

// Level 1 of a texture of 16x16 texels as a target beside a window of 8x8 pixels, and programs that read a level.
class Levels : public Scene {
  public:
    Levels() : Scene(8, 8) {
        texture_ = texture(16, {WordList(256, 0xff0000ff), WordList(64, 0xff00ff00)});  // red, green
        commands.create(ObjectType::surface, {90, texture_, 67, 1, 0});
        target({window_surface, 90}, 0, 8, 8);
        bind_texture(texture_, 1);
    }
    void mix_levels() { bind_texture(texture_, 1, true); }
    void write(std::uint32_t to_window, std::uint32_t to_level) {
        const std::uint32_t blend = handle();
        commands.create(ObjectType::blend, {blend, 1, 0, to_window, to_level, 0, 0, 0, 0, 0, 0})
            .bind(ObjectType::blend, blend);
    }
    void read(std::string_view instruction) {
        fragment_shader(
            "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
            "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] UINT32 {0, 1, 0, 0}\n  0: " +
            std::string(instruction) + "\n  1: END\n");
        draw(whole_window(0));
    }

  private:
    std::uint32_t texture_ = 0;
};
constexpr std::string_view fetch_level_0 = "TXF OUT[0], IMM[0].xxxx, SAMP[0], 2D",
                           fetch_level_1 = "TXF OUT[0], IMM[0].xxxy, SAMP[0], 2D",
                           ask_for_size = "TXQ OUT[0], IMM[0].xxxx, SAMP[0], 2D";

TEST(TargetUse, AFetchIsRefusedFromTheLevelThatTheDrawWritesOnly) {
    for (const bool mixes_levels : {false, true}) {
        const auto error = [&](std::string_view instruction) {
            Levels scene;
            if (mixes_levels) scene.mix_levels();
            scene.write(Scene::opaque, Scene::opaque);
            scene.read(instruction);
            scene.end_frame();
            return error_of([&] { render(scene.stream.bytes()); });
        };
        EXPECT_EQ(error(fetch_level_0), "nothing was thrown");
        EXPECT_EQ(error(ask_for_size), "nothing was thrown");
        EXPECT_THAT(error(fetch_level_1), testing::HasSubstr("fetching from the surface that the same draw writes"));
    }
}

TEST(TargetUse, AFetchSeesAnyLevelAsEarlierDrawsOfThePassLeftIt) {
    Levels scene;
    scene.write(masked, Scene::opaque);
    scene.draw(whole_window(0, blue));
    scene.write(Scene::opaque, masked);
    scene.read(fetch_level_1);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.frame.passes.size(), 2U);
    EXPECT_EQ(f.pixel(3, 3), 0x0000ffffU);
}

// Every pixel takes what another tile drew: mirrored left to right, in turns between the two targets.
TEST(TargetUse, TilesSeeEachOthersPixelsOnAnyNumberOfThreads) {
    Targets scene(128);
    scene.write(masked, Scene::opaque);
    scene.draw(whole_window(0));
    scene.barrier();
    scene.write(Scene::opaque, masked);
    scene.sample_texture();
    SceneVertices mirrored = whole_window(0);
    for (SceneVertex& v : mirrored) v.value[0] = 1 - v.value[0];
    scene.draw(mirrored);
    scene.end_frame();
    const Rendering one = render(scene.stream.bytes(), 1);
    const Rendering two = render(scene.stream.bytes(), 2);
    EXPECT_EQ(one.frames.at(0).frame, two.frames.at(0).frame);
    EXPECT_EQ(one.frames.at(0).image.rgba, two.frames.at(0).image.rgba);
    EXPECT_GT(one.frames[0].pixel(2, 64) >> 24, 0xf0U);
    EXPECT_LT(one.frames[0].pixel(125, 64) >> 24, 0x10U);
    check_laws(one.frames[0].frame, one.programs);
}

}  // namespace
}  // namespace models::functional
