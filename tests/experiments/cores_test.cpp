#include "experiments/tessera/cores.h"

#include <gtest/gtest.h>

namespace {

using experiments::available_cores;
using experiments::crowding;
using experiments::default_threads;
using experiments::worthwhile_threads;

TEST(DefaultThreads, AreNoMoreThanThereAreCoresOrThreadsOfOneTBB) {
    EXPECT_GE(default_threads(), 1);
    EXPECT_LE(default_threads(), available_cores());
    EXPECT_LE(default_threads(), 256);
}

TEST(WorthwhileThreads, HaveSomeProcessesEach) {
    EXPECT_EQ(worthwhile_threads(2, 51), 2);
    EXPECT_EQ(worthwhile_threads(128, 51), 17);
    EXPECT_EQ(worthwhile_threads(128, 4160), 128);
    EXPECT_EQ(worthwhile_threads(8, 2), 1);
}

TEST(Crowding, IsNoneWhereEveryThreadHasACore) {
    EXPECT_EQ(crowding({{0, 2, {0b11}}}), "");
    EXPECT_EQ(crowding({{0, 1, {0b01}}, {0, 1, {0b10}}}), "");
    EXPECT_EQ(crowding({{0, 2, {0b11}}, {1, 2, {0b11}}}), "");  // on two nodes
    EXPECT_EQ(crowding({{0, 64, {~std::uint64_t{0}}}}), "");
    EXPECT_EQ(crowding({{0, 9, {}}}), "");  // nothing is known
}

TEST(Crowding, CountsTheThreadsOfAllRanksOfANode) {
    EXPECT_EQ(crowding({{0, 3, {0b11}}}), "3 threads on 2 available cores");
    EXPECT_EQ(crowding({{0, 1, {0b11}}, {0, 1, {0b11}}, {0, 1, {0b11}}}), "3 threads of 3 ranks on 2 available cores");
    EXPECT_EQ(crowding({{0, 1, {0b11}}, {1, 2, {0b11}}, {1, 2, {0b11}}}), "4 threads of 2 ranks on 2 available cores");
}

TEST(Crowding, TellsARankThatIsBoundToFewerCoresHowToGetMore) {
    EXPECT_EQ(crowding({{0, 2, {0b01}}, {0, 2, {0b10}}}),
              "2 threads on 1 cores of a rank; mpirun --bind-to none, or --map-by slot:PE=N, gives it more");
}

}  // namespace
