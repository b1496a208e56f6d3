// On one rank; ranks/ranks_test.sh moves processes between several.
#include "engine/migration.h"

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

class Broken : public EventDriven<Broken> {
  public:
    Broken() : EventDriven("broken", -1) {}
    void on_wake() {}
    void serialize(Archive& /*archive*/) override { throw ConfigError("not now"); }
};

TEST(Migration, KindsThatHaveSerializeMayMove) {
    Simulation simulation;
    const busy::Shape shape{.cores = 1, .memories = 1};
    simulation.add<Mute>(0);
    simulation.add<busy::Core>(0, shape);
    simulation.add<Mute>(1);
    simulation.add<busy::Memory>(0, shape);
    EXPECT_THAT(Migration::movable(simulation), testing::ElementsAre(false, true, false, true));
}

TEST(Migration, WhatElseSerializeThrowsIsNotHidden) {
    Simulation simulation;
    simulation.add<Broken>();
    EXPECT_THROW(Migration::movable(simulation), ConfigError);
}

TEST(Migration, ToTheRankTheyAreOnProcessesNeedNotMove) {
    Simulation simulation;
    simulation.add<Mute>(0);
    simulation.run({});
    EXPECT_NO_THROW(Migration::move(simulation, {0}));
    EXPECT_EQ(simulation.rank_of(*simulation.processes()[0]), 0);
}

}  // namespace
}  // namespace engine
