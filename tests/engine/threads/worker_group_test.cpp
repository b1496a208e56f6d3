#include "engine/threads/worker_group.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(WorkerGroup, EveryThreadDoesItsPartOfEveryRoundBeforeTheNext) {
    for (const int threads : {1, 2, 5})
        WorkerGroup::run(threads, false, [threads](WorkerGroup& group) {
            std::vector<int> done(static_cast<std::size_t>(threads));
            for (int round = 1; round <= 50; ++round) {
                group.all([&](int thread) { ++done[static_cast<std::size_t>(thread)]; });
                EXPECT_THAT(done, testing::Each(round));
            }
        });
}

TEST(WorkerGroup, CallsOfARoundMayWaitForEachOther) {
    WorkerGroup::run(3, false, [](WorkerGroup& group) {
        std::atomic<int> arrived = 0;
        group.all([&](int /*thread*/) {
            ++arrived;
            while (arrived < 3) std::this_thread::yield();
        });
        EXPECT_EQ(arrived, 3);
    });
}

TEST(WorkerGroup, ThrowsWhatItsLeaderThrowsWhenTheOthersHaveEnded) {
    for (const int rounds : {0, 1})
        EXPECT_THROW(WorkerGroup::run(3, false,
                                      [rounds](WorkerGroup& group) {
                                          for (int i = 0; i < rounds; ++i) group.all([](int) {});
                                          throw std::runtime_error("enough");
                                      }),
                     std::runtime_error);
}

}  // namespace
}  // namespace engine
