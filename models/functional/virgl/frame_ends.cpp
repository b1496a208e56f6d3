#include "models/functional/virgl/frame_ends.h"

#include <algorithm>
#include <utility>

namespace models::functional {

namespace {

constexpr std::uint32_t buffer_target = 0;
constexpr std::uint32_t bind_custom = 0x20000;  // of the little buffer that stands for a fence
constexpr std::uint32_t resource_words = 10, transfer_words = 11;

// What is damaged launches nothing: it is refused when it is executed.
bool launches(const Words& submission) {
    CommandStream commands(submission);
    try {
        for (Command command; commands.next(command);)
            if (command.command == VirglCommand::launch_grid) return true;
    } catch (const engine::InputError&) {
        return false;
    }
    return false;
}

}  // namespace

void FrameEndFinder::create(const Words& words) {
    words.need(resource_words);
    windows_.erase(words[0]);
    fences_.erase(words[0]);
    if ((words[3] & (bind_display_target | bind_scanout)) != 0)
        windows_[words[0]] = {words[4], words[5]};
    else if (words[1] == buffer_target && words[3] == bind_custom)
        fences_.insert(words[0]);
}

void FrameEndFinder::get(const Words& words, std::uint64_t offset) {
    words.need(transfer_words);
    const auto window = windows_.find(words[0]);
    if (window == windows_.end()) {
        if (launched_ && windows_.empty()) {
            reads_ = true;
            read_back_ = words[0];
            computed_ = {offset, 0, 0};
        }
        return;
    }
    // level, then the box from word 4 on: x, y, z, width, height, depth
    const bool whole = words[1] == 0 && words[4] == 0 && words[5] == 0 && words[6] == 0 &&
                       words[7] == window->second.width && words[8] == window->second.height && words[9] == 1;
    if (whole) {
        reads_ = true;
        reading_ = words[0];
    }
}

std::optional<FrameEnd> FrameEndFinder::wait(const Words& words, std::uint64_t offset, std::uint32_t reading) {
    if (reading != 0 && words[0] == reading) {
        launched_ = false;
        computed_.reset();
        return FrameEnd{offset, windows_[reading].width, windows_[reading].height};
    }
    const bool finished = fences_.contains(words[0]) && launched_ && windows_.empty();
    if (finished || (read_back_ != 0 && words[0] == read_back_)) computed_ = {offset, 0, 0};
    return std::nullopt;
}

std::optional<FrameEnd> FrameEndFinder::submit(const Words& words) {
    if (!launches(words)) return std::nullopt;
    launched_ = true;
    return std::exchange(computed_, std::nullopt);
}

std::optional<FrameEnd> FrameEndFinder::see(const Message& message, std::uint64_t offset) {
    const Words& words = message.words;
    const std::uint32_t reading = std::exchange(reading_, 0);
    reads_ = false;
    if (message.command != VtestCommand::resource_busy_wait) read_back_ = 0;
    switch (message.command) {
        case VtestCommand::resource_create:
            create(words);
            return std::nullopt;
        case VtestCommand::resource_unref:
            windows_.erase(words[0]);
            fences_.erase(words[0]);
            return std::nullopt;
        case VtestCommand::transfer_get:
            get(words, offset);
            return std::nullopt;
        case VtestCommand::resource_busy_wait:
            return wait(words, offset, reading);
        case VtestCommand::submit_cmd:
            return submit(words);
        default:
            return std::nullopt;
    }
}

std::optional<FrameEnd> FrameEndFinder::at_end() const {
    return computed_;
}

FrameEnds::FrameEnds(Bytes stream) {
    FrameEndFinder finder;
    RecordStream records(stream);
    const auto add = [this](const std::optional<FrameEnd>& end) {
        if (end) ends_.push_back(*end);
    };
    try {
        for (Record record; records.next(record);)
            if (record.kind == RecordKind::client_message) add(finder.see(parse_message(record), record.offset));
    } catch (const engine::InputError&) {
        return;
    }
    add(finder.at_end());
}

const FrameEnd* FrameEnds::find(std::uint64_t offset) const {
    const auto found = std::lower_bound(ends_.begin(), ends_.end(), offset,
                                        [](const FrameEnd& end, std::uint64_t at) { return end.offset < at; });
    return found != ends_.end() && found->offset == offset ? &*found : nullptr;
}

}  // namespace models::functional
