// Every prefetcher in caches of all kinds: accesses are served, what is brought is accounted for, and a cache that is
// saved and restored goes on as if it had not been.
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/memory/cache.h"
#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// A memory that answers a request after a time that its block gives, so not in their order, and that has room for few.
class SlowMemory final : public MemoryExit {
  public:
    explicit SlowMemory(BlockNumber blocks, int credits) : blocks_(blocks), credits_(credits) {}
    bool can_send(BlockNumber /*block*/, int requests) const override { return credits_ >= requests; }
    void send(Time now, const MemoryRequest& request, Time delay) override {
        --credits_;
        const bool is_read = request.operation == MemoryOperation::read;
        if (is_read) reads.push_back(request.block);
        pending_.push_back({now + delay + 20 + request.block * 7 % 40,
                            request.tag,
                            static_cast<std::uint8_t>(request.operation == MemoryOperation::read),
                            {}});
    }
    std::string_view answered_by() const override { return "memory"; }
    BlockNumber memory_blocks() const override { return blocks_; }

    template <class Visitor>
    void answer(Time now, Visitor&& visit) {
        for (std::size_t i = 0; i < pending_.size();) {
            if (pending_[i].at > now) {
                ++i;
                continue;
            }
            const Pending one = pending_[i];
            pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
            ++credits_;
            visit(one.tag, one.is_read != 0);
        }
    }
    void serialize(engine::Archive& archive) { archive(pending_, credits_); }

    Blocks reads;

  private:
    struct Pending {
        Time at = 0;
        RequestTag tag;
        std::uint8_t is_read = 0;
        std::uint8_t spare[5] = {};
    };
    BlockNumber blocks_;
    int credits_;
    std::vector<Pending> pending_;
};

// A cache that is driven as units do it: refused accesses are tried again in the next cycle.
class Driver {
  public:
    explicit Driver(const CacheShape& shape, BlockNumber memory = most_memory_blocks, int credits = 6)
        : memory_(memory, credits),
          cache_(&counters_, shape, {memory_, 0, MemoryClient::colour}) {}

    Cache::Outcome access(const Cache::Access& access) {
        for (int tries = 0;; ++tries) {
            cycle();
            const Cache::Outcome outcome = cache_.access(now_, access);
            EXPECT_LT(tries, 10'000) << "it is never served";
            if (tries == 10'000) return outcome;
            if (!Cache::is_served(outcome)) continue;
            awaited_ += Cache::lines_awaited(outcome);
            return outcome;
        }
    }
    Cache::Outcome read(BlockNumber block) {
        return access({block, block_sectors, Cache::Kind::read, MemoryClient::colour, 0, {}});
    }
    void rest() {
        for (int i = 0; i < 10'000 && !cache_.is_idle(); ++i) cycle();
        EXPECT_TRUE(cache_.is_idle());
        EXPECT_EQ(awaited_, 0U);
    }
    void end_frame() {
        rest();
        cache_.end_frame();
        Laws laws;
        cache_.add_laws(laws, "cache");
        for (const Laws::Law& law : laws.all()) EXPECT_EQ(sum(law.left), sum(law.right)) << law.text;
    }
    Cache& cache() { return cache_; }
    const Blocks& reads() const { return memory_.reads; }
    std::map<std::string, std::uint64_t> counters(bool of_prefetches = true) const {
        std::map<std::string, std::uint64_t> all;
        for (const engine::CounterInfo& info : counters_.all())
            if (of_prefetches || !info.name.starts_with("prefetches")) all[info.name] = *info.value;
        return all;
    }
    Time now() const { return now_; }
    void serialize(engine::Archive& archive) { archive(counters_, memory_, cache_, now_, awaited_); }

  private:
    void cycle() {
        ++now_;
        memory_.answer(now_, [&](RequestTag tag, bool is_read) {
            if (is_read)
                awaited_ -= cache_.fill(now_, tag).size();
            else
                cache_.on_written();
        });
        cache_.write_back(now_);
    }
    static std::uint64_t sum(const Sum& all) {
        std::uint64_t value = 0;
        for (const std::uint64_t* term : all.terms()) value += *term;
        return value;
    }

    engine::CounterList counters_;
    SlowMemory memory_;
    Cache cache_;
    Time now_ = 0;
    std::uint64_t awaited_ = 0;
};

std::size_t number_of(std::string_view prefetcher) {
    const auto& names = Prefetcher::names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), prefetcher) - names.begin());
}

