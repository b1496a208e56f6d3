// What tests of prefetchers have in common: accesses, and what a prefetcher wants after one.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

using Blocks = std::vector<BlockNumber>;

inline CacheObservation miss(BlockNumber block, std::uint16_t counter = 0, std::uint16_t warp = 0) {
    CacheObservation access;
    access.block = block;
    access.result = CacheObservation::Result::missed;
    access.attribution.program_counter = counter;
    access.attribution.warp = warp;
    return access;
}
inline CacheObservation hit(BlockNumber block, bool prefetched = false) {
    CacheObservation access;
    access.block = block;
    access.prefetched = prefetched;
    return access;
}

// In the order in which it wants them.
template <class Prefetcher>
Blocks wanted_after(Prefetcher& prefetcher, const CacheObservation& access) {
    PrefetchQueue queue(256);
    prefetcher.observe(access, queue);
    Blocks blocks;
    blocks.reserve(queue.size());
    for (; !queue.empty(); queue.pop()) blocks.push_back(queue.front().block);
    return blocks;
}
template <class Prefetcher>
std::vector<Blocks> wanted_after_each(Prefetcher& prefetcher, const std::vector<CacheObservation>& accesses) {
    std::vector<Blocks> all;
    all.reserve(accesses.size());
    for (const CacheObservation& access : accesses) all.push_back(wanted_after(prefetcher, access));
    return all;
}

// Accesses that mostly go on with the stride of their program counter and warp, of which there are more than tables
// have entries.
class RandomAccesses {
  public:
    explicit RandomAccesses(std::uint32_t seed) : random_(seed) {}

    CacheObservation next() {
        const auto counter = static_cast<std::uint16_t>(skewed(counters)),
                   warp = static_cast<std::uint16_t>(skewed(warps));
        Place& place = places_[counter * warps + warp];
        if (below(16) == 0) place.stride = below(7) - 3;
        if (below(24) == 0) place.block = (1U << 20U) + below(4000);
        place.block += place.stride;
        CacheObservation access = miss(place.block, counter, warp);
        access.now = now_ += below(4);
        switch (below(6)) {
            case 0:
                access.result = CacheObservation::Result::hit;
                break;
            case 1:
                access.result = CacheObservation::Result::joined;
                break;
            default:
                break;
        }
        access.prefetched = access.result != CacheObservation::Result::missed && below(2) == 0;
        access.evicted_early = access.result == CacheObservation::Result::missed && below(100) == 0;
        return access;
    }

  private:
    static constexpr std::uint32_t counters = 24, warps = 6;
    struct Place {
        BlockNumber block = 1U << 20U, stride = 1;
    };
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    std::uint32_t skewed(std::uint32_t limit) { return below(1 + below(limit)); }

    std::mt19937 random_;
    Place places_[counters * warps];
    engine::Time now_ = 0;
};

// Keys by their last use, the latest first, and what is known of them: a RecencyTable told plainly.
template <class Key, class Value>
class SlowTable {
  public:
    explicit SlowTable(std::size_t entries) : entries_(entries) {}

    Value* use(const Key& key) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == key; });
        if (found == all.end()) return nullptr;
        std::rotate(all.begin(), found, found + 1);
        return &all.front().second;
    }
    void insert(const Key& key, const Value& value) {
        all.insert(all.begin(), {key, value});
        if (all.size() > entries_) all.pop_back();
    }
    std::vector<std::pair<Key, Value>> all;

  private:
    std::size_t entries_;
};

// Over random accesses both want the same, and something.
template <class Prefetcher, class Reference>
void expect_agreement(Prefetcher& prefetcher, Reference& reference, RandomAccesses accesses) {
    std::size_t wanted = 0;
    for (int i = 0; i < 100'000; ++i) {
        const CacheObservation access = accesses.next();
        const Blocks expected = reference.observe(access);
        ASSERT_EQ(wanted_after(prefetcher, access), expected) << "access " << i;
        wanted += expected.size();
    }
    EXPECT_GT(wanted, 1000U);
}

}  // namespace models
