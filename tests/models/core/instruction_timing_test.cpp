#include "models/core/instruction_timing.h"

#include <gtest/gtest.h>

#include "models/machine_parameters.h"

namespace models {
namespace {

constexpr engine::Time period = 3;

TEST(InstructionTiming, EveryClassHasItsOwn) {
    MachineParameters parameters;
    parameters.fragment_processor.integer.latency.set("6");
    parameters.fragment_processor.special.interval.set("5");
    const InstructionTiming timing(parameters.fragment_processor, period);
    EXPECT_EQ(timing.latency(InstructionClass::integer), 6 * period);
    EXPECT_EQ(timing.latency(InstructionClass::floating), 4 * period);
    EXPECT_EQ(timing.interval(InstructionClass::special), 5 * period);
    EXPECT_EQ(timing.interval(InstructionClass::integer), period);
    EXPECT_EQ(timing.longest(), 8 * period);
}

TEST(InstructionTiming, AMachineTakesAsManyStepsAtOnceAsItIsWide) {
    MachineParameters parameters;
    for (const int width : {1, 2, 3, 4}) {
        parameters.fragment_processor.vector_width.set(std::to_string(width));
        const InstructionTiming timing(parameters.fragment_processor, period);
        EXPECT_EQ(timing.by_component, width < 4);
        for (std::size_t steps = 1; steps <= 4; ++steps) {
            const int cycles = (static_cast<int>(steps) + width - 1) / width;
            EXPECT_EQ(timing.occupied(steps), cycles * period) << width << ' ' << steps;
            EXPECT_EQ(timing.step(steps - 1), (cycles - 1) * period);
        }
    }
}

}  // namespace
}  // namespace models
