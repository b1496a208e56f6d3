#include "models/network/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

TEST(Placement, OfProcessorsIsOneANodeAndThenAgain) {
    EXPECT_THAT(place_in_turn(7, 2, 2), ElementsAre(0, 1, 2, 3, 0, 1, 2));
}

TEST(Placement, SpreadsSlicesEvenly) {
    EXPECT_THAT(place_slices(Placement::spread, 8, 8, 4), ElementsAre(2, 6, 10, 14, 18, 22, 26, 30));
    EXPECT_THAT(place_slices(Placement::spread, 1, 3, 3), ElementsAre(4));
    EXPECT_THAT(place_slices(Placement::spread, 4, 2, 1), ElementsAre(0, 0, 1, 1));
}

TEST(Placement, PutsSlicesAtTheEdges) {
    EXPECT_THAT(place_slices(Placement::edge, 8, 8, 4), ElementsAre(0, 7, 8, 15, 16, 23, 24, 31));
    EXPECT_THAT(place_slices(Placement::edge, 3, 4, 1), ElementsAre(0, 3, 0));
    EXPECT_THAT(place_slices(Placement::edge, 3, 1, 2), ElementsAre(0, 0, 1));
}

}  // namespace
}  // namespace models
