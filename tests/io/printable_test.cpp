#include "io/printable.h"

#include <gtest/gtest.h>

namespace {

TEST(Printable, TextStaysAsItIs) {
    EXPECT_EQ(io::printable(""), "");
    EXPECT_EQ(io::printable("plain \\x1b µ € \xf0\x9f\x98\x80 \u00a0"), "plain \\x1b µ € \xf0\x9f\x98\x80 \u00a0");
}

TEST(Printable, WhatATerminalWouldObeyIsEscaped) {
    EXPECT_EQ(io::printable("\x1b]0;pwned\x07\x1b[2J"), "\\x1b]0;pwned\\x07\\x1b[2J");
    EXPECT_EQ(io::printable("a\nb\tc\r\x7f"), "a\\x0ab\\x09c\\x0d\\x7f");
    EXPECT_EQ(io::printable("\xc2\x9b"
                            "2J"),
              "\\xc2\\x9b2J");  // CSI as one character
    EXPECT_EQ(io::printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, WhatIsNotUtf8IsEscaped) {
    EXPECT_EQ(io::printable("a\xff\x9b\xc3"), "a\\xff\\x9b\\xc3");
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
    for (const std::string plain : {"out", "/data/run_1/a-b.h5", "s-warps=4-1a2b", "\u00fcber"})
        EXPECT_EQ(io::shell_word(plain), plain);
    EXPECT_EQ(io::shell_word("my run"), "'my run'");
    EXPECT_EQ(io::shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(io::shell_word("$HOME"), "'$HOME'");
    EXPECT_EQ(io::shell_word(""), "''");
}

}  // namespace
