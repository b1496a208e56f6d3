// Images and traces are the same for any number of threads.
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// A small generator with the same numbers everywhere.
class Numbers {
  public:
    explicit Numbers(std::uint32_t seed) : state_(seed) {}
    float between(float low, float high) {
        state_ = state_ * 1664525U + 1013904223U;
        return low + (high - low) * static_cast<float>(state_ >> 8) / 16777216.0F;
    }

  private:
    std::uint32_t state_;
};

// Triangles of all sizes, some clipped, in draws that branch, sample, blend and test depth, in two passes and a blit.
Scene busy_scene(std::uint32_t seed) {
    Numbers numbers(seed);
    const auto some = [&](int count) {
        SceneVertices list;
        for (int i = 0; i < count; ++i) {
            const float size = numbers.between(0.02F, 1.5F);
            const float x = numbers.between(-1.2F, 1.2F);
            const float y = numbers.between(-1.2F, 1.2F);
            for (int v = 0; v < 3; ++v) {
                list.push_back({x + numbers.between(-size, size),
                                y + numbers.between(-size, size),
                                numbers.between(-1.1F, 1.1F),
                                numbers.between(0.6F, 1.5F),
                                {numbers.between(0, 1), numbers.between(0, 1), numbers.between(0, 1), 0.7F}});
            }
        }
        return list;
    };
    Scene scene(150, 100);
    WordList texels;
    for (std::uint32_t i = 0; i < 64; ++i) texels.push_back(i * 0x01030507U | 0xff000000);
    const std::uint32_t texture = scene.texture(8, {texels, WordList(16, 0xff808080)});
    const std::uint32_t drawn = scene.texture(64, {WordList(4096, 0), WordList(1024, 0)});
    scene.commands.create(ObjectType::surface, {90, drawn, 67, 0, 0});
    scene.bind_texture(texture, 1, true);
    for (int frame = 0; frame < 2; ++frame) {
        scene.target({90}, 0, 64, 64);
        scene.clear(4, blue);
        scene.depth_test(0);
        scene.blend(Scene::opaque);
        scene.fragment_shader(branching);
        scene.draw(some(200));
        scene.blit(drawn, 1, 32, drawn, 0, 64);
        scene.target({Scene::window_surface}, Scene::depth_surface, 150, 100);
        scene.clear(Scene::clear_all);
        scene.depth_test(Scene::less_and_write);
        scene.draw(some(1000));
        scene.fragment_shader(textured);
        scene.draw(some(700));
        scene.blend(Scene::translucent);
        scene.depth_test(Scene::less_only);
        scene.fragment_shader(coloured);
        scene.draw(some(3000));
        scene.end_frame();
    }
    return scene;
}

class Threads : public testing::TestWithParam<int> {};

TEST_P(Threads, DrawAndTraceWhatOneThreadDoes) {
    const Scene scene = busy_scene(17);
    const Rendering one = render(scene.stream.bytes(), 1);
    const Rendering many = render(scene.stream.bytes(), GetParam());
    ASSERT_EQ(one.frames.size(), 2U);
    ASSERT_EQ(many.frames.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(one.frames[i].image.rgba, many.frames[i].image.rgba);
        EXPECT_TRUE(one.frames[i].frame == many.frames[i].frame);
    }
    ASSERT_EQ(one.programs.size(), many.programs.size());
    for (std::size_t i = 0; i < one.programs.size(); ++i) EXPECT_EQ(one.programs[i].paths, many.programs[i].paths);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Threads, testing::Values(2, 3, 8));

}  // namespace
}  // namespace models::functional
