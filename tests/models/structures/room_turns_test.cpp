#include "models/structures/room_turns.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

// Places that users ask for, cycle by cycle.
class RoomTurnsTest : public testing::Test {
  protected:
    // A cycle in which each user asks for such places, one request after the other. Returns how many each got.
    template <std::size_t users>
    std::array<std::uint32_t, users> cycle(const std::array<std::vector<std::uint32_t>, users>& wanted) {
        std::array<std::uint32_t, users> got = {};
        const std::uint32_t first = turns.first();
        for (std::uint32_t i = 0; i < users; ++i) {
            const std::uint32_t user = (first + i) % users;
            turns.begin(user);
            for (const std::uint32_t count : wanted[user]) {
                if (free >= count + turns.held()) {
                    free -= count;
                    got[user] += count;
                } else {
                    turns.refuse(count);
                }
            }
            turns.end(got[user] > 0, free);
        }
        return got;
    }

    RoomTurns turns;
    std::uint32_t free = 0;
};

TEST_F(RoomTurnsTest, FreedPlacesGoToAllWhoWaitInTurn) {
    std::array<std::uint32_t, 3> got = {};
    for (int i = 0; i < 30; ++i) {
        ++free;
        const auto more = cycle<3>({{{1}, {1}, {1}}});
        for (std::size_t user = 0; user < 3; ++user) got[user] += more[user];
    }
    EXPECT_THAT(got, ElementsAre(10, 10, 10));
}

TEST_F(RoomTurnsTest, OneWhoNeedsSeveralPlacesGetsThemHoweverManyAskForOne) {
    std::array<std::uint32_t, 3> got = {};
    for (int i = 0; i < 60; ++i) {
        ++free;
        const auto more = cycle<3>({{{1}, {1}, {4}}});
        for (std::size_t user = 0; user < 3; ++user) got[user] += more[user];
    }
    EXPECT_THAT(got, ElementsAre(10, 10, 40));  // as often as the others
}

TEST_F(RoomTurnsTest, ALaterRequestOfTheSameUserDoesNotTakeWhatAnEarlierOneWaitsFor) {
    free = 3;
    EXPECT_THAT((cycle<2>({{{4, 1}, {}}})), ElementsAre(0, 0));
    EXPECT_THAT((cycle<2>({{{4, 1}, {1}}})), ElementsAre(0, 0));  // nor does another user
    free = 4;
    EXPECT_THAT((cycle<2>({{{4, 1}, {1}}})), ElementsAre(4, 0));
}

TEST_F(RoomTurnsTest, WhatIsLeftBesideAClaimIsForTheOthers) {
    free = 1;
    EXPECT_THAT((cycle<2>({{{2}, {}}})), ElementsAre(0, 0));
    free = 4;
    turns.begin(1);
    EXPECT_EQ(turns.held(), 2U);
    turns.end(false, free);
    EXPECT_EQ(turns.first(), 0U);
}

TEST_F(RoomTurnsTest, AClaimEndsWhenThereIsRoomAndItsOwnerAsksForNone) {
    EXPECT_THAT((cycle<2>({{{}, {2}}})), ElementsAre(0, 0));
    EXPECT_EQ(turns.first(), 1U);
    free = 1;
    EXPECT_THAT((cycle<2>({{{1}, {}}})), ElementsAre(0, 0));  // places gather
    free = 2;
    EXPECT_THAT((cycle<2>({{{1}, {}}})), ElementsAre(1, 0));
    EXPECT_EQ(turns.first(), 0U);
}

TEST_F(RoomTurnsTest, NothingIsHeldFromAUserWithoutTurns) {
    turns.refuse(4);
    EXPECT_EQ(turns.held(), 0U);
    EXPECT_EQ(turns.first(), 0U);
}

}  // namespace
}  // namespace models
