// Random numbers of the benchmarks.
#include "tests/engine/benchmarks/random.h"

#include <vector>

#include <gtest/gtest.h>

namespace engine::benchmarks {
namespace {

TEST(Draws, DifferBySeedAndByStream) {
    const std::uint64_t first = Draws(1, 1).next();
    EXPECT_EQ(Draws(1, 1).next(), first);
    EXPECT_NE(Draws(1, 2).next(), first);
    EXPECT_NE(Draws(2, 1).next(), first);
}

TEST(Below, IsUniform) {
    std::vector<int> counts(10);
    Draws draws(1, 1);
    for (int i = 0; i < 100'000; ++i) ++counts[static_cast<std::size_t>(below(10, draws.next()))];
    for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Absorb, DependsOnTheOrder) {
    EXPECT_NE(absorb(absorb(0, 1), 2), absorb(absorb(0, 2), 1));
}

}  // namespace
}  // namespace engine::benchmarks
