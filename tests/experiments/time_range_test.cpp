#include "experiments/tessera/time_range.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using experiments::parse_time_range;

TEST(TimeRange, IsReadAndWrittenAsGiven) {
    EXPECT_EQ(parse_time_range("0:640").from, 0);
    EXPECT_EQ(parse_time_range("0:640").to, 640);
    EXPECT_EQ(parse_time_range("12:9000000000").text(), "12:9000000000");
    EXPECT_TRUE(experiments::TimeRange{}.empty());
}

TEST(TimeRange, WhatIsNoRangeIsRefused) {
    for (const char* text : {"", "5", "5:", ":5", "a:b", "5:5", "6:5", "-1:5", "1:5x", "1:99999999999999999999"})
        EXPECT_THROW(parse_time_range(text), engine::ConfigError) << text;
}

}  // namespace
