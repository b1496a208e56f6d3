#include "models/base/laws.h"

#include <gtest/gtest.h>

#include "engine/block.h"
#include "engine/simulation.h"

namespace models {
namespace {

class Shop : public engine::EventDriven<Shop> {
  public:
    explicit Shop(int index) : EventDriven("shop", index) {}
    engine::Counter bought{&counters(), "bought", "1", "apples that came"};
    engine::CounterRow<2> sold{&counters(), "sold", {"red", "green"}, "1", "apples that went"};
};

struct Shops {
    Shops() {
        for (int i = 0; i < 2; ++i) shops.push_back(&simulation.add<Shop>(i));
        for (const Shop* shop : shops) {
            Sum sold;
            sold.add(shop->sold);
            laws.equal(shop->name() + ": bought = sold", {shop->bought}, sold);
        }
    }
    std::vector<Violation> violations(const std::vector<std::uint64_t>& before = {}) const {
        return Ledger(simulation.processes(), simulation.collect_counters(), before).violations(laws);
    }
    engine::Simulation simulation;
    std::vector<Shop*> shops;
    Laws laws;
};

TEST(Laws, HoldWhereBothSidesComeToTheSame) {
    Shops market;
    EXPECT_TRUE(market.violations().empty());
    market.shops[0]->bought += 5;
    market.shops[0]->sold[0] += 2;
    market.shops[0]->sold[1] += 3;
    EXPECT_TRUE(market.violations().empty());
}

TEST(Laws, SayWhichOneIsViolatedWithBothSides) {
    Shops market;
    market.shops[1]->bought += 5;
    market.shops[1]->sold[1] += 4;
    const auto found = market.violations();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].text(), "shop[1]: bought = sold: 5 against 4");
}

TEST(Laws, ThatLastHoldWhereCyclesAddUpToTheTime) {
    Shops market;
    const Shop& shop = *market.shops[0];
    Sum open{shop.bought};
    open.add(shop.sold);
    market.laws.last("open = the day", open, 3);
    market.shops[0]->bought += 4;
    market.shops[0]->sold[1] += 6;
    const Ledger ledger(market.simulation.processes(), market.simulation.collect_counters());
    EXPECT_TRUE(ledger.violations(market.laws, 0, 30).empty());
    EXPECT_TRUE(ledger.violations(market.laws, 5, 35).empty());  // cycles 2 to 11: the one that has begun is not over
    const auto found = ledger.violations(market.laws, 0, 33);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].text(), "open = the day: 10 against 11");
}

TEST(Ledger, IsAboutTheDifferenceBetweenTwoMoments) {
    Shops market;
    market.shops[0]->bought += 1;  // violated before
    const auto before = market.simulation.collect_counters();
    EXPECT_FALSE(market.violations().empty());
    EXPECT_TRUE(market.violations(before).empty());
    market.shops[0]->bought += 7;
    market.shops[0]->sold[0] += 3;
    const Ledger ledger(market.simulation.processes(), market.simulation.collect_counters(), before);
    EXPECT_EQ(ledger.of(market.shops[0]->bought), 7U);
    Sum sold{market.shops[0]->bought};
    sold.add(market.shops[0]->sold);
    EXPECT_EQ(ledger.of(sold), 10U);
    EXPECT_EQ(market.violations(before).size(), 1U);
}

}  // namespace
}  // namespace models
