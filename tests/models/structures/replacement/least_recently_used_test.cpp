#include "models/structures/replacement/least_recently_used.h"

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

// The slow way: a list of ways per set, the one accessed last in front.
class Reference {
  public:
    Reference(std::uint32_t sets, std::uint32_t ways) : sets_(sets) {
        for (auto& set : sets_)
            for (std::uint32_t way = 0; way < ways; ++way) set.push_back(way);
    }
    void touch(std::uint32_t set, std::uint32_t way) {
        sets_[set].remove(way);
        sets_[set].push_front(way);
    }
    std::uint32_t victim(std::uint32_t set, std::uint64_t eligible) const {
        return *std::find_if(sets_[set].rbegin(), sets_[set].rend(),
                             [&](std::uint32_t way) { return (eligible >> way & 1U) != 0; });
    }

  private:
    std::vector<std::list<std::uint32_t>> sets_;
};

RC_GTEST_PROP(LeastRecentlyUsed, ChoosesTheWayThatAListInOrderOfAccessHasLast, ()) {
    const auto sets = *rc::gen::inRange(1U, 5U);
    const auto ways = *rc::gen::element(1U, 2U, 3U, 8U, 64U);
    LeastRecentlyUsed policy(sets, ways);
    Reference reference(sets, ways);
    const auto touches = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
        rc::gen::pair(rc::gen::inRange(0U, sets), rc::gen::inRange(0U, ways)));
    for (const auto& [set, way] : touches) {
        policy.touch(set, way);
        reference.touch(set, way);
        const std::uint64_t all = ways == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ways) - 1;
        RC_ASSERT(policy.victim(set, all) == reference.victim(set, all));
        const std::uint64_t some = (*rc::gen::arbitrary<std::uint64_t>() & all) | std::uint64_t{1} << way;
        RC_ASSERT(policy.victim(set, some) == reference.victim(set, some));
    }
}

TEST(LeastRecentlyUsed, GoesOnFromItsStateAsIfItHadNotBeenSaved) {
    LeastRecentlyUsed policy(2, 4), other(2, 4);
    for (const std::uint32_t way : {3U, 1U, 0U}) policy.touch(1, way);
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(policy);
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    EXPECT_EQ(other.victim(1, 0b1111), 2U);
    EXPECT_EQ(other.victim(1, 0b1011), 3U);
    EXPECT_EQ(other.victim(0, 0b1111), policy.victim(0, 0b1111));
}

}  // namespace
}  // namespace models
