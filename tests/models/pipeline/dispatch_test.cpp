#include "models/pipeline/dispatch.h"

#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

class DispatchTest : public testing::Test {
  protected:
    void build(const char* policy, int cores, int warp_quads, int entries) {
        parameters.distribution.set(policy);
        dispatch.emplace(&counters, parameters, Dispatch::Shape{cores, warp_quads, entries, 1});
    }
    bool take(Time now, std::uint32_t program = 0, const Dispatch::Place& place = {0, 0, 0, 0}) {
        if (!dispatch->take(now, quad, program, place, *this)) return false;
        ++quad;
        return true;
    }
    struct Sent {
        int core;
        std::vector<std::uint32_t> quads;
    };
    std::vector<int> cores() const {
        std::vector<int> all;
        for (const Sent& warp : sent) all.push_back(warp.core);
        return all;
    }

  public:
    void send_warp(int core, const FormedWarp& warp) {
        sent.push_back({core, {warp.quads.begin(), warp.quads.begin() + warp.count}});
        last = warp;
    }

  protected:
    ParameterGroup root;
    RasterParameters parameters{&root, "raster", "of a test"};
    engine::CounterList counters;
    std::optional<Dispatch> dispatch;
    std::uint32_t quad = 0;
    std::vector<Sent> sent;
    FormedWarp last;
};

TEST_F(DispatchTest, InTurnSkipsCoresWithoutCredit) {
    build("round_robin", 3, 1, 3);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take(0));
    EXPECT_FALSE(take(1));
    EXPECT_FALSE(take(2));  // the same quad again
    EXPECT_EQ(dispatch->waits_for_core.value(), 1U);
    dispatch->give_back(1, 1);
    EXPECT_TRUE(take(2));
    EXPECT_THAT(cores(), ElementsAre(0, 1, 2, 1));
    EXPECT_EQ(dispatch->quads_taken.value(), 4U);
}

TEST_F(DispatchTest, QuadsInTurnFillTheWarpsOfAllCores) {
    build("quad_round_robin", 3, 2, 9);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take(0));
    EXPECT_TRUE(sent.empty());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take(1));
    ASSERT_THAT(cores(), ElementsAre(0, 1, 2));
    EXPECT_THAT(sent[0].quads, ElementsAre(0, 3));
    EXPECT_THAT(sent[2].quads, ElementsAre(2, 5));
    EXPECT_TRUE(take(2));
    EXPECT_TRUE(take(3, 1));  // of another program, but another core's
    EXPECT_EQ(sent.size(), 3U);
    EXPECT_TRUE(dispatch->send_forming(3, true, *this));
    EXPECT_THAT(cores(), ElementsAre(0, 1, 2, 0, 1));
}

TEST_F(DispatchTest, QuadsInTurnSkipCoresWithoutRoomForOneMore) {
    build("quad_round_robin", 2, 2, 6);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(take(0));  // two each, and one each that waits for its second
    EXPECT_THAT(cores(), ElementsAre(0, 1));
    dispatch->give_back(1, 2);
    EXPECT_TRUE(take(2));
    EXPECT_THAT(cores(), ElementsAre(0, 1, 1));
    EXPECT_THAT(sent[2].quads, ElementsAre(5, 6));
    EXPECT_TRUE(take(3));  // the only entry that is free
    EXPECT_TRUE(take(4));  // Where no core has room, warps that form are filled up, and wait.
    EXPECT_TRUE(take(4));
    EXPECT_FALSE(take(4));
    EXPECT_EQ(sent.size(), 3U);
    dispatch->give_back(0, 2);
    EXPECT_TRUE(take(5));
    EXPECT_THAT(sent[3].quads, ElementsAre(4, 8));
}

TEST_F(DispatchTest, ByPositionGivesAPlaceAlwaysToTheSameCoreAndNeighboursToDifferentOnes) {
    build("position", 32, 1, 32);
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) EXPECT_TRUE(take(0, 0, {0, 0, x, y}));
    const std::vector<int> all = cores();
    EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 32U);
    EXPECT_FALSE(take(1, 0, {0, 0, 5, 9}));  // as (1, 1)
    dispatch->give_back(all[5], 1);          // of (1, 1)
    EXPECT_FALSE(take(2, 0, {0, 0, 2, 1}));
    EXPECT_TRUE(take(2, 0, {0, 0, 5, 9}));
    EXPECT_EQ(sent.back().core, all[5]);
}

