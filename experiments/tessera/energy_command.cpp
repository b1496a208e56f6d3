#include "experiments/tessera/energy_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/parameter.h"
#include "experiments/energy/energy_file.h"
#include "experiments/energy/pricing.h"
#include "experiments/energy/table_file.h"
#include "experiments/tessera/energy_report.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/version.h"
#include "io/file.h"
#include "io/output.h"
#include "io/printable.h"
#include "io/results_file.h"

namespace experiments {

namespace {

struct EnergyArguments {
    std::filesystem::path run, output;
    std::string table = "mobile22";
    bool force = false;
};

std::filesystem::path find_table(const std::string& name) {
    if (name.ends_with(".toml") || name.find('/') != std::string::npos) return name;
    std::vector<std::string> known;
    for (const std::string& folder : energy_table_folders()) {
        std::filesystem::path path = std::filesystem::path(folder) / (name + ".toml");
        if (io::exists(path)) return path;
        std::error_code absent;
        for (const auto& entry : std::filesystem::directory_iterator(folder, absent))
            if (entry.path().extension() == ".toml") known.push_back(entry.path().stem().string());
    }
    const std::string near = engine::nearest(name, known);
    throw engine::ConfigError(
        "--table " + name + ": there is no such table" +
        (near.empty() ? "; give the path of a file, as mine.toml" : ", did you mean '" + near + "'?"));
}

void price(const EnergyArguments& arguments) {
    const std::filesystem::path path = io::results_path(arguments.run);
    const std::filesystem::path table_path = find_table(arguments.table);
    const std::filesystem::path output =
        !arguments.output.empty() ? arguments.output : path.parent_path() / "energy.csv";
    const io::OutputFile file(output, energy::energy_output, {arguments.force, {path, table_path}});
    const energy::Table table = energy::read_table(table_path);
    const io::Results results = io::read_results(path);
    const energy::Energy energy = energy::price(results, table, path.string());
    io::write_file(file.path(), energy::energy_csv(energy, table, energy::digests_of(results)), file.existing());
    std::printf("%s\nenergy %s\n", energy_report(energy, table, results).c_str(),
                io::printable(output.string()).c_str());
    if (!results.complete)
        std::fprintf(stderr, "note: the run did not end; frames that are priced: %zu\n", results.frames.size());
}

}  // namespace

void add_energy_command(Commands& commands) {
    auto arguments = std::make_shared<EnergyArguments>();
    Command command = commands.add("energy", "what a finished run cost: its counters times an energy table");
    command.add_option("DIR", arguments->run, "folder with results.h5, or the file").required();
    command.add_option("--table", arguments->table, "an energy table: mobile22, or a TOML file [mobile22]")
        .type_name("T");
    command.add_option("-o", arguments->output, "where to write the parts [DIR/energy.csv]").type_name("FILE");
    command.add_flag("--force", arguments->force, "replace that file if it is one of this command");
    command.footer(
        "Nothing is simulated: the same results with the same table give the same bytes, at any time.\n"
        "Figures are low, typical and high ones; sums add low to low and high to high.\n"
        "energy.csv has a line a frame and part (component, structure, kind of unit; dynamic, clock, leakage, "
        "standby),\n"
        "in pJ; Python: tessera.open(DIR).energy(). experiments/energy/README.md says how tables are written.\n\n"
        "Exit codes: 0 done; 2 usage, or the table is wrong or does not fit the machine; 3 the results are damaged;\n"
        "4 a file cannot be read or written.\n\n"
        "Example:  tessera energy results --table mine.toml -o mine.csv");
    command.callback([arguments] { price(*arguments); });
}

}  // namespace experiments
