#include "models/structures/recent_lines.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(RecentLines, AreTakenOnce) {
    RecentLines lines(16);
    EXPECT_FALSE(lines.take(7));
    lines.add(7);
    EXPECT_FALSE(lines.take(8));
    EXPECT_TRUE(lines.take(7));
    EXPECT_FALSE(lines.take(7));
}

TEST(RecentLines, ANewerOneTakesThePlaceOfAnOlderOne) {
    RecentLines lines(1);
    lines.add(7);
    lines.add(8);
    EXPECT_FALSE(lines.take(7));
    EXPECT_TRUE(lines.take(8));
}

TEST(RecentLines, HoldMostOfAsManyNeighboursAsTheyHavePlaces) {
    RecentLines lines(64);
    for (LineNumber line = 1000; line < 1064; ++line) lines.add(line);
    int held = 0;
    for (LineNumber line = 1000; line < 1064; ++line) held += lines.take(line) ? 1 : 0;
    EXPECT_GT(held, 48);
}

TEST(RecentLines, AreForgottenOneByOneOrAll) {
    RecentLines lines(256);
    for (const LineNumber line : {1U, 2U, 3U}) lines.add(line);
    lines.remove_if([](LineNumber line) { return line == 2; });
    EXPECT_FALSE(lines.take(2));
    EXPECT_TRUE(lines.take(1));
    lines.clear();
    EXPECT_FALSE(lines.take(3));
}

}  // namespace
}  // namespace models
