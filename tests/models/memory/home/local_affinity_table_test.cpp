#include "models/memory/home/local_affinity_table.h"

#include <algorithm>
#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"
#include "tests/models/memory/home/slow_local_affinity_table.h"

namespace models {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

AffinityShape shape_of(std::uint32_t cores, std::uint32_t buckets) {
    AffinityShape shape;
    shape.cores = cores;
    shape.buckets = buckets;
    shape.counter_bits = 4;
    return shape;
}

CoreNumber core_count(const AffinityShape& shape) {
    return static_cast<CoreNumber>(shape.cores);
}

std::vector<OwnershipClaim> begin_epoch(LocalAffinityTable& table, std::uint32_t epoch) {
    std::vector<OwnershipClaim> claims;
    table.begin_epoch(epoch, [&](const OwnershipClaim& claim) { claims.push_back(claim); });
    return claims;
}

// bucket, accesses
std::vector<std::pair<int, int>> briefly(const std::vector<OwnershipClaim>& claims) {
    std::vector<std::pair<int, int>> brief;
    brief.reserve(claims.size());
    for (const OwnershipClaim& claim : claims) brief.emplace_back(claim.bucket, claim.accesses);
    return brief;
}

std::vector<int> owners(const LocalAffinityTable& table) {
    std::vector<int> all;
    for (std::uint32_t bucket = 0; bucket < table.table().buckets(); ++bucket) all.push_back(table.owner(bucket));
    return all;
}

// IV-B: "Initially, all Fragment Processors own all the buckets".
TEST(LocalAffinityTable, OwnsAllAtTheBeginningAndClaimsAll) {
    LocalAffinityTable table(shape_of(4, 3), 2);
    EXPECT_THAT(owners(table), ElementsAre(2, 2, 2));
    EXPECT_TRUE(table.owns(1));
    table.access(2, 1);
    table.access(2, 1);
    EXPECT_THAT(briefly(begin_epoch(table, 1)), ElementsAre(std::pair(0, 0), std::pair(1, 2), std::pair(2, 0)));
    EXPECT_EQ(table.table().counter(1, 2), 0U);
}

TEST(LocalAffinityTable, GivesABucketToTheGreaterCounterAndOfEqualOnesToTheLowestCore) {
    LocalAffinityTable table(shape_of(4, 1), 1);
    for (int i = 0; i < 5; ++i) table.access(1, 0);
    begin_epoch(table, 1);
    table.hear({1, 0, 0, 4});
    EXPECT_EQ(table.owner(0), 1);
    table.hear({1, 0, 3, 6});
    EXPECT_EQ(table.owner(0), 3);
    table.hear({1, 0, 2, 6});
    EXPECT_EQ(table.owner(0), 2);
    table.hear({1, 0, 0, 5});
    EXPECT_EQ(table.owner(0), 2);
}

TEST(LocalAffinityTable, BelievesTheLaterEpochWhateverTheCounters) {
    LocalAffinityTable table(shape_of(4, 2), 3);
    begin_epoch(table, 1);
    table.hear({1, 0, 0, 14});
    table.hear({1, 1, 0, 14});
    EXPECT_THAT(briefly(begin_epoch(table, 2)), IsEmpty());
    EXPECT_THAT(owners(table), ElementsAre(0, 0));  // as right before the epoch
    table.hear({2, 0, 1, 0});
    EXPECT_THAT(owners(table), ElementsAre(1, 0));
    table.hear({1, 0, 2, 14});  // late
    table.hear({1, 1, 2, 15});  // late too, and better than what is known of its bucket
    EXPECT_THAT(owners(table), ElementsAre(1, 2));
}

// Its own counter saturates at 15, that of the owner is not known here: 0.
TEST(LocalAffinityTable, TakesABucketForItsCoreWithinAnEpoch) {
    LocalAffinityTable table(shape_of(2, 1), 1);
    begin_epoch(table, 1);
    table.hear({1, 0, 0, 9});
    for (int i = 0; i < 15; ++i) EXPECT_EQ(table.access(1, 0), 0);
    EXPECT_EQ(table.access(1, 0), 1);
    EXPECT_THAT(briefly(begin_epoch(table, 2)), ElementsAre(std::pair(0, 8)));  // 15 / 2 + 1
}

TEST(LocalAffinityTable, ClaimsWhatItHasAccessedMostThoughItsCounterHasNotSaturated) {
    LocalAffinityTable table(shape_of(2, 1), 1);
    begin_epoch(table, 1);
    table.hear({1, 0, 0, 9});
    for (int i = 0; i < 3; ++i) table.access(1, 0);
    EXPECT_EQ(table.owner(0), 0);
    EXPECT_THAT(briefly(begin_epoch(table, 2)), ElementsAre(std::pair(0, 3)));
}

TEST(LocalAffinityTable, GivesUpABucketThatOthersAskForMoreOften) {
    LocalAffinityTable table(shape_of(3, 1), 0);
    table.access(0, 0);
    for (int i = 0; i < 2; ++i) table.access(2, 0);
    EXPECT_EQ(table.owner(0), 0);
    EXPECT_THAT(briefly(begin_epoch(table, 1)), IsEmpty());
    EXPECT_EQ(table.owner(0), 2);
}

struct Broadcast {
    OwnershipClaim claim;
    std::size_t to;
};

// All cores access blocks and serve each other; claims arrive in random order, some of them after the next epoch has
// begun. Each table is its slow one all the time.
class Compared {
  public:
    // A claim arrives with one access in `late`.
    Compared(const AffinityShape& shape, std::uint32_t late)
        : cores_(core_count(shape)),
          late_(late),
          random_(2, shape.cores) {
        for (CoreNumber core = 0; core < cores_; ++core) {
            fast_.emplace_back(shape, core);
            slow_.emplace_back(shape, core);
        }
    }

