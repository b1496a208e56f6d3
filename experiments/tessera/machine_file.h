// The machine that a command was asked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/config_file.h"
#include "models/machine_parameters.h"

namespace experiments {

// Reads a TOML file or a preset by its name, and what --set changes. Returns the texts it was read from.
std::vector<io::ConfigText> read_machine(const std::string& machine, const std::vector<std::string>& overrides,
                                         models::MachineParameters& parameters);

// Where the machine is described. Throws engine::ConfigError that names the presets.
std::filesystem::path machine_path(const std::string& machine);

// A warning for each of them that has no effect in this machine.
void warn_of_parameters_without_effect(const models::MachineParameters& parameters);

}  // namespace experiments
