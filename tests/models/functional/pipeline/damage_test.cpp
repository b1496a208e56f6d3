// Damaged recordings end in an InputError with a byte offset, or in frames; never in anything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// One of everything, so that damage meets every decoder.
Scene small_scene() {
    Scene scene(12, 10);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0xff8040ff), WordList(4, 0), WordList(1, 0)});
    scene.blit(texture, 1, 2, texture, 0, 4);
    const std::uint32_t copied = scene.texture(4, {WordList(16, 0)});
    scene.copy(copied, 1, 1, texture, 2);
    scene.bind_texture(texture, 2, true);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    scene.fragment_shader(branching);
    scene.commands.add(VirglCommand::set_constant_buffer, {1, 0, 1, 2, 3, 4})
        .add(VirglCommand::set_uniform_buffer, {1, 1, 0, 0, 0})
        .add(VirglCommand::set_clip_state, WordList(32, 0));
    scene.vertices(whole_window(0));
    scene.draw_indexed({0, 1, 2, 3, 4, 5}, Scene::triangles);
    scene.end_frame(WordList(120, 0));
    return scene;
}

// Whether the stream gave frames or was refused with the place of the mistake; other exceptions are not caught.
void expect_frames_or_refusal(Bytes stream) {
    const std::string error = error_of([&] { render(stream); });
    EXPECT_THAT(error, testing::AnyOf(testing::StartsWith("nothing"), testing::StartsWith("byte ")));
}

TEST(DamagedRecording, TruncatedAnywhere) {
    const Scene scene = small_scene();
    for (std::size_t size = 0; size < scene.stream.bytes().size(); ++size)
        expect_frames_or_refusal(scene.stream.bytes().first(size));
}

TEST(DamagedRecording, WithABitFlipped) {
    const Scene scene = small_scene();
    std::vector<std::byte> stream = scene.stream.stream();
    for (std::size_t bit = 0; bit < stream.size() * 8; bit += 11) {
        const std::byte flip = std::byte{1} << static_cast<int>(bit % 8);
        stream[bit / 8] ^= flip;
        expect_frames_or_refusal(stream);
        stream[bit / 8] ^= flip;
    }
}

TEST(DamagedRecording, WithAWordReplaced) {
    const Scene scene = small_scene();
    const std::vector<std::byte>& whole = scene.stream.stream();
    for (const std::uint32_t value : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
        const std::vector<std::byte> bytes = bytes_of({value});
        for (std::size_t at = 4; at + 4 <= whole.size(); at += 12) {
            std::vector<std::byte> stream = whole;
            std::copy(bytes.begin(), bytes.end(), stream.begin() + static_cast<std::ptrdiff_t>(at));
            expect_frames_or_refusal(stream);
        }
    }
}

}  // namespace
}  // namespace models::functional
