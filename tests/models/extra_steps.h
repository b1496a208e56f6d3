// Clusters and rasters that are stepped again and again where they promised that nothing would happen, and machines
// whose windows end where they do not have to.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/machine.h"
#include "models/processes/cluster.h"
#include "models/processes/raster.h"
#include "tests/models/synthetic_frame.h"

namespace bench {

template <class Process>
void wake_if(engine::LogicalProcess& process, engine::Time time) {
    if (auto* const it = dynamic_cast<Process*>(&process)) it->wake_at(time);
}

using NamedCounters = std::vector<std::pair<std::string, std::uint64_t>>;

// All counters by name after a frame. `slice`: in windows, how long nobody disturbs them, until `end`; 0: nobody ever
// does. Leaves in `end` when the frame has ended. `longest_window`: in ticks; nothing steps by itself beyond the end of
// a window.
inline NamedCounters counters_with_extra_steps(const models::MachineParameters& parameters,
                                               const models::synthetic::Options& options, engine::Time slice,
                                               engine::Time& end, engine::Time longest_window = engine::never) {
    models::synthetic::Generator generator(options);
    const models::Frame frame = generator.frame();
    engine::Simulation simulation;
    simulation.limit_windows(longest_window);
    models::Machine machine(simulation, parameters);
    machine.load_frame(generator.trace(), frame);
    machine.start();
    slice *= simulation.window_length();
    engine::RunOptions until;
    for (until.until = slice; slice > 0 && until.until < end; until.until += slice) {
        simulation.run({}, until);
        for (const auto& process : simulation.processes()) {
            wake_if<models::Cluster>(*process, until.until);
            wake_if<models::Raster>(*process, until.until);
        }
    }
    end = simulation.run({}).end;
    machine.end_frame();
    NamedCounters counters;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            counters.emplace_back(process->name() + ": " + info.name, *info.value);
    return counters;
}

// Says which differ: there are too many to be printed whole.
inline void expect_equal(const NamedCounters& found, const NamedCounters& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].second, expected[i].second) << found[i].first;
}

inline void expect_that_extra_steps_change_nothing(const models::MachineParameters& parameters,
                                                   const models::synthetic::Options& options) {
    engine::Time end = 0;
    const auto expected = counters_with_extra_steps(parameters, options, 0, end);
    expect_equal(counters_with_extra_steps(parameters, options, 3, end), expected);
    for (const engine::Time longest : {1, 5}) {
        SCOPED_TRACE(longest);
        expect_equal(counters_with_extra_steps(parameters, options, 0, end, longest), expected);
    }
}

}  // namespace bench