TEST_F(DispatchTest, ByLoadTakesTheCoreWithMostCredits) {
    build("least_loaded", 3, 1, 12);
    for (int i = 0; i < 12; ++i) EXPECT_TRUE(take(0));
    sent.clear();
    dispatch->give_back(0, 1);
    dispatch->give_back(1, 3);
    dispatch->give_back(2, 2);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(take(1));
    std::vector<int> count(3);
    for (const int core : cores()) ++count[static_cast<std::size_t>(core)];
    EXPECT_EQ(sent.front().core, 1);
    EXPECT_THAT(count, ElementsAre(1, 3, 2));
    EXPECT_FALSE(take(2));
}

TEST_F(DispatchTest, ByTileGivesAllOfATileToOneCore) {
    build("tile", 3, 1, 30);
    for (const std::uint32_t tile : {4U, 4U, 5U, 4U, 6U}) EXPECT_TRUE(take(0, 0, {tile, 0, tile, 7}));
    EXPECT_THAT(cores(), ElementsAre(1, 1, 2, 1, 0));
}

TEST_F(DispatchTest, AWarpGoesWhenItIsFull) {
    build("round_robin", 2, 4, 16);
    for (int i = 0; i < 9; ++i) EXPECT_TRUE(take(i));
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_THAT(sent[0].quads, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(sent[1].quads, ElementsAre(4, 5, 6, 7));
    EXPECT_EQ(sent[1].core, 1);
    EXPECT_FALSE(dispatch->is_complete());
}

TEST_F(DispatchTest, AWarpIsOfOneProgram) {
    build("round_robin", 2, 4, 16);
    EXPECT_TRUE(take(0, 1));
    EXPECT_TRUE(take(0, 1));
    EXPECT_TRUE(take(0, 2));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_THAT(sent[0].quads, ElementsAre(0, 1));
    EXPECT_EQ(last.program, 1U);
}

TEST_F(DispatchTest, AWarpIsOfOneTileAndItsBuffer) {
    build("round_robin", 2, 4, 16);
    EXPECT_TRUE(take(0, 1, {7, 1, 0, 0}));
    EXPECT_TRUE(take(0, 1, {8, 0, 0, 0}));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(last.tile, 7U);
    EXPECT_EQ(last.buffer, 1U);
    EXPECT_TRUE(dispatch->send_forming(1, true, *this));
    EXPECT_EQ(last.tile, 8U);
    EXPECT_EQ(last.buffer, 0U);
}

TEST_F(DispatchTest, AWarpThatIsNotFullGoesAfterItsTimeOut) {
    parameters.warp_timeout.set("16");
    build("round_robin", 2, 4, 16);
    EXPECT_EQ(dispatch->next_timeout(0), engine::never);
    EXPECT_TRUE(take(10));
    EXPECT_TRUE(take(20));  // does not begin the wait anew
    EXPECT_EQ(dispatch->next_timeout(20), 26);
    EXPECT_TRUE(dispatch->send_forming(25, false, *this));
    EXPECT_TRUE(sent.empty());
    EXPECT_TRUE(dispatch->send_forming(26, false, *this));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(dispatch->next_timeout(26), engine::never);
}

// It goes when a core gives something back, and must not keep others from their time-out.
TEST_F(DispatchTest, AWarpThatFindsNoRoomHasNoTimeOut) {
    parameters.warp_timeout.set("16");
    build("position", 4, 2, 12);  // three each
    const Dispatch::Place here{0, 0, 0, 0}, there{0, 0, 1, 0};
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(take(0, 0, here));
    ASSERT_EQ(cores().size(), 1U);
    EXPECT_EQ(dispatch->next_timeout(1), engine::never);
    EXPECT_TRUE(take(5, 0, there));
    EXPECT_EQ(dispatch->next_timeout(6), 21);
    EXPECT_FALSE(dispatch->send_forming(21, false, *this));  // the first core's is left
    ASSERT_EQ(cores().size(), 2U);
    EXPECT_NE(cores()[0], cores()[1]);
}

TEST_F(DispatchTest, AtTheEndOfATileAllThatFormsGoes) {
    build("position", 4, 4, 16);
    for (std::uint32_t x = 0; x < 4; ++x) EXPECT_TRUE(take(0, 0, {0, 0, x % 2, x / 2}));
    EXPECT_TRUE(sent.empty());
    EXPECT_TRUE(dispatch->send_forming(0, true, *this));
    EXPECT_THAT(cores(), testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST_F(DispatchTest, AWarpWaitsForACoreWithRoomForAllOfIt) {
    build("round_robin", 2, 4, 9);  // 5 and 4
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(take(0));
    EXPECT_THAT(cores(), ElementsAre(0, 1));
    EXPECT_TRUE(take(1));  // core 0 has one entry left, so a warp forms
    EXPECT_TRUE(take(1));
    EXPECT_FALSE(dispatch->send_forming(100, false, *this));
    dispatch->give_back(1, 1);
    EXPECT_FALSE(dispatch->send_forming(101, false, *this));
    dispatch->give_back(1, 1);
    EXPECT_TRUE(dispatch->send_forming(102, false, *this));
    EXPECT_THAT(cores(), ElementsAre(0, 1, 1));
}

TEST_F(DispatchTest, AFullWarpThatFindsNoRoomHoldsUpTheNextQuad) {
    build("round_robin", 1, 2, 3);
    EXPECT_TRUE(take(0));
    EXPECT_TRUE(take(0));
    EXPECT_TRUE(take(0));
    EXPECT_TRUE(take(0));  // completes a warp of two, there is room for one
    EXPECT_FALSE(take(1));
    EXPECT_EQ(sent.size(), 1U);
    dispatch->give_back(0, 2);
    EXPECT_TRUE(take(2));
    EXPECT_EQ(sent.size(), 2U);
}

TEST_F(DispatchTest, IsCompleteOnlyWhenNothingFormsAndAllCreditsAreBack) {
    build("round_robin", 2, 2, 4);
    EXPECT_TRUE(dispatch->is_complete());
    EXPECT_TRUE(take(0));
    EXPECT_FALSE(dispatch->is_complete());
    EXPECT_TRUE(dispatch->send_forming(0, true, *this));
    EXPECT_FALSE(dispatch->is_complete());
    dispatch->give_back(0, 1);
    EXPECT_TRUE(dispatch->is_complete());
}

TEST_F(DispatchTest, SharesOutEveryEntry) {
    for (const char* policy : {"round_robin", "least_loaded"})
        for (const int entries : {33, 64, 65, 66, 95}) {
            engine::CounterList list;
            sent.clear();
            parameters.distribution.set(policy);
            dispatch.emplace(&list, parameters, Dispatch::Shape{33, 1, entries, 1});
            while (take(0)) {
            }
            std::vector<int> taken(33);
            for (const int core : cores()) ++taken[static_cast<std::size_t>(core)];
            for (int i = 0; i < 33; ++i)
                EXPECT_EQ(taken[static_cast<std::size_t>(i)], share_of(entries, 33, i)) << entries << " entries, " << i;
            EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), entries);
        }
}

TEST_F(DispatchTest, GoesOnFromItsStateAsIfItHadNotBeenSaved) {
    build("round_robin", 3, 2, 9);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(take(i));
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(*dispatch);
    engine::CounterList list;
    Dispatch other(&list, parameters, {3, 2, 9, 1});
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    EXPECT_TRUE(other.take(3, 3, 0, {0, 0, 0, 0}, *this));
    EXPECT_EQ(sent.back().core, 1);
    EXPECT_THAT(sent.back().quads, ElementsAre(2, 3));
}

TEST(ShareOf, DealsOutEveryEntryAndNobodyGetsTwoMoreThanAnother) {
    for (const int sharers : {1, 2, 32, 33})
        for (const int entries : {33, 64, 65, 95}) {
            int sum = 0;
            for (int i = 0; i < sharers; ++i) {
                sum += share_of(entries, sharers, i);
                EXPECT_LE(share_of(entries, sharers, i), share_of(entries, sharers, sharers - 1) + 1);
            }
            EXPECT_EQ(sum, entries);
        }
}

}  // namespace
}  // namespace models
