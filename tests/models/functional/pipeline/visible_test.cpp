// Hidden-surface removal in the frame trace: Quad::visible, and Quad::early_test, of scenes whose answer is plain to
// see.
#include <bit>
#include <optional>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "models/functional/hidden_surfaces.h"
#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

constexpr std::array<float, 4> glass{1, 1, 1, 0.5F};

// Lanes of a draw's quads, all together: covered, left by the early test, by a test that does not write, and visible.
struct Lanes {
    int covered = 0, passed = 0, tested = 0, visible = 0;
    friend bool operator==(const Lanes&, const Lanes&) = default;
};
std::ostream& operator<<(std::ostream& out, const Lanes& lanes) {
    return out << lanes.covered << " covered, " << lanes.passed << " passed, " << lanes.tested << " tested, "
               << lanes.visible << " visible";
}

Lanes lanes_of(const Frame& frame, std::uint32_t draw) {
    Lanes lanes;
    for (const Quad& quad : frame.quads) {
        if (frame.primitives[quad.primitive].draw != draw) continue;
        lanes.covered += std::popcount(quad.coverage);
        lanes.passed += std::popcount(quad.early_pass);
        lanes.tested += std::popcount(quad.early_test);
        lanes.visible += std::popcount(quad.visible);
        EXPECT_EQ(quad.shaded, quad.early_test);
        EXPECT_EQ(quad.reconstructed, 0);
        EXPECT_EQ(quad.cluster, Quad::any_cluster);
    }
    return lanes;
}

// 16x16 pixels; draws cover the left half (128 lanes) or all of it (256). Draw 0 is the clear.
struct Stage : Scene {
    Stage() : Scene(16, 16) {
        clear(clear_all);
        depth_test(less_and_write);
    }
    void left_half(float z, std::array<float, 4> colour) {
        SceneVertices corners = whole_window(z, colour);
        for (SceneVertex& corner : corners) corner.x = std::min(corner.x, 0.0F);
        draw(corners);
    }
    Frame traced() {
        end_frame();
        const Rendering r = render(stream.bytes());
        check_laws(r.frames.at(0).frame, r.programs);
        FunctionalRenderer seen(stream.bytes(), {.threads = 1, .without_hidden = true});
        Frame frame;
        Image image;
        EXPECT_TRUE(seen.next_frame(&frame, &image, nullptr));
        EXPECT_TRUE(image.rgba == r.frames[0].image.rgba);
        EXPECT_TRUE(frame == r.frames[0].frame);
        return frame;
    }
};

TEST(Visible, OfOpaqueDrawsIsTheLastThatPassed) {
    Stage stage;
    stage.draw(whole_window(0.5F, red));
    stage.left_half(0.2F, green);          // before it: hides its left half
    stage.draw(whole_window(0.8F, blue));  // behind both
    stage.left_half(-0.5F, white);
    const Frame frame = stage.traced();
    EXPECT_EQ(lanes_of(frame, 1), (Lanes{256, 256, 256, 128}));
    EXPECT_EQ(lanes_of(frame, 2), (Lanes{128, 128, 128, 0}));
    EXPECT_EQ(lanes_of(frame, 3), (Lanes{256, 0, 0, 0}));
    EXPECT_EQ(lanes_of(frame, 4), (Lanes{128, 128, 128, 128}));
}

TEST(Visible, GlassIsHiddenOnlyBehindWhatIsOpaque) {
    Stage stage;
    stage.draw(whole_window(0.9F, red));
    stage.blend(Scene::translucent);
    stage.depth_test(Scene::less_only);
    stage.draw(whole_window(0.5F, glass));   // will be behind the wall on the left
    stage.draw(whole_window(-0.5F, glass));  // in front of everything
    stage.blend(Scene::opaque);
    stage.depth_test(Scene::less_and_write);
    stage.left_half(0, blue);  // the wall
    const Frame frame = stage.traced();
    EXPECT_EQ(lanes_of(frame, 1).visible, 128);
    EXPECT_EQ(lanes_of(frame, 2), (Lanes{256, 256, 256, 128}));
    EXPECT_EQ(lanes_of(frame, 3),
              (Lanes{256, 256, 256, 256}));  // the wall overwrites it, but the depth pass cannot know
    EXPECT_EQ(lanes_of(frame, 4).visible, 128);
}

