#include "models/prefetch/no_prefetcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

TEST(NoPrefetcher, AsksForNothing) {
    NoPrefetcher prefetcher({});
    EXPECT_THAT(wanted_after_each(prefetcher, {hit(7), miss(7), miss(8), hit(9, true)}),
                testing::Each(testing::IsEmpty()));
}

}  // namespace
}  // namespace models
