// Machine descriptions in TOML: the tables are the groups of an engine::ParameterGroup tree, the keys its parameters.
//
//     base = "bifrost32"                 # optional, first read: a preset, or a path from this file's folder
//     [texture_cache]
//     capacity = "32 KiB"
//
// Everything a person can get wrong is an engine::ConfigError of one line that starts with FILE:LINE:COLUMN, or with
// --set PATH=VALUE, and says what was expected and what was found: bad syntax, bytes that are not UTF-8, unknown keys
// and tables (with the nearest known one), wrong types, values out of range, keys given twice. What fits no other
// parameter is told with the --set options if the file is sound without them, else with the file.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/parameter.h"

namespace io {

// Where the machine called `name` is described: `name` itself if it is a path of a file, else the preset of that name
// in the first of `folders` that has it. Throws ConfigError that lists the known presets.
std::filesystem::path find_machine(const std::string& name, const std::vector<std::filesystem::path>& folders);

// Presets in the folders, sorted.
std::vector<std::string> machine_names(const std::vector<std::filesystem::path>& folders);

// A configuration as read: what provenance keeps.
struct ConfigText {
    std::filesystem::path path;
    std::string text;
};

// Sets the parameters that the file (after its bases) and then `overrides` ("texture_cache.capacity=32 KiB") name,
// and checks the whole tree. Returns the files read, bases first.
std::vector<ConfigText> read_config(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                                    const std::vector<std::filesystem::path>& preset_folders,
                                    engine::ParameterGroup& root);

// The same for the contents of resolved.toml that are not in a file of that name; `called`: where they are.
void read_resolved(const std::string& text, const std::filesystem::path& called, engine::ParameterGroup& root);
// Further --set options, of parameters that are set already; checks the whole tree.
void override_parameters(const std::vector<std::string>& overrides, engine::ParameterGroup& root);

// Sets one parameter, and checks its own range only. Errors begin with `where`, and name the parameter.
void set_parameter(const std::string& where, const std::string& parameter, const std::string& value,
                   engine::ParameterGroup& root);

struct Difference {
    std::string parameter, value, other;  // "l2.slices", "4", "8"
};
// The first parameter that has another value in the other tree, which is of the same type; none: they are equal.
std::optional<Difference> first_difference(const engine::ParameterGroup& group, const engine::ParameterGroup& other);

// Every parameter with its value, unit, range, meaning and source. Reading it back gives the same values.
std::string resolved_toml(const engine::ParameterGroup& root, const std::string& heading);

}  // namespace io
