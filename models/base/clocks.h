// The clocks of a machine.
#pragma once

#include <cstdint>
#include <string>

#include "engine/parameter.h"
#include "engine/units.h"

namespace models {

using engine::Bytes;
using engine::Choice;
using engine::Cycles;
using engine::Frequency;
using engine::Parameter;
using engine::ParameterGroup;

// Throws ConfigError with this text.
void require(bool condition, const std::string& message);

struct GpuParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Frequency> frequency{this,
                                   "frequency",
                                   {600'000'000},
                                   {{1'000'000}, {10'000'000'000}},
                                   "clock of all blocks but the DRAM",
                                   "paper 004, Table I"};
};

// Ticks: the longest time that divides the periods of both clocks, and the periods in it. Frequencies that have been
// checked leave at least an hour before engine::end_of_time.
struct Clocks {
    engine::Time gpu, dram;  // ticks of a cycle
    std::int64_t ticks_per_second;
    Clocks(Frequency gpu_frequency, Frequency dram_frequency);
};

// Throws ConfigError naming both if they leave less than an hour; `dram_name`: the parameter that decides the clock of
// the DRAM.
void check_clocks(Frequency gpu, Frequency dram, const std::string& dram_name);

}  // namespace models
