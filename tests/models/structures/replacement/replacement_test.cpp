#include "models/structures/replacement/replacement.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/structures/replacement/slow_policies.h"

namespace models {
namespace {

RC_GTEST_PROP(Replacement, EveryPolicyChoosesAsItsSlowOracleDoes, ()) {
    const auto member = *rc::gen::inRange<std::size_t>(0, Replacement::names.size());
    const auto sets = *rc::gen::inRange(1U, 5U);
    const auto ways = *rc::gen::element(1U, 2U, 3U, 4U, 6U, 8U, 16U, 64U);
    Replacement policy(member, sets, ways);
    const auto oracle = slow::policy(Replacement::names[member], sets, ways);
    RC_ASSERT(oracle != nullptr);
    enum Event : int { hit, fill, replace };
    const auto events = *rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(
        rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0U, sets * ways)));
    for (const std::pair<int, std::uint32_t>& step : events) {
        const int event = step.first;
        const std::uint32_t set = step.second / ways, way = step.second % ways;
        policy.visit([&](auto& chosen) {
            if (event == hit) {
                chosen.hit(set, way);
                oracle->hit(set, way);
                return;
            }
            if (event == fill) {
                chosen.fill(set, way);
                oracle->fill(set, way);
                return;
            }
            const std::uint32_t victim = chosen.victim(set);
            RC_ASSERT(victim == oracle->victim(set));
            RC_ASSERT(victim < ways);
            chosen.fill(set, victim);
            oracle->fill(set, victim);
        });
    }
}

TEST(Replacement, EveryPolicyGoesOnFromItsStateAsIfItHadNotBeenSaved) {
    for (std::size_t member = 0; member < Replacement::names.size(); ++member) {
        Replacement policy(member, 2, 4), other(member, 2, 4);
        const auto churn = [](Replacement& which) {
            std::vector<std::uint32_t> victims;
            for (std::uint32_t i = 0; i < 20; ++i)
                which.visit([&](auto& chosen) {
                    chosen.hit(i % 2, i * 7 / 3 % 4);
                    victims.push_back(chosen.victim(i % 2));
                    chosen.fill(i % 2, victims.back());
                });
            return victims;
        };
        churn(policy);
        std::vector<std::byte> bytes;
        engine::Archive writer(&bytes);
        writer(policy);
        engine::Archive reader{std::span<const std::byte>(bytes)};
        reader(other);
        EXPECT_EQ(churn(other), churn(policy)) << Replacement::names[member];
    }
}

}  // namespace
}  // namespace models
