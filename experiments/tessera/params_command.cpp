#include "experiments/tessera/params_command.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "io/parameter_reference.h"
#include "models/machine_parameters.h"

namespace experiments {

void add_params_command(CLI::App& app) {
    auto format = std::make_shared<std::string>("table");
    CLI::App* command = app.add_subcommand("params", "print every parameter of a machine");
    command->add_option("--format", *format, "table, json or markdown [table]")
        ->check(CLI::IsMember({"table", "json", "markdown"}));
    command->callback([format] {
        const std::map<std::string, io::ReferenceFormat> formats{{"table", io::ReferenceFormat::table},
                                                                 {"json", io::ReferenceFormat::json},
                                                                 {"markdown", io::ReferenceFormat::markdown}};
        const models::MachineParameters parameters;
        std::fputs(io::parameter_reference(parameters, formats.at(*format)).c_str(), stdout);
    });
}

}  // namespace experiments
