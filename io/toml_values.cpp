#include "io/toml_values.h"

#include <sstream>

#include "engine/error.h"
#include "io/toml_file.h"

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
        add_values(parse_toml(text), "", values);
    } catch (const TomlError& error) {
        throw engine::InputError(called + ": expected TOML, found: " + error.what());
    }
    return values;
}

}  // namespace io
