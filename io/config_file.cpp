#include "io/config_file.h"

#include <algorithm>
#include <map>

#include "io/toml_file.h"

namespace io {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 24;  // of a configuration file
constexpr std::size_t most_bases = 16;                    // one upon another

using engine::ConfigError;
using engine::ParameterBase;
using engine::ParameterGroup;

std::string position(const std::filesystem::path& path, const toml::source_position& where) {
    return path.string() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

template <class Items>
auto find_named(const Items& items, std::string_view name) -> typename Items::value_type {
    const auto found = std::find_if(items.begin(), items.end(), [&](auto* item) { return item->name() == name; });
    return found == items.end() ? nullptr : *found;
}

// The dotted paths of all parameters and groups below `group`.
void list_paths(const ParameterGroup& group, const std::string& prefix, std::vector<std::string>& paths) {
    for (const ParameterBase* parameter : group.parameters()) paths.push_back(prefix + parameter->name());
    for (const ParameterGroup* child : group.groups()) {
        paths.push_back(prefix + child->name());
        list_paths(*child, prefix + child->name() + ".", paths);
    }
}

// One name is part of the other: "fragment" of "fragment_processor", "warps" of "num_warps".
bool is_part(const std::string& a, const std::string& b) {
    constexpr std::size_t least = 3;  // characters that mean something
    return std::min(a.size(), b.size()) >= least && (a.find(b) != std::string::npos || b.find(a) != std::string::npos);
}

// ", did you mean 'texture_cache.ways'?": the nearest name beside the unknown one, or one that is part of it or the
// other way round. For a name without a group also that in a group. Else the names that there are.
std::string suggestion(const ParameterGroup& root, const ParameterGroup& group, const std::string& prefix,
                       const std::string& key) {
    const auto hint = [](const std::string& path) { return ", did you mean '" + path + "'?"; };
    std::vector<std::string> siblings;
    for (const ParameterBase* parameter : group.parameters()) siblings.push_back(parameter->name());
    for (const ParameterGroup* child : group.groups()) siblings.push_back(child->name());
    if (const std::string near = engine::nearest(key, siblings); !near.empty()) return hint(prefix + near);
    for (const std::string& name : siblings)
        if (is_part(key, name)) return hint(prefix + name);
    if (prefix.empty()) {
        std::vector<std::string> paths;
        list_paths(root, "", paths);
        for (const std::string& path : paths)
            if (path.ends_with("." + key)) return hint(path);
        if (const std::string near = engine::nearest(key, paths); !near.empty()) return hint(near);
        for (const std::string& path : paths)
            if (is_part(key, path.substr(path.rfind('.') + 1))) return hint(path);
    }
    return expected_names(siblings);
}

std::string_view type_name(toml::node_type type) {
    switch (type) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::string:
            return "a text";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a number with a fraction";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time";
    }
}

// The value as a parameter takes it. Quotes matter: what is an integer or a truth value is written without them.
std::string value_text(const ParameterBase& parameter, const toml::node& value) {
    const bool dimensionless = parameter.bare() && parameter.unit() == "1";
    if (const auto* text = value.as_string()) {
        if (!dimensionless) return text->get();
        throw ConfigError("expected " + parameter.range_text() + ", found the text \"" + text->get() + "\"");
    }
    if (const auto* integer = value.as_integer()) return std::to_string(integer->get());
    if (const auto* boolean = value.as_boolean()) return boolean->get() ? "true" : "false";
    throw ConfigError("expected " + parameter.range_text() + ", found " + std::string(type_name(value.type())));
}

class Reader {
  public:
    Reader(ParameterGroup& root, const std::vector<std::filesystem::path>& preset_folders)
        : root_(root),
          preset_folders_(preset_folders) {}

    void read(const std::filesystem::path& path) {
        if (depth_++ == most_bases)
            throw ConfigError(path.string() + ": more than " + std::to_string(most_bases) +
                              " bases upon another: does one name itself?");
        std::string text = read_toml_file(path, most_bytes);
        const toml::table table = parse_toml_file(path, text);
        if (const toml::node* base = table.get("base")) read(base_path(path, *base));
        apply(path, table, root_, "");
        files_.push_back({path, std::move(text)});
    }

    void read_text(const std::string& text, const std::filesystem::path& called) {
        apply(called, parse_toml_file(called, text), root_, "");
    }