    void play(int accesses, int epoch) {
        for (int i = 1; i <= accesses && !testing::Test::HasFailure(); ++i) {
            access();
            if (!under_way_.empty() && random_.below(late_) == 0) deliver();
            if (i % epoch == 0) begin(static_cast<std::uint32_t>(i / epoch));
        }
    }

  private:
    void access() {
        const std::uint32_t block = random_.below(random_.below(4096) + 1);
        const std::uint32_t near = random_.below(random_.below(cores_) + 1);
        const auto core = static_cast<CoreNumber>((block + near) % cores_);
        const CoreNumber asked = access(core, core, block);
        if (asked != core) access(asked, core, block);  // serves it
    }
    // In the table of one core by another one, or itself.
    CoreNumber access(CoreNumber table, CoreNumber by, std::uint32_t block) {
        const int bucket = slow_[table].table.bucket_of(block);
        const CoreNumber asked = fast_[table].access(by, block);
        EXPECT_EQ(asked, slow_[table].table.access(by, bucket));
        expect_same_owner(table, bucket);
        return asked;
    }
    void deliver() {
        std::swap(under_way_[random_.below(static_cast<std::uint32_t>(under_way_.size()))], under_way_.front());
        const auto [claim, to] = under_way_.front();
        under_way_.pop_front();
        fast_[to].hear(claim);
        slow_[to].hear(claim);
        expect_same_owner(to, claim.bucket);
    }
    void begin(std::uint32_t epoch) {
        for (CoreNumber from = 0; from < cores_; ++from) {
            const std::vector<OwnershipClaim> claims = begin_epoch(fast_[from], epoch);
            EXPECT_EQ(briefly(claims), briefly(slow_[from].begin_epoch(epoch)));
            for (const OwnershipClaim& claim : claims)
                for (CoreNumber to = 0; to < cores_; ++to)
                    if (to != from) under_way_.push_back({claim, to});
        }
    }
    void expect_same_owner(std::size_t table, int bucket) {
        EXPECT_EQ(fast_[table].owner(static_cast<std::uint32_t>(bucket)), slow_[table].table.owner(bucket));
    }

