#include "engine/logical_process.h"

#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

class Block : public EventDriven<Block> {
  public:
    using EventDriven::EventDriven;
    Counter hits{&counters(), "hits", "1", "accesses that hit"};
};

TEST(LogicalProcess, IsNamedAfterItsKindAndItsIndex) {
    EXPECT_EQ(Block("l2_slice", 3).name(), "l2_slice[3]");
    EXPECT_EQ(Block("raster", -1).name(), "raster");
    EXPECT_EQ(Block("raster", -1).kind(), "raster");
    EXPECT_EQ(Block("l2_slice", 3).index(), 3);
}

TEST(LogicalProcess, ListsItsCounters) {
    Block block("l2_slice", 0);
    ++block.hits;
    ASSERT_EQ(block.counters().all().size(), 1U);
    EXPECT_EQ(block.counters().all()[0].name, "hits");
    EXPECT_EQ(*block.counters().all()[0].value, 1U);
}

TEST(LogicalProcess, IsIdleInOrderAndOfUnitCostUnlessItSaysOtherwise) {
    const Block block("l2_slice", 0);
    EXPECT_EQ(block.unfinished(), "");
    EXPECT_EQ(block.cost_hint(), 1);
}

}  // namespace
}  // namespace engine
