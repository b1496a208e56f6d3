// Draws with a shader of the fuzzer's, in several tiles and with several workers: a shader that fails does so in the
// middle of a tile, while others are drawn. The first byte chooses the stage (bit 0: fragment), two threads (bit 1) and
// what is drawn before and behind (bit 2: depth test, bit 3: blending), or that the shader is launched as a compute
// program (bit 4) in blocks of 64 threads; the rest is the shader's text.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/fuzz/accept.h"
#include "tests/models/functional/pipeline/compute_scene.h"
#include "tests/models/functional/pipeline/scene.h"

namespace {

using namespace models::functional;

constexpr std::uint32_t width = 100, height = 70;  // 4 x 3 tiles
constexpr std::uint64_t memory = std::uint64_t{16} << 20;

std::vector<std::byte> recording_of(unsigned options, const std::string& shader) {
    Scene scene(width, height);
    scene.clear(Scene::clear_all);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0xff8040ff), WordList(4, 0), WordList(1, 0)});
    scene.bind_texture(texture, 2, true);
    if ((options & 4) != 0) scene.depth_test(Scene::less_and_write);
    if ((options & 8) != 0) scene.blend(Scene::translucent);
    scene.draw(whole_window(0.5F));
    scene.commands.shader(900, options & 1, shader);
    scene.draw(whole_window(0));
    scene.draw(whole_window(-0.5F), Scene::triangle_strip);
    scene.end_frame();
    const Bytes bytes = scene.stream.bytes();
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> launch_of(const std::string& shader) {
    ComputeScene scene;
    const std::uint32_t buffers[] = {scene.buffer(WordList(100, 1)), scene.buffer(WordList(100, 2))};
    const std::uint32_t image = scene.texture(67, 8, 8, WordList(64, 0xff8040ff));
    scene.program(shader, 256);
    for (std::uint32_t slot = 0; slot < 2; ++slot) scene.bind_buffer(slot, buffers[slot], 396);
    scene.bind_image(0, image, 67);
    scene.launch({64, 1, 1}, {3, 2, 1});
    scene.read_back(buffers[0], WordList(100, 0));
    const Bytes bytes = scene.stream.bytes();
    return {bytes.begin(), bytes.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string shader(data + 1, std::find(data + 1, data + size, std::uint8_t{0}));
    const std::vector<std::byte> stream = (data[0] & 16) != 0 ? launch_of(shader) : recording_of(data[0], shader);
    tests::accepts([&] {
        FunctionalRenderer renderer(
            stream, {.threads = (data[0] & 2) != 0 ? 2 : 1, .undefined_as_zero = true, .memory = memory});
        models::Frame frame;
        Image image, reference;
        while (renderer.next_frame(&frame, &image, &reference)) {
        }
    });
    return 0;
}
