#include "experiments/energy/dram_pricing.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "engine/error.h"
#include "experiments/energy/table.h"
#include "io/config_file.h"
#include "models/memory/dram/dram_energy.h"
#include "models/memory/dram/dram_parameters.h"

namespace energy {

namespace {

struct Memory {
    models::ParameterGroup root;
    models::DramParameters dram{&root, "dram", "main memory"};
};

std::uint64_t sum(const io::Results& results, std::size_t frame, std::initializer_list<const char*> counters) {
    const io::KindResults& kind = *results.find_kind(dram_kind);
    std::uint64_t total = 0;
    for (const char* counter : counters) {
        const bool known = std::any_of(kind.counters.begin(), kind.counters.end(),
                                       [&](const auto& column) { return column.name == counter; });
        if (!known)
            throw engine::InputError("results: " + std::string(dram_kind) + " has no counter '" + counter +
                                     "', which its energy needs");
        total += results.total(dram_kind, counter, frame);
    }
    return total;
}

models::DramActivity activity(const io::Results& results, std::size_t frame) {
    const auto of = [&](std::initializer_list<const char*> counters) { return sum(results, frame, counters); };
    return {of({"commands_activate"}),
            of({"commands_read", "commands_read_precharge"}),
            of({"commands_write", "commands_write_precharge"}),
            of({"commands_refresh"}),
            of({"commands_refresh_bank"}),
            of({"active_standby"}),
            of({"precharge_standby", "refresh_time"})};
}

}  // namespace

std::vector<DramPart> price_dram(const io::Results& results, const MachineValues& machine) {
    if (results.find_kind(dram_kind) == nullptr) return {};
    Memory memory;
    try {
        io::override_parameters(machine.settings("dram"), memory.root);
    } catch (const engine::ConfigError& error) {
        throw engine::InputError(machine.called() + ": " + error.what());
    }
    if (memory.dram.model() != models::DramModel::timed) return {};
    std::vector<DramPart> parts{{"activate", false, {}}, {"read", false, {}},          {"write", false, {}},
                                {"refresh", false, {}},  {"active standby", true, {}}, {"precharge standby", true, {}}};
    for (std::size_t frame = 0; frame < results.frames.size(); ++frame) {
        const models::DramEnergy joules =
            models::dram_energy(activity(results, frame), *memory.dram.device(), memory.dram.devices_per_channel());
        const std::array values{joules.activate, joules.read,           joules.write,
                                joules.refresh,  joules.active_standby, joules.precharge_standby};
        for (std::size_t i = 0; i < values.size(); ++i) parts[i].frames_pJ.push_back(values[i] * 1e12);
    }
    return parts;
}

}  // namespace energy
