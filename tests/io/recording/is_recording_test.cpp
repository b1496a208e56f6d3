#include "io/recording/is_recording.h"

#include <random>

#include <gtest/gtest.h>

#include "io/recording/recording_writer.h"
#include "tests/io/recording/scratch_folder.h"

namespace {

using IsRecording = ScratchFolder;

TEST_F(IsRecording, SaysSoOfPlainAndCompressedOnes) {
    std::vector<std::byte> noise(300'000);  // makes the first compressed block as large as one can be
    std::mt19937 random(1);
    for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
    for (const char* name : {"a.vtr", "a.vtr.zst"}) {
        io::RecordingWriter writer(folder() / name);
        writer.add(io::RecordKind::message, noise);
        writer.end_frame();
        writer.commit();
        EXPECT_TRUE(io::is_recording(folder() / name)) << name;
    }
}

TEST_F(IsRecording, SaysNotSoOfAnythingElse) {
    for (const std::string& text :
         {std::string(), std::string("VTR"), std::string("vtr0"), std::string(5000, '\0'),
          std::string("\x28\xb5\x2f\xfd", 4), std::string("\x28\xb5\x2f\xfd\x04\x58\xff\xff", 8)})
        EXPECT_FALSE(io::is_recording(write("x", text))) << text.size();
}

}  // namespace
