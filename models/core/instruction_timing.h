// How long instructions take on a core, by class; what every pipeline asks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/core/shader_core_parameters.h"
#include "models/workload/decoded_program.h"

namespace models {

class InstructionTiming {
  public:
    InstructionTiming(const ShaderCoreParameters& parameters, engine::Time period)
        : by_component(static_cast<std::uint32_t>(parameters.vector_width()) < most_components) {
        const auto set = [&](InstructionClass kind, const ClassParameters& timing) {
            latency_[index(kind)] = timing.latency.count() * period;
            interval_[index(kind)] = timing.interval.count() * period;
        };
        set(InstructionClass::floating, parameters.floating);
        set(InstructionClass::integer, parameters.integer);
        set(InstructionClass::conversion, parameters.conversion);
        set(InstructionClass::special, parameters.special);
        set(InstructionClass::control, parameters.control);
        const auto width = static_cast<std::uint32_t>(parameters.vector_width());
        for (std::uint32_t step = 0; step < most_components; ++step) step_[step] = step / width * period;
        for (std::uint32_t steps = 1; steps <= most_components; ++steps) occupied_[steps] = step_[steps - 1] + period;
    }

    // For which one of so many steps takes the port or unit that it is issued to.
    engine::Time occupied(std::size_t steps) const { return occupied_[steps]; }
    // After its issue, step `step` of it begins.
    engine::Time step(std::size_t step) const { return step_[step]; }
    // From the last cycle in which it is issued, or from a step, to its result.
    engine::Time latency(InstructionClass kind) const { return latency_[index(kind)]; }
    // The least time between two of the class.
    engine::Time interval(InstructionClass kind) const { return interval_[index(kind)]; }
    engine::Time longest() const { return *std::max_element(latency_.begin(), latency_.end()); }

    // The machine computes less than a vec4 at once, so what depends on what is told apart by component.
    bool by_component;

  private:
    static std::size_t index(InstructionClass kind) { return static_cast<std::size_t>(kind); }
    std::array<engine::Time, most_components + 1> occupied_ = {};
    std::array<engine::Time, instruction_classes> latency_ = {}, interval_ = {};
    std::array<engine::Time, most_components> step_ = {};
};

}  // namespace models
