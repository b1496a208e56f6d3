#include "engine/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::Machine;
using busy::Shape;

Plan dealt(std::size_t processes, int threads, int stride) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(processes); ++i) plan.worker.push_back(i / stride % threads);
    return plan;
}

std::uint64_t digest(const Shape& shape, int threads, int stride) {
    Machine machine(shape);
    return machine.digest(machine.simulation.run(dealt(machine.simulation.processes().size(), threads, stride)));
}

TEST(Run, GivesOneDigestForAllThreadsAndPartitions) {
    const Shape shape;
    const std::uint64_t expected = digest(shape, 1, 1);
    for (const int threads : {1, 2, 3, 4})
        for (const int stride : {1, 3, 6})
            EXPECT_EQ(digest(shape, threads, stride), expected) << threads << " " << stride;
}

TEST(Run, GivesTheSameDigestWithMoreWorkersThanProcessesAndCores) {
    const Shape shape{.cores = 4, .memories = 2, .requests = 40};
    EXPECT_EQ(digest(shape, 24, 1), digest(shape, 1, 1));
}

}  // namespace
}  // namespace engine
