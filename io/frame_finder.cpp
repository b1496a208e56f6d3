#include "io/frame_finder.h"

#include <utility>

#include "io/recording/recording.h"

namespace io {

using models::functional::Message;
using models::functional::VtestCommand;
using models::functional::Words;

bool FrameFinder::ends_frame(const Message& message) {
    const Words& words = message.words;
    const std::uint32_t reading = std::exchange(reading_, 0);
    switch (message.command) {
        case VtestCommand::resource_create:
            windows_.erase(words[0]);
            if ((words[3] & (models::functional::bind_display_target | models::functional::bind_scanout)) != 0)
                windows_[words[0]] = {words[4], words[5]};
            return false;
        case VtestCommand::resource_unref:
            windows_.erase(words[0]);
            return false;
        case VtestCommand::transfer_get: {
            const auto window = windows_.find(words[0]);
            if (window == windows_.end()) return false;
            // level, then the box from word 4 on: x, y, z, width, height, depth
            const bool whole = words[1] == 0 && words[4] == 0 && words[5] == 0 && words[6] == 0 &&
                               words[7] == window->second.width && words[8] == window->second.height && words[9] == 1;
            if (whole) reading_ = words[0];
            return false;
        }
        case VtestCommand::resource_busy_wait:
            if (reading == 0 || words[0] != reading) return false;
            size_ = windows_[reading];
            return true;
        default:
            return false;
    }
}

namespace {

constexpr std::uint64_t record_header_bytes = 5;

// 0: the recorder left none out.
std::uint64_t end_of_last_left_out(models::functional::Bytes stream) {
    std::uint64_t end = 0;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record);)
        if (record.kind == RecordKind::skipped) end = record.offset;
    return end;
}

}  // namespace

std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream) {
    const std::uint64_t last = end_of_last_left_out(stream);
    std::map<std::uint32_t, std::vector<std::uint64_t>> found;
    std::uint32_t frame = 0;
    FrameFinder finder;
    RecordingReader reader{stream};
    for (Record record; reader.next_of_any_kind(record) && record.offset <= last;) {
        if (record.kind == RecordKind::skipped) found[frame].push_back(record.offset);
        if (record.kind != RecordKind::message) continue;
        const std::uint64_t payload = record.offset + record_header_bytes;
        const Message message = models::functional::parse_message(
            {models::functional::RecordKind::client_message, payload, record.payload});
        if (finder.ends_frame(message)) ++frame;
    }
    return found;
}

}  // namespace io