    std::vector<ConfigText> files() && { return std::move(files_); }

  private:
    std::filesystem::path base_path(const std::filesystem::path& path, const toml::node& base) const {
        const auto* name = base.as_string();
        if (name == nullptr)
            throw ConfigError(position(path, base.source().begin) +
                              "base: expected the text of a path or preset, found " +
                              std::string(type_name(base.type())));
        std::filesystem::path beside = path.parent_path() / name->get();
        if (std::filesystem::is_regular_file(beside)) return beside;
        try {
            return find_machine(name->get(), preset_folders_);
        } catch (const ConfigError& error) {
            throw ConfigError(position(path, base.source().begin) + "base: " + error.what());
        }
    }

    void apply(const std::filesystem::path& path, const toml::table& table, ParameterGroup& group,
               const std::string& prefix) {
        for (const auto& [key, value] : table)
            if (!prefix.empty() || key.str() != "base") apply_entry(path, key, value, group, prefix);
    }

    void apply_entry(const std::filesystem::path& path, const toml::key& key, const toml::node& value,
                     ParameterGroup& group, const std::string& prefix) {
        const std::string name(key.str());
        const std::string dotted = prefix + name;
        const std::string where = position(path, key.source().begin);
        if (ParameterGroup* child = find_named(group.groups(), name)) {
            if (!value.is_table())
                throw ConfigError(where + dotted + ": expected a table [" + dotted + "], found " +
                                  std::string(type_name(value.type())));
            apply(path, *value.as_table(), *child, dotted + ".");
        } else if (ParameterBase* parameter = find_named(group.parameters(), name)) {
            set(position(path, value.source().begin) + dotted + ": ", *parameter, value);
        } else {
            throw ConfigError(where + "unknown " + (value.is_table() ? "table" : "key") + " '" + dotted + "'" +
                              suggestion(root_, group, prefix, name));
        }
    }

    static void set(const std::string& where, ParameterBase& parameter, const toml::node& value) {
        try {
            parameter.set(value_text(parameter, value));
        } catch (const ConfigError& error) {
            throw ConfigError(where + error.what());
        }
    }

    ParameterGroup& root_;
    const std::vector<std::filesystem::path>& preset_folders_;
    std::vector<ConfigText> files_;
    std::size_t depth_ = 0;
};

[[noreturn]] void fail_unknown(const std::string& where, const ParameterGroup& root, const ParameterGroup& group,
                               const std::string& prefix, const std::string& name) {
    throw ConfigError(where + "unknown key '" + prefix + name + "'" + suggestion(root, group, prefix, name));
}

// --set PATH=VALUE, one after another.
class Overrides {
  public:
    explicit Overrides(ParameterGroup& root) : root_(root) {}

    void apply(const std::string& text) {
        const std::string where = "--set " + text + ": ";
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) throw ConfigError(where + "expected PATH=VALUE");
        ParameterBase& parameter = find(where, text.substr(0, equals));
        if (const auto [before, added] = given_.try_emplace(&parameter, text); !added)
            throw ConfigError(where + "given twice, before as --set " + before->second);
        try {
            parameter.set(text.substr(equals + 1));
        } catch (const ConfigError& error) {
            throw ConfigError(where + error.what());
        }
        all_ += (all_.empty() ? "" : " ") + ("--set " + text);
    }
    const std::string& all() const { return all_; }

    ParameterBase& find(const std::string& where, const std::string& path) {
        if (path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos)
            throw ConfigError(where + "expected names with a dot between them, found '" + path + "'");
        ParameterGroup* group = &root_;
        std::string prefix;
        for (std::size_t at = 0;;) {
            const std::size_t dot = path.find('.', at);
            const std::string name = path.substr(at, dot - at);
            ParameterGroup* const child = find_named(group->groups(), name);
            ParameterBase* const parameter = find_named(group->parameters(), name);
            if (child == nullptr && parameter == nullptr) fail_unknown(where, root_, *group, prefix, name);
            if (parameter != nullptr && dot == std::string::npos) return *parameter;
            prefix += name;
            if (parameter != nullptr)
                throw ConfigError(where + "'" + prefix + "' is a parameter; there is nothing below it");
            if (dot == std::string::npos)
                throw ConfigError(where + "'" + prefix + "' is a table; give one of its parameters");
            prefix += '.';
            group = child;
            at = dot + 1;
        }
    }

