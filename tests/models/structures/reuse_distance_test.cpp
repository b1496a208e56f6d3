#include "models/structures/reuse_distance.h"

#include <algorithm>
#include <list>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

constexpr std::uint32_t never = ReuseDistance::never;

std::vector<std::uint32_t> distances(const std::vector<LineNumber>& lines) {
    ReuseDistance reuse;
    std::vector<std::uint32_t> all;
    for (const LineNumber line : lines) all.push_back(reuse.access(line));
    return all;
}

TEST(ReuseDistance, KnownAnswers) {
    EXPECT_THAT(distances({7, 7, 7}), testing::ElementsAre(never, 0, 0));
    EXPECT_THAT(distances({1, 2, 3, 1, 2, 3}), testing::ElementsAre(never, never, never, 2, 2, 2));
    EXPECT_THAT(distances({1, 2, 3, 3, 2, 1}), testing::ElementsAre(never, never, never, 0, 1, 2));
    // Mattson et al., 1970: a b c a c d e b
    EXPECT_THAT(distances({1, 2, 3, 1, 3, 4, 5, 2}), testing::ElementsAre(never, never, never, 2, 1, never, never, 4));
}

RC_GTEST_PROP(ReuseDistance, IsThePlaceInAStackOfLines, ()) {
    const auto lines = *rc::gen::container<std::vector<LineNumber>>(rc::gen::inRange(0U, 40U));
    std::list<LineNumber> stack;
    std::vector<std::uint32_t> expected;
    for (const LineNumber line : lines) {
        const auto at = std::find(stack.begin(), stack.end(), line);
        expected.push_back(at == stack.end() ? never : static_cast<std::uint32_t>(std::distance(stack.begin(), at)));
        if (at != stack.end()) stack.erase(at);
        stack.push_front(line);
    }
    RC_ASSERT(distances(lines) == expected);
}

// Numbers run out and are given anew, many times.
TEST(ReuseDistance, OfALoopIsItsLengthHoweverLongItRuns) {
    ReuseDistance reuse;
    for (LineNumber i = 0; i < 100'000; ++i) ASSERT_EQ(reuse.access(i % 300), i < 300 ? never : 299U) << i;
    EXPECT_EQ(reuse.lines(), 300U);
}

TEST(ReuseDistance, GoesOnFromItsStateAsIfItHadNotBeenSaved) {
    ReuseDistance one, other;
    engine::CounterRng draws(1, 0);
    for (int i = 0; i < 5000; ++i) one.access(draws.below(700));
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(one);
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    for (int i = 0; i < 1000; ++i) {
        const LineNumber line = draws.below(900);
        ASSERT_EQ(one.access(line), other.access(line));
    }
}

}  // namespace
}  // namespace models
