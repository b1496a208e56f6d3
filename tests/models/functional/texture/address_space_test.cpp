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
    EXPECT_EQ(space.allocate(1 << 20), 4096U);
    EXPECT_THROW(space.allocate(1), engine::InputError);
    EXPECT_THROW(space.allocate(~0ULL), engine::InputError);
    space.release(4096);
    EXPECT_EQ(space.allocate(1), 4096U);
    EXPECT_THROW(space.allocate(1 << 20), engine::InputError);
    EXPECT_EQ(space.allocated_bytes(), 4096U);
}

TEST(AddressSpace, IsNotFullBecauseWhatIsFreeIsInPieces) {
    AddressSpace space(64 * 4096);
    std::vector<Address> pages;
    for (int i = 0; i < 64; ++i) pages.push_back(space.allocate(4096));
    for (std::size_t i = 0; i < pages.size(); i += 2) space.release(pages[i]);
    EXPECT_EQ(space.allocate(32 * 4096), 65U * 4096) << "behind all that was ever allocated";
    EXPECT_THROW(space.allocate(1), engine::InputError);
}

// A sequence that breaks what is free into ever larger pieces, each too small for the next size.
TEST(AddressSpace, HasRoomHoweverItIsBrokenUp) {
    constexpr std::uint64_t pages = 1 << 10;
    AddressSpace space(pages * AddressSpace::alignment);
    std::vector<Address> live;
    for (std::uint64_t size = 1; size <= pages / 2; size *= 2) {
        while (space.allocated_bytes() + size * AddressSpace::alignment <= pages * AddressSpace::alignment)
            live.push_back(space.allocate(size * AddressSpace::alignment));
        std::vector<Address> kept;
        for (std::size_t i = 0; i < live.size(); ++i)
            if (i % 2 == 0)
                kept.push_back(live[i]);
            else
                space.release(live[i]);
        live = kept;
    }
    EXPECT_NO_THROW(space.allocate(pages * AddressSpace::alignment - space.allocated_bytes()));
}

TEST(AddressSpace, TellsWhatWillBeAllocatedAndMayBeRefusedIt) {
    std::uint64_t told = 0;
    AddressSpace space(1 << 20, [&](std::uint64_t bytes) {
        if (bytes > 16384) throw engine::InputError("too much");
        told = bytes;
    });
    const Address first = space.allocate(10000);
    EXPECT_EQ(told, 12288U);
    EXPECT_THROW(space.allocate(4097), engine::InputError);
    EXPECT_EQ(space.allocated_bytes(), 12288U);
    space.release(first);
    EXPECT_EQ(told, 0U);
    EXPECT_EQ(space.allocate(4097), first);
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
    RC_ASSERT(space.allocate(1 << 26) == 4096U);
}

}  // namespace
}  // namespace models::functional
