#include "models/memory/home/epoch_counter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

TEST(EpochCounter, EndsAnEpochWithItsLastAccess) {
    EpochCounter counter(3);
    EXPECT_EQ(counter.add(1), 0U);
    EXPECT_EQ(counter.add(1), 0U);
    EXPECT_EQ(counter.add(1), 1U);
    EXPECT_EQ(counter.epoch(), 1U);
    EXPECT_EQ(counter.add(1), 0U);
}

TEST(EpochCounter, KeepsWhatIsLeftOfALumpForTheNextEpoch) {
    EpochCounter counter(10);
    EXPECT_EQ(counter.add(8), 0U);
    EXPECT_EQ(counter.add(8), 1U);
    EXPECT_EQ(counter.add(3), 0U);
    EXPECT_EQ(counter.add(1), 1U);
    EXPECT_EQ(counter.add(25), 2U);
    EXPECT_EQ(counter.epoch(), 4U);
}

RC_GTEST_PROP(EpochCounter, HasAsManyEpochsAsFitIntoAllAccesses, ()) {
    const auto length = *rc::gen::inRange(1U, 50'000U);
    EpochCounter counter(length);
    std::uint64_t accesses = 0, epochs = 0;
    for (const auto lump : *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1'000'000U))) {
        accesses += lump;
        epochs += counter.add(lump);
        RC_ASSERT(epochs == accesses / length);
        RC_ASSERT(counter.epoch() == epochs);
    }
}

}  // namespace
}  // namespace models
