#include "experiments/tessera/frame_range.h"

#include <charconv>

#include "engine/error.h"

namespace experiments {

std::string FrameRange::text() const {
    if (first == last) return std::to_string(first);
    return std::to_string(first) + "-" + (bounded() ? std::to_string(last) : "");
}

std::string frames_missing(const FrameRange& wanted, const std::string& file, std::uint32_t last) {
    if (!wanted.bounded() || wanted.last <= last) return {};
    return file + ": its last frame is " + std::to_string(last) + "; of --frames " + wanted.text() +
           " those after it are not there";
}

FrameRange parse_frame_range(const std::string& text) {
    const auto fail = [&] {
        throw engine::ConfigError("--frames: expected A-B, A- or A with numbers from 0 and A <= B, found '" + text +
                                  "'");
    };
    const char* const end = text.data() + text.size();
    FrameRange range;
    const auto first = std::from_chars(text.data(), end, range.first);
    if (first.ec != std::errc{}) fail();
    if (first.ptr == end) {
        range.last = range.first;
        return range;
    }
    if (*first.ptr != '-') fail();
    if (first.ptr + 1 == end) return range;
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc{} || last.ptr != end || range.last < range.first) fail();
    return range;
}

}  // namespace experiments
