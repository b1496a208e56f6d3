#include "models/base/for_each.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

TEST(ForEach, InTurnTakesItemsInOrder) {
    std::vector<int> taken;
    in_turn(4, [&](int item) { taken.push_back(item); });
    EXPECT_THAT(taken, testing::ElementsAre(0, 1, 2, 3));
}

TEST(Bands, AreAllRowsOneAfterTheOther) {
    for (const std::size_t rows : {0U, 1U, 63U, 64U, 65U, 1000U}) {
        const Bands bands(rows, Bands::tiles);
        std::size_t next = 0;
        for (int band = 0; band < bands.count(); ++band) {
            EXPECT_EQ(bands.first(band), next);
            EXPECT_LE(bands.end(band) - next, Bands::tiles);
            next = bands.end(band);
        }
        EXPECT_EQ(next, rows);
    }
}

TEST(Bands, GiveEveryRowToOneItem) {
    std::vector<int> items, times(300);
    const ForEach backwards = [&](int count, const std::function<void(int)>& work) {
        for (int item = count; item-- > 0;) {
            items.push_back(item);
            work(item);
        }
    };
    Bands(times.size(), Bands::tiles).for_each_row(backwards, [&](std::size_t row) { ++times[row]; });
    EXPECT_THAT(items, testing::ElementsAre(4, 3, 2, 1, 0));
    EXPECT_THAT(times, testing::Each(1));
}

}  // namespace
}  // namespace models
