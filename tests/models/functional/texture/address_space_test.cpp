#include "models/functional/texture/address_space.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/error.h"

namespace models::functional {
namespace {

TEST(AddressSpace, GivesTheLowestFit) {
    AddressSpace space;
    const Address a = space.allocate(1), b = space.allocate(8192), c = space.allocate(4096);
    EXPECT_EQ(a, 4096U);
    EXPECT_EQ(b, 8192U);
    EXPECT_EQ(c, 16384U);
    EXPECT_EQ(space.allocated_bytes(), 16384U);
    space.release(b);
    EXPECT_EQ(space.allocate(4096), 8192U);
    EXPECT_EQ(space.allocate(8192), 20480U);
    EXPECT_EQ(space.allocate(4096), 12288U);
}

TEST(AddressSpace, IsRefusedWhenFull) {
    AddressSpace space(1 << 20);
    EXPECT_EQ(space.allocate((1 << 20) - 4096), 4096U);
    EXPECT_THROW(space.allocate(1), engine::InputError);
    EXPECT_THROW(space.allocate(~0ULL), engine::InputError);
    space.release(4096);
    EXPECT_EQ(space.allocate(1), 4096U);
}

RC_GTEST_PROP(AddressSpace, NeverOverlapsAndJoinsWhatIsReleased, ()) {
    AddressSpace space(1 << 26);
    std::map<Address, std::uint64_t> live;
    const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
    for (const std::uint32_t step : steps) {
        if (step % 3 != 0 || live.empty()) {
            const std::uint64_t bytes = step % 40000 + 1;
            const Address at = space.allocate(bytes);
            RC_ASSERT(at % AddressSpace::alignment == 0U);
            RC_ASSERT(at != 0U);
            const auto next = live.lower_bound(at);
            const bool below_next = next == live.end() || next->first >= at + bytes;
            const bool above_last = next == live.begin() || std::prev(next)->first + std::prev(next)->second <= at;
            RC_ASSERT(below_next);
            RC_ASSERT(above_last);
            live.emplace(at, bytes);
        } else {
            const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(step / 3 % live.size()));
            space.release(victim->first);
            live.erase(victim);
        }
    }
    for (const auto& [at, bytes] : live) space.release(at);
    RC_ASSERT(space.allocated_bytes() == 0U);
    RC_ASSERT(space.allocate((1 << 26) - 4096) == 4096U);
}

}  // namespace
}  // namespace models::functional
