#include "io/utf8.h"

namespace io {

namespace {

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::size_t character_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) return 1;
    const std::size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if (!continues(text[i])) return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool surrogate = first == 0xed && second >= 0xa0;
    const bool beyond = first == 0xf4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : size;
}

std::optional<std::size_t> first_bad_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character_bytes(text.substr(at));
        if (size == 0) return at;
        at += size;
    }
    return std::nullopt;
}

TextPosition position_of(std::string_view text, std::size_t offset) {
    TextPosition position;
    for (const char c : text.substr(0, offset))
        if (c == '\n')
            ++position.line, position.column = 1;
        else if (!continues(c))
            ++position.column;
    return position;
}

}  // namespace io
