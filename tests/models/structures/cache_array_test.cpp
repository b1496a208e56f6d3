#include "models/structures/cache_array.h"

#include <list>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

// Least recently used, written the slow way: a list of blocks per set, most recent first.
class Reference {
  public:
    Reference(std::uint32_t sets, std::uint32_t ways, std::uint32_t stride)
        : sets_(sets),
          ways_(ways),
          stride_(stride) {}
    bool access(BlockNumber block) {
        auto& set = sets_[block / stride_ % sets_.size()];
        for (auto at = set.begin(); at != set.end(); ++at) {
            if (*at != block) continue;
            set.splice(set.begin(), set, at);
            return true;
        }
        return false;
    }
    BlockNumber insert(BlockNumber block) {
        auto& set = sets_[block / stride_ % sets_.size()];
        BlockNumber evicted = none;
        if (set.size() == ways_) {
            evicted = set.back();
            set.pop_back();
        }
        set.push_front(block);
        return evicted;
    }

  private:
    std::vector<std::list<BlockNumber>> sets_;
    std::uint32_t ways_, stride_;
};

RC_GTEST_PROP(CacheArray, HitsAndEvictsAsALeastRecentlyUsedListDoes, ()) {
    const auto sets = 1U << *rc::gen::inRange(0, 4);
    const auto ways = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9));
    const auto stride = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9));
    const auto blocks = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 200U));
    CacheArray cache({sets, ways, stride});
    Reference reference(sets, ways, stride);
    for (const std::uint32_t block : blocks) {
        const bool hit = reference.access(block);
        RC_ASSERT((cache.access(block) != nullptr) == hit);
        if (hit) continue;
        RC_ASSERT(cache.insert(block).block == reference.insert(block));
        RC_ASSERT(cache.find(block) != nullptr);
    }
}

TEST(CacheArray, FindingALineLeavesItsAgeAlone) {
    CacheArray cache({1, 2});
    cache.insert(1);
    cache.insert(2);
    ASSERT_NE(cache.find(1), nullptr);
    EXPECT_EQ(cache.insert(3).block, 1U);
}

TEST(CacheArray, NeverEvictsALineWhoseDataAreOnTheWay) {
    CacheArray cache({1, 2});
    cache.insert(1);
    cache.find(1)->pending = 1;
    cache.insert(2);
    EXPECT_EQ(cache.insert(3).block, 2U);
    cache.find(3)->pending = 1;
    EXPECT_EQ(cache.victim(4), nullptr);
    cache.find(1)->pending = 0;
    ASSERT_NE(cache.victim(4), nullptr);
    EXPECT_EQ(cache.victim(4)->block, 1U);
}

TEST(CacheArray, TellsWhatItEvictedAndWhetherThatWasDirty) {
    CacheArray cache({1, 1});
    EXPECT_EQ(cache.insert(1).block, none);
    cache.find(1)->dirty = 1;
    const CacheArray::Line evicted = cache.insert(2);
    EXPECT_EQ(evicted.block, 1U);
    EXPECT_EQ(evicted.dirty, 1U);
    EXPECT_EQ(cache.find(2)->dirty, 0U);
}

TEST(CacheArray, UsesInvalidLinesBeforeItEvicts) {
    CacheArray cache({1, 4});
    for (BlockNumber block = 0; block < 4; ++block) cache.insert(block);
    EXPECT_EQ(cache.invalidate([](const CacheArray::Line& line) { return line.block % 2 == 1; }), 2U);
    EXPECT_EQ(cache.find(1), nullptr);
    EXPECT_EQ(cache.insert(10).block, none);
    EXPECT_EQ(cache.insert(11).block, none);
    EXPECT_EQ(cache.insert(12).block, 0U);
    EXPECT_EQ(cache.count([](const CacheArray::Line&) { return true; }), 4U);
}

TEST(CacheArray, PutsBlocksOfInterleavedSlicesIntoAllSets) {
    CacheArray cache({4, 1, 8});  // a slice of eight: blocks 3, 11, 19, 27
    for (BlockNumber block = 3; block < 32; block += 8) EXPECT_EQ(cache.insert(block).block, none);
    for (BlockNumber block = 3; block < 32; block += 8) EXPECT_NE(cache.find(block), nullptr);
}

}  // namespace
}  // namespace models
