#include "experiments/tessera/number_option.h"

#include <string>

#include <gtest/gtest.h>

namespace {

using experiments::whole_number;

TEST(NumberOption, TakesWholeNumbersInItsRange) {
    const auto refusal = whole_number(1, 256).refusal;
    for (const char* text : {"1", "10", "256"}) EXPECT_EQ(refusal(text), "") << text;
    EXPECT_EQ(whole_number(0).refusal("18446744073709551615"), "");
    EXPECT_EQ(whole_number(0).refusal("0"), "");
}

TEST(NumberOption, RefusesAnythingElseAndTellsTheRange) {
    const auto refusal = whole_number(1, 256).refusal;
    for (const char* text : {"", "0", "257", "-1", "+1", " 1", "1 ", "1.0", "1e2", "0x10", "010", "x", "nan"})
        EXPECT_EQ(refusal(text), "expected a whole number, 1 .. 256, found '" + std::string(text) + "'");
    EXPECT_NE(whole_number(0).refusal("18446744073709551616"), "");
    EXPECT_NE(whole_number(0).refusal("-1"), "");
}

}  // namespace
