#include "experiments/tessera/run_length.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace experiments {
namespace {

using testing::HasSubstr;

TEST(RunLength, IsWallTimeOrCyclesOrFrames) {
    const auto parse = [](const char* text) { return parse_run_length("--stop-after", text); };
    EXPECT_EQ(parse("90 s").seconds, 90);
    EXPECT_EQ(parse("10 min").seconds, 600);
    EXPECT_EQ(parse("1.5h").seconds, 5400);
    EXPECT_EQ(parse("2000000 cycles").cycles, 2'000'000);
    EXPECT_EQ(parse("1 cycle").cycles, 1);
    EXPECT_EQ(parse("3 frames").frames, 3);
    EXPECT_EQ(parse("1 frame").frames, 1);
    EXPECT_EQ(parse("3 frames").cycles, 0);
    EXPECT_EQ(parse("3 frames").seconds, 0);
    EXPECT_FALSE(RunLength{}.given());
    EXPECT_TRUE(parse("0.1 s").given());
}

TEST(RunLength, RefusesWhatIsNone) {
    for (const char* text : {"", "10", "s", "10 parsecs", "0 s", "-1 min", "0 cycles", "1.5 frames", "1e3 cycles",
                             "nan s", "inf s", "99999999999 h", "10 s ", "99999999999999999999 cycles"})
        try {
            parse_run_length("--stop-after", text);
            FAIL() << text;
        } catch (const engine::ConfigError& error) {
            EXPECT_THAT(error.what(), HasSubstr("--stop-after: expected "));
            EXPECT_THAT(error.what(), HasSubstr("found \"" + std::string(text) + "\""));
        }
}

TEST(Milestone, OfCyclesLiesOnAGridFromWhereTheRunBegan) {
    Milestone milestone({.cycles = 100}, Milestone::Clock::now(), 50, 2);
    EXPECT_TRUE(milestone.given());
    EXPECT_EQ(milestone.time(), 250);
    EXPECT_FALSE(milestone.is_reached(249));
    EXPECT_TRUE(milestone.is_reached(250));
    milestone.go_on();
    EXPECT_EQ(milestone.time(), 450);
    EXPECT_TRUE(std::isinf(milestone.seconds_left()));
}

TEST(Milestone, OfFramesCountsThem) {
    Milestone milestone({.frames = 2}, Milestone::Clock::now(), 0, 2);
    EXPECT_EQ(milestone.time(), engine::never);
    milestone.count_frame();
    EXPECT_FALSE(milestone.is_reached(1'000'000));
    milestone.count_frame();
    EXPECT_TRUE(milestone.is_reached(0));
    milestone.go_on();
    EXPECT_FALSE(milestone.is_reached(0));
}

TEST(Milestone, OfWallTimeCountsFromWhenTheProgramBegan) {
    const auto began = Milestone::Clock::now() - std::chrono::hours(1);
    EXPECT_TRUE(Milestone({.seconds = 3599}, began, 0, 2).is_reached(0));
    Milestone milestone({.seconds = 3700}, began, 0, 2);
    EXPECT_FALSE(milestone.is_reached(1'000'000));
    EXPECT_LE(milestone.seconds_left(), 100);
    milestone.go_on();
    EXPECT_GT(milestone.seconds_left(), 3600);
}

TEST(Milestone, ThatIsNotGivenIsNeverReached) {
    Milestone milestone({}, Milestone::Clock::now(), 0, 2);
    EXPECT_FALSE(milestone.given());
    milestone.count_frame();
    EXPECT_FALSE(milestone.is_reached(engine::end_of_time));
}

}  // namespace
}  // namespace experiments
