#include "engine/threads/run_on_threads.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace engine {
namespace {

TEST(RunTogether, CallsMayWaitForEachOtherAlsoWithMoreThreadsThanCores) {
    for (const int threads : {1, 2, 64}) {
        std::atomic<int> arrived = 0;
        run_on_threads(threads, [&](int /*thread*/) {
            ++arrived;
            while (arrived < threads) std::this_thread::yield();
        });
        EXPECT_EQ(arrived, threads);
    }
}

TEST(RunTogether, CallsOnceForEveryNumberAndZeroOnTheCallingThread) {
    std::vector<std::thread::id> ids(6);
    run_on_threads(6, [&](int thread) { ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id(); });
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    for (const std::thread::id& id : ids) EXPECT_NE(id, std::thread::id());
}

TEST(RunTogether, RefusesMoreThreadsThanThereCanBe) {
    EXPECT_THROW(run_on_threads(100000, [](int /*thread*/) {}), ConfigError);
}

}  // namespace
}  // namespace engine
