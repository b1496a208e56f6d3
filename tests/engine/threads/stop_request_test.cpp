#include "engine/threads/stop_request.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(StopRequest, NotesTheFirstSignal) {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
        const StopRequest stop;
        EXPECT_EQ(StopRequest::signal(), 0);
        std::raise(signal);
        EXPECT_EQ(StopRequest::signal(), signal);
    }
}

int calls = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): all that a handler sees
void count(int /*signal*/) {
    ++calls;
}

TEST(StopRequest, LeavesSignalsAsItFoundThem) {
    const auto before = std::signal(SIGUSR1, count);
    {
        const StopRequest stop;
    }
    {
        const StopRequest stop;
        std::raise(SIGTERM);
    }
    std::raise(SIGUSR1);
    EXPECT_EQ(calls, 1);
    std::signal(SIGUSR1, before);
}

TEST(StopRequest, TakesWhatFollowsAtOnceForTheSameWish) {
    const StopRequest stop;
    for (const int signal : {SIGUSR1, SIGTERM, SIGTERM, SIGHUP}) std::raise(signal);
    EXPECT_EQ(StopRequest::signal(), SIGUSR1);
}

void signals(int first, int second, std::chrono::milliseconds between = {}) {
    const StopRequest stop;
    std::raise(first);
    std::this_thread::sleep_for(between);
    std::raise(second);
}

TEST(StopRequestDeathTest, TheSecondSignalEndsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(signals(SIGTERM, SIGTERM, std::chrono::milliseconds(1100)), testing::KilledBySignal(SIGTERM), "");
    EXPECT_EXIT(signals(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
    EXPECT_EXIT(signals(SIGUSR1, SIGINT), testing::KilledBySignal(SIGINT), "");
}

TEST(StopRequestDeathTest, DiesOfTheSignalThatStoppedIt) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            const StopRequest stop;
            std::raise(SIGUSR1);
            StopRequest::die_of(StopRequest::signal());
        },
        testing::KilledBySignal(SIGUSR1), "");
}

// Waits until something is noted, but not for ever.
int noted() {
    for (int i = 0; i < 2000 && StopRequest::signal() == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return StopRequest::signal();
}

TEST(StopAlarm, NotesThatTheTimeIsOverUntilItGoes) {
    const StopRequest stop;
    {
        const StopAlarm alarm(0.001);
        EXPECT_EQ(noted(), StopRequest::alarm);
    }
    EXPECT_EQ(StopRequest::signal(), 0);
}

TEST(StopAlarm, ThatGoesBeforeNotesNothing) {
    const StopRequest stop;
    {
        const StopAlarm alarm(1000);
    }
    EXPECT_EQ(StopRequest::signal(), 0);
}

TEST(StopAlarm, CountsLessThanASignal) {
    const StopRequest stop;
    {
        const StopAlarm alarm(0);
        EXPECT_EQ(noted(), StopRequest::alarm);
        std::raise(SIGTERM);
        EXPECT_EQ(StopRequest::signal(), SIGTERM);
    }
    EXPECT_EQ(StopRequest::signal(), SIGTERM);
    const StopAlarm late(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(StopRequest::signal(), SIGTERM);
}

}  // namespace
}  // namespace engine
