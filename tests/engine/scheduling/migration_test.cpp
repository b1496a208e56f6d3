// On one rank; ranks/ranks_test.sh moves processes between several.
#include "engine/scheduling/migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

class Mute : public EventDriven<Mute> {
  public:
    explicit Mute(int index) : EventDriven("mute", index) {}
    void on_wake() {}
};

TEST(Migration, ToTheRankTheyAreOnProcessesNeedNotMove) {
    Simulation simulation;
    simulation.add<Mute>(0);
    simulation.run({});
    EXPECT_NO_THROW(Migration::move(simulation, {0}));
    EXPECT_EQ(simulation.rank_of(*simulation.processes()[0]), 0);
}

}  // namespace
}  // namespace engine
