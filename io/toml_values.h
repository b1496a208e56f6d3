// The values of a TOML text by their dotted path, as TOML writes them: to compare two resolved machines.
#pragma once

#include <map>
#include <string>

namespace io {

// {"l2.capacity", "\"512 KiB\""}, ... Arrays are one value. `called`: what errors call the text. Throws
// engine::InputError if it is not TOML.
std::map<std::string, std::string> toml_values(const std::string& text, const std::string& called);

}  // namespace io
