#include "experiments/tessera/params_command.h"

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "experiments/tessera/options.h"
#include "io/parameter_reference.h"
#include "models/machine_parameters.h"

namespace experiments {

void add_params_command(Commands& commands) {
    auto format = std::make_shared<std::string>("table");
    Command command = commands.add("params", "print every parameter of a machine");
    command.add_option("--format", *format, "table, json or markdown [table]").one_of({"table", "json", "markdown"});
    command.callback([format] {
        const std::map<std::string, io::ReferenceFormat> formats{{"table", io::ReferenceFormat::table},
                                                                 {"json", io::ReferenceFormat::json},
                                                                 {"markdown", io::ReferenceFormat::markdown}};
        const models::MachineParameters parameters;
        std::fputs(io::parameter_reference(parameters, formats.at(*format)).c_str(), stdout);
    });
}

}  // namespace experiments
