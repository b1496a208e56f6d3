#include "io/printable.h"

#include <algorithm>
#include <cctype>

#include "io/utf8.h"

namespace io {

namespace {

bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first < 0x20 || first == 0x7f;
    return character.size() == 2 && first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    while (!text.empty()) {
        const std::size_t bytes = character_bytes(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
        if (bytes != 0 && !is_control(character)) {
            result += character;
        } else {
            for (const char c : character) {
                const auto value = static_cast<unsigned char>(c);
                result += {'\\', 'x', digits[value >> 4], digits[value & 15]};
            }
        }
        text.remove_prefix(character.size());
    }
    return result;
}

std::string shell_word(const std::string& text) {
    const auto is_plain = [](unsigned char c) {
        const bool in_words =
            std::isalnum(c) != 0 || std::string_view("/._-+=:,@%").find(static_cast<char>(c)) != std::string_view::npos;
        return in_words || c >= 0x80;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace io
