#include "engine/stop_request.h"

#include <csignal>

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
    { const StopRequest stop; }
    {
        const StopRequest stop;
        std::raise(SIGTERM);
    }
    std::raise(SIGUSR1);
    EXPECT_EQ(calls, 1);
    std::signal(SIGUSR1, before);
}

void signals(int first, int second) {
    const StopRequest stop;
    std::raise(first);
    std::raise(second);
}

TEST(StopRequestDeathTest, TheSecondSignalEndsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(signals(SIGTERM, SIGTERM), testing::KilledBySignal(SIGTERM), "");
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

}  // namespace
}  // namespace engine
