#include "models/memory/cache_parameters.h"

#include <gtest/gtest.h>

#include "engine/error.h"

namespace models {
namespace {

TEST(CheckSets, WantsAPowerOfTwoOfSets) {
    EXPECT_NO_THROW(check_sets("cache", 16 << 10, 1, 4));
    EXPECT_NO_THROW(check_sets("cache", 64, 1, 1));
    EXPECT_NO_THROW(check_sets("cache", 3 * 64 * 8, 1, 3));  // ways need be none
    EXPECT_THROW(check_sets("cache", 3 * 64 * 8, 1, 8), engine::ConfigError);
    EXPECT_THROW(check_sets("cache", 64, 1, 2), engine::ConfigError);
    EXPECT_THROW(check_sets("cache", 65, 1, 1), engine::ConfigError);
    EXPECT_THROW(check_sets("cache", 1 << 20, 3, 8), engine::ConfigError);
}

TEST(CacheParameters, NameTheGroupThatIsWrong) {
    ParameterGroup root;
    CacheParameters cache(&root, "small_cache", "of a test", {{4096}, 4, {1}, 8, "this test"});
    EXPECT_NO_THROW(cache.check());
    cache.ways.set("3");
    try {
        cache.check();
        FAIL();
    } catch (const engine::ConfigError& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "small_cache: expected capacity / (ways x 64 B) to be a power of two (the number of sets), found 4096 "
            "B, 3 ways");
    }
}

}  // namespace
}  // namespace models
