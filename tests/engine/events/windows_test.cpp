#include "engine/events/windows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace engine {
namespace {

RC_GTEST_PROP(Windows, FindTheWindowOfEveryTimeAsADivisionWould, ()) {
    const Time length =
        *rc::gen::inRange<Time>(1, *rc::gen::element<Time>(3, 1000, 1 << 21, Time{1} << 40, Time{1} << 60));
    const Windows windows(length);
    const Time some = *rc::gen::inRange<Time>(0, *rc::gen::element<Time>(1000, 1 << 30, Time{1} << 50, never));
    const Time edge = some / length * length;
    for (const Time time : {some, edge, edge + 1, edge + length - 1, std::max<Time>(edge - 1, 0)})
        RC_ASSERT(windows.of(time) == time / length);
}

TEST(Windows, FollowOneAnother) {
    const Windows windows(7);
    EXPECT_EQ(windows.start(3), 21);
    EXPECT_EQ(windows.end(3), windows.start(4));
    EXPECT_EQ(windows.of(20), 2);
    EXPECT_EQ(windows.of(21), 3);
}

TEST(Windows, MayBeOneTickLongOrEndless) {
    EXPECT_EQ(Windows(1).of(123456789), 123456789);
    EXPECT_EQ(Windows(never).of(123456789), 0);
    EXPECT_GT(Windows(never).end(0), 123456789);
}

}  // namespace
}  // namespace engine
