#include "tests/models/benchmarks/machine_timing.h"

#include <gtest/gtest.h>

#include "tests/models/synthetic_frame.h"

namespace models::benchmarks {
namespace {

Workload small_workload() {
    synthetic::Generator generator({});
    Workload workload{"small", {}, {}};
    for (std::uint32_t number = 0; number < 2; ++number) workload.frames.push_back(generator.frame(number));
    workload.trace = generator.trace();
    return workload;
}

TEST(MachineTiming, MeasuresEveryWayAsOftenAsAskedWithOneResult) {
    const engine::Ranks ranks;
    const MachineParameters parameters;
    const Measurement measurement = measure(small_workload(), parameters, ranks, {1, 2}, 3);
    ASSERT_EQ(measurement.ways.size(), 3U);
    const Timing& one = measurement.ways[0].median();
    EXPECT_GT(one.cycles, 0U);
    EXPECT_GT(one.warp_instructions, 0U);
    EXPECT_GT(one.thread_instructions, one.warp_instructions);
    for (const Way& way : measurement.ways) {
        EXPECT_EQ(way.timings.size(), 3U);
        EXPECT_EQ(way.median().digest, one.digest);
        EXPECT_EQ(way.median().cycles, one.cycles);
        EXPECT_EQ(way.median().report.messages, one.report.messages);
        EXPECT_GT(way.median().seconds, 0);
        EXPECT_EQ(way.median().report.workers.size(), way.threads == 2 ? 2U : 1U);
    }
}

TEST(MachineTiming, TheMedianOfAnEvenNumberIsTheShorterOne) {
    Way way{1, {}};
    for (const double seconds : {4.0, 1.0, 3.0, 2.0}) way.timings.push_back({.seconds = seconds, .report = {}});
    EXPECT_EQ(way.median().seconds, 2);
    way.timings.pop_back();
    EXPECT_EQ(way.median().seconds, 3);
}

TEST(MachineTiming, CostsOfAKindAreThoseOfItsProcesses) {
    engine::Graph graph;
    graph.processes = {{"raster", "raster", 1}, {"core[0]", "core", 1}, {"core[1]", "core", 1}};
    const auto costs = kind_costs(graph, {{{1, 10}, {2, 20}, {3, 30}}, {}, {}});
    ASSERT_EQ(costs.size(), 2U);
    EXPECT_EQ(costs[0].kind, "core");
    EXPECT_EQ(costs[0].processes, 2U);
    EXPECT_EQ(costs[0].seconds, 5);
    EXPECT_EQ(costs[0].largest_seconds, 3);
    EXPECT_EQ(costs[0].messages, 50U);
    EXPECT_EQ(costs[1].kind, "raster");
}

}  // namespace
}  // namespace models::benchmarks
