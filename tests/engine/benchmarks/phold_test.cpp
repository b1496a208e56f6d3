// PHOLD: the kernel's model against the plain queue.
#include <gtest/gtest.h>

#include "partitions/partitions.h"
#include "tests/engine/benchmarks/phold_model.h"
#include "tests/engine/benchmarks/phold_yardstick.h"

namespace engine::benchmarks {
namespace {

PholdShape small(double remote) {
    PholdShape shape;
    shape.processes = 50;
    shape.population = 8;
    shape.remote = remote;
    shape.end = 12;
    return shape;
}

PholdOutcome on_kernel(const PholdShape& shape, int threads, std::string_view partition) {
    PholdModel model(shape);
    return model.outcome(model.simulation.run(partitions::make_plan(partition, model.simulation.graph(), 1, threads)));
}

void expect_equal(const PholdOutcome& found, const PholdOutcome& expected) {
    EXPECT_EQ(found.events, expected.events);
    EXPECT_EQ(found.digest, expected.digest);
}

TEST(Phold, TheKernelHandlesTheEventsOfTheYardstickInItsOrder) {
    for (const double remote : {0.0, 0.1, 0.9, 1.0})
        expect_equal(on_kernel(small(remote), 1, "single"), run_phold_yardstick(small(remote)));
}

// Delays of a few ticks: many events of one process at one time, from several senders and from one.
TEST(Phold, TheKernelOrdersEventsOfOneTimeAsTheYardstickDoes) {
    PholdShape shape = small(0.9);
    shape.processes = 5;
    shape.population = 40;
    shape.lookahead = 2 / PholdShape::ticks_per_unit;
    shape.mean = 6 / PholdShape::ticks_per_unit;
    shape.end = 300 / PholdShape::ticks_per_unit;
    expect_equal(on_kernel(shape, 1, "single"), run_phold_yardstick(shape));
    expect_equal(on_kernel(shape, 2, "round_robin"), run_phold_yardstick(shape));
}

TEST(Phold, OneDigestWhateverTheThreadsAndThePartition) {
    const PholdOutcome expected = run_phold_yardstick(small(0.25));
    for (const int threads : {1, 2, 3})
        for (const char* partition : {"block", "round_robin"}) {
            SCOPED_TRACE(std::string(partition) + " on " + std::to_string(threads) + " threads");
            expect_equal(on_kernel(small(0.25), threads, partition), expected);
        }
}

}  // namespace
}  // namespace engine::benchmarks
