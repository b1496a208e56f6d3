#include "models/memory/home/owner_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;

TEST(OwnerRecords, HasARowForEachEpochAndBucketOfACentralTable) {
    const Records records = owner_records({500, 0, 0, 3, 7, 900, 1, 2, 3, 15}, 2);
    EXPECT_THAT(records.find("epoch")->values, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(records.find("cycle")->values, ElementsAre(500, 500, 900, 900));
    EXPECT_THAT(records.find("bucket")->values, ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(records.find("owner")->values, ElementsAre(Records::missing, 2, 0, 2));
    EXPECT_THAT(records.find("accesses")->values, ElementsAre(0, 7, 2, 15));
}

TEST(OwnerRecords, CountsEpochsOfClaimsFromTheFirstOfTheFrameThoughNobodyClaimsAnythingThen) {
    const Records records = claim_records({{}, {8, 700, 1, 4}, {7, 500, 0, 2, 7, 500, 1, 9, 8, 701, 1, 5}}, 5);
    EXPECT_THAT(records.find("epoch")->values, ElementsAre(3, 2, 2, 3));
    EXPECT_THAT(records.find("cycle")->values, ElementsAre(700, 500, 500, 701));
    EXPECT_THAT(records.find("bucket")->values, ElementsAre(1, 0, 1, 1));
    EXPECT_THAT(records.find("owner")->values, ElementsAre(1, 2, 2, 2));
    EXPECT_THAT(records.find("accesses")->values, ElementsAre(4, 2, 9, 5));
    EXPECT_EQ(claim_records({{}, {}}, 5).rows(), 0U);
}

}  // namespace
}  // namespace models
