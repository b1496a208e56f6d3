#include "io/recorder/caps.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/recorder/vtest.h"

namespace {

constexpr std::size_t glsl_level = 8 + 264;  // bytes
constexpr std::size_t stream_output_buffers = 8 + 272;
constexpr std::size_t capability_bits = 8 + 392;

io::Bytes caps_with(std::uint32_t level, std::uint32_t bits) {
    io::Bytes reply(8 + 1376, std::byte{0x5a});
    io::set_word(reply, 0, 1377);
    io::set_word(reply, 1, 2);
    io::set_word(reply, glsl_level / 4, level);
    io::set_word(reply, capability_bits / 4, bits);
    return reply;
}

io::Bytes limited(io::Bytes reply, io::GlesLevel level) {
    io::limit_caps(reply, level);
    return reply;
}

TEST(Caps, EachLevelChangesOnlyWhatItIsFor) {
    const std::uint32_t offered = 0x5ff7ffff;
    io::Bytes without_feedback = caps_with(130, offered);
    io::set_word(without_feedback, stream_output_buffers / 4, 0);
    EXPECT_EQ(limited(caps_with(450, offered), io::GlesLevel::gles2), without_feedback);
    EXPECT_EQ(limited(caps_with(450, offered), io::GlesLevel::gles3), caps_with(330, 0x5ff7ff7f));
    EXPECT_EQ(limited(caps_with(450, offered), io::GlesLevel::full), caps_with(450, offered));
    io::Bytes without_counters = caps_with(330, offered);
    for (std::size_t dword = 2 + 500 / 4; dword <= 2 + 552 / 4; ++dword) io::set_word(without_counters, dword, 0);
    EXPECT_EQ(limited(caps_with(450, offered), io::GlesLevel::gles31), without_counters);
}

TEST(Caps, NothingIsRaised) {
    io::Bytes without_feedback = caps_with(110, 0);
    io::set_word(without_feedback, stream_output_buffers / 4, 0);
    EXPECT_EQ(limited(caps_with(110, 0), io::GlesLevel::gles2), without_feedback);
    EXPECT_EQ(limited(caps_with(140, 0), io::GlesLevel::gles3), caps_with(140, 0));
}

TEST(Caps, AnotherStructureIsRefused) {
    io::Bytes other = caps_with(450, 0);
    io::set_word(other, 1, 1);
    EXPECT_THROW(io::limit_caps(other, io::GlesLevel::gles2), engine::IoError);
    io::Bytes shorter = caps_with(450, 0);
    shorter.resize(400);
    EXPECT_THROW(io::limit_caps(shorter, io::GlesLevel::gles3), engine::IoError);
}

TEST(Caps, LevelsAreNamedAsOnTheCommandLine) {
    EXPECT_EQ(io::parse_gles_level("2"), io::GlesLevel::gles2);
    EXPECT_EQ(io::parse_gles_level("3"), io::GlesLevel::gles3);
    EXPECT_EQ(io::parse_gles_level("3.1"), io::GlesLevel::gles31);
    EXPECT_EQ(io::parse_gles_level("full"), io::GlesLevel::full);
    EXPECT_EQ(io::parse_gles_level("4"), std::nullopt);
    EXPECT_EQ(io::parse_gles_level(""), std::nullopt);
}

}  // namespace
