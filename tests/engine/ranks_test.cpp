// Of a program that no MPI launcher started; ranks/ranks_test.sh has the others.
#include "engine/ranks.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Ranks, AProgramByItselfIsRankZeroOfOne) {
    const Ranks ranks;
    EXPECT_EQ(ranks.rank(), 0);
    EXPECT_EQ(ranks.size(), 1);
}

TEST(Ranks, CollectivesOfOneRankReturnWhatItGave) {
    const Ranks ranks;
    const std::vector<std::uint64_t> values = {1, 2, 3};
    EXPECT_EQ(ranks.gather(values), std::vector<std::vector<std::uint64_t>>{values});
    std::vector<std::uint64_t> same = values;
    ranks.broadcast(same);
    EXPECT_EQ(same, values);
    EXPECT_TRUE(ranks.any(true));
    EXPECT_FALSE(ranks.any(false));
}

TEST(RanksDeathTest, AbortEndsTheProgramWithTheExitCode) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(Ranks().abort(ExitCode::input), testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace engine