    CoreNumber cores_;
    std::uint32_t late_;
    engine::CounterRng random_;
    std::vector<LocalAffinityTable> fast_;  // by core
    std::vector<slow::LocalTable> slow_;
    std::deque<Broadcast> under_way_;
};

void compare(const AffinityShape& shape, int accesses, int epoch, std::uint32_t late) {
    Compared(shape, late).play(accesses, epoch);
}

RC_GTEST_PROP(LocalAffinityTable, IsTheSlowOne, ()) {
    AffinityShape shape = shape_of(*rc::gen::element(1U, 2U, 5U, 16U), *rc::gen::element(1U, 3U, 8U));
    shape.page_blocks = *rc::gen::element(1U, 8U);
    shape.counter_bits = *rc::gen::element(1U, 4U, 8U);
    shape.change_percent = *rc::gen::element(0U, 25U);
    shape.epoch_counters = *rc::gen::element(EpochCounters::zero, EpochCounters::halve);
    shape.epoch_owner = *rc::gen::element(EpochOwner::most_accesses, EpochOwner::keep, EpochOwner::first_touch);
    compare(shape, 3000, 300, *rc::gen::element(1U, 2U));
}

TEST(LocalAffinityTable, IsTheSlowOneOverAMillionAccesses) {
    AffinityShape shape = shape_of(32, 32);
    shape.page_blocks = 8;
    shape.change_percent = 25;
    compare(shape, 1'000'000, 20'000, 1);
}

TEST(LocalAffinityTable, IsTheSlowOneOverAMillionAccessesInItsCorners) {
    AffinityShape corner = shape_of(64, 1);
    corner.counter_bits = 1;
    compare(corner, 1'000'000, 10'000, 2);
    corner = shape_of(3, 32);
    corner.epoch_counters = EpochCounters::halve;
    compare(corner, 1'000'000, 50, 1);
}

// However they are delivered, all have the same owner of each bucket afterwards, if nothing saturates meanwhile.
RC_GTEST_PROP(LocalAffinityTable, AgreesWithAllOthersWhenTheClaimsHaveArrived, ()) {
    AffinityShape shape = shape_of(*rc::gen::inRange(1U, 12U), *rc::gen::inRange(1U, 8U));
    shape.counter_bits = 8;
    std::vector<LocalAffinityTable> tables;
    for (CoreNumber core = 0; core < core_count(shape); ++core) tables.emplace_back(shape, core);
    for (std::uint32_t epoch = 1; epoch <= 4; ++epoch) {
        std::vector<std::vector<int>> accesses(shape.buckets, std::vector<int>(shape.cores));
        for (std::uint32_t bucket = 0; bucket < shape.buckets; ++bucket)
            for (CoreNumber core = 0; core < core_count(shape); ++core) {
                accesses[bucket][core] = *rc::gen::inRange(0, 6);
                for (int i = 0; i < accesses[bucket][core]; ++i) tables[core].access(core, bucket);
            }
        std::vector<Broadcast> broadcasts;
        for (CoreNumber from = 0; from < core_count(shape); ++from)
            for (const OwnershipClaim& claim : begin_epoch(tables[from], epoch))
                for (CoreNumber to = 0; to < core_count(shape); ++to)
                    if (to != from) broadcasts.push_back({claim, to});
        const auto order =
            *rc::gen::container<std::vector<std::uint32_t>>(broadcasts.size(), rc::gen::arbitrary<std::uint32_t>());
        std::vector<std::size_t> places(broadcasts.size());
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
        std::sort(places.begin(), places.end(),
                  [&](std::size_t a, std::size_t b) { return std::pair(order[a], a) < std::pair(order[b], b); });
        for (const std::size_t place : places) tables[broadcasts[place].to].hear(broadcasts[place].claim);
        for (std::uint32_t bucket = 0; bucket < shape.buckets; ++bucket) {
            const std::vector<int>& by_core = accesses[bucket];
            const auto most = std::max_element(by_core.begin(), by_core.end());
            for (const LocalAffinityTable& table : tables) {
                RC_ASSERT(table.owner(bucket) == tables[0].owner(bucket));
                if (*most > 0) RC_ASSERT(table.owner(bucket) == most - by_core.begin());
            }
        }
    }
}

}  // namespace
}  // namespace models
