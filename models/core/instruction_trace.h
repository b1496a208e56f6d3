// What became of every instruction of a core in a stretch of time: when it went through each stage of the pipeline. Off
// unless observe.pipeline_cores names the core. In results.h5: series/instructions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/series.h"
#include "models/memory/observed.h"
#include "models/workload/workload.h"

namespace models {

class InstructionTrace {
  public:
    // In the order in which an instruction goes through those that its pipeline has.
    enum Stage : std::uint8_t { fetched, issued, collected, read, dispatched, executed, retired, stages };
    static constexpr std::array<std::string_view, stages> stage_names{"fetched",    "issued",   "collected", "read",
                                                                      "dispatched", "executed", "retired"};
    // An instruction as `series` has it: so many numbers one after the other; times in cycles, `never` in those that it
    // did not go through.
    struct Record {
        std::uint64_t slot = 0, program = 0, counter = 0;
        std::array<std::uint64_t, stages> cycles = {};
        static constexpr std::size_t numbers = 3 + stages;
        static constexpr std::uint64_t never = ~std::uint64_t{0};
    };

    // `number`: of the core among those of its kind.
    InstructionTrace(engine::CounterList* list, const Observed& observed, int number, engine::Time period)
        : series(list),
          period_(period) {
        if (number < observed.pipeline_cores) {
            from_ = observed.pipeline_from;
            to_ = observed.pipeline_to;
        }
    }

    // An instruction comes into the pipeline. Returns what it is called until close(), or none: it is not recorded.
    std::uint32_t open(engine::Time now, std::uint32_t slot, std::uint32_t program, std::uint32_t counter) {
        if (now < from_ || now >= to_) [[likely]]
            return none;
        Record record;
        record.slot = slot;
        record.program = program;
        record.counter = counter;
        record.cycles.fill(Record::never);
        if (free_.empty()) {
            open_.push_back(record);
            return static_cast<std::uint32_t>(open_.size() - 1);
        }
        const std::uint32_t id = free_.back();
        free_.pop_back();
        open_[id] = record;
        return id;
    }
    void note(std::uint32_t id, Stage stage, engine::Time now) {
        if (id != none) [[unlikely]]
            open_[id].cycles[stage] = static_cast<std::uint64_t>(now / period_);
    }
    void close(std::uint32_t id) {
        if (id == none) [[likely]]
            return;
        const Record& record = open_[id];
        for (const std::uint64_t value : {record.slot, record.program, record.counter}) series.append(value);
        for (const std::uint64_t value : record.cycles) series.append(value);
        free_.push_back(id);
    }

    static std::vector<Record> records(std::span<const std::uint64_t> values);
    void serialize(engine::Archive& archive) { archive(open_, free_); }

    engine::Series series;

  private:
    engine::Time period_, from_ = 0, to_ = 0;
    std::vector<Record> open_;
    std::vector<std::uint32_t> free_;  // of open_
};

inline std::vector<InstructionTrace::Record> InstructionTrace::records(std::span<const std::uint64_t> values) {
    std::vector<Record> all;
    for (; values.size() >= Record::numbers; values = values.subspan(Record::numbers)) {
        Record& record = all.emplace_back();
        record.slot = values[0];
        record.program = values[1];
        record.counter = values[2];
        for (std::size_t i = 0; i < stages; ++i) record.cycles[i] = values[3 + i];
    }
    return all;
}

}  // namespace models
