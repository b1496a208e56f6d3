#include "io/recorder/signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace {

bool came(const io::SignalWatch& watch) {
    pollfd state{watch.number(), POLLIN, 0};
    return ::poll(&state, 1, 0) == 1;
}

TEST(SignalWatch, ASignalIsSeenInsteadOfEndingTheProgram) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        const io::SignalWatch watch;
        EXPECT_FALSE(came(watch));
        ::kill(::getpid(), number);
        EXPECT_TRUE(came(watch));
    }  // and does not end it afterwards either
}

TEST(SignalWatch, OneThatWasTakenIsNotSeenAgain) {
    io::SignalWatch watch;
    EXPECT_FALSE(watch.take());
    ::kill(::getpid(), SIGTERM);
    EXPECT_TRUE(watch.take());
    EXPECT_FALSE(came(watch));
}

TEST(SignalWatch, TheMaskBeforeComesBack) {
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
    {
        const io::SignalWatch watch;
        sigset_t during;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &during);
        EXPECT_EQ(sigismember(&during, SIGINT), 1);
    }
    sigset_t after;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
}

}  // namespace
