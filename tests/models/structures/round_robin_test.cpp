#include "models/structures/round_robin.h"

#include <set>

#include <gtest/gtest.h>

#include "engine/draws.h"

namespace models {
namespace {

TEST(FirstInTurn, IsTheFirstFromThereOnOrElseTheFirst) {
    EXPECT_EQ(first_in_turn(0b10110, 0), 1U);
    EXPECT_EQ(first_in_turn(0b10110, 1), 1U);
    EXPECT_EQ(first_in_turn(0b10110, 3), 4U);
    EXPECT_EQ(first_in_turn(0b00110, 3), 1U);
    EXPECT_EQ(first_in_turn(0x80000000U, 31), 31U);
    EXPECT_EQ(first_in_turn(1, 31), 0U);
}

TEST(RoundRobin, ServesAllWhoAskInTurn) {
    RoundRobin arbiter(3);
    for (const std::uint32_t i : {2U, 0U, 1U}) arbiter.ask(i);
    for (const std::uint32_t i : {0U, 1U, 2U, 0U}) EXPECT_EQ(arbiter.grant(), i);
    arbiter.withdraw(1);
    EXPECT_EQ(arbiter.grant(), 2U);
    arbiter.withdraw(0);
    arbiter.withdraw(2);
    EXPECT_FALSE(arbiter.is_asked());
}

// Against a walk over all from whose turn it is; more than there are bits in a word, and exactly as many.
TEST(RoundRobin, IsTheOneOfASlowWalk) {
    for (const std::uint32_t count : {1U, 5U, 63U, 64U, 65U, 200U}) {
        engine::Draws draws(1, count);
        RoundRobin arbiter(count);
        std::set<std::uint32_t> asking;
        std::uint32_t turn = 0;
        for (int i = 0; i < 2000; ++i) {
            const std::uint32_t who = draws.below(count);
            if (draws.below(2) == 0) {
                arbiter.ask(who);
                asking.insert(who);
            } else {
                arbiter.withdraw(who);
                asking.erase(who);
            }
            ASSERT_EQ(arbiter.is_asked(), !asking.empty());
            if (asking.empty()) continue;
            const auto later = asking.lower_bound(turn);
            const std::uint32_t expected = later != asking.end() ? *later : *asking.begin();
            ASSERT_EQ(arbiter.grant(), expected);
            turn = expected + 1;
        }
    }
}

}  // namespace
}  // namespace models