TEST(Visible, WhatHasNoDepthTestIsNeverHiddenAndHidesNothing) {
    Stage stage;
    stage.depth_test(0);
    stage.draw(whole_window(0.5F, red));
    stage.draw(whole_window(0.5F, green));
    stage.depth_test(Scene::less_and_write);
    stage.draw(whole_window(0, blue));
    const Frame frame = stage.traced();
    for (const std::uint32_t draw : {1U, 2U, 3U}) EXPECT_EQ(lanes_of(frame, draw).visible, 256) << draw;
}

TEST(Visible, DepthAloneHidesOnlyGlassThatColoursReplace) {
    Stage stage;
    stage.draw(whole_window(0.5F, red));
    stage.blend(0);  // writes no channel
    stage.draw(whole_window(0, green));
    stage.blend(Scene::opaque);
    const Frame frame = stage.traced();
    EXPECT_EQ(lanes_of(frame, 1).visible, 256);  // its colour stays
    EXPECT_EQ(lanes_of(frame, 2).visible, 256);
    EXPECT_EQ(frame.draws[2].colour_mask, 0U);
}

TEST(Visible, AMaskedChannelOrBlendingHidesNothing) {
    for (const std::uint32_t target : {Scene::translucent, 0x7U << 27}) {
        Stage stage;
        stage.draw(whole_window(0.5F, red));
        stage.blend(target);
        stage.draw(whole_window(0, glass));
        const Frame frame = stage.traced();
        EXPECT_EQ(lanes_of(frame, 1).visible, 256);
        EXPECT_EQ(lanes_of(frame, 2).visible, 256);
    }
}

TEST(Visible, BlendingThatReadsNoColourHides) {
    constexpr std::uint32_t one_and_zero = Scene::opaque | 1 | 1U << 4 | 0x11U << 9 | 1U << 17 | 0x11U << 22;
    Stage stage;
    stage.draw(whole_window(0.5F, red));
    stage.blend(one_and_zero);
    stage.draw(whole_window(0, glass));
    const Frame frame = stage.traced();
    EXPECT_EQ(frame.draws[2].blend, 0);
    EXPECT_EQ(lanes_of(frame, 1).visible, 0);
    EXPECT_EQ(lanes_of(frame, 2).visible, 256);
}

TEST(Visible, AClearInMidPassBeginsAnew) {
    Stage stage;
    stage.draw(whole_window(0.5F, red));
    stage.clear(1);  // depth
    stage.draw(whole_window(0.2F, green));
    const Frame frame = stage.traced();
    EXPECT_EQ(lanes_of(frame, 1).visible, 256);
    EXPECT_EQ(lanes_of(frame, 3).visible, 256);
}

TEST(Visible, FragmentsThatChangeStencilAreKept) {
    constexpr std::uint32_t increments = 1 | 7U << 1 | 3U << 4 | 3U << 7 | 3U << 10 | 0xffU << 13 | 0xffU << 21;
    Scene scene(16, 16, 19);  // 24 bits of depth, 8 of stencil
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write, increments);
    scene.draw(whole_window(0.5F, red));
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(0.2F, green));
    scene.draw(whole_window(0, blue));
    scene.end_frame();
    const Frame frame = first_frame(scene).frame;
    ASSERT_TRUE(frame.draws[1].stencil_write);
    EXPECT_EQ(lanes_of(frame, 1).visible, 256);
    EXPECT_EQ(lanes_of(frame, 2).visible, 0);
    EXPECT_EQ(lanes_of(frame, 3).visible, 256);
}

