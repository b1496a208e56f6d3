#include "models/core/pipelines/scoreboard.h"

#include <gtest/gtest.h>

namespace models {
namespace {

RegisterUse use(std::uint16_t destination, std::uint16_t source) {
    RegisterUse made;
    made.destination = destination;
    made.sources[made.source_count++] = source;
    return made;
}

TEST(Scoreboard, TellsHazardsOfOneWarpFromEachOther) {
    Scoreboard board;
    board.begin(2, 4);
    board.begin_write(0, 1);
    board.begin_reads(0, use(2, 3));
    EXPECT_TRUE(board.has_raw(0, use(0, 1)));
    EXPECT_TRUE(board.has_waw(0, use(1, 0)));
    EXPECT_TRUE(board.has_war(0, use(3, 0)));
    EXPECT_FALSE(board.has_raw(0, use(1, 3)));
    EXPECT_FALSE(board.has_raw(1, use(0, 1)));
    EXPECT_FALSE(board.has_waw(1, use(1, 0)));
    board.end_read(0, 3);
    board.end_write(0, 1);
    EXPECT_FALSE(board.has_war(0, use(3, 0)));
    EXPECT_FALSE(board.has_raw(0, use(0, 1)));
}

TEST(Scoreboard, ATextureIsWrittenWhenItsLastAccessHasCome) {
    Scoreboard board;
    board.begin(1, 4);
    board.begin_write(0, 2, 3);
    EXPECT_FALSE(board.end_access(0, 2));
    EXPECT_FALSE(board.end_access(0, 2));
    EXPECT_TRUE(board.end_access(0, 2));
    EXPECT_TRUE(board.has_raw(0, use(0, 2)));  // until it is written
    board.end_write(0, 2);
    EXPECT_FALSE(board.has_raw(0, use(0, 2)));
}

TEST(Scoreboard, OneThatWritesNothingWaitsForNoRegisterButATextureThatGoesNowhere) {
    Scoreboard board;
    board.begin(1, 4);
    const RegisterUse nothing = use(RegisterUse::no_register, 0);
    for (std::uint16_t i = 0; i < 4; ++i) board.begin_write(0, i);
    EXPECT_FALSE(board.has_waw(0, nothing));
    EXPECT_FALSE(board.has_war(0, nothing));
    board.begin_write(0, RegisterUse::no_register);
    EXPECT_TRUE(board.has_waw(0, nothing));
}

}  // namespace
}  // namespace models
