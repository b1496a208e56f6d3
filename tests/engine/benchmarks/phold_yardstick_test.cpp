// PHOLD on one queue.
#include "tests/engine/benchmarks/phold_yardstick.h"

#include <gtest/gtest.h>

namespace engine::benchmarks {
namespace {

PholdShape small() {
    PholdShape shape;
    shape.processes = 64;
    shape.end = 20;
    return shape;
}

// The population stays what it was, and every event is followed by one after the mean delay.
TEST(PholdYardstick, HandlesAnEventPerUnitOfTimeForEachOfThePopulation) {
    PholdShape shape = small();
    for (const double remote : {0.0, 0.25, 1.0}) {
        shape.remote = remote;
        const auto events = static_cast<double>(run_phold_yardstick(shape).events);
        EXPECT_NEAR(events, 64 * 16 * 20, 0.03 * 64 * 16 * 20) << remote;
    }
}

TEST(PholdYardstick, GivesAnotherDigestForEverythingThatMatters) {
    const std::uint64_t digest = run_phold_yardstick(small()).digest;
    EXPECT_EQ(run_phold_yardstick(small()).digest, digest);
    PholdShape shape = small();
    shape.seed = 2;
    EXPECT_NE(run_phold_yardstick(shape).digest, digest);
    shape = small();
    shape.remote = 0.2;
    EXPECT_NE(run_phold_yardstick(shape).digest, digest);
    shape = small();
    shape.lookahead = 0.2;
    EXPECT_NE(run_phold_yardstick(shape).digest, digest);
}

}  // namespace
}  // namespace engine::benchmarks
