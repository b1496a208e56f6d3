#include "models/functional/pass_renderer.h"

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

struct Loads {
    bool colour_load, depth_load, depth_store;
    friend bool operator==(const Loads&, const Loads&) = default;
};
Loads loads(const Pass& pass) {
    return {pass.colour_load, pass.depth_load, pass.depth_store};
}

TEST(Passes, LoadWhatIsNotClearedFirst) {
    Scene scene(4, 4);
    scene.depth_test(Scene::less_and_write);
    scene.clear(4);  // colour only
    scene.draw(whole_window(0, red));
    scene.end_frame();
    scene.clear(Scene::clear_all);
    scene.draw(whole_window(0, red));
    scene.end_frame();
    scene.draw(whole_window(0, red));
    scene.clear(Scene::clear_all);
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    EXPECT_EQ(loads(r.frames[0].frame.passes.at(0)), (Loads{false, true, false}));
    EXPECT_EQ(loads(r.frames[1].frame.passes.at(0)), (Loads{false, false, false}));
    EXPECT_EQ(loads(r.frames[2].frame.passes.at(0)), (Loads{true, true, false}));
}

TEST(Passes, StoreDepthThatIsLoadedLaterOrMayBeSampled) {
    Scene window_only(4, 4);
    window_only.depth_test(Scene::less_and_write);
    window_only.clear(Scene::clear_all);
    const std::uint32_t other = window_only.texture(4, {WordList(16, 0)});
    window_only.commands.create(ObjectType::surface, {90, other, 67, 0, 0});
    window_only.target({90}, 0, 4, 4);
    window_only.clear(4);
    window_only.target({Scene::window_surface}, Scene::depth_surface, 4, 4);
    window_only.draw(whole_window(0, red));
    window_only.end_frame();
    const RenderedFrame f = first_frame(window_only);
    ASSERT_EQ(f.frame.passes.size(), 3U);
    EXPECT_TRUE(f.frame.passes[0].depth_store);   // the third pass loads it
    EXPECT_FALSE(f.frame.passes[2].depth_store);  // the frame ends

    Scene sampled(4, 4, 16, 9);
    sampled.depth_test(Scene::less_and_write);
    sampled.clear(Scene::clear_all);
    sampled.end_frame();
    EXPECT_TRUE(first_frame(sampled).frame.passes.at(0).depth_store);
}

TEST(Passes, DoNotLoadDepthThatNothingTests) {
    Scene scene(4, 4);
    scene.draw(whole_window(0, red));
    scene.end_frame();
    EXPECT_EQ(loads(first_frame(scene).frame.passes.at(0)), (Loads{true, false, false}));
}

}  // namespace
}  // namespace models::functional
