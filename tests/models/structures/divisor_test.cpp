#include "models/structures/divisor.h"

#include <gtest/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

TEST(Divisor, DividesAsTheOperatorsDo) {
    engine::CounterRng draws(3, 0);
    for (const std::uint32_t by : {1U, 2U, 3U, 7U, 8U, 20U, 48U, 64U, 1U << 20, 1U << 31}) {
        const Divisor divisor(by);
        EXPECT_EQ(divisor.value(), by);
        for (int i = 0; i < 1000; ++i) {
            const std::uint32_t x = draws.below(0x7fffffffU);
            ASSERT_EQ(divisor.quotient(x), x / by);
            ASSERT_EQ(divisor.remainder(x), x % by);
            ASSERT_EQ(divisor.quotient_up(x), x / by + (x % by != 0 ? 1 : 0));
        }
        EXPECT_EQ(divisor.quotient_up(0), 0U);
    }
}

}  // namespace
}  // namespace models
