// UTF-8 as far as reading configurations and printing foreign texts needs it: toml++ 3.3 is undefined on invalid bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace io {

// Bytes of the character at the start of `text`, which is not empty, or 0 if none is there.
std::size_t character_bytes(std::string_view text);

// The offset of the first byte that is not part of a valid character (overlong forms and surrogates are not).
std::optional<std::size_t> first_bad_utf8(std::string_view text);

// Counted from 1; columns in characters.
struct TextPosition {
    std::size_t line = 1, column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

}  // namespace io
