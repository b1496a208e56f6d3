// What the meter counts is what is allocated, and nothing beyond the limit is.
#include "models/functional/memory_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/memory/allocations.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Use = MemoryMeter::Use;

TEST(MemoryMeter, RefusesWhatDoesNotFitAndTakesNothingThen) {
    MemoryMeter meter(1000);
    meter.set(Use::recording, 400);
    meter.set(Use::resources, 600);
    EXPECT_THROW(meter.set(Use::draw, 1), engine::InputError);
    EXPECT_EQ(meter.taken(), 1000U);
    meter.set(Use::resources, 100);
    meter.set(Use::draw, 500);
    EXPECT_EQ(meter.taken(), 1000U);
}

TEST(MemoryMeter, CountsBothPlacesOfAListThatMoves) {
    std::vector<std::uint32_t> list(100);
    const std::uint64_t bytes = list.capacity() * sizeof list[0];
    MemoryMeter narrow(bytes + bytes / 2), wide(2 * bytes + bytes / 2);
    narrow.set(Use::frame, bytes);
    EXPECT_THROW(narrow.make_room(list, 50), engine::InputError);
    EXPECT_EQ(list.capacity(), 100U);
    wide.set(Use::frame, bytes);
    wide.make_room(list, 50);
    EXPECT_EQ(list.capacity(), 150U);
    EXPECT_EQ(wide.taken(), bytes + bytes / 2);
    wide.make_room(list, 50);
    EXPECT_EQ(wide.taken(), bytes + bytes / 2);
}

TEST(MemoryMeter, CountsTheListsOfTilesWhereTheyGrow) {
    MemoryMeter meter(4096);
    meter.set(Use::recording, 2048);
    std::vector<std::byte> list;
    meter.make_room_in_tile(list, 1024);
    EXPECT_THROW(meter.make_room_in_tile(list, 4096), MemoryMeter::Exceeded);
    EXPECT_EQ(list.capacity(), 1024U);
    MemoryMeter other(4096);
    other.make_room_in_tile(list, 2048);
    EXPECT_EQ(other.taken(Use::tiles), 0U);
    other.settle_tiles();
    EXPECT_EQ(other.taken(Use::tiles), 1024U);
}

TEST(MemoryMeter, SaysWhatTakesTheMemory) {
    MemoryMeter meter(64 << 20);
    meter.set(Use::recording, 3 << 20);
    meter.begin_frame(7);
    EXPECT_THAT(error_of([&] { meter.set(Use::resources, 2ULL << 30); }),
                AllOf(StartsWith("frame 7 needs more memory than the limit of 64.0 MiB: before its first pass it takes "
                                 "3.0 MiB (recording 3.0 MiB) and needs 2.00 GiB more; "),
                      HasSubstr("--memory-limit")));
    meter.begin_pass();
    EXPECT_THAT(error_of([&] { meter.refuse(); }), HasSubstr("in its pass 0 it takes 3.0 MiB"));
}

// Full windows over each other: a million quads, most of them textured.
Scene deep_scene(std::uint32_t layers = 60) {
    Scene scene(256, 256);
    scene.bind_texture(scene.texture(4, {WordList(16, 0xff8040ff)}));
    scene.fragment_shader(textured);
    scene.vertices(whole_window(0));
    for (std::uint32_t i = 0; i < layers; ++i) scene.draw_call(6, Scene::triangles);
    scene.end_frame();
    return scene;
}

struct Outcome {
    Frame frame;
    std::string error;
    std::uint64_t counted = 0;  // at the end
    std::uint64_t live = 0, peak = 0;
};

Outcome trace(const Scene& scene, std::uint64_t limit, int threads = 1) {
    Outcome outcome;
    tests::reset_peak();
    const std::uint64_t before = tests::live_bytes();
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = threads, .memory_limit = limit});
    outcome.error = error_of([&] { renderer.next_frame(&outcome.frame, nullptr, nullptr); });
    outcome.counted = renderer.memory().taken() - renderer.memory().taken(Use::recording);
    outcome.live = tests::live_bytes() - before;
    outcome.peak = tests::peak_bytes() - before;
    return outcome;
}

constexpr std::uint64_t not_counted = 4 << 20;  // executors, shaders, images

TEST(MemoryOfAFrame, IsWhatIsAllocated) {
    const Outcome whole = trace(deep_scene(), MemoryMeter::unlimited);
    EXPECT_GT(whole.counted, 8 * not_counted);
    EXPECT_LE(whole.counted, whole.live + not_counted);
    EXPECT_LE(whole.live, whole.counted + not_counted);
}

TEST(MemoryOfAFrame, IsRefusedBeforeItIsTaken) {
    const Scene scene = deep_scene();
    const Outcome whole = trace(scene, MemoryMeter::unlimited);
    for (const std::uint64_t share : {2U, 3U, 4U, 6U}) {
        const std::uint64_t limit = whole.counted / share;
        const Outcome refused = trace(scene, limit);
        EXPECT_THAT(refused.error, AllOf(StartsWith("byte "), HasSubstr("frame 0 needs more memory than the limit of " +
                                                                        memory_text(limit))));
        EXPECT_LE(refused.peak, limit + limit / 4 + not_counted) << share;
        EXPECT_EQ(trace(scene, limit, 4).error, refused.error) << "with other threads";
    }
}

TEST(MemoryOfAFrame, IsTakenWhereTheLimitAllowsIt) {
    const Scene scene = deep_scene();
    const Outcome whole = trace(scene, MemoryMeter::unlimited);
    const Outcome limited = trace(scene, 2 * whole.counted);
    EXPECT_EQ(limited.error, "nothing was thrown");
    EXPECT_EQ(limited.frame, whole.frame);
}

TEST(MemoryOfAFrame, IncludesADrawOfManyInstances) {
    Scene scene(32, 32);
    scene.vertices(whole_window(0));
    scene.draw_call(6, Scene::triangles, 0, 50000);
    scene.end_frame();
    const Outcome refused = trace(scene, 32 << 20);
    EXPECT_THAT(refused.error, AllOf(HasSubstr("DRAW_VBO"), HasSubstr("frame 0 needs more memory")));
    EXPECT_LE(refused.peak, 32 << 20);
}

TEST(MemoryOfAFrame, IncludesTexturesBeforeTheyAreMade) {
    Scene scene(32, 32);
    scene.stream.resource(scene.handle(), 2, 67, 10, 8192, 8192);
    scene.end_frame();
    const Outcome refused = trace(scene, 128 << 20);
    EXPECT_THAT(refused.error, AllOf(HasSubstr("RESOURCE_CREATE"), HasSubstr("needs 256.0 MiB more")));
    EXPECT_LE(refused.peak, not_counted);
}

TEST(MemoryOfAFrame, IsGivenBackWhenTheNextBegins) {
    Scene scene(256, 256);
    scene.vertices(whole_window(0));
    scene.end_frame();  // the one that uploads them
    for (int frame = 0; frame < 3; ++frame) {
        for (int i = 0; i < 20; ++i) scene.draw_call(6, Scene::triangles);
        scene.end_frame();
    }
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    Frame frame;
    ASSERT_TRUE(renderer.next_frame(&frame, nullptr, nullptr) && renderer.next_frame(&frame, nullptr, nullptr));
    const std::uint64_t first = renderer.memory().taken();
    while (renderer.next_frame(&frame, nullptr, nullptr)) EXPECT_EQ(renderer.memory().taken(), first);
}

}  // namespace
}  // namespace models::functional
