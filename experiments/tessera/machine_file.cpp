#include "experiments/tessera/machine_file.h"

#include <filesystem>

#include "experiments/tessera/version.h"
#include "io/log.h"

namespace experiments {

std::vector<io::ConfigText> read_machine(const std::string& machine, const std::vector<std::string>& overrides,
                                         models::MachineParameters& parameters) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& folder : machine_folders()) folders.emplace_back(folder);
    return io::read_config(io::find_machine(machine, folders), overrides, folders, parameters);
}

void warn_of_parameters_without_effect(const models::MachineParameters& parameters) {
    for (const std::string& line : parameters.without_effect()) io::log_warning(line);
}

}  // namespace experiments