// 8 lines in 4 sets.
CacheShape small_cache(std::string_view prefetcher) {
    CacheShape shape;
    shape.array = {4, 2};
    shape.mshrs = 6;
    shape.targets = 4;
    shape.ports = 4;
    shape.prefetcher = number_of(prefetcher);
    shape.prefetch.throttle.period = 500;
    return shape;
}

// Neighbours, mostly, as a warp of a few program counters reads and writes them.
Cache::Access random_access(std::mt19937& random, BlockNumber& block) {
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    block = below(10) == 0 ? below(300) : (block + below(3)) % 300;
    Attribution attribution;
    attribution.program_counter = static_cast<std::uint16_t>(below(3));
    attribution.warp = static_cast<std::uint16_t>(below(4));
    const auto kind = below(4) == 0 ? static_cast<Cache::Kind>(1 + below(2)) : Cache::Kind::read;
    return {block, static_cast<SectorMask>(1 + below(3)), kind, MemoryClient::colour, 0, attribution};
}

class EveryPrefetcher : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryPrefetcher, LeavesCachesOfAllKindsInOrder) {
    std::mt19937 random(7);
    std::uint64_t brought = 0;
    for (const std::uint32_t line : {32U, 64U, 128U})
        for (const std::uint32_t sector : {32U, line})
            for (const WritePolicy policy :
                 {WritePolicy::write_back, WritePolicy::no_allocate, WritePolicy::write_through})
                for (const std::uint32_t mshrs : {2U, 3U, 8U}) {
                    CacheShape shape = small_cache(GetParam());
                    shape.line_bytes = line;
                    shape.sector_bytes = sector;
                    shape.write_policy = policy;
                    shape.mshrs = mshrs;
                    Driver driver(shape, 300, mshrs == 3 ? 2 : 6);
                    BlockNumber block = 0;
                    for (int frame = 0; frame < 4; ++frame) {
                        for (int i = 0; i < 500; ++i) {
                            driver.access(random_access(random, block));
                            if (i % 100 == 50) driver.cache().invalidate_range(block, 20);
                            if (i % 90 == 30) driver.cache().write_around(block, 1, MemoryClient::upload);
                        }
                        driver.rest();
                        if (frame == 1) driver.cache().begin_flush();
                        driver.end_frame();
                    }
                    brought += driver.cache().prefetches_used.value();
                }
    EXPECT_EQ(brought > 0, GetParam() != "none");
}

TEST_P(EveryPrefetcher, EndsInOrderWithOneMshrAndAQueueOfOne) {
    CacheShape shape = small_cache(GetParam());
    shape.mshrs = 1;
    shape.targets = 1;
    shape.prefetch.queue = 1;
    Driver driver(shape, most_memory_blocks, 1);
    std::mt19937 random(8);
    BlockNumber block = 0;
    for (int i = 0; i < 2000; ++i) driver.access(random_access(random, block));
    driver.end_frame();
    EXPECT_EQ(driver.cache().prefetches.value(), 0U);  // the MSHR is never theirs
    EXPECT_EQ(driver.cache().prefetches_dropped.value() > 0, GetParam() != "none");
}

TEST_P(EveryPrefetcher, GoesOnAsItWasAfterBeingSavedInTheMidst) {
    const CacheShape shape = small_cache(GetParam());
    Driver driver(shape), resumed(shape);
    std::mt19937 random(9);
    BlockNumber block = 0;
    for (int i = 0; i < 1000; ++i) driver.access(random_access(random, block));
    std::vector<std::byte> bytes;
    engine::Archive save(&bytes);
    save(driver);
    engine::Archive restore{std::span<const std::byte>(bytes)};
    restore(resumed);
    EXPECT_TRUE(restore.is_at_end());
    const std::size_t before = driver.reads().size();
    for (int i = 0; i < 1000; ++i) {
        const Cache::Access access = random_access(random, block);
        ASSERT_EQ(driver.access(access), resumed.access(access)) << "access " << i;
    }
    for (Driver* each : {&driver, &resumed}) each->end_frame();
    EXPECT_EQ(Blocks(driver.reads().begin() + static_cast<std::ptrdiff_t>(before), driver.reads().end()),
              resumed.reads());
    EXPECT_EQ(driver.counters(), resumed.counters());
    EXPECT_EQ(driver.now(), resumed.now());
}

