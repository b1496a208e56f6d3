#include "models/structures/round_robin.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(FirstInTurn, IsTheFirstFromThereOnOrElseTheFirst) {
    EXPECT_EQ(first_in_turn(0b10110, 0), 1U);
    EXPECT_EQ(first_in_turn(0b10110, 1), 1U);
    EXPECT_EQ(first_in_turn(0b10110, 3), 4U);
    EXPECT_EQ(first_in_turn(0b00110, 3), 1U);
    EXPECT_EQ(first_in_turn(0x80000000U, 31), 31U);
    EXPECT_EQ(first_in_turn(1, 31), 0U);
    EXPECT_EQ(first_in_turn(std::uint64_t{1} << 63 | 2, 2), 63U);
    EXPECT_EQ(first_in_turn(std::uint64_t{1} << 63 | 2, 64), 1U);
}

}  // namespace
}  // namespace models
