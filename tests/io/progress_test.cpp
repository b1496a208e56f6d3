#include "io/progress.h"

#include <gtest/gtest.h>

namespace {

using Style = io::Progress::Style;

// What update() writes to standard error for ten steps of a tenth.
std::string ten_steps(Style style) {
    testing::internal::CaptureStderr();
    {
        io::Progress progress(style);
        for (int i = 1; i <= 100; ++i) progress.update(i / 100.0, "step " + std::to_string(i));
    }
    return testing::internal::GetCapturedStderr();
}

TEST(Progress, ALogGetsALinePerTenthOfTheWork) {
    const std::string log = ten_steps(Style::log);
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 10) << log;
    EXPECT_NE(log.find("50 %"), std::string::npos);
    EXPECT_NE(log.find("step 100"), std::string::npos);
}

TEST(Progress, WithoutATerminalAutomaticIsALog) {
    const std::string log = ten_steps(Style::automatic);
    EXPECT_EQ(log.find('\r'), std::string::npos);
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 10) << log;
}

TEST(Progress, NoneIsSilent) {
    EXPECT_EQ(ten_steps(Style::none), "");
}

TEST(Progress, DurationsAreWrittenAsPeopleSayThem) {
    EXPECT_EQ(io::duration_text(7.6), "8 s");
    EXPECT_EQ(io::duration_text(200), "3 min 20 s");
    EXPECT_EQ(io::duration_text(2 * 3600 + 5 * 60), "2 h 05 min");
}

}  // namespace
