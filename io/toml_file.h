// TOML through toml++, with what it does not survive refused before. Internal to io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "io/utf8.h"

namespace io {

struct TomlError : std::runtime_error {
    TomlError(TextPosition position, const std::string& what) : std::runtime_error(what), where(position) {}
    TextPosition where;
};

// Throws TomlError. `called`: what toml++ calls the text.
toml::table parse_toml(std::string_view text, std::string_view called = {});

// A file that a person wrote: too many bytes, or something else than TOML, is an engine::ConfigError that starts with
// FILE or FILE:LINE:COLUMN; a file that cannot be read is an engine::IoError.
std::string read_toml_file(const std::filesystem::path& path, std::size_t most_bytes);
toml::table parse_toml_file(const std::filesystem::path& path, std::string_view text);

// What to say behind "unknown key": ", did you mean 'ways'?", or where it is like none of them all that there are.
std::string remedy(std::string_view unknown, const std::vector<std::string>& known);
std::string expected_names(const std::vector<std::string>& known);

}  // namespace io
