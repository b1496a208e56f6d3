// Which frames of a recording or trace a command works on, as written on the command line: "A-B", "A-" or "A", numbers
// from 0, B included.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace experiments {

struct FrameRange {
    std::uint32_t first = 0;
    std::uint32_t last = std::numeric_limits<std::uint32_t>::max();

    bool contains(std::uint32_t frame) const { return first <= frame && frame <= last; }
    bool bounded() const { return last != std::numeric_limits<std::uint32_t>::max(); }
    std::string text() const;
};

// What is to be said of a file whose last frame is this one, and of which more were asked for; empty if none were.
std::string frames_missing(const FrameRange& wanted, const std::string& file, std::uint32_t last);

// Throws engine::ConfigError that names --frames.
FrameRange parse_frame_range(const std::string& text);

}  // namespace experiments
