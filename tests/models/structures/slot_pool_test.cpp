#include "models/structures/slot_pool.h"

#include <map>

#include <gtest/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

TEST(SlotPool, GivesEverythingBackByItsNumber) {
    SlotPool<int> pool;
    std::map<std::uint32_t, int> reference;
    engine::CounterRng draws(1, 1);
    for (int i = 0; i < 5000; ++i) {
        if (reference.empty() || (reference.size() < 40 && draws.below(2) == 0)) {
            const std::uint32_t place = pool.put(i);
            ASSERT_TRUE(reference.emplace(place, i).second) << "a place that is taken";
            ASSERT_LT(place, 40U) << "more places than things";
        } else {
            const auto one = std::next(reference.begin(), draws.below(static_cast<std::uint32_t>(reference.size())));
            ASSERT_EQ(pool.take(one->first), one->second);
            reference.erase(one);
        }
        ASSERT_EQ(pool.used(), reference.size());
    }
}

}  // namespace
}  // namespace models
