// What became of every instruction of a core in a stretch of time: when it went through each stage of the pipeline, and
// on which kind of unit. Off unless observe.pipeline_cores names the core. In results.h5: records/instructions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/series.h"
#include "models/base/records.h"
#include "models/core/core_notes.h"
#include "models/memory/observed.h"
#include "models/workload/workload.h"

namespace models {

class InstructionTrace {
  public:
    // In the order in which an instruction goes through those that its pipeline has.
    enum Stage : std::uint8_t { fetched, issued, collected, read, dispatched, executed, retired, stages };
    static constexpr std::array<std::string_view, stages> stage_names{"fetched",    "issued",   "collected", "read",
                                                                      "dispatched", "executed", "retired"};
    static constexpr std::array<std::string_view, 5> unit_names{"alu", "special", "texture", "control",
                                                                "memory"};  // by Unit
    // An instruction as `series` has it: so many numbers one after the other; times in cycles, `never` in those that it
    // did not go through.
    struct Record {
        std::uint64_t slot = 0, program = 0, counter = 0, unit = 0, threads = 0;
        std::array<std::uint64_t, stages> cycles = {};
        static constexpr std::size_t numbers = 5 + stages;
        static constexpr std::uint64_t never = Records::missing;
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

    // Some instructions are recorded.
    bool is_wanted() const { return from_ < to_; }
    // Those that come into the pipeline now are.
    bool is_on(engine::Time now) const { return now >= from_ && now < to_; }
    // One comes, to be executed on this unit for so many threads. Returns what it is called until close(), or none: it
    // is not recorded.
    std::uint32_t open(engine::Time now, std::uint32_t slot, std::uint32_t program, std::uint32_t counter, Unit unit,
                       std::uint32_t threads) {
        return is_on(now) ? add({slot, program, counter, static_cast<std::uint64_t>(unit), threads}) : none;
    }
    void note(std::uint32_t id, Stage stage, engine::Time now) {
        if (id != none) [[unlikely]]
            open_[id].cycles[stage] = static_cast<std::uint64_t>(now / period_);
    }
    void close(std::uint32_t id) {
        if (id != none) [[unlikely]]
            finish(id);
    }

    static std::vector<Record> records(std::span<const std::uint64_t> values);
    void serialize(engine::Archive& archive) { archive(open_, free_); }

    engine::Series series;

  private:
    std::uint32_t add(Record record);
    void finish(std::uint32_t id);

    engine::Time period_, from_ = 0, to_ = 0;
    std::vector<Record> open_;
    std::vector<std::uint32_t> free_;  // of open_
};

// A row for each instruction recorded in a frame; core by core as in `notes`, which are of InstructionTrace::series,
// those of a core in the order in which they were done.
Records instruction_records(const std::vector<CoreNotes>& notes);

}  // namespace models
