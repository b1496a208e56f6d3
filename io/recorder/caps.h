// What the application is told the renderer can do decides what it sends: the answer to GET_CAPS2 is patched on its
// way to the application. Knows the offsets of that one structure (capset 2, Mesa's virgl_hw.h), nothing else.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace io {

enum class GlesLevel {
    gles2,   // OpenGL ES 2.0 / OpenGL 2.1: no transform feedback
    gles3,   // OpenGL ES 3.0 / OpenGL 3.3: integers, uniform blocks; no compute
    gles31,  // OpenGL ES 3.1 / OpenGL 3.3 with compute shaders; their atomic counters are in storage buffers
    full,    // whatever the renderer can
};

std::optional<GlesLevel> parse_gles_level(std::string_view text);  // "2", "3", "3.1", "full"

// `reply`: the whole answer to GET_CAPS2. Never raises what the renderer offers. Throws engine::IoError if the answer
// is not capset 2 of at least the known size.
void limit_caps(std::span<std::byte> reply, GlesLevel level);

}  // namespace io
