#include "io/json.h"

#include <gtest/gtest.h>

namespace {

TEST(Json, TextIsQuoted) {
    EXPECT_EQ(io::json_text("a\"b\\c\n\x01 \u00e9"), "\"a\\\"b\\\\c\\u000a\\u0001 \u00e9\"");
    EXPECT_EQ(io::json_text(""), "\"\"");
}

}  // namespace
