#include "io/utf8.h"

#include <gtest/gtest.h>

namespace {

TEST(Utf8, ValidTextHasNoBadByte) {
    EXPECT_FALSE(io::first_bad_utf8(""));
    EXPECT_FALSE(io::first_bad_utf8("plain"));
    EXPECT_FALSE(io::first_bad_utf8("µ € \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"));
}

TEST(Utf8, TheFirstBadByteIsFound) {
    EXPECT_EQ(io::first_bad_utf8("ab\x80"), 2u);
    EXPECT_EQ(io::first_bad_utf8("a\xc3"), 1u);             // cut off
    EXPECT_EQ(io::first_bad_utf8("\xc0\xaf"), 0u);          // overlong
    EXPECT_EQ(io::first_bad_utf8("\xe0\x80\xaf"), 0u);      // overlong
    EXPECT_EQ(io::first_bad_utf8("x\xed\xa0\x80"), 1u);     // surrogate
    EXPECT_EQ(io::first_bad_utf8("\xf4\x90\x80\x80"), 0u);  // beyond U+10FFFF
    EXPECT_EQ(io::first_bad_utf8("\xff"), 0u);
}

TEST(Utf8, PositionsCountCharactersFromOne) {
    const io::TextPosition position = io::position_of("ab\nµx", 5);
    EXPECT_EQ(position.line, 2u);
    EXPECT_EQ(position.column, 2u);
}

}  // namespace
