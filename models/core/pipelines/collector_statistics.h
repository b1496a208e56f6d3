// What paper 002 looks at in the collector (section 4.2), and what obeys laws: counters.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "engine/counter.h"

namespace models {

struct CollectorStatistics {
    CollectorStatistics(const engine::CounterScope& scope, std::uint32_t banks)
        : instructions_collected(scope, "instructions_collected", "1", "instructions that got a collector unit"),
          instructions_dispatched(scope, "instructions_dispatched", "1", "instructions with all operands"),
          instructions_executed(scope, "instructions_executed", "1", "instructions that a unit has begun"),
          instructions_retired(scope, "instructions_retired", "1", "instructions whose result is written"),
          operands_read(scope, "operands_read", "1", "registers read"),
          conflicts(scope, "conflicts", "1",
                    "collector units that wanted to read in a cycle and could not, summed over cycles; divided by "
                    "cycles_reading: conflicts a cycle (paper 002, figure 4.9)"),
          cycles_reading(scope, "reading", "cycle", "cycles in which some operand was wanted"),
          cycles_active(scope, "active", "cycle", "cycles in which a warp was resident"),
          collector_cycles(scope, "collector_time", "cycle",
                           "from the allotment of a collector unit to the dispatch, both included, summed over "
                           "instructions (paper 002, figure 4.10)"),
          issue_buffer_occupancy(scope, "issue_buffer_occupancy", "cycle",
                                 "entries of the issue buffer in use, summed over cycles; divided by active: the mean"),
          collector_occupancy(scope, "collector_occupancy", "cycle",
                              "collector units in use, summed over cycles; divided by active: the mean"),
          dispatch_buffer_occupancy(scope, "dispatch_buffer_occupancy", "cycle",
                                    "entries of the dispatch buffer in use, summed over cycles; divided by active: the "
                                    "mean"),
          registers_used(scope, "registers_used", "cycle",
                         "physical registers of resident warps, summed over cycles; divided by active: the mean"),
          resident_warps(scope, "resident_warps", "cycle",
                         "warps in slots, summed over cycles; divided by active: the mean") {
        for (std::uint32_t bank = 0; bank < banks; ++bank)
            bank_reads.emplace_back(scope, "bank_reads_" + std::to_string(bank), "1",
                                    "registers read from bank " + std::to_string(bank));
    }

    // In buffers, for so many cycles.
    struct Occupancy {
        std::uint32_t issue_buffer = 0, collectors = 0, dispatch_buffer = 0, registers = 0, warps = 0;
    };
    void add(std::uint64_t cycles, const Occupancy& used) {
        cycles_active += cycles;
        issue_buffer_occupancy += cycles * used.issue_buffer;
        collector_occupancy += cycles * used.collectors;
        dispatch_buffer_occupancy += cycles * used.dispatch_buffer;
        registers_used += cycles * used.registers;
        resident_warps += cycles * used.warps;
    }

    engine::Counter instructions_collected, instructions_dispatched, instructions_executed, instructions_retired,
        operands_read, conflicts, cycles_reading, cycles_active, collector_cycles, issue_buffer_occupancy,
        collector_occupancy, dispatch_buffer_occupancy, registers_used, resident_warps;
    std::deque<engine::Counter> bank_reads;
};

}  // namespace models
