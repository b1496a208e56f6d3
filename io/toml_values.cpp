#include "io/toml_values.h"

#include <sstream>
#include <string_view>

#include <toml++/toml.h>

#include "engine/error.h"

namespace io {

namespace {

void add_values(const toml::table& table, const std::string& prefix, std::map<std::string, std::string>& values) {
    for (const auto& [key, node] : table) {
        const std::string path = prefix + std::string(key.str());
        if (const toml::table* child = node.as_table()) {
            add_values(*child, path + ".", values);
            continue;
        }
        std::ostringstream text;
        node.visit([&](const auto& value) { text << value; });
        values[path] = text.str();
    }
}

}  // namespace

std::map<std::string, std::string> toml_values(const std::string& text, const std::string& called) {
    std::map<std::string, std::string> values;
    try {
        add_values(toml::parse(std::string_view(text)), "", values);
    } catch (const toml::parse_error& error) {
        throw engine::InputError(called + ": expected TOML, found: " + std::string(error.description()));
    }
    return values;
}

}  // namespace io