  private:
    ParameterGroup& root_;
    std::map<const ParameterBase*, std::string> given_;
    std::string all_;
};

// What is wrong with the parameters together; empty if nothing is.
std::string conflict(const ParameterGroup& root) {
    try {
        root.check_all();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

void write_parameters(const ParameterGroup& group, const std::string& prefix, std::string& out) {
    for (const ParameterBase* parameter : group.parameters()) {
        const std::string value = parameter->bare() ? parameter->value_text() : quoted(parameter->value_text());
        out += "# " + parameter->doc() + "\n# " + parameter->range_text();
        if (parameter->unit() != "1") out += " (" + parameter->unit() + ")";
        out += "; default " + parameter->default_text() + "; " + parameter->source() + "\n";
        out += parameter->name() + " = " + value + "\n";
    }
    for (const ParameterGroup* child : group.groups()) {
        const std::string path = prefix + child->name();
        out += "\n# " + child->doc() + "\n[" + path + "]\n";
        write_parameters(*child, path + ".", out);
    }
}

}  // namespace

std::vector<std::string> machine_names(const std::vector<std::filesystem::path>& folders) {
    std::vector<std::string> names;
    for (const std::filesystem::path& folder : folders) {
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::filesystem::path find_machine(const std::string& name, const std::vector<std::filesystem::path>& folders) {
    if (std::filesystem::is_regular_file(name)) return name;
    for (const std::filesystem::path& folder : folders)
        if (std::filesystem::is_regular_file(folder / (name + ".toml"))) return folder / (name + ".toml");
    const std::vector<std::string> names = machine_names(folders);
    const std::string near = engine::nearest(name, names);
    std::string known;
    for (const std::string& preset : names) known += " " + preset;
    throw ConfigError("no machine file or preset '" + name + "'" +
                      (near.empty() ? "" : ", did you mean '" + near + "'?") + " (presets:" + known + ")");
}

std::vector<ConfigText> read_config(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                                    const std::vector<std::filesystem::path>& preset_folders, ParameterGroup& root) {
    Reader reader(root, preset_folders);
    reader.read(path);
    const bool sound = conflict(root).empty();
    Overrides changes(root);
    for (const std::string& text : overrides) changes.apply(text);
    if (const std::string found = conflict(root); !found.empty())
        throw ConfigError((sound ? changes.all() : path.string()) + ": " + found);
    return std::move(reader).files();
}

void read_resolved(const std::string& text, const std::filesystem::path& called, ParameterGroup& root) {
    Reader(root, {}).read_text(text, called);
    root.check_all();
}

void set_parameter(const std::string& where, const std::string& parameter, const std::string& value,
                   ParameterGroup& root) {
    if (parameter.empty()) throw ConfigError(where + "expected the name of a parameter, found none");
    ParameterBase& found = Overrides(root).find(where, parameter);
    try {
        found.set(value);
    } catch (const ConfigError& error) {
        throw ConfigError(where + parameter + ": " + error.what());
    }
}

void override_parameters(const std::vector<std::string>& overrides, ParameterGroup& root) {
    Overrides changes(root);
    for (const std::string& text : overrides) changes.apply(text);
    if (const std::string found = conflict(root); !found.empty()) throw ConfigError(changes.all() + ": " + found);
}

std::optional<Difference> first_difference(const ParameterGroup& group, const ParameterGroup& other) {
    for (std::size_t i = 0; i < group.parameters().size(); ++i) {
        const ParameterBase &parameter = *group.parameters()[i], &same = *other.parameters()[i];
        if (parameter.value_text() != same.value_text())
            return Difference{parameter.name(), parameter.value_text(), same.value_text()};
    }
    for (std::size_t i = 0; i < group.groups().size(); ++i)
        if (auto found = first_difference(*group.groups()[i], *other.groups()[i])) {
            found->parameter = group.groups()[i]->name() + "." + found->parameter;
            return found;
        }
    return std::nullopt;
}

std::string resolved_toml(const ParameterGroup& root, const std::string& heading) {
    std::string out = "# " + heading + "\n\n";
    write_parameters(root, "", out);
    return out;
}

}  // namespace io