TEST(EarlyTest, OfADrawThatDiscardsAndWritesDepthLeavesWhatIsInFront) {
    Stage stage;
    stage.bind_texture(stage.texture(1, {{0xffffffff}}));
    stage.left_half(0, red);
    stage.fragment_shader(branching);  // discards the right quarter
    stage.draw(whole_window(0.5F));
    stage.fragment_shader(coloured);
    stage.draw(whole_window(-0.5F, blue));
    const Frame frame = stage.traced();
    EXPECT_FALSE(frame.draws[2].early_depth);
    EXPECT_TRUE(frame.draws[2].early_test && frame.draws[2].discards);
    // All are shaded here and now; a test before shading would leave the right half; none is seen in the end.
    EXPECT_EQ(lanes_of(frame, 2), (Lanes{256, 256, 128, 0}));
    int written = 0;
    for (const Quad& quad : frame.quads)
        if (frame.primitives[quad.primitive].draw == 2) written += std::popcount(quad.written);
    EXPECT_EQ(written, 64);
}

// Random opaque and other fragments of single pixels against what the rule says, word by word.
TEST(HiddenSurfaces, FollowTheRuleForRandomFragments) {
    std::mt19937 random(5);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    for (int round = 0; round < 300; ++round) {
        struct Told {
            std::uint8_t lanes[4];  // by sample
            std::uint32_t key;
            Occlusion occlusion;
            CompareFunction function;
        };
        const std::uint32_t samples = round % 2 == 0 ? 1 : 4;
        HiddenSurfaces hidden;
        hidden.begin_tile();
        std::vector<Told> told(1 + below(12));
        std::vector<Quad> quads(told.size());
        for (std::uint32_t q = 0; q < told.size(); ++q) {
            told[q] = {{}, below(8), static_cast<Occlusion>(below(3)), static_cast<CompareFunction>(below(8))};
            quads[q].visible = 0xa5;  // overwritten
            for (std::uint8_t s = 0; s < samples; ++s) {
                told[q].lanes[s] = static_cast<std::uint8_t>(below(16));
                if (told[q].lanes[s] == 0) continue;
                const std::uint32_t key = told[q].key;
                const HiddenSurfaces::Fragments fragments{q, 3, 7, s, told[q].lanes[s], {key, key, key, key}};
                if (told[q].occlusion == Occlusion::none)
                    hidden.add_other(fragments, told[q].function);
                else
                    hidden.add_opaque(fragments, told[q].occlusion);
            }
        }
        const bool any_opaque = std::any_of(told.begin(), told.end(), [](const Told& t) {
            return t.occlusion != Occlusion::none && (t.lanes[0] | t.lanes[1] | t.lanes[2] | t.lanes[3]) != 0;
        });
        hidden.finish_tile(quads);
        for (std::size_t q = 0; q < told.size(); ++q) {
            int expected = 0;
            for (int lane = 0; lane < 4; ++lane) {
                for (std::uint32_t s = 0; s < samples; ++s) {
                    if ((told[q].lanes[s] >> lane & 1) == 0) continue;
                    bool colour_after = false, depth_after = false;
                    std::optional<std::uint32_t> final_key;
                    for (std::size_t other = 0; other < told.size(); ++other) {
                        if (told[other].occlusion == Occlusion::none || (told[other].lanes[s] >> lane & 1) == 0)
                            continue;
                        final_key = told[other].key;
                        depth_after = depth_after || other > q;
                        colour_after = colour_after || (other > q && told[other].occlusion == Occlusion::colour);
                    }
                    bool is_hidden = false;
                    switch (told[q].occlusion) {
                        case Occlusion::colour:
                            is_hidden = colour_after;
                            break;
                        case Occlusion::depth:
                            is_hidden = depth_after;
                            break;
                        case Occlusion::none: {
                            const std::uint32_t key = told[q].key, last = final_key.value_or(0);
                            const bool passes[] = {false,      key < last,  key == last, key <= last,
                                                   key > last, key != last, key >= last, true};
                            is_hidden = colour_after && !passes[static_cast<std::size_t>(told[q].function)];
                            break;
                        }
                    }
                    if (!is_hidden) expected |= 1 << lane;
                }
            }
            const bool was_told = (told[q].lanes[0] | told[q].lanes[1] | told[q].lanes[2] | told[q].lanes[3]) != 0;
            ASSERT_EQ(quads[q].visible, any_opaque && was_told ? expected : 0xa5) << "round " << round << " quad " << q;
        }
    }
}

}  // namespace
}  // namespace models::functional
