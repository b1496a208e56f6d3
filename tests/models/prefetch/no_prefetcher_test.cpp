#include "models/prefetch/no_prefetcher.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(NoPrefetcher, AsksForNothing) {
    NoPrefetcher prefetcher;
    PrefetchQueue requests(4);
    for (const bool hit : {false, true}) prefetcher.observe({7, hit, {}}, requests);
    EXPECT_TRUE(requests.empty());
}

}  // namespace
}  // namespace models
