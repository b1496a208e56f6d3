// Every parameter of a machine at the ends of its range, all else being default, in each way to put a machine together:
// a ConfigError that says why, or a run that ends in order with all laws obeyed.
#include <cctype>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/config_file.h"
#include "models/machine.h"
#include "tests/models/machine_bench.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

// A machine to begin with: a preset, and what is changed in it before the parameter is.
struct Base {
    std::string name, preset;
    std::vector<std::string> changes;
};
const std::vector<Base>& bases() {
    static const std::vector<Base> all = [] {
        std::vector<Base> made;
        for (const std::string& preset : io::machine_names({TESSERA_MACHINES})) made.push_back({preset, preset, {}});
        const std::vector<std::pair<std::string, std::vector<std::string>>> ways{
            {"tile_per_core", {"rendering.organisation=tile_per_core"}},
            {"immediate", {"rendering.mode=immediate", "raster.distribution=position"}},
            {"virtual_memory", {"address_space.translation=tlb", "address_space.placement=random"}}};
        for (const auto& [name, changes] : ways) {
            made.push_back({name, "bifrost32", changes});
            made.back().changes.emplace_back("fragment_processor.count=6");  // most of the time is that of making cores
        }
        return made;
    }();
    return all;
}
void read(const Base& base, MachineParameters& parameters) {
    io::read_config(io::find_machine(base.preset, {TESSERA_MACHINES}), base.changes, {TESSERA_MACHINES}, parameters);
}

struct Setting {
    const Base* base;
    std::string group, name, value;
    friend std::ostream& operator<<(std::ostream& out, const Setting& setting) {
        return out << setting.base->name << ", " << setting.group << '.' << setting.name << " = " << setting.value;
    }
};

// What the base has anyway is left to the test of the bases.
void add_extremes(const engine::ParameterGroup& root, const std::string& path, const Base& base,
                  std::vector<Setting>& settings) {
    for (const engine::ParameterBase* parameter : root.parameters())
        for (const std::string& value : parameter->extremes())
            if (value != parameter->value_text()) settings.push_back({&base, path, parameter->name(), value});
    for (const engine::ParameterGroup* group : root.groups())
        add_extremes(*group, path.empty() ? group->name() : path + "." + group->name(), base, settings);
}

std::vector<Setting> all_extremes() {
    std::vector<Setting> settings;
    for (const Base& base : bases()) {
        MachineParameters parameters;
        read(base, parameters);
        add_extremes(parameters, "", base, settings);
    }
    return settings;
}

void apply(const Setting& setting, MachineParameters& parameters) {
    bench::set(parameters, setting.group, setting.name, setting.value);
}

// The presets themselves.
TEST(Presets, RunInOrderAndObeyTheLaws) {
    ASSERT_GE(bases().size(), 4U);
    for (const Base& base : bases()) {
        SCOPED_TRACE(base.name);
        MachineParameters parameters;
        read(base, parameters);
        synthetic::Generator generator({});
        const Frame frame = generator.frame();
        engine::Simulation simulation;
        Machine machine(simulation, parameters);
        bench::LawCheck laws(simulation, machine);
        bench::play(simulation, machine, laws, generator.trace(), frame);
    }
}

class ParameterExtremes : public testing::TestWithParam<Setting> {};

TEST_P(ParameterExtremes, AreRefusedWithAReasonOrRunInOrder) {
    MachineParameters parameters;
    read(*GetParam().base, parameters);
    apply(GetParam(), parameters);
    synthetic::Generator generator({.width = 64, .height = 48});  // each of thousands
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
    engine::RunOptions options;
    options.stall_seconds = 60;
    bench::LawCheck laws(simulation, *machine);
    bench::play(simulation, *machine, laws, generator.trace(), frame, {}, options);
}

std::string name_of(const testing::TestParamInfo<Setting>& test) {
    std::string name = test.param.base->name + "_" + test.param.group + "_" + test.param.name + "_" + test.param.value;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Machine, ParameterExtremes, testing::ValuesIn(all_extremes()), name_of);

}  // namespace
}  // namespace models
