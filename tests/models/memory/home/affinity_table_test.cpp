#include "models/memory/home/affinity_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"
#include "tests/models/memory/home/slow_affinity_table.h"

namespace models {
namespace {

using testing::ElementsAre;

// Counters of two bits, which saturate at 3, or of four, which do at 15; one bucket.
AffinityShape one_bucket(std::uint32_t cores, std::uint32_t bits, std::uint32_t percent = 0) {
    AffinityShape shape;
    shape.cores = cores;
    shape.counter_bits = bits;
    shape.change_percent = percent;
    return shape;
}

AffinityShape of_the_paper() {
    AffinityShape shape;
    shape.cores = 32;
    shape.buckets = 32;
    shape.page_blocks = 8;
    shape.counter_bits = 4;
    shape.owner_bits = 5;
    return shape;
}

std::vector<std::uint32_t> counters(const AffinityTable& table, CoreNumber cores, std::uint32_t bucket = 0) {
    std::vector<std::uint32_t> all;
    for (CoreNumber core = 0; core < cores; ++core) all.push_back(table.counter(bucket, core));
    return all;
}

TEST(AffinityTable, TakesTheBitsThatThePaperHas) {
    EXPECT_EQ(of_the_paper().table_bits(), 4256U);  // III-A: 4256 bits, 0.51 KiB
}

// Figure 3: 16 blocks in 8 pages of two, in 4 buckets.
TEST(AffinityTable, GroupsBlocksAsFigureThree) {
    AffinityShape shape;
    shape.buckets = 4;
    shape.page_blocks = 2;
    const AffinityTable table(shape);
    std::vector<std::uint32_t> buckets;
    for (BlockNumber block = 0; block < 16; ++block) buckets.push_back(table.bucket(block));
    EXPECT_THAT(buckets, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3));
}

TEST(AffinityTable, BelongsToWhoTouchesItFirst) {
    AffinityTable table(of_the_paper());
    EXPECT_EQ(table.owner(3), no_core);
    const auto first = table.access(7, 3);
    EXPECT_EQ(first.before, no_core);
    EXPECT_EQ(first.after, 7);
    EXPECT_EQ(first.asked(), 7);
    EXPECT_EQ(table.access(9, 3).asked(), 7);
    EXPECT_EQ(table.owner(4), no_core);
    EXPECT_EQ(table.changes(), 0U);
}

TEST(AffinityTable, HalvesTheCountersOfTheBucketWhenOneSaturates) {
    AffinityTable table(one_bucket(3, 4));
    table.access(0, 0, 5);
    table.access(1, 0, 8);
    table.access(2, 0, 14);
    EXPECT_THAT(counters(table, 3), ElementsAre(5, 8, 14));
    EXPECT_EQ(table.owner(0), 0);
    const auto saturating = table.access(2, 0);
    EXPECT_THAT(counters(table, 3), ElementsAre(2, 4, 7));
    EXPECT_EQ(saturating.asked(), 0);  // the owner that the request found
    EXPECT_EQ(saturating.after, 2);
    EXPECT_EQ(table.changes(), 1U);
}

TEST(AffinityTable, HalvesOtherBucketsOnlyIfTold) {
    for (const bool all : {false, true}) {
        AffinityShape shape = one_bucket(2, 2);
        shape.buckets = 2;
        shape.halve_all = all;
        AffinityTable table(shape);
        table.access(0, 1, 2);
        table.access(1, 0, 3);
        EXPECT_EQ(table.counter(0, 1), 1U);
        EXPECT_EQ(table.counter(1, 0), all ? 1U : 2U);
    }
}

// 15 > 1.25 x 11 = 13.75, but 15 = 1.25 x 12.
TEST(AffinityTable, ChangesItsOwnerOnlyIfItIsExceededByThePercentage) {
    for (const std::uint32_t owners : {11U, 12U}) {
        AffinityTable table(one_bucket(2, 4, 25));
        table.access(0, 0, owners);
        table.access(1, 0, 15);
        EXPECT_EQ(table.owner(0), owners == 11 ? 1 : 0);
        EXPECT_EQ(table.counter(0, 1), 7U);  // halved in any case
    }
}

// After halving 11 is 5, and 7 > 1.25 x 5 = 6.25; 12 is 6, and 7 < 7.5; 13 is 6 as well.
TEST(AffinityTable, ComparesHalvedCountersIfTold) {
    for (const std::uint32_t percent : {0U, 25U}) {
        AffinityShape shape = one_bucket(2, 4, percent);
        shape.compare_halved = true;
        for (const std::uint32_t owners : {11U, 12U, 13U, 14U}) {
            AffinityTable table(shape);
            table.access(0, 0, owners);
            table.access(1, 0, 15);
            EXPECT_EQ(table.owner(0), owners < (percent == 0 ? 14U : 12U) ? 1 : 0) << owners << " " << percent;
        }
    }
}

TEST(AffinityTable, LetsAnOwnerThatSaturatesOwnOn) {
    AffinityTable table(one_bucket(2, 2));
    table.access(1, 0, 40);
    EXPECT_EQ(table.owner(0), 1);
    EXPECT_EQ(table.changes(), 0U);
}

TEST(AffinityTable, WithCountersOfOneBitBelongsToTheLastOne) {
    AffinityTable table(one_bucket(4, 1));
    for (const CoreNumber core : std::vector<CoreNumber>{2, 0, 3, 3, 1}) {
        table.access(core, 0);
        EXPECT_EQ(table.owner(0), core);
        EXPECT_THAT(counters(table, 4), ElementsAre(0, 0, 0, 0));
    }
    EXPECT_EQ(table.changes(), 3U);
}

TEST(AffinityTable, FindsItsOwnersAnewWhenAnEpochEnds) {
    AffinityShape shape = one_bucket(4, 4, 100);
    shape.buckets = 3;
    AffinityTable table(shape);
    table.access(3, 0, 2);
    table.access(2, 0, 4);
    table.access(1, 0, 4);  // of equals the lowest
    table.access(3, 1, 2);
    table.access(1, 1, 2);  // a tie with the owner: it stays
    std::vector<std::vector<std::uint32_t>> changed;
    table.end_epoch(
        [&](std::uint32_t bucket, CoreNumber before, CoreNumber after) { changed.push_back({bucket, before, after}); });
    EXPECT_THAT(changed, ElementsAre(ElementsAre(0, 3, 1)));
    EXPECT_EQ(table.owner(1), 3);
    EXPECT_EQ(table.owner(2), no_core);
    EXPECT_THAT(counters(table, 4), ElementsAre(0, 0, 0, 0));
    table.end_epoch();  // nobody has accessed anything
    EXPECT_EQ(table.owner(0), 1);
}

TEST(AffinityTable, KeepsOrForgetsOwnersAndHalvesCountersIfTold) {
    AffinityShape shape = one_bucket(2, 4);
    shape.epoch_counters = EpochCounters::halve;
    for (const EpochOwner owner : {EpochOwner::keep, EpochOwner::first_touch}) {
        shape.epoch_owner = owner;
        AffinityTable table(shape);
        table.access(0, 0, 3);
        table.access(1, 0, 9);
        table.end_epoch();
        EXPECT_EQ(table.owner(0), owner == EpochOwner::keep ? 0 : no_core);
        EXPECT_THAT(counters(table, 2), ElementsAre(1, 4));
    }
}

AffinityShape any_shape() {
    AffinityShape shape;
    shape.cores = *rc::gen::element(1U, 2U, 3U, 32U, 64U);
    shape.buckets = *rc::gen::element(1U, 2U, 7U, 32U);
    shape.page_blocks = *rc::gen::element(1U, 3U, 8U);
    shape.counter_bits = *rc::gen::element(1U, 2U, 4U, 8U);
    shape.change_percent = *rc::gen::element(0U, 10U, 25U, 100U, 10'000U);
    shape.compare_halved = *rc::gen::arbitrary<bool>();
    shape.halve_all = *rc::gen::arbitrary<bool>();
    shape.epoch_counters = *rc::gen::element(EpochCounters::zero, EpochCounters::halve);
    shape.epoch_owner = *rc::gen::element(EpochOwner::most_accesses, EpochOwner::keep, EpochOwner::first_touch);
    return shape;
}

// Blocks of which some are accessed far more often than others, each by some cores more than by others.
void compare(const AffinityShape& shape, int accesses, std::uint32_t epoch) {
    AffinityTable table(shape);
    slow::Table slow(shape, slow::Table::nobody);
    engine::CounterRng random(1, shape.cores * 1000 + shape.counter_bits);
    for (int i = 1; i <= accesses; ++i) {
        const std::uint32_t block = random.below(random.below(4096) + 1);
        const auto core = static_cast<CoreNumber>((block + random.below(random.below(shape.cores) + 1)) % shape.cores);
        const int bucket = slow.bucket_of(block);
        ASSERT_EQ(table.bucket(block), static_cast<std::uint32_t>(bucket));
        ASSERT_EQ(table.access(core, table.bucket(block)).asked(), slow.access(core, bucket)) << "access " << i;
        ASSERT_EQ(table.owner(table.bucket(block)), slow.owner(bucket)) << "access " << i;
        if (i % static_cast<int>(epoch) != 0) continue;
        table.end_epoch();
        slow.end_epoch();
        for (std::uint32_t b = 0; b < shape.buckets; ++b) {
            ASSERT_EQ(table.owner(b), slow.owner(static_cast<int>(b))) << "access " << i;
            for (CoreNumber c = 0; c < static_cast<CoreNumber>(shape.cores); ++c)
                ASSERT_EQ(table.counter(b, c), static_cast<std::uint32_t>(slow.counter(static_cast<int>(b), c)));
        }
    }
}

RC_GTEST_PROP(AffinityTable, IsTheSlowOne, ()) {
    compare(any_shape(), 3000, 500);
}

TEST(AffinityTable, IsTheSlowOneOverAMillionAccesses) {
    AffinityShape shape = of_the_paper();
    shape.change_percent = 25;
    compare(shape, 1'000'000, 20'000);
}

TEST(AffinityTable, IsTheSlowOneOverAMillionAccessesInItsCorners) {
    AffinityShape corner = one_bucket(64, 1);
    compare(corner, 1'000'000, 100);
    corner = one_bucket(64, 8, 10);
    corner.epoch_counters = EpochCounters::halve;
    compare(corner, 1'000'000, 1000);
    corner = of_the_paper();
    corner.epoch_owner = EpochOwner::first_touch;
    corner.compare_halved = true;
    compare(corner, 1'000'000, 997);
}

RC_GTEST_PROP(AffinityTable, CountsManyAccessesAsOneAfterTheOther, ()) {
    const AffinityShape shape = any_shape();
    AffinityTable together(shape), apart(shape);
    for (int i = 0; i < 100; ++i) {
        const auto core = static_cast<CoreNumber>(*rc::gen::inRange<std::uint32_t>(0, shape.cores));
        const auto bucket = *rc::gen::inRange<std::uint32_t>(0, shape.buckets);
        const auto count = *rc::gen::inRange<std::uint32_t>(1, 300);
        together.access(core, bucket, count);
        for (std::uint32_t n = 0; n < count; ++n) apart.access(core, bucket);
        RC_ASSERT(together.owner(bucket) == apart.owner(bucket));
        RC_ASSERT(together.counter(bucket, core) == apart.counter(bucket, core));
        RC_ASSERT(together.changes() == apart.changes());
    }
}

RC_GTEST_PROP(AffinityTable, GoesOnFromItsStateAsIfItHadNotBeenSaved, ()) {
    const AffinityShape shape = any_shape();
    AffinityTable table(shape), other(shape);
    const auto accesses = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1U << 20));
    const auto play = [&](AffinityTable& into) {
        for (const std::uint32_t access : accesses)
            into.access(static_cast<CoreNumber>(access % shape.cores), into.bucket(access));
    };
    play(table);
    std::vector<std::byte> bytes;
    engine::Archive writing(&bytes);
    table.serialize(writing);
    engine::Archive reading{std::span<const std::byte>(bytes)};
    other.serialize(reading);
    RC_ASSERT(reading.is_at_end());
    play(table);
    play(other);
    std::vector<std::byte> one, two;
    engine::Archive of_one(&one), of_two(&two);
    table.serialize(of_one);
    other.serialize(of_two);
    RC_ASSERT(one == two);
}

}  // namespace
}  // namespace models
