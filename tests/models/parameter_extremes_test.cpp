// Every parameter of a machine at the ends of its range, all else being default, in each way to put a machine together:
// a ConfigError that says why, or a run that ends in order with all laws obeyed.
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/machine.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

enum class Kind { raster_per_gpu, tile_per_core, immediate };

struct Setting {
    Kind kind;
    std::string group, name, value;
};

std::vector<Setting> all_extremes() {
    const MachineParameters parameters;
    std::vector<Setting> settings;
    for (const Kind kind : {Kind::raster_per_gpu, Kind::tile_per_core, Kind::immediate})
        for (const engine::ParameterGroup* group : parameters.groups())
            for (const engine::ParameterBase* parameter : group->parameters())
                for (const std::string& value : parameter->extremes())
                    settings.push_back({kind, group->name(), parameter->name(), value});
    return settings;
}

void apply(const Setting& setting, MachineParameters& parameters) {
    for (engine::ParameterGroup* group : parameters.groups())
        for (engine::ParameterBase* parameter : group->parameters())
            if (group->name() == setting.group && parameter->name() == setting.name) parameter->set(setting.value);
}

class ParameterExtremes : public testing::TestWithParam<Setting> {};

TEST_P(ParameterExtremes, AreRefusedWithAReasonOrRunInOrder) {
    MachineParameters parameters;
    if (GetParam().kind == Kind::tile_per_core) parameters.rendering.organisation.set("tile_per_core");
    if (GetParam().kind == Kind::immediate) {
        parameters.rendering.mode.set("immediate");
        parameters.raster.distribution.set("position");
    }
    apply(GetParam(), parameters);
    synthetic::Generator generator({});
    const Frame frame = generator.frame();
    engine::Simulation simulation;
    std::unique_ptr<Machine> machine;
    try {
        machine = std::make_unique<Machine>(simulation, parameters);
        machine->load_frame(generator.trace(), frame);
    } catch (const engine::ConfigError& error) {
        EXPECT_GT(std::string(error.what()).size(), 20U);
        return;
    } catch (const engine::InputError& error) {  // the frame does not fit into this machine
        EXPECT_NE(std::string(error.what()).find("set "), std::string::npos) << error.what();
        return;
    }
    machine->start();
    engine::RunOptions options;
    options.stall_seconds = 60;
    simulation.run({}, options);
    machine->end_frame();
    const Ledger ledger(simulation.processes(), simulation.collect_counters());
    for (const Violation& violation : ledger.violations(machine->laws())) ADD_FAILURE() << violation.text();
    for (const Violation& violation : machine->check_work(ledger, generator.trace())) ADD_FAILURE() << violation.text();
}

std::string name_of(const testing::TestParamInfo<Setting>& test) {
    static const char* const kinds[] = {"", "TilePerCore_", "Immediate_"};
    std::string name =
        kinds[static_cast<int>(test.param.kind)] + test.param.group + "_" + test.param.name + "_" + test.param.value;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Machine, ParameterExtremes, testing::ValuesIn(all_extremes()), name_of);

}  // namespace
}  // namespace models
