// Neighbours go to one worker, and nothing is left or done twice.
#include "models/functional/work_items.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace models::functional {
namespace {

TEST(WorkItems, AreRangesOfNeighbours) {
    WorkItems items(10, 2);
    for (const int expected : {0, 1, 2}) EXPECT_EQ(items.take(0), expected);
    for (const int expected : {5, 6}) EXPECT_EQ(items.take(1), expected);
}

TEST(WorkItems, AreTakenFromTheFarEndOfOthers) {
    WorkItems items(10, 2);
    for (int i = 0; i < 5; ++i) items.take(1);
    EXPECT_EQ(items.take(1), 4);
    EXPECT_EQ(items.take(0), 0);
    EXPECT_EQ(items.take(1), 3);
}

TEST(WorkItems, AreAllTakenByOneWhereTheOthersTakeNone) {
    for (const int workers : {1, 2, 3, 7})
        for (const int count : {0, 1, 2, 5, 100}) {
            WorkItems items(count, workers);
            std::vector<int> taken;
            for (int item = items.take(workers - 1); item >= 0; item = items.take(workers - 1)) taken.push_back(item);
            std::sort(taken.begin(), taken.end());
            ASSERT_EQ(taken.size(), static_cast<std::size_t>(count));
            for (int i = 0; i < count; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i);
            for (int worker = 0; worker < workers; ++worker) EXPECT_EQ(items.take(worker), -1);
        }
}

}  // namespace
}  // namespace models::functional
