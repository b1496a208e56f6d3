#include "experiments/tessera/machine_file.h"

#include <filesystem>

#include "experiments/tessera/version.h"

namespace experiments {

std::vector<io::ConfigText> read_machine(const std::string& machine, const std::vector<std::string>& overrides,
                                         models::MachineParameters& parameters) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& folder : machine_folders()) folders.emplace_back(folder);
    return io::read_config(io::find_machine(machine, folders), overrides, folders, parameters);
}

}  // namespace experiments
