// Two frames of two passes on a machine of any kind, and a frame that is stopped and goes on elsewhere: what every part
// that a machine may have is put to.
#pragma once

#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace bench {

namespace synthetic = models::synthetic;

// Plays them; every law is expected after each.
struct TwoFrames {
    explicit TwoFrames(const models::MachineParameters& parameters) : machine(simulation, parameters) {
        synthetic::Generator generator(synthetic::small_frame);
        LawCheck laws(simulation, machine);
        for (std::uint32_t frame = 0; frame < 2; ++frame)
            cycles += play(simulation, machine, laws, generator.trace(), generator.frame(frame));
    }
    std::uint64_t total(const std::string& kind, const std::string& counter) const {
        return bench::total(simulation, kind, counter);
    }
    // Of counters with this name, whose ever they are.
    std::uint64_t total(const std::string& counter) const {
        std::uint64_t sum = 0;
        for (const auto& process : simulation.processes())
            for (const engine::CounterInfo& info : process->counters().all())
                if (info.name == counter) sum += *info.value;
        return sum;
    }

    engine::Simulation simulation;
    models::Machine machine;
    std::uint64_t cycles = 0;
};

// A frame played whole, and one stopped on two threads that goes on on three, have the same counters and length.
inline void expect_same_from_a_checkpoint(const models::MachineParameters& parameters) {
    synthetic::Generator generator(synthetic::small_frame);
    const models::Frame frame = generator.frame();
    OneFrame whole(parameters, generator.trace(), frame);
    const engine::Time end = whole.play();
    OneFrame first(parameters, generator.trace(), frame), second(parameters, generator.trace(), frame);
    EXPECT_EQ(second.go_on_from(first.play_until(end / 2, 2), 3), end);
    EXPECT_EQ(second.simulation.collect_counters(), whole.simulation.collect_counters());
}

}  // namespace bench
