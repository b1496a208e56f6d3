#include "engine/run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

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

TEST(Run, TheBusyMachineIsBusyAndItsDigestHangsOnItsOrder) {
    Machine machine({});
    const RunReport report = machine.simulation.run({});
    EXPECT_GT(report.messages, 3000U);
    EXPECT_GT(report.steps, 3000U);
    EXPECT_GT(report.windows, 1000U);
    EXPECT_NE(digest({.outstanding = 5}, 1, 1), machine.digest(report));
}

class Slow : public Clocked<Slow> {
  public:
    Slow() : Clocked("slow", -1, 100) {}
    Time step() {
        if (now() > 2000) return never;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        to.send({0});
        return now() + period();
    }
    void on_token(const busy::Token& /*token*/) {}
    In<busy::Token> from{this, "from", handler<&Slow::on_token>};
    Out<busy::Token> to{this, "to"};
};

TEST(Run, TellsTheTimeReachedNowAndThen) {
    Simulation simulation;
    auto& slow = simulation.add<Slow>();
    simulation.connect(slow.to, slow.from, 50);
    slow.wake_at(0);
    std::vector<Time> told;
    simulation.run({}, {.stall_seconds = 0, .progress = [&](Time time) { told.push_back(time); }});
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_GT(told[0], 0);
    EXPECT_LE(told.back(), simulation.now());
}

TEST(Run, GivesTheSameDigestWithMoreWorkersThanProcessesAndCores) {
    const Shape shape{.cores = 4, .memories = 2, .requests = 40};
    EXPECT_EQ(digest(shape, 24, 1), digest(shape, 1, 1));
}

// With trials of no length there are as many changes as what they cost allows.
TEST(Run, ChangesBetweenOneAndAllWorkersChangeNoResult) {
    const Shape shape{.requests = 500};
    const std::uint64_t expected = digest(shape, 1, 1);
    for (const int threads : {2, 3, 8})
        for (const int stride : {1, 6}) {
            Machine machine(shape);
            const Plan plan = dealt(machine.simulation.processes().size(), threads, stride);
            const RunReport report = machine.simulation.run(plan, {.progress = {}, .trial_seconds = 0});
            EXPECT_EQ(machine.digest(report), expected) << threads << " " << stride;
            EXPECT_GT(report.changes, 1U);
        }
}

}  // namespace
}  // namespace engine
