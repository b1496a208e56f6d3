#include "io/recording/origin.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/recording/recording.h"

namespace io {

std::string encode_origin(const RecordingOrigin& origin) {
    std::string text;
    for (const auto& [name, value] : origin) {
        text += name + "=";
        for (const char letter : value)
            if (letter == '\\')
                text += "\\\\";
            else if (letter == '\n')
                text += "\\n";
            else
                text += letter;
        text += "\n";
    }
    return text;
}

namespace {

std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 1 < text.size();
        if (!escape)
            result += text[i];
        else
            result += text[++i] == 'n' ? '\n' : text[i];
    }
    return result;
}

}  // namespace

RecordingOrigin decode_origin(std::span<const std::byte> payload) {
    RecordingOrigin origin;
    std::string_view rest{reinterpret_cast<const char*>(payload.data()), payload.size()};
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && equals > 0)
            origin.emplace_back(line.substr(0, equals), unescaped(line.substr(equals + 1)));
    }
    return origin;
}

RecordingOrigin origin_of(std::span<const std::byte> stream) {
    RecordingOrigin origin;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record);) {
        if (record.kind != RecordKind::origin) continue;
        for (auto& entry : decode_origin(record.payload)) origin.push_back(std::move(entry));
    }
    return origin;
}

bool has_checksums(std::span<const std::byte> stream) {
    bool covered = false;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record);) {
        if (record.kind == RecordKind::checksum) covered = true;
        if (record.kind == RecordKind::message || record.kind == RecordKind::reply) covered = false;
    }
    return covered;
}

}  // namespace io
