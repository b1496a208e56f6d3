#include "models/core/instruction_trace.h"

#include <algorithm>
#include <string>

namespace models {

std::uint32_t InstructionTrace::add(Record record) {
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

void InstructionTrace::finish(std::uint32_t id) {
    const Record& record = open_[id];
    for (const std::uint64_t value : {record.slot, record.program, record.counter, record.unit, record.threads})
        series.append(value);
    for (const std::uint64_t value : record.cycles) series.append(value);
    free_.push_back(id);
}

std::vector<InstructionTrace::Record> InstructionTrace::records(std::span<const std::uint64_t> values) {
    std::vector<Record> all;
    for (; values.size() >= Record::numbers; values = values.subspan(Record::numbers)) {
        Record& record = all.emplace_back();
        record.slot = values[0];
        record.program = values[1];
        record.counter = values[2];
        record.unit = values[3];
        record.threads = values[4];
        std::copy_n(values.begin() + Record::numbers - stages, stages, record.cycles.begin());
    }
    return all;
}

Records instruction_records(const std::vector<CoreNotes>& notes) {
    Records records{
        "instructions",
        "instructions of the cores and cycles that observe.pipeline_cores, pipeline_from and pipeline_to name",
        {}};
    records.columns = {{"core_kind", "1", "kind of the core", core_kind_names()},
                       {"core", "1", "number of the core among those of its kind"},
                       {"slot", "1", "slot of the core that the warp had"},
                       {"program", "1", "number of the program in the workload"},
                       {"counter", "1", "position of the instruction in the program"},
                       {"unit",
                        "1",
                        "kind of functional unit that executed it",
                        {InstructionTrace::unit_names.begin(), InstructionTrace::unit_names.end()}},
                       {"threads", "1", "threads that executed it"}};
    for (const std::string_view stage : InstructionTrace::stage_names)
        records.columns.push_back(
            {std::string(stage), "cycle",
             "GPU cycle, counted from the beginning of the workload; of the last time, if several"});
    std::vector<std::uint64_t> row(2 + InstructionTrace::Record::numbers);
    for (const CoreNotes& core : notes) {
        row[0] = core.kind;
        row[1] = core.core;
        const auto count = static_cast<std::ptrdiff_t>(InstructionTrace::Record::numbers);
        for (auto at = core.values.begin(); core.values.end() - at >= count; at += count) {
            std::copy_n(at, count, row.begin() + 2);
            records.append(row);
        }
    }
    return records;
}

}  // namespace models
