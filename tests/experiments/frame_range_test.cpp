#include "experiments/tessera/frame_range.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using experiments::parse_frame_range;

TEST(FrameRange, BothEndsAreIncluded) {
    const experiments::FrameRange range = parse_frame_range("2-4");
    EXPECT_FALSE(range.contains(1));
    EXPECT_TRUE(range.contains(2));
    EXPECT_TRUE(range.contains(4));
    EXPECT_FALSE(range.contains(5));
    EXPECT_EQ(range.text(), "2-4");
}

TEST(FrameRange, OneNumberIsOneFrameAndADashLeavesTheEndOpen) {
    EXPECT_TRUE(parse_frame_range("7").contains(7));
    EXPECT_FALSE(parse_frame_range("7").contains(8));
    EXPECT_EQ(parse_frame_range("7").text(), "7");
    EXPECT_TRUE(parse_frame_range("7-").contains(1'000'000));
    EXPECT_FALSE(parse_frame_range("7-").bounded());
    EXPECT_EQ(parse_frame_range("7-").text(), "7-");
}

TEST(FrameRange, FramesBeyondTheLastOneOfAFileAreTold) {
    EXPECT_EQ(experiments::frames_missing(experiments::parse_frame_range("0-99"), "game.h5", 6),
              "game.h5: its last frame is 6; of --frames 0-99 those after it are not there");
    EXPECT_EQ(experiments::frames_missing(experiments::parse_frame_range("0-6"), "game.h5", 6), "");
    EXPECT_EQ(experiments::frames_missing(experiments::parse_frame_range("0-"), "game.h5", 6), "");
}

TEST(FrameRange, AnythingElseIsRefused) {
    for (const char* text : {"", "-", "-3", "a", "3-2", "1-2-3", "1 - 2", "1-x", "99999999999"})
        EXPECT_THROW(parse_frame_range(text), engine::ConfigError) << text;
}

}  // namespace
