#include "io/json.h"

#include <cstdio>

#include "io/utf8.h"

namespace io {

namespace {

std::string escaped(unsigned code) {
    char text[8];
    std::snprintf(text, sizeof text, "\\u%04x", code);
    return text;
}

}  // namespace

std::string json_text(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t bytes = character_bytes(text);
        const auto first = static_cast<unsigned char>(text[0]);
        const auto second = bytes == 2 ? static_cast<unsigned char>(text[1]) : 0U;
        if (bytes == 0)
            out += escaped(0xfffd);  // what UTF-8 calls a byte that is none
        else if (first < 0x20 || first == 0x7f)
            out += escaped(first);
        else if (first == 0xc2 && second < 0xa0)
            out += escaped(second);
        else
            out += (first == '"' || first == '\\' ? "\\" : "") + std::string(text.substr(0, bytes));
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out + "\"";
}

}  // namespace io
