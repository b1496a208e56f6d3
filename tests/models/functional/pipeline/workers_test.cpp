// Every item is done once, by whichever thread; with threads that stand by as with threads woken for a call.
#include "models/functional/workers.h"

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

struct Case {
    int threads;
    bool stand_by;
};
std::string name_of(const testing::TestParamInfo<Case>& info) {
    return std::to_string(info.param.threads) + (info.param.stand_by ? "StandingBy" : "Woken");
}

class WorkersOfAKind : public testing::TestWithParam<Case> {
  protected:
    template <class F>
    void run(F f) const {
        GetParam().stand_by ? workers.stand_by(f) : f();
    }
    Workers workers{GetParam().threads};
};

TEST_P(WorkersOfAKind, DoEveryItemOnce) {
    run([&] {
        for (const int items : {0, 1, 2, 3, 64, 1000}) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(items));
            workers.for_each(items, [&](int item, int worker) {
                EXPECT_LT(worker, workers.count());
                ++done[static_cast<std::size_t>(item)];
            });
            for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1) << items;
        }
    });
}

// What a call wrote is seen after it, call after call. (Where other programs keep the cores busy, it takes tens of
// milliseconds to wake threads for a call.)
TEST_P(WorkersOfAKind, HaveFinishedWhenTheCallReturns) {
    const int rounds = GetParam().stand_by ? 2000 : 100;
    std::vector<int> values(97);
    run([&] {
        for (int round = 0; round < rounds; ++round) {
            workers.for_each(static_cast<int>(values.size()),
                             [&](int item, int) { ++values[static_cast<std::size_t>(item)]; });
            ASSERT_EQ(values[static_cast<std::size_t>(round) % values.size()], round + 1);
        }
    });
    EXPECT_EQ(values, std::vector<int>(values.size(), rounds));
}

TEST_P(WorkersOfAKind, ReportTheMistakeOfTheFirstItem) {
    run([&] {
        for (int round = 0; round < 20; ++round) {
            EXPECT_EQ(error_of([&] {
                          workers.for_each(64, [](int item, int) {
                              if (item >= 5) throw engine::InputError("item " + std::to_string(item));
                          });
                      }),
                      "item 5");
        }
    });
}

// Which threads took the items never shows: those below the first that fails may fail too.
TEST_P(WorkersOfAKind, DoEveryItemBelowTheFirstMistake) {
    run([&] {
        for (int first = 0; first < 64; first += 9) {
            std::vector<std::atomic<int>> done(64);
            EXPECT_EQ(error_of([&] {
                          workers.for_each(64, [&](int item, int) {
                              ++done[static_cast<std::size_t>(item)];
                              if (item >= first) throw engine::InputError("item " + std::to_string(item));
                          });
                      }),
                      "item " + std::to_string(first));
            for (int item = 0; item <= first; ++item) EXPECT_EQ(done[static_cast<std::size_t>(item)], 1) << item;
            for (const std::atomic<int>& times : done) EXPECT_LE(times, 1);
        }
    });
}

// Two items of one worker never overlap in time.
TEST_P(WorkersOfAKind, HaveScratchMemoryOfTheirOwn) {
    std::vector<std::atomic<int>> busy(static_cast<std::size_t>(workers.count()));
    run([&] {
        workers.for_each(5000, [&](int, int worker) {
            std::atomic<int>& mine = busy[static_cast<std::size_t>(worker)];
            EXPECT_EQ(++mine, 1);
            --mine;
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Numbers, WorkersOfAKind,
                         testing::Values(Case{1, false}, Case{2, false}, Case{4, false}, Case{1, true}, Case{2, true},
                                         Case{4, true}, Case{8, true}),
                         name_of);

TEST(Workers, ThatStandByPassOnWhatTheCallerThrows) {
    const Workers workers(3);
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(error_of([&] { workers.stand_by([] { throw engine::InputError("the caller's"); }); }),
                  "the caller's");
    int done = 0;
    workers.for_each(1, [&](int, int) { ++done; });
    EXPECT_EQ(done, 1);
}

TEST(Workers, StandByOnceHoweverOftenTheyAreAsked) {
    const Workers workers(2);
    std::atomic<int> done = 0;
    workers.stand_by([&] {
        workers.stand_by([&] { workers.for_each(10, [&](int, int) { ++done; }); });
        workers.for_each(10, [&](int, int) { ++done; });
    });
    EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace models::functional
