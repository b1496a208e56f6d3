// UTF-8 as far as reading configurations needs it: toml++ 3.3 is undefined on invalid bytes, and on characters beyond
// ASCII where it expects white space.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace io {

// The offset of the first byte that is not part of a valid character (overlong forms and surrogates are not).
std::optional<std::size_t> first_bad_utf8(std::string_view text);

// The offset of the first byte beyond ASCII in TOML that stands neither in a comment nor in a text of one line, where
// alone such characters make sense in a configuration. A byte order mark at the start does not count.
std::optional<std::size_t> first_stray_non_ascii(std::string_view toml);

// Counted from 1; columns in characters.
struct TextPosition {
    std::size_t line = 1, column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

}  // namespace io