TEST_P(EveryPrefetcher, WhoseBlocksAreAllDroppedChangesNoOtherCounter) {
    Driver with(small_cache(GetParam()), 0), without(small_cache("none"), 0);  // there is no memory to prefetch from
    std::mt19937 random(10);
    BlockNumber block = 0;
    for (int i = 0; i < 3000; ++i) {
        const Cache::Access access = random_access(random, block);
        ASSERT_EQ(with.access(access), without.access(access)) << "access " << i;
    }
    with.end_frame();
    without.end_frame();
    EXPECT_EQ(with.counters(false), without.counters(false));
    EXPECT_EQ(with.now(), without.now());
    for (const auto& [name, value] : without.counters())
        EXPECT_TRUE(!name.starts_with("prefetches") || value == 0) << name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryPrefetcher, testing::ValuesIn(Prefetcher::names),
                         [](const auto& test) { return std::string(test.param); });

TEST(CachePrefetch, BringsTheNextLineBeforeItIsAskedFor) {
    Driver driver(small_cache("next_line"));
    EXPECT_EQ(driver.read(0), Cache::Outcome::waiting);
    driver.rest();
    EXPECT_EQ(driver.read(1), Cache::Outcome::hit);
    EXPECT_EQ(driver.read(2), Cache::Outcome::waiting);  // on its way: late
    driver.end_frame();
    EXPECT_THAT(driver.reads(), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(driver.cache().prefetches_used.value(), 1U);
    EXPECT_EQ(driver.cache().prefetches_late.value(), 1U);
    EXPECT_EQ(driver.cache().prefetches_left.value(), 1U);
    EXPECT_EQ(driver.read(3), Cache::Outcome::hit);
    driver.end_frame();  // in another frame than it was brought
    EXPECT_EQ(driver.cache().prefetches_carried.value(), 1U);
}

TEST(CachePrefetch, BringsBothHalvesOfABlockInLinesOf32Bytes) {
    CacheShape shape = small_cache("next_line");
    shape.line_bytes = shape.sector_bytes = 32;
    Driver driver(shape);
    driver.access({0, 1, Cache::Kind::read, MemoryClient::colour, 0, {}});
    driver.rest();
    EXPECT_EQ(driver.read(1), Cache::Outcome::hit);
    driver.end_frame();
    EXPECT_THAT(driver.reads(), ElementsAre(0, 1, 1, 2, 2));
    EXPECT_EQ(driver.cache().prefetches_used.value(), 2U);
}

TEST(CachePrefetch, ASliceGoesOnWithItsOwnNextLine) {
    CacheShape shape = small_cache("next_line");
    shape.array.stride = 4;
    Driver driver(shape);
    driver.read(6);
    driver.end_frame();
    EXPECT_THAT(driver.reads(), ElementsAre(6, 10));
}

TEST(CachePrefetch, NothingIsBroughtFromBeyondMemory) {
    Driver driver(small_cache("next_line"), 8);
    driver.read(7);
    driver.end_frame();
    EXPECT_THAT(driver.reads(), ElementsAre(7));
    EXPECT_EQ(driver.cache().prefetches_dropped.value(), 1U);
}

TEST(CachePrefetch, WhatFindsNoRoomInTheQueueIsDropped) {
    CacheShape shape = small_cache("next_line");
    shape.prefetch.next_line_degree = 6;
    shape.prefetch.queue = 4;
    shape.mshrs = 4;
    Driver driver(shape);
    driver.read(0);
    EXPECT_EQ(driver.cache().prefetches_wanted.value(), 6U);
    EXPECT_EQ(driver.cache().prefetches_dropped.value(), 2U);
    EXPECT_EQ(driver.cache().prefetches.value(), 2U);  // one MSHR is the miss's, one is kept for others
    driver.rest();
    driver.read(0);
    EXPECT_EQ(driver.cache().prefetches.value(), 4U);
    driver.end_frame();
}

}  // namespace
}  // namespace models
