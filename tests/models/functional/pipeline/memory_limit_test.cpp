#include "models/functional/memory_limit.h"

#include <gtest/gtest.h>

namespace models::functional {
namespace {

TEST(MemoryLimit, GrowsWithTheRecordingUpToTheAddressSpace) {
    EXPECT_EQ(justified_memory(0), memory_of_any_recording);
    EXPECT_EQ(justified_memory(1 << 20), memory_of_any_recording + (memory_per_recorded_byte << 20));
    EXPECT_EQ(justified_memory(1), memory_of_any_recording);  // whole pages
    EXPECT_EQ(justified_memory(1ULL << 40), AddressSpace::largest);
    EXPECT_EQ(justified_memory(12345) % AddressSpace::alignment, 0U);
    EXPECT_EQ(justified_draw_memory(0), memory_of_any_draw);
    EXPECT_EQ(justified_draw_memory(1 << 20), memory_of_any_draw + (memory_per_recorded_byte << 20));
    EXPECT_EQ(justified_draw_memory(1ULL << 40), AddressSpace::largest);
}

TEST(MemoryLimit, HasRoomForTheTargetsOfAnEngine) {
    // Twenty targets of 8 bytes a pixel and depth at 2160x1080, before anything is uploaded, and shadow maps and
    // buffers of 500 MB.
    EXPECT_GT(justified_memory(0), 2160ULL * 1080 * (20 * 8 + 4) + 500'000'000);
}

}  // namespace
}  // namespace models::functional
