#include "models/functional/memory_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Of a scene with a texture of 2 GiB.
std::string error_with(const FunctionalRenderer::Options& options) {
    Scene scene(8, 8);
    scene.stream.resource(90, 2, 31, 10, 16384, 8192);
    scene.end_frame();
    FunctionalRenderer renderer(scene.stream.bytes(), options);
    Frame frame;
    return error_of([&] { renderer.next_frame(&frame, nullptr, nullptr); });
}

TEST(MemoryLimit, OfADrawGrowsWithTheRecordingUpToTheAddressSpace) {
    EXPECT_EQ(justified_draw_memory(0), memory_of_any_draw);
    EXPECT_EQ(justified_draw_memory(1 << 20), memory_of_any_draw + (memory_per_recorded_byte << 20));
    EXPECT_EQ(justified_draw_memory(1ULL << 40), AddressSpace::largest);
}

TEST(MemoryLimit, ATextureBeyondTheSimulatedMemoryIsRefused) {
    EXPECT_THAT(error_with({.memory = 1 << 30}),
                AllOf(StartsWith("byte "), HasSubstr("the simulated memory of 1073741824 bytes is full")));
}

// A recording that was cut has textures without contents: its size says nothing of what they take.
TEST(MemoryLimit, ATextureOfASmallRecordingIsBoundedByWhatEverythingMayTake) {
    EXPECT_THAT(error_with({.memory_limit = 1 << 30}), HasSubstr("needs more memory than the limit of 1.00 GiB"));
}

}  // namespace
}  // namespace models::functional
