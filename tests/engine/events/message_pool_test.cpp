#include "engine/events/message_pool.h"

#include <set>

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(MessagePool, GivesPlacesThatAreNotInUse) {
    MessagePool pool;
    std::set<std::uint32_t> used;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(used.insert(pool.take()).second);
    EXPECT_GE(pool.size(), used.size());
}

TEST(MessagePool, AReleasedPlaceIsTheNextToBeUsed) {
    MessagePool pool;
    pool.take();
    const std::uint32_t place = pool.take();
    pool.release(place);
    EXPECT_EQ(pool.take(), place);
}

TEST(MessagePool, GrowingKeepsWhatLiesThere) {
    MessagePool pool;
    const std::uint32_t place = pool.take();
    pool[place].order = 42;
    for (int i = 0; i < 1000; ++i) pool[pool.take()].order = 1;
    EXPECT_EQ(pool[place].order, 42U);
}

}  // namespace
}  // namespace engine
