#include "io/toml_scan.h"

#include <gtest/gtest.h>

namespace {

// Where trouble is; -1: nowhere.
long trouble(const std::string& toml) {
    const auto found = io::find_toml_trouble(toml);
    return found ? static_cast<long>(found->offset) : -1;
}

TEST(TomlScan, CharactersBeyondAsciiBelongInCommentsAndTexts) {
    EXPECT_EQ(trouble("\xef\xbb\xbf"
                      "a = 1 # µ\nb = \"µ\"\nc = 'µ' # \"\n"),
              -1);
    EXPECT_EQ(trouble("a = \"\\\"µ\" # escaped quote\n"), -1);
    EXPECT_EQ(trouble("a = µ"), 4);
    EXPECT_EQ(trouble("µ = 1"), 0);
    EXPECT_EQ(trouble("a = 'x' é"), 8);
    EXPECT_EQ(trouble("# \"\né"), 4);  // a quote in a comment opens nothing
}

TEST(TomlScan, TextsOfSeveralLinesEndWhereTomlSays) {
    EXPECT_EQ(trouble("a = \"\"\"\nµ \" µ \\\"\"\" µ\"\"\"\nb = 1\n"), -1);
    EXPECT_EQ(trouble("a = '''µ '' \\'''\nµ"), 18);      // no escapes in there
    EXPECT_EQ(trouble("a = \"\"\"x\"\"\"\"\"\nµ"), 14);  // two quotes more belong to the text
    EXPECT_EQ(trouble("a = \"\"\"\\\n é\"\"\""), 10);    // a text that goes on after white space
    EXPECT_EQ(trouble("a = \"\"\"\\\n e é\"\"\""), -1);
    EXPECT_EQ(trouble("a = \"\"\"never ends\\"), -1);
    EXPECT_EQ(trouble("a = 'never ends\\"), -1);
}

TEST(TomlScan, OnlyTheDotsOfOneKeyCount) {
    const std::string most = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p";  // 16 parts
    EXPECT_EQ(trouble("[" + most + "]\n" + most + " = 1.5\nx = {" + most + " = 1, " + most + " = 2}\n"), -1);
    EXPECT_EQ(trouble(most + ".q = 1"), 31);
    EXPECT_EQ(trouble(most + " . q = 1"), 32);
    EXPECT_EQ(trouble("[" + most + ".\"q\"]"), 32);
    EXPECT_EQ(trouble("a = [1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5]"), -1);
    EXPECT_EQ(trouble("a = '" + most + "." + most + "' # " + most + "." + most), -1);
    EXPECT_EQ(trouble("\"" + most + "." + most + "\".x = 1"), -1);
    EXPECT_EQ(trouble("a = \"\"\"\n" + most + "\n." + most + "\"\"\""), -1);
}

}  // namespace
