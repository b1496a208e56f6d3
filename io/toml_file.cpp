#include "io/toml_file.h"

#include <algorithm>
#include <span>

#include "engine/error.h"
#include "engine/parameter.h"
#include "io/recording/input_file.h"
#include "io/toml_scan.h"

namespace io {

toml::table parse_toml(std::string_view text, std::string_view called) {
    if (const auto bad = first_bad_utf8(text)) throw TomlError(position_of(text, *bad), "not valid UTF-8");
    if (const auto trouble = find_toml_trouble(text))
        throw TomlError(position_of(text, trouble->offset), trouble->what);
    try {
        return toml::parse(text, called);
    } catch (const toml::parse_error& error) {
        const toml::source_position where = error.source().begin;
        throw TomlError({where.line, where.column}, std::string(error.description()));
    }
}

std::string read_toml_file(const std::filesystem::path& path, std::size_t most_bytes) {
    const Descriptor file = open_input(path);
    std::string text(std::min<std::uint64_t>(size_of(file, path), most_bytes) + 1, '\0');
    text.resize(read_bytes(file, std::as_writable_bytes(std::span(text)), path));
    if (text.size() > most_bytes)
        throw engine::ConfigError(path.string() + ": expected TOML of at most " + std::to_string(most_bytes) +
                                  " bytes, found " + std::to_string(size_of(file, path)));
    const auto kind = kind_of_content(std::as_bytes(std::span(text)));
    if (!kind.empty()) throw engine::ConfigError(path.string() + ": expected TOML, found " + std::string(kind));
    return text;
}

toml::table parse_toml_file(const std::filesystem::path& path, std::string_view text) {
    try {
        return parse_toml(text, path.native());
    } catch (const TomlError& error) {
        throw engine::ConfigError(path.string() + ":" + std::to_string(error.where.line) + ":" +
                                  std::to_string(error.where.column) + ": " + error.what());
    }
}

std::string expected_names(const std::vector<std::string>& known) {
    std::string text = known.size() > 1 ? ", expected one of" : ", expected";
    for (const std::string& name : known) text += " " + name;
    return text;
}

std::string remedy(std::string_view unknown, const std::vector<std::string>& known) {
    const std::string near = engine::nearest(unknown, known);
    return near.empty() ? expected_names(known) : ", did you mean '" + near + "'?";
}

}  // namespace io
