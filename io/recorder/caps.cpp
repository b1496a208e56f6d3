#include "io/recorder/caps.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/error.h"
#include "io/recorder/vtest.h"

namespace io {
namespace {

// In dwords of the reply, whose header takes two.
constexpr std::size_t glsl_level = 2 + 264 / 4;
constexpr std::size_t stream_output_buffers = 2 + 272 / 4;
constexpr std::size_t capability_bits = 2 + 392 / 4;
constexpr std::size_t first_atomic_counter = 2 + 500 / 4, end_of_atomic_counters = 2 + 556 / 4;
constexpr std::size_t known_size = 8 + 1376;
constexpr std::uint32_t compute_shader = 1U << 7;
constexpr std::uint32_t capset_2 = 2;

}  // namespace

std::optional<GlesLevel> parse_gles_level(std::string_view text) {
    if (text == "2") return GlesLevel::gles2;
    if (text == "3") return GlesLevel::gles3;
    if (text == "3.1") return GlesLevel::gles31;
    if (text == "full") return GlesLevel::full;
    return std::nullopt;
}

void limit_caps(std::span<std::byte> reply, GlesLevel level) {
    if (level == GlesLevel::full) return;
    if (reply.size() < known_size || word(reply, 1) != capset_2)
        throw engine::IoError("virgl_test_server answered GET_CAPS2 with " + std::to_string(reply.size()) +
                              " bytes, expected capset 2 of at least " + std::to_string(known_size) +
                              " bytes: it is too old; update the package virgl-server");
    // Below level 130 Mesa makes floats of a program's integers, and wrong programs: it shifts floats as if they were
    // integers, and loses what is written to elements of arrays. What keeps it at OpenGL ES 2.0 and OpenGL 2.1 is that
    // there is no transform feedback, which both of the next versions must have.
    const std::uint32_t highest = level == GlesLevel::gles2 ? 130 : 330;
    set_word(reply, glsl_level, std::min(word(reply, glsl_level), highest));
    if (level == GlesLevel::gles2) set_word(reply, stream_output_buffers, 0);
    if (level == GlesLevel::gles3) set_word(reply, capability_bits, word(reply, capability_bits) & ~compute_shader);
    if (level == GlesLevel::gles31)
        for (std::size_t i = first_atomic_counter; i < end_of_atomic_counters; ++i) set_word(reply, i, 0);
}

}  // namespace io
