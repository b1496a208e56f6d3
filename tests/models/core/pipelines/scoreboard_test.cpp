#include "models/core/pipelines/scoreboard.h"

#include <gtest/gtest.h>

namespace models {
namespace {

constexpr std::uint8_t x = 1, y = 2, xyzw = all_components;

// An instruction that writes these components of a register and reads those of another one.
RegisterUse use(std::uint16_t destination, std::uint16_t source, std::uint8_t written = xyzw,
                std::uint8_t read = xyzw) {
    RegisterUse made;
    made.destination = destination;
    made.destination_components = written;
    made.source_components[made.source_count] = read;
    made.sources[made.source_count++] = source;
    return made;
}

TEST(Scoreboard, TellsHazardsOfOneWarpFromEachOther) {
    Scoreboard board(false);
    board.begin(2, 4);
    const RegisterUse under_way = use(1, 3);
    board.begin_write(0, under_way);
    board.begin_reads(0, under_way);
    EXPECT_TRUE(board.has_raw(0, use(0, 1)));
    EXPECT_TRUE(board.has_waw(0, use(1, 0)));
    EXPECT_TRUE(board.has_war(0, use(3, 0)));
    EXPECT_FALSE(board.has_raw(0, use(1, 3)));
    EXPECT_FALSE(board.has_raw(1, use(0, 1)));
    EXPECT_FALSE(board.has_waw(1, use(1, 0)));
    board.end_read(0, under_way, 0);
    board.end_write(0, 1, xyzw);
    EXPECT_FALSE(board.has_war(0, use(3, 0)));
    EXPECT_FALSE(board.has_raw(0, use(0, 1)));
}

TEST(Scoreboard, AVectorMachineKnowsRegistersOnly) {
    Scoreboard board(false);
    board.begin(1, 4);
    board.begin_write(0, use(1, 0, x));
    EXPECT_TRUE(board.has_raw(0, use(2, 1, x, y)));
    EXPECT_TRUE(board.has_waw(0, use(1, 0, y)));
}

TEST(Scoreboard, AScalarMachineTellsComponentsApart) {
    Scoreboard board(true);
    board.begin(1, 4);
    const RegisterUse under_way = use(1, 3, x, y);
    board.begin_write(0, under_way);
    board.begin_reads(0, under_way);
    EXPECT_FALSE(board.has_raw(0, use(2, 1, x, y)));
    EXPECT_TRUE(board.has_raw(0, use(2, 1, x, x | y)));
    EXPECT_FALSE(board.has_waw(0, use(1, 0, y)));
    EXPECT_TRUE(board.has_waw(0, use(1, 0, x)));
    EXPECT_FALSE(board.has_war(0, use(3, 0, x)));
    EXPECT_TRUE(board.has_war(0, use(3, 0, y)));
    board.begin_write(0, use(1, 0, y));  // two writers of one register
    board.end_write(0, 1, x);
    EXPECT_FALSE(board.has_raw(0, use(2, 1, x, x)));
    EXPECT_TRUE(board.has_raw(0, use(2, 1, x, y)));
}

TEST(Scoreboard, CountsTheReadsOfAComponent) {
    Scoreboard board(true);
    board.begin(1, 4);
    const RegisterUse first = use(0, 3, x, xyzw), second = use(1, 3, x, y);
    board.begin_reads(0, first);
    board.begin_reads(0, second);
    board.end_read(0, first, 0);
    EXPECT_TRUE(board.has_war(0, use(3, 2, y)));
    EXPECT_FALSE(board.has_war(0, use(3, 2, x)));
    board.end_read(0, second, 0);
    EXPECT_FALSE(board.has_war(0, use(3, 2, y)));
}

TEST(Scoreboard, CountsAsManyReadsAsTheLargestCollectorHasUnderWay) {
    constexpr int most = (256 + 64) * 5;  // instructions of the issue buffer and in collector units, operands
    const RegisterUse reader = use(0, 3, x, x);
    for (const bool by_component : {false, true}) {
        Scoreboard board(by_component);
        board.begin(1, 4);
        for (int i = 0; i < most; ++i) {
            board.begin_reads(0, reader);
            EXPECT_TRUE(board.has_war(0, use(3, 2, x))) << i;
            EXPECT_EQ(board.has_war(0, use(3, 2, y)), !by_component) << i;
        }
        for (int i = 0; i < most; ++i) board.end_read(0, reader, 0);
        EXPECT_FALSE(board.has_war(0, use(3, 2)));
    }
}

TEST(Scoreboard, ATextureIsWrittenWhenItsLastAccessHasCome) {
    Scoreboard board(false);
    board.begin(1, 4);
    board.begin_texture(0, use(2, 0), 3);
    EXPECT_FALSE(board.end_access(0, 2));
    EXPECT_FALSE(board.end_access(0, 2));
    EXPECT_TRUE(board.end_access(0, 2));
    EXPECT_TRUE(board.has_raw(0, use(0, 2)));  // until it is written
    board.end_write(0, 2, xyzw);
    EXPECT_FALSE(board.has_raw(0, use(0, 2)));
}

TEST(Scoreboard, TellsWhetherATextureIsAwaitedUntilItIsWritten) {
    for (const bool by_component : {false, true}) {
        Scoreboard board(by_component);
        board.begin(2, 4);
        board.begin_texture(0, use(2, 0), 1);
        board.begin_write(0, use(1, 0));
        EXPECT_TRUE(board.awaits_texture(0, use(0, 2)));
        EXPECT_TRUE(board.awaits_texture(0, use(2, 0)));
        EXPECT_FALSE(board.awaits_texture(0, use(0, 1)));
        EXPECT_FALSE(board.awaits_texture(0, use(1, 0)));
        EXPECT_FALSE(board.awaits_texture(1, use(0, 2)));
        board.end_access(0, 2);
        EXPECT_TRUE(board.awaits_texture(0, use(0, 2)));
        board.end_write(0, 2, xyzw);
        EXPECT_FALSE(board.awaits_texture(0, use(0, 2)));
    }
}

TEST(Scoreboard, OneThatWritesNothingWaitsForNoRegisterButATextureThatGoesNowhere) {
    for (const bool by_component : {false, true}) {
        Scoreboard board(by_component);
        board.begin(1, 4);
        const RegisterUse nothing = use(RegisterUse::no_register, 0, 0);
        for (std::uint16_t i = 0; i < 4; ++i) board.begin_write(0, use(i, 0));
        EXPECT_FALSE(board.has_waw(0, nothing));
        EXPECT_FALSE(board.has_war(0, nothing));
        board.begin_write(0, nothing);
        EXPECT_TRUE(board.has_waw(0, nothing));
        board.end_write(0, RegisterUse::no_register, xyzw);
        EXPECT_FALSE(board.has_waw(0, nothing));
    }
}

}  // namespace
}  // namespace models
