#include "models/structures/replacement/random.h"

#include <array>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(Random, ChoosesEveryWayAboutAsOften) {
    Random policy(16, 4);
    std::array<int, 4> chosen{};
    for (std::uint32_t i = 0; i < 40'000; ++i) ++chosen[policy.victim(i % 16)];
    for (const int count : chosen) EXPECT_NEAR(count, 10'000, 400);
}

TEST(Random, DrawsTheSameEveryTime) {
    Random one(4, 8), other(4, 8);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(one.victim(i % 4), other.victim(i % 4));
}

}  // namespace
}  // namespace models
