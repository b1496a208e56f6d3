#include "io/recording_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "tests/models/functional/virgl/stream_writer.h"

namespace {

using models::functional::Commands;
using models::functional::StreamWriter;
using models::functional::VirglCommand;
using models::functional::VtestCommand;
using models::functional::WordList;

constexpr std::uint32_t window = 1, image = 2, buffer = 3;
constexpr std::uint32_t rgba8 = 67, bgra8 = 1;

StreamWriter two_frames() {
    StreamWriter writer;
    writer.resource(window, 2, bgra8, 0x82, 4, 2);
    writer.resource(image, 2, rgba8, 0xa, 8, 8, 3);
    writer.resource(buffer, 0, 64, 0x10, 100, 1);
    writer.put(image, 0, 8, 8, WordList(64));
    writer.submit(Commands()
                      .shader(1, 0, "VERT")
                      .shader(2, 1, "FRAG")
                      .add(VirglCommand::clear, {4, 0, 0, 0, 0, 0, 0, 0})
                      .add(VirglCommand::draw_vbo, {0, 6, 4, 0, 3, 0, 0, 0, 0, 0, 5, 0}));
    writer.end_frame(window, 4, 2, WordList(8));
    writer.message(VtestCommand::resource_unref, {image});
    writer.submit(Commands().add(VirglCommand::draw_vbo, {0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 4, 0}));
    writer.end_frame(window, 4, 2, WordList(8));
    return writer.submit(Commands().add(VirglCommand::draw_vbo, {0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 4, 0}));
}

TEST(RecordingSummary, CountsFrameByFrame) {
    const StreamWriter writer = two_frames();
    const io::RecordingSummary summary = io::summarise_recording(writer.bytes());
    ASSERT_EQ(summary.frames.size(), 2U);
    const io::RecordedFrame& first = summary.frames[0];
    EXPECT_EQ(first.width, 4U);
    EXPECT_EQ(first.height, 2U);
    EXPECT_EQ(first.draws, 1U);
    EXPECT_EQ(first.vertices, 18U) << "of all instances";
    EXPECT_EQ(first.clears, 1U);
    EXPECT_EQ(first.shaders, 2U);
    EXPECT_EQ(first.resources, 3U);
    EXPECT_EQ(first.uploads, 256U);
    EXPECT_TRUE(first.reference);
    EXPECT_EQ(summary.frames[1].draws, 1U);
    EXPECT_EQ(summary.frames[1].uploads, 0U);
    EXPECT_EQ(4 + first.bytes - 4 + summary.frames[1].bytes + summary.trailing_bytes, writer.bytes().size());
    EXPECT_GT(summary.trailing_bytes, 0U);
}

TEST(RecordingSummary, WhatWasDrawnForAPictureLeftOutIsNoFramesWork) {
    StreamWriter writer;
    writer.resource(window, 2, bgra8, 0x82, 4, 2);
    const Commands draw = Commands().add(VirglCommand::draw_vbo, {0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 4, 0});
    for (int picture = 0; picture < 2; ++picture)
        writer.submit(draw).record(static_cast<std::uint8_t>(io::RecordKind::skipped), {});
    const std::size_t before = writer.bytes().size();
    writer.submit(draw).end_frame(window, 4, 2, WordList(8));
    const io::RecordingSummary summary = io::summarise_recording(writer.bytes());
    EXPECT_EQ(summary.left_out, 2U);
    ASSERT_EQ(summary.frames.size(), 1U);
    EXPECT_EQ(summary.frames[0].draws, 1U);
    EXPECT_EQ(summary.frames[0].resources, 0U);
    EXPECT_EQ(summary.frames[0].bytes, writer.bytes().size() - before + 5) << "with the mark";
}

TEST(RecordingSummary, WhatACutFilledIsNoFramesWork) {
    StreamWriter writer;
    writer.resource(window, 2, bgra8, 0x82, 4, 2).put(window, 0, 4, 2, WordList(8));
    writer.record(static_cast<std::uint8_t>(io::RecordKind::filled), {}).end_frame(window, 4, 2, WordList(8));
    const io::RecordingSummary summary = io::summarise_recording(writer.bytes());
    EXPECT_EQ(summary.left_out, 0U);
    ASSERT_EQ(summary.frames.size(), 1U);
    EXPECT_EQ(summary.frames[0].uploads, 0U);
    EXPECT_EQ(summary.frames[0].resources, 0U);
}

TEST(RecordingSummary, CountsShadersAndResourcesByUse) {
    const io::RecordingSummary summary = io::summarise_recording(two_frames().bytes());
    EXPECT_EQ(summary.vertex_shaders, 1U);
    EXPECT_EQ(summary.fragment_shaders, 1U);
    ASSERT_EQ(summary.resources.size(), 3U);
    EXPECT_EQ(summary.resources.at({"2D texture", "R8G8B8A8_UNORM"}).bytes, 4U * (64 + 16 + 4 + 1));
    EXPECT_EQ(summary.resources.at({"window", "B8G8R8A8_UNORM"}).bytes, 32U);
    EXPECT_EQ(summary.resources.at({"buffer", ""}).count, 1U);
    EXPECT_EQ(summary.largest_memory, 340U + 32 + 100);
}

TEST(RecordingSummary, ADamagedCommandIsRefusedWithItsOffset) {
    StreamWriter writer;
    writer.message(VtestCommand::submit_cmd, {0x00ff0008});
    EXPECT_THAT(models::functional::error_of([&] { io::summarise_recording(writer.bytes()); }),
                testing::AllOf(testing::StartsWith("byte 17"), testing::HasSubstr("words announced")));
    StreamWriter empty;
    empty.submit(Commands().add(VirglCommand::draw_vbo, {}));
    EXPECT_THAT(models::functional::error_of([&] { io::summarise_recording(empty.bytes()); }),
                testing::HasSubstr("DRAW_VBO"));
}

}  // namespace
