#include "models/memory/home/home_policy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

// Four cores, pages of 8 blocks, 4 buckets, counters of four bits.
HomeShape small_shape() {
    HomeShape shape;
    shape.cores = 4;
    shape.affinity.cores = 4;
    shape.affinity.buckets = 4;
    shape.affinity.page_blocks = 8;
    shape.affinity.counter_bits = 4;
    shape.note_accesses = 3;
    return shape;
}

TEST(PrivateHome, AsksTheL2Cache) {
    PrivateHome home(small_shape(), 2);
    EXPECT_EQ(home.miss(17), Route{});
    EXPECT_EQ(home.hit(17), HomeHit{});
}

TEST(StaticHome, DealsBlocksToCoresInTurn) {
    StaticHome home(small_shape(), 2);
    EXPECT_EQ(home.miss(17), (Route{Route::To::core, 1}));
    EXPECT_EQ(home.miss(18), Route{});
    HomeShape runs = small_shape();
    runs.interleave = 8;
    EXPECT_EQ(StaticHome(runs, 2).miss(17), Route{});
    EXPECT_EQ(StaticHome(runs, 2).miss(24), (Route{Route::To::core, 3}));
}

TEST(DirectoryHome, AsksTheDirectory) {
    EXPECT_EQ(DirectoryHome(small_shape(), 2).miss(17), Route{Route::To::directory});
}

TEST(CentralAffinityHome, TellsHitsInLumpsAndWithTheNextMissOfTheBucket) {
    CentralAffinityHome home(small_shape(), 2);
    EXPECT_EQ(home.miss(0), (Route{Route::To::table, no_core, 1}));
    EXPECT_EQ(home.hit(0).accesses, 0);
    EXPECT_EQ(home.hit(32).accesses, 0);  // the same bucket
    EXPECT_EQ(home.hit(8).accesses, 0);   // another one
    EXPECT_EQ(home.hit(1).accesses, 3);
    EXPECT_EQ(home.hit(7).accesses, 0);
    EXPECT_EQ(home.miss(33), (Route{Route::To::table, no_core, 2}));
    EXPECT_EQ(home.miss(33), (Route{Route::To::table, no_core, 1}));
    EXPECT_EQ(home.miss(15), (Route{Route::To::table, no_core, 2}));
}

TEST(CentralAffinityHome, CountsMissesOnlyIfTold) {
    HomeShape shape = small_shape();
    shape.count_hits = false;
    CentralAffinityHome home(shape, 2);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(home.hit(0).accesses, 0);
    EXPECT_EQ(home.miss(0).accesses, 1);
}

TEST(CentralAffinityHome, LeavesRecencyAloneWhereItIsNotTheOwner) {
    for (const bool always : {false, true}) {
        HomeShape shape = small_shape();
        shape.recent_without_owning = always;
        CentralAffinityHome home(shape, 2);
        EXPECT_EQ(home.hit(0).recent, always);
        home.tell(0, true);
        EXPECT_TRUE(home.hit(0).recent);
        EXPECT_TRUE(home.serve(1, 33));
        EXPECT_EQ(home.hit(8).recent, always);
        home.tell(0, false);
        EXPECT_EQ(home.hit(0).recent, always);
        EXPECT_EQ(home.serve(1, 33), always);
    }
}

TEST(DistributedAffinityHome, AsksTheOwnerThatItsTableHas) {
    DistributedAffinityHome home(small_shape(), 2);
    EXPECT_EQ(home.miss(0), Route{});  // it owns all
    home.table().begin_epoch(1, [](const OwnershipClaim& /*claim*/) {});
    home.table().hear({1, 0, 3, 9});
    EXPECT_EQ(home.miss(0), (Route{Route::To::core, 3}));
    EXPECT_EQ(home.miss(8), Route{});
    EXPECT_FALSE(home.hit(1).recent);  // of an old owner
    EXPECT_TRUE(home.hit(8).recent);
    EXPECT_FALSE(home.serve(1, 0));
    EXPECT_TRUE(home.serve(1, 8));
}

TEST(DistributedAffinityHome, CountsHitsAndWhatItServesAsToldTo) {
    for (const bool hits : {false, true})
        for (const bool served : {false, true}) {
            HomeShape shape = small_shape();
            shape.count_hits = hits;
            shape.count_served = served;
            DistributedAffinityHome home(shape, 2);
            home.hit(0);
            home.serve(1, 0);
            home.miss(0);
            EXPECT_EQ(home.table().table().counter(0, 2), hits ? 2U : 1U);
            EXPECT_EQ(home.table().table().counter(0, 1), served ? 1U : 0U);
        }
}

RC_GTEST_PROP(HomePolicy, EveryPolicyGoesOnFromItsStateAsIfItHadNotBeenSaved, ()) {
    const HomeShape shape = small_shape();
    const auto member = *rc::gen::inRange<std::size_t>(0, HomePolicy::names.size());
    HomePolicy policy(member, shape, CoreNumber{1}), other(member, shape, CoreNumber{1});
    const auto accesses = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 100U));
    const auto play = [&](HomePolicy& into) {
        std::vector<std::uint32_t> seen;
        for (const std::uint32_t access : accesses)
            into.visit([&](auto& home) {
                const Route route = home.miss(access);
                const HomeHit hit = home.hit(access + 1);
                seen.insert(seen.end(), {static_cast<std::uint32_t>(route.to), route.core, route.accesses, hit.accesses,
                                         hit.recent ? 1U : 0U, home.serve(3, access) ? 1U : 0U});
            });
        return seen;
    };
    play(policy);
    std::vector<std::byte> bytes;
    engine::Archive writing(&bytes);
    policy.serialize(writing);
    engine::Archive reading{std::span<const std::byte>(bytes)};
    other.serialize(reading);
    RC_ASSERT(reading.is_at_end());
    RC_ASSERT(play(policy) == play(other));
}

}  // namespace
}  // namespace models
