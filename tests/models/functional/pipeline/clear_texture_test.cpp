// glClearTexImage: the texels of a box, and what the trace says of it.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/frame_laws.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

void clear_box(Scene& scene, const WordList& handle_level_and_box, const WordList& texel) {
    WordList words = handle_level_and_box;
    words.insert(words.end(), texel.begin(), texel.end());
    words.resize(12);
    scene.commands.add(VirglCommand::clear_texture, words);
}

std::uint32_t texel(const Resource& resource, std::uint32_t level, std::uint32_t x, std::uint32_t y) {
    const Resource::Level& l = resource.level(level);
    std::uint32_t word = 0;
    std::memcpy(&word, resource.bytes().data() + l.offset + y * l.row_bytes + x * sizeof word, sizeof word);
    return word;
}

TEST(ClearTexture, FillsItsBoxOfItsLevel) {
    Scene scene(8, 8);
    const std::uint32_t texture = scene.texture(8, {WordList(64, 1), WordList(16, 2)});
    clear_box(scene, {texture, 1, 1, 0, 0, 2, 3, 1}, {0xff112233});
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    ASSERT_TRUE(renderer.next_frame(nullptr, nullptr, nullptr));
    const Resource& resource = *renderer.context().resources().at(texture);
    for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 4; ++x)
            EXPECT_EQ(texel(resource, 1, x, y), x >= 1 && x < 3 && y < 3 ? 0xff112233U : 2U) << x << " " << y;
    EXPECT_EQ(texel(resource, 0, 3, 3), 1U);
}

TEST(ClearTexture, HasTexelsOfSixteenBytesInAllSlices) {
    Scene scene(8, 8);
    const std::uint32_t volume = scene.handle();
    scene.stream.message(VtestCommand::resource_create, {volume, 3, 31, 10, 2, 2, 3, 1, 0, 0});
    clear_box(scene, {volume, 0, 0, 0, 1, 2, 2, 2}, {1, 2, 3, 4});
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    ASSERT_TRUE(renderer.next_frame(nullptr, nullptr, nullptr));
    const Resource& resource = *renderer.context().resources().at(volume);
    std::vector<std::uint32_t> words(resource.bytes().size() / 4);
    std::memcpy(words.data(), resource.bytes().data(), words.size() * 4);
    ASSERT_EQ(words.size(), 48U);
    for (std::uint32_t i = 0; i < 48; ++i) EXPECT_EQ(words[i], i < 16 ? 0U : 1 + i % 4) << i;
}

// What was drawn before has the old texels, what is drawn after it the new ones; the trace has an upload between.
TEST(ClearTexture, IsAnUploadBetweenTheDraws) {
    Scene scene(8, 8);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0xff0000ffU)});  // red
    scene.bind_texture(texture);
    scene.fragment_shader(textured);
    SceneVertices lower = whole_window(0), upper = whole_window(0);
    for (SceneVertex& v : lower) v.y = std::min(v.y, 0.0F);
    for (SceneVertex& v : upper) v.y = std::max(v.y, 0.0F);
    scene.draw(lower);
    clear_box(scene, {texture, 0, 0, 0, 0, 4, 4, 1}, {0xff00ff00U});
    scene.draw(upper);
    scene.end_frame();
    const Rendering r = render(scene.stream.bytes());
    const RenderedFrame& f = r.frames.at(0);
    check_laws(f.frame, r.programs);
    EXPECT_EQ(f.pixel(3, 1), 0xff0000ffU);
    EXPECT_EQ(f.pixel(3, 6), 0x00ff00ffU);
    const auto is_clear = [](const Upload& upload) { return upload.before_draw == 1 && upload.bytes == 64; };
    EXPECT_EQ(std::ranges::count_if(f.frame.uploads, is_clear), 1);
}

// A surface that a pass draws to has what was drawn when it is cleared.
TEST(ClearTexture, OfARenderTargetComesAfterWhatWasDrawn) {
    Scene scene(8, 8);
    scene.draw(whole_window(0, red));
    clear_box(scene, {Scene::window, 0, 0, 0, 0, 8, 4, 1}, {0xff0000ffU});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(3, 6), 0xff0000ffU);
    EXPECT_EQ(f.pixel(3, 2), 0x0000ffffU);  // BGRA
}

}  // namespace
}  // namespace models::functional
