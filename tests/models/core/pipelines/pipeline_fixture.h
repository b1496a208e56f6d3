// A core in a cluster of its own, whose instructions are recorded stage by stage.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/models/cluster_fixture.h"

namespace models {

inline Instruction three(Opcode opcode, std::uint32_t destination, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Instruction instruction = make(opcode, destination, a);
    instruction.source_count = 3;
    instruction.sources[1] = temporary(b);
    instruction.sources[2] = temporary(c);
    return instruction;
}
inline Instruction end() {
    Instruction instruction;
    instruction.opcode = Opcode::end;
    instruction.kind = InstructionClass::control;
    return instruction;
}

class PipelineFixture : public ClusterFixture {
  protected:
    using Record = InstructionTrace::Record;

    explicit PipelineFixture(const std::string& pipeline) {
        parameters.fragment_processor.pipeline.set(pipeline);
        pipeline_cores = 1;
    }
    // Of one quad, after that which warms the caches.
    void run_quad(const std::vector<Instruction>& instructions) {
        program(instructions);
        warm();
        quad(0);
        run();
    }
    // The program whose schedules are worked out by hand, by two warps at once.
    void run_six_instructions() {
        program({three(Opcode::mad, 0, 1, 1, 5), make(Opcode::mov, 2, 3), three(Opcode::add, 4, 0, 0, 0),
                 make(Opcode::mov, 6, 3), make(Opcode::mov, 3, 2), end()});
        warm();
        quad(0);
        quad(0);
        run();
    }
    // A result is awaited as long as a texture that nobody needs is under way; then that is.
    void expect_textures_to_be_awaited_until_they_are_written() {
        parameters.texture_unit.filter_latency.set("200");
        parameters.fragment_processor.special.latency.set("50");
        program({make(Opcode::tex, 0, 5), make(Opcode::rcp, 1, 5), make(Opcode::mov, 2, 1), make(Opcode::add, 3, 0),
                 end()});
        warm({{1000}});
        quad(0, {{1000}});
        run();
        EXPECT_GE(of_cores("cycles_dependency"), 2 * 40U);
        EXPECT_LE(of_cores("cycles_dependency"), 2 * 70U);
        EXPECT_GE(of_cores("cycles_texture"), 2 * 140U);
    }
    // Two lines of instructions, each missed once and found by the second warp; a cache that takes three cycles.
    void expect_only_lines_that_are_not_there_to_be_awaited_of_memory() {
        parameters.instruction_cache.latency.set("3");
        program({make(Opcode::rcp, 0, 1), make(Opcode::mov, 2, 0), make(Opcode::mov, 3, 2), make(Opcode::mov, 4, 3),
                 make(Opcode::mov, 5, 4), make(Opcode::mov, 6, 5), end()});
        warm();
        quad(0);
        run();
        constexpr std::uint64_t miss = 3 - 1 + trip;        // trip is from the departure
        EXPECT_GE(of_cores("cycles_fetch"), 2 * miss - 4);  // the second may be fetched while others go their ways
        EXPECT_LE(of_cores("cycles_fetch"), 2 * miss + 2);  // when it comes it may wait for the next cycle
    }
    // Of the warps after the first, which warms the caches: cycles after the first stage of the first of them.
    struct Steps {
        std::uint64_t slot, counter;
        std::vector<int> cycles;  // fetched, issued, collected, read, dispatched, executed, retired; -1: not
        friend bool operator==(const Steps&, const Steps&) = default;
        friend void PrintTo(const Steps& steps, std::ostream* out) {
            *out << "warp " << steps.slot << " instruction " << steps.counter << ":";
            for (const int cycle : steps.cycles) *out << ' ' << cycle;
        }
    };
    std::vector<Steps> schedule() const {
        std::vector<Steps> all;
        std::uint64_t first = Record::never;
        const std::vector<Record> records = InstructionTrace::records(cluster->core(0).trace().series.values());
        const auto began = [](const Record& record) {
            return *std::min_element(record.cycles.begin(), record.cycles.end());
        };
        for (const Record& record : records)
            if (began(record) >= static_cast<std::uint64_t>(second)) first = std::min(first, began(record));
        for (const Record& record : records) {
            if (began(record) < static_cast<std::uint64_t>(second)) continue;
            Steps steps{record.slot, record.counter, {}};
            for (const std::uint64_t cycle : record.cycles)
                steps.cycles.push_back(cycle == Record::never ? -1 : static_cast<int>(cycle - first));
            all.push_back(steps);
        }
        std::sort(all.begin(), all.end(), [](const Steps& a, const Steps& b) {
            return a.slot != b.slot ? a.slot < b.slot : a.counter < b.counter;
        });
        return all;
    }
};

}  // namespace models
