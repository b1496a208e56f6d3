#include "experiments/energy/machine_values.h"

#include <array>
#include <charconv>
#include <string_view>

#include "engine/error.h"
#include "engine/parameter.h"
#include "io/toml_values.h"

namespace energy {

namespace {

struct Unit {
    std::string_view name;
    double scale;
};
constexpr std::array<Unit, 10> units{{{"", 1},
                                      {"B", 1},
                                      {"KiB", 0x1p10},
                                      {"MiB", 0x1p20},
                                      {"GiB", 0x1p30},
                                      {"Hz", 1},
                                      {"kHz", 1e3},
                                      {"MHz", 1e6},
                                      {"GHz", 1e9},
                                      {"cycles", 1}}};

}  // namespace

MachineValues::MachineValues(const std::string& resolved_toml, const std::string& called)
    : values_(io::toml_values(resolved_toml, called)),
      called_(called) {
    for (auto& [name, value] : values_)
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
}

std::string MachineValues::text(const std::string& parameter) const {
    const auto found = values_.find(parameter);
    if (found != values_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, value] : values_) names.push_back(name);
    const std::string near = engine::nearest(parameter, names);
    throw engine::ConfigError("the machine has no parameter '" + parameter + "'" +
                              (near.empty() ? "" : ", did you mean '" + near + "'?"));
}

double MachineValues::number(const std::string& parameter) const {
    const std::string value = text(parameter);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(value.data() + value.size() - end));
    if (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const Unit& known : units)
        if (error == std::errc() && unit == known.name) return number * known.scale;
    throw engine::ConfigError("expected a parameter that is a quantity, found " + parameter + " = " + value);
}

std::vector<std::string> MachineValues::settings(const std::string& group) const {
    const std::string inside = group + ".";
    std::vector<std::string> settings;
    for (const auto& [name, value] : values_)
        if (name.starts_with(inside)) settings.push_back(std::string(name).append("=").append(value));
    return settings;
}

}  // namespace energy
