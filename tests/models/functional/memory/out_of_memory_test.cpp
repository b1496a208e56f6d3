// Whichever allocation fails, in whichever thread: rendering ends with std::bad_alloc and leaves nothing behind.
#include <gtest/gtest.h>

#include "tests/models/functional/memory/allocations.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

// Chooses a texture, an offset in it and a constant buffer by the column of the quad or pixel.
constexpr std::string_view choosing = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0..1], 2D, FLOAT
DCL CONST[1][0..1]
DCL CONST[2][0]
DCL TEMP[0..1]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 0, 0}
IMM[1] FLT32 {0.5, 0.5, 0, 0}
  0: F2I TEMP[0].xy, IN[0].xyyy
  1: AND TEMP[0].xy, TEMP[0].xyyy, IMM[0].yyyy
  2: USHR TEMP[0].w, TEMP[0].xxxx, IMM[0].yyyy
  3: UARL ADDR[0].x, TEMP[0].wwww
  4: UARL ADDR[1].x, TEMP[0].xxxx
  5: TG4 TEMP[1], IMM[1], IMM[0].xxxx, SAMP[ADDR[0].x], 2D, TEMP[0].xyy
  6: ADD OUT[0], TEMP[1], CONST[ADDR[1].x+1][0]
  7: END
)";

// Many tiles, programs with branches and with textures and constants that they choose, a transfer, and a clear.
Scene busy_scene() {
    Scene scene(160, 96);
    const std::uint32_t texture = scene.texture(4, {WordList(16, 0xff8040ff), WordList(4, 0), WordList(1, 0)});
    const std::uint32_t copied = scene.texture(64, {WordList(64 * 64, 0)});
    scene.blit(copied, 0, 64, texture, 0, 4);
    scene.bind_texture(texture, 2, true);
    scene.clear(Scene::clear_all);
    scene.depth_test(Scene::less_and_write);
    scene.fragment_shader(branching);
    scene.draw(whole_window(0.5F));
    scene.draw(whole_window(0));
    scene.draw_indirect({3, 1, 0, 0, 3, 1, 3, 0}, {.draws = 2});
    scene.commands.add(VirglCommand::clear_texture, {texture, 0, 1, 1, 0, 2, 2, 1, 0xff0000ff, 0, 0, 0});
    for (const std::uint32_t slot : {1U, 2U})
        scene.commands.add(VirglCommand::set_constant_buffer, {1, slot, word(0.25F), 0, 0, word(1.0F)});
    scene.fragment_shader(choosing);
    scene.draw(whole_window(-0.5F));
    scene.rasterizer(Scene::plain | 1U << 3);  // GL_RASTERIZER_DISCARD
    scene.draw(whole_window(0));
    scene.end_frame(WordList(std::size_t{160} * 96, 0));
    return scene;
}

void render_frame(const Scene& scene, int threads) {
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = threads});
    Frame frame;
    Image image, reference;
    ASSERT_TRUE(renderer.next_frame(&frame, &image, &reference));
}

class OutOfMemory : public testing::TestWithParam<int> {};

TEST_P(OutOfMemory, IsABadAllocWhicheverAllocationFails) {
    const Scene scene = busy_scene();
    render_frame(scene, GetParam());  // what is allocated once
    const std::uint64_t before = tests::live_bytes();
    int failures = 0;
    // Every one of the first, then ever fewer.
    for (std::int64_t successes = 0;; successes += 1 + successes / (GetParam() == 1 ? 50 : 15)) {
        const tests::FailingAllocation failing(successes);
        try {
            render_frame(scene, GetParam());
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        if (!failing.happened()) break;
    }
    EXPECT_GT(failures, 50);
    EXPECT_EQ(tests::live_bytes(), before);
}

INSTANTIATE_TEST_SUITE_P(Threads, OutOfMemory, testing::Values(1, 2, 4));

}  // namespace
}  // namespace models::functional
