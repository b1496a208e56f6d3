#include "io/cut/cut_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/frame_marks.h"
#include "io/recording/origin.h"
#include "io/recording/recording_writer.h"
#include "tests/io/recording/scratch_folder.h"
#include "tests/models/functional/pipeline/scene.h"

namespace {

using models::functional::Scene;
using testing::ElementsAre;
using testing::Pair;

constexpr std::uint32_t triangles = 4, patches = 14;  // patches are refused

class CutFile : public ScratchFolder {
  protected:
    // A picture that the recorder left out, and a frame drawn over it.
    std::filesystem::path recording(std::uint32_t kind_of_primitive) const {
        Scene scene(16, 16);
        scene.clear(Scene::clear_all, {1, 1, 1, 1});
        scene.draw(models::functional::whole_window(0), kind_of_primitive);
        scene.submit();
        scene.stream.record(static_cast<std::uint8_t>(io::RecordKind::skipped), {});
        scene.draw({{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 0, 0, 1}});
        scene.end_frame();
        io::RecordingWriter writer(folder() / "r.vtr", {{"command", "game"}});
        io::RecordingReader reader(scene.stream.bytes());
        for (io::Record record; reader.next_of_any_kind(record);) writer.add(record.kind, record.payload);
        writer.end_frame();
        writer.commit();
        return folder() / "r.vtr";
    }
};

TEST_F(CutFile, ARecordingIsReplacedByItsCutAndSaysSo) {
    const auto path = recording(triangles);
    const io::CutFileReport report =
        io::cut_recording_file(io::load_recording(path), path, path, "a part", {.frames = {0, 0}, .threads = 1});
    EXPECT_EQ(report.cut.frames, 1U);
    EXPECT_EQ(report.bytes, std::filesystem::file_size(path));
    const auto stream = io::load_recording(path);
    EXPECT_TRUE(io::pictures_left_out(stream).empty());
    EXPECT_THAT(io::origin_of(stream), ElementsAre(Pair("command", "game"), Pair("cut", "a part")));
    EXPECT_EQ(entries(), 1U);
}

TEST_F(CutFile, WhatCannotBeCutStaysAsItWas) {
    const auto path = recording(patches);
    const auto before = read(path);
    const std::string error = models::functional::error_of([&] {
        io::cut_recording_file(io::load_recording(path), path, path, "a part", {.frames = {0, 0}, .threads = 1});
    });
    EXPECT_THAT(error, testing::StartsWith(path.string() + ": byte "));
    EXPECT_EQ(read(path), before);
    EXPECT_EQ(entries(), 1U);
}

}  // namespace
