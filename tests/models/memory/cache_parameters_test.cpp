#include "models/memory/cache_parameters.h"

#include <gtest/gtest.h>

#include "models/memory/l2_parameters.h"

namespace models {
namespace {

struct Caches : ParameterGroup {
    CacheParameters cache{this, "cache", "of a test", {{16 << 10}, 4, {2}, 4, "this test", 4}};
    L2Parameters l2{this, "l2", "of a test"};
};

std::string refusal(const ParameterGroup& group) {
    try {
        group.check();
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(CacheParameters, GiveTheShapeOfACache) {
    Caches caches;
    caches.cache.line.set("128 B");
    caches.cache.sector.set("32 B");
    const CacheShape shape = caches.cache.shape(10);
    EXPECT_EQ(shape.array.sets, 32U);
    EXPECT_EQ(shape.line_bytes, 128U);
    EXPECT_EQ(shape.sector_bytes, 32U);
    EXPECT_EQ(shape.banks, 4U);
    EXPECT_EQ(shape.latency, 20);
    EXPECT_EQ(shape.miss_latency, 20);
    EXPECT_EQ(shape.fill_time, 10);
}

TEST(CacheParameters, ASectorIsAtMostALine) {
    Caches caches;
    EXPECT_EQ(caches.cache.shape(1).sector_bytes, 64U);
    caches.cache.line.set("32 B");
    caches.cache.sector.set("64 B");
    EXPECT_EQ(caches.cache.shape(1).sector_bytes, 32U);
}

TEST(CacheParameters, RefuseWhatMakesNoPowerOfTwoOfSets) {
    Caches caches;
    EXPECT_EQ(refusal(caches.cache), "");
    caches.cache.ways.set("3");
    EXPECT_EQ(
        refusal(caches.cache),
        "cache: expected capacity / (ways x line) to be a power of two (the number of sets), found 16384 B, 3 ways "
        "of 64 B");
    caches.l2.slices.set("7");
    EXPECT_EQ(
        refusal(caches.l2),
        "l2: expected capacity / (ways x line x slices) to be a power of two (the number of sets), found 1048576 B, "
        "8 ways of 64 B and 7 slices");
    caches.cache.capacity.set("64 B");
    EXPECT_NE(refusal(caches.cache), "");  // less than a set
}

TEST(CacheParameters, RefuseBanksThatAreNoPowerOfTwoAndTooFewMshrsForShortLines) {
    Caches caches;
    caches.cache.banks.set("3");
    EXPECT_EQ(refusal(caches.cache), "cache.banks: expected a power of two, found 3");
    caches.cache.banks.set("2");
    caches.cache.line.set("32 B");
    caches.cache.mshrs.set("1");
    EXPECT_EQ(refusal(caches.cache),
              "cache.mshrs: expected at least 2, for the two lines of 32 bytes of a block, found 1");
}

TEST(L2Parameters, OfASliceAreAShareOfTheSets) {
    Caches caches;
    const CacheShape shape = caches.l2.shape(3);
    EXPECT_EQ(shape.array.sets, 256U);  // 1 MiB in 8 slices of 8 ways
    EXPECT_EQ(shape.array.stride, 8U);
    EXPECT_EQ(shape.latency, 54);
    EXPECT_EQ(shape.miss_latency, 18);
}

TEST(L2Parameters, RefuseLinesShorterThanRequests) {
    Caches caches;
    caches.l2.line.set("32 B");
    EXPECT_EQ(refusal(caches.l2), "l2.line: expected at least 64 B, what most units request at a time, found 32 B");
}

}  // namespace
}  // namespace models
