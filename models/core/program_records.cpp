#include "models/core/program_records.h"

#include <map>
#include <string>
#include <utility>

namespace models {

Records program_records(const std::vector<CoreNotes>& notes) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, ProgramProfile::Work> programs;  // by kind and program
    for (const CoreNotes& core : notes)
        for (const auto& [program, work] : ProgramProfile::read(core.values)) programs[{core.kind, program}].add(work);

    Records records{"programs", "what shader programs cost in the frame, by kind of core; all cores together", {}};
    records.columns = {{"core_kind", "1", "kind of the cores that executed it", core_kind_names()},
                       {"program", "1", "number of the program in the workload"},
                       {"warps", "1", "warps started"},
                       {"threads", "1", "threads started: fragments or vertices shaded"},
                       {"warp_instructions", "1", "instructions issued"},
                       {"thread_instructions", "1",
                        "instructions times the threads that execute them, of those alive when their warp started"},
                       {"texture_accesses", "1", "texture accesses, of a quad or a vertex each"}};
    const auto has_warps = [](std::size_t state) { return state > static_cast<std::size_t>(CoreState::constants); };
    for (std::size_t state = 0; state < core_states; ++state)
        if (has_warps(state))
            records.columns.push_back({"cycles_" + std::string(core_state_names[state]), "cycle",
                                       "time of cores while it issued, or had the oldest warp of those that did not: " +
                                           std::string(core_state_names[state])});
    for (const auto& [key, work] : programs) {
        std::vector<std::uint64_t> row{key.first,
                                       key.second,
                                       work.warps,
                                       work.threads,
                                       work.warp_instructions,
                                       work.thread_instructions,
                                       work.texture_accesses};
        for (std::size_t state = 0; state < core_states; ++state)
            if (has_warps(state)) row.push_back(work.cycles[state]);
        records.append(row);
    }
    return records;
}

}  // namespace models
