#include "models/structures/optimal_replacement.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

TEST(OptimalReplacement, KnownAnswers) {
    // Belady 1966's example as textbooks have it: 20 references, 9 misses with 3 frames.
    const std::vector<LineNumber> textbook{7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1};
    EXPECT_EQ(optimal_hits(textbook, {1, 3}), 20U - 9);
    // A loop of n + 1 lines in n ways, where LRU never hits.
    std::vector<LineNumber> loop;
    for (LineNumber i = 0; i < 50; ++i) loop.push_back(i % 5);
    EXPECT_EQ(optimal_hits(loop, {1, 4}), 34U);
    EXPECT_EQ(optimal_hits({}, {4, 2}), 0U);
    // One line is kept, the others pass by.
    const std::vector<LineNumber> guest{1, 2, 1, 3, 1};
    EXPECT_EQ(optimal_hits(guest, {1, 1}), 0U);
    EXPECT_EQ(optimal_hits(guest, {1, 1}, true), 2U);
    // Two lines as far apart as there are sets: in one set, or in two.
    const std::vector<LineNumber> apart{0, 8, 0, 8, 0, 8};
    EXPECT_EQ(optimal_hits(apart, {8, 1}), 0U);
    EXPECT_EQ(optimal_hits(apart, {8, 1, 1, 0, SetIndex::folded}), 4U);
}

// The most hits that any choice of victims can reach from here on, tried one by one.
std::uint64_t best(const std::vector<LineNumber>& accesses, std::size_t from, std::set<LineNumber> held,
                   std::uint32_t ways, bool may_pass_by = false) {
    if (from == accesses.size()) return 0;
    const LineNumber line = accesses[from];
    if (held.count(line) > 0) return 1 + best(accesses, from + 1, held, ways, may_pass_by);
    if (held.size() < ways) {
        held.insert(line);
        return best(accesses, from + 1, held, ways, may_pass_by);
    }
    std::uint64_t most = may_pass_by ? best(accesses, from + 1, held, ways, true) : 0;
    for (const LineNumber victim : held) {
        std::set<LineNumber> without = held;
        without.erase(victim);
        without.insert(line);
        most = std::max(most, best(accesses, from + 1, without, ways, may_pass_by));
    }
    return most;
}

RC_GTEST_PROP(OptimalReplacement, IsTheBestOfAllChoices, ()) {
    const auto length = *rc::gen::inRange<std::size_t>(0, 14);
    const auto accesses = *rc::gen::container<std::vector<LineNumber>>(length, rc::gen::inRange(0U, 5U));
    const auto ways = *rc::gen::inRange(1U, 4U);
    const bool may_pass_by = *rc::gen::arbitrary<bool>();
    RC_ASSERT(optimal_hits(accesses, {1, ways}, may_pass_by) == best(accesses, 0, {}, ways, may_pass_by));
}

RC_GTEST_PROP(OptimalReplacement, IsNeverBelowAnyPolicy, ()) {
    const auto member = *rc::gen::inRange<std::size_t>(0, Replacement::names.size());
    const auto index = *rc::gen::element(SetIndex::lowest_bits, SetIndex::folded);
    const CacheArrayShape shape{1U << *rc::gen::inRange(0, 3), *rc::gen::inRange(1U, 9U), 1, member, index};
    const auto accesses = *rc::gen::container<std::vector<LineNumber>>(500, rc::gen::inRange(0U, 80U));
    CacheArray cache(shape);
    std::uint64_t hits = 0;
    for (const LineNumber line : accesses)
        if (cache.access(line) != nullptr)
            ++hits;
        else
            cache.place(line);
    RC_ASSERT(optimal_hits(accesses, shape) >= hits);
}

}  // namespace
}  // namespace models
