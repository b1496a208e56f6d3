// What toml++ 3.3 does not survive in TOML that is UTF-8, found before it sees the text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace io {

struct TomlTrouble {
    std::size_t offset = 0;
    std::string what;  // "a key of more than 16 parts"
};

// The first of
//   - a character beyond ASCII that stands neither in a comment nor in a text, or where a text of several lines goes on
//     after a backslash at the end of a line: toml++ expects white space there and is undefined on others. A byte order
//     mark at the start is none;
//   - a key of more parts than any sensible one has: every part is a table in a table, and to delete 200,000 of them
//     takes more stack than there is. (Arrays and inline tables within each other toml++ counts itself.)
std::optional<TomlTrouble> find_toml_trouble(std::string_view toml);

}  // namespace io
