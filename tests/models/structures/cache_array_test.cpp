#include "models/structures/cache_array.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/structures/replacement/slow_policies.h"

namespace models {
namespace {

// A set-associative cache written the slow way: for every set which line is in which way.
class Reference {
  public:
    Reference(std::uint32_t sets, std::uint32_t ways, std::uint32_t stride, std::size_t member)
        : sets_(sets),
          ways_(ways),
          stride_(stride),
          policy_(slow::policy(Replacement::names[member], sets, ways)) {}
    bool access(LineNumber line) {
        const std::uint32_t set = line / stride_ % sets_;
        for (const auto& [way, there] : lines_[set]) {
            if (there != line) continue;
            policy_->hit(set, way);
            return true;
        }
        return false;
    }
    LineNumber insert(LineNumber line) {
        const std::uint32_t set = line / stride_ % sets_;
        auto& lines = lines_[set];
        std::uint32_t way = 0;
        while (way < ways_ && lines.count(way) > 0) ++way;
        if (way == ways_) way = policy_->victim(set);
        const LineNumber evicted = lines.count(way) > 0 ? lines[way] : none;
        lines[way] = line;
        policy_->fill(set, way);
        return evicted;
    }

  private:
    std::uint32_t sets_, ways_, stride_;
    std::unique_ptr<slow::Policy> policy_;
    std::map<std::uint32_t, std::map<std::uint32_t, LineNumber>> lines_;  // [set][way]
};

RC_GTEST_PROP(CacheArray, HitsAndEvictsAsTheSlowReferenceDoesWithEveryPolicy, ()) {
    const auto sets = 1U << *rc::gen::inRange(0, 4);
    const auto ways = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9));
    const auto stride = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9));
    const auto member = *rc::gen::inRange<std::size_t>(0, Replacement::names.size());
    const auto lines = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 200U));
    CacheArray cache({sets, ways, stride, member});
    Reference reference(sets, ways, stride, member);
    for (const std::uint32_t line : lines) {
        const bool hit = reference.access(line);
        RC_ASSERT((cache.access(line) != nullptr) == hit);
        if (hit) continue;
        RC_ASSERT(cache.place(line).old.number == reference.insert(line));
        RC_ASSERT(cache.find(line) != nullptr);
    }
}

TEST(CacheArray, FindingALineLeavesItsAgeAlone) {
    CacheArray cache({1, 2});
    cache.place(1);
    cache.place(2);
    ASSERT_NE(cache.find(1), nullptr);
    EXPECT_EQ(cache.place(3).old.number, 1U);
}

TEST(CacheArray, TellsWhatItEvictedAndWhatOfThatWasDirty) {
    CacheArray cache({1, 1});
    const auto [line, old, was_there] = cache.place(1);
    EXPECT_FALSE(was_there);
    EXPECT_EQ(old.number, none);
    EXPECT_EQ(line, cache.find(1));
    line->dirty = 0b10;
    const CacheArray::Line evicted = cache.place(2).old;
    EXPECT_EQ(evicted.number, 1U);
    EXPECT_EQ(evicted.dirty, 0b10U);
    EXPECT_TRUE(cache.place(2).was_there);
    EXPECT_EQ(cache.find(2)->dirty, 0U);
}

TEST(CacheArray, UsesInvalidPlacesBeforeItEvicts) {
    CacheArray cache({1, 4});
    for (LineNumber line = 0; line < 4; ++line) cache.place(line);
    EXPECT_EQ(cache.invalidate([](const CacheArray::Line& line) { return line.number % 2 == 1; }), 2U);
    EXPECT_EQ(cache.find(1), nullptr);
    EXPECT_EQ(cache.place(10).old.number, none);
    EXPECT_EQ(cache.place(11).old.number, none);
    EXPECT_EQ(cache.place(12).old.number, 0U);
    std::vector<LineNumber> there;
    cache.for_each([&](const CacheArray::Line& line) { there.push_back(line.number); });
    EXPECT_EQ(there, (std::vector<LineNumber>{12, 10, 2, 11}));
}

TEST(CacheArray, PutsLinesOfInterleavedSlicesIntoAllSets) {
    CacheArray cache({4, 1, 8});  // a slice of eight: lines 3, 11, 19, 27
    for (LineNumber line = 3; line < 32; line += 8) EXPECT_EQ(cache.place(line).old.number, none);
    for (LineNumber line = 3; line < 32; line += 8) EXPECT_NE(cache.find(line), nullptr);
}

}  // namespace
}  // namespace models
