#include "experiments/tessera/machine_file.h"

#include <filesystem>

#include "experiments/tessera/version.h"
#include "io/log.h"

namespace experiments {

namespace {

std::vector<std::filesystem::path> preset_folders() {
    std::vector<std::filesystem::path> folders;
    for (const std::string& folder : machine_folders()) folders.emplace_back(folder);
    return folders;
}

}  // namespace

std::vector<io::ConfigText> read_machine(const std::string& machine, const std::vector<std::string>& overrides,
                                         models::MachineParameters& parameters) {
    const std::vector<std::filesystem::path> folders = preset_folders();
    return io::read_config(io::find_machine(machine, folders), overrides, folders, parameters);
}

std::filesystem::path machine_path(const std::string& machine) {
    return io::find_machine(machine, preset_folders());
}

void warn_of_parameters_without_effect(const models::MachineParameters& parameters) {
    for (const std::string& line : parameters.without_effect()) io::log_warning(line);
}

}  // namespace experiments
