#include "io/json.h"

#include <gtest/gtest.h>

namespace {

TEST(Json, TextIsQuoted) {
    EXPECT_EQ(io::json_text("a\"b\\c\n\x01 \u00e9"), "\"a\\\"b\\\\c\\u000a\\u0001 \u00e9\"");
    EXPECT_EQ(io::json_text(""), "\"\"");
}

TEST(Json, WhatATerminalWouldObeyAndWhatIsNotUtf8IsEscaped) {
    EXPECT_EQ(io::json_text("\x1b]0;x\x07\x7f\xc2\x9b\xff\xc3"), "\"\\u001b]0;x\\u0007\\u007f\\u009b\\ufffd\\ufffd\"");
}

}  // namespace
